"""Games of the engine catanatron: its JSON of a finished or cut off game, with the list of its actions.

``read`` takes what ``GameEncoder`` writes since version 3, and the ``action_records`` of later versions; ``lines``
writes a document of that kind. Both dice and every card are in it; there are no names and no times.
"""

from catan_p2p.notation.catanatron.reader import read
from catan_p2p.notation.catanatron.writer import lines

__all__ = ["lines", "read"]
