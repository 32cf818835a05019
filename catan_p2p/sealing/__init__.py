"""Cards that only their holder sees, and proofs that they are held (docs/sealing.md); no game uses them yet."""
