"""The network laboratory: the replicas of ``catan-p2p peer`` over simulated links, in virtual time, from one seed."""
