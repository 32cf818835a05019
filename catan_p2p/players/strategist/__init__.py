"""The computer player ``strategist``, which weighs positions by the expected rolls until each player wins."""

from catan_p2p.players.strategist.policy import StrategistPolicy

__all__ = ["StrategistPolicy"]
