"""Policies against one another: games with rotated seats and equal dice, win rates and ratings."""
