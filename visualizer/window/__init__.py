"""The window: its loop, its screen, what is drawn on it."""
