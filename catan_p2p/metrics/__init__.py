"""Games measured from their repositories (storage, deltas, latency, statistics): tables, figures, pages, the report."""
