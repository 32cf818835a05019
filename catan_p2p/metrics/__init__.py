"""Figures of games (storage, deltas, latency, statistics), measured from repositories and kept as tidy files."""
