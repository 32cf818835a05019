"""Computer players: whoever chooses among the actions that a player can take."""
