"""Pictures drawn with pygame, and saved as files and films."""
