"""What may be told of a game, and to whom; knows the game, and nothing of Git, pixels or protocols."""
