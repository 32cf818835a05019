"""Peers with a repository each: what they fetch from one another, validate, keep and serve."""
