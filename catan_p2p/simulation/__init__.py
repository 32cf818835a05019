"""Headless simulation: one game or many, in one process, on several, on a cluster, or over simulated links."""
