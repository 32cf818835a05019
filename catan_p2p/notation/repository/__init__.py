"""Git repositories of games that were read from a notation: whole games, and public views of the others."""
