"""The games for two (chapter 8), with the Investor."""
