"""A second engine for two to six players: plain dicts and brute force, and nothing of the program's."""
