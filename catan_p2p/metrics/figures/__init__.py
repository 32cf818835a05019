"""Figures of measured games, drawn by matplotlib."""
