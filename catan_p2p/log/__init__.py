"""Append-only logs in Git: refs, trees, commits, and the store under them."""
