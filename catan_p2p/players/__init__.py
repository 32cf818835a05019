"""Computer players: they choose among the actions that a player can take."""
