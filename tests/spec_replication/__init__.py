"""The specification of the replication, checked by TLC, and real repositories driven through its behaviours."""
