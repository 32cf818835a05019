"""Whole games over every pair, or triple, of what a game can be, and every verb on the repositories that come out."""
