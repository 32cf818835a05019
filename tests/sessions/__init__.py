"""A table of this machine: the process that leads its peers."""
