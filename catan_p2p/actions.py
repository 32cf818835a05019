"""The actions of the game under their public name: all that ``catan_p2p.game.actions`` exports."""

from catan_p2p.game.actions import *  # noqa: F403
