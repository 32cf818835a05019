"""What each reader may know of a game. It depends on the game, and not on Git, pixels or protocols."""
