"""The ``.catan`` notation of catanlog: one line of text for each thing that everybody at the table sees.

``read`` gives the events of a file, of the current dialect or an older one; ``write`` writes the current one. The
format says nothing about discards, stolen cards and the kinds of bought cards.
"""

from catan_p2p.notation.catanlog.reader import read
from catan_p2p.notation.catanlog.writer import lines, write

__all__ = ["lines", "read", "write"]
