"""What a peer decides, without I/O: an event goes in, and what is to be done comes out, in the order to do it in."""
