"""Games of the engine catanatron: its JSON of a finished or unfinished game, with the list of actions.

``read`` accepts what ``GameEncoder`` writes since version 3, and the ``action_records`` of later versions; ``lines``
writes a document of that kind. It has both dice and every card, but no names and no times.
"""

from catan_p2p.notation.catanatron.reader import read
from catan_p2p.notation.catanatron.writer import lines

__all__ = ["lines", "read"]
