"""Append-only logs in Git: refs, trees, commits, the graph of a game, and the store that holds them."""
