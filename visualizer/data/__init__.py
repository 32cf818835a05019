"""Games as the viewer holds them: repositories read and validated, recordings, and the feeds that update them."""
