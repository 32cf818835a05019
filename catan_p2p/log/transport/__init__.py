"""Other peers' repositories, wherever they are, and the serving of one's own: above the storage, below the log."""
