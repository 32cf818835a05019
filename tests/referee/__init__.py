"""A second validator of game logs, which shares nothing with the program, and the two judging side by side."""
