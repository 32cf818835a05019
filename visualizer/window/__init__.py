"""The window: its loop, its screen, its clock."""
