"""Policies against one another: games with rotated seats on equal dice, win rates and ratings."""
