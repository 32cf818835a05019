"""Chance that nobody can bend: draws, their shares, and those who would rather choose."""
