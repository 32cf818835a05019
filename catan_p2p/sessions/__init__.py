"""People and computer players at one screen: where their games lie, and the process that leads their peers."""
