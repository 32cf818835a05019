"""The TLC model checker: found, run and understood; games written as traces for it."""
