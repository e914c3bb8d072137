"""A mutation run: breaks the rules in small ways, one at a time, and lists what no test notices.

Why no ready-made tool: mutmut 3 mutates only what stands inside functions, while much of a title is class attributes
and module constants, and it draws no seeded sample; cosmic-ray runs one command for every mutant, which here would be
the whole suite. Both write mutants to disk. What is left to do is small: mutate the syntax tree, hand it to the import
system, and run the tests that coverage.py has seen on that line.
"""
