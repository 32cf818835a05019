"""The computer player ``strategist``: tables of a board, what a player may know, expected times, and its own turn."""

from catan_p2p.players.strategist.policy import StrategistPolicy

__all__ = ["StrategistPolicy"]
