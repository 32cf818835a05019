"""A game as a page for any browser: one file, or a page that is served and follows the game."""
