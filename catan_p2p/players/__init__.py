"""Computer players, which choose among the decisions of a player."""
