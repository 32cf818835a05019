"""The island: its geometry, the land, and the pieces on it."""
