"""Game event logs of JSettlers, ``.soclog``: one network message per line, with its receivers.

Logs of the base game for up to four players are read, with all messages (``type=F``) or the server's only (``type=S``).
"""

from catan_p2p.notation.soclog.reader import read

__all__ = ["read"]
