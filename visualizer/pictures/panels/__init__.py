"""The parts of the picture beside the island: players, bank, log, timeline, dialogs."""
