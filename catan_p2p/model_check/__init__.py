"""The TLC model checker: finding and running it, parsing its output, and writing games as traces for it."""
