"""Replays of colonist.io: one JSON document with the first state of a game and what each event changes of it.

Players are known by colours, 1 to 12; resources are 1 lumber, 2 brick, 3 wool, 4 grain and 5 ore, development cards 11
knight, 12 victory point, 13 monopoly, 14 road building and 15 year of plenty; corners and edges are numbered, and lie
where the document says.
"""

from catan_p2p.notation.colonist.reader import read

__all__ = ["read"]
