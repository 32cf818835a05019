"""Games in the notations that other programs know: catanlog's ``.catan`` and Settlers Game Notation."""
