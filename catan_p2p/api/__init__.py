"""The library: what ``import catan_p2p`` offers, over the engine and the logs. docs/guides/library.md is its guide."""
