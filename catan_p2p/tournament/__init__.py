"""Tournaments of policies: games with rotated seats and equal dice, win rates, and ratings."""
