"""Games as the viewer holds them: repositories read and checked, recordings, and what a feed tells of them."""
