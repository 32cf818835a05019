"""The ``.catan`` notation of catanlog: one line of text for each event that all players at a table can see.

``read`` gives the events of a file, of the current dialect or an older one; ``lines`` writes the current one. The
format has no discards, stolen cards, or kinds of bought cards.
"""

from catan_p2p.notation.catanlog.header import header_lines as start_lines
from catan_p2p.notation.catanlog.header import read_header as read_start
from catan_p2p.notation.catanlog.reader import CatanlogBodyReader, body_reader, read
from catan_p2p.notation.catanlog.writer import lines, speller

__all__ = ["CatanlogBodyReader", "body_reader", "lines", "read", "read_start", "speller", "start_lines"]
