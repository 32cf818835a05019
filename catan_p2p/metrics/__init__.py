"""Figures of games: storage, deltas, latency and statistics, measured from repositories and kept as tidy files."""
