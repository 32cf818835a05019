"""The actions of the game by their public name: what ``catan_p2p.game.actions`` offers."""

from catan_p2p.game.actions import *  # noqa: F403
