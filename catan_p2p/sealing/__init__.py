"""Cards that only their holder sees, and proofs that they are held; docs/how-it-works/sealing.md explains them."""
