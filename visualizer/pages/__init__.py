"""A game as a page for any browser: as one file, or served and following the game."""
