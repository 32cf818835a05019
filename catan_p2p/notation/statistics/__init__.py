"""What people want to know of game logs: figures, and pictures of them."""
