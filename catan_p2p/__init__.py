"""One game of Catan is one Git history."""

__version__ = "0.1.0"
