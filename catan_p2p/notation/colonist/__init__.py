"""Replays of colonist.io: one JSON document with the initial state of a game and the changes of each event.

Players are identified by colours, 1 to 12. Resources are 1 lumber, 2 brick, 3 wool, 4 grain and 5 ore; development
cards are 11 knight, 12 victory point, 13 monopoly, 14 road building and 15 year of plenty. Corners and edges are
numbered, and the document gives the place of each number.
"""

from catan_p2p.notation.colonist.reader import read

__all__ = ["read"]
