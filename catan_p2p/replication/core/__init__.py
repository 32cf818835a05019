"""What a peer decides, without I/O: an event goes in, and the effects come out in the order to carry them out."""
