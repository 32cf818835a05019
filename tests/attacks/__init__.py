"""Attacks on a peer: their names, what they do and what must come of it, for the tests and for ``make attacks``."""
