"""The island: where everything lies, the ground, and what stands on it."""
