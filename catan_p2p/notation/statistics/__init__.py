"""Statistics of game logs, and plots of them."""
