"""Recomputes the tables of ``metrics`` and ``study`` from plain Git and the rules; imports nothing of the program."""
