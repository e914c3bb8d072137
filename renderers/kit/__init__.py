"""What all pictures are made with: fonts, colours, tables, words, alt texts, kept drawings."""
