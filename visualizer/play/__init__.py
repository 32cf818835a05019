"""Playing: the viewer with a seat."""
