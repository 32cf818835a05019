"""Playing: the viewer with a seat.

What can be chosen, without a window: ``moment`` (which part of the game it is) puts together the choices of ``pieces``,
``dev_cards`` and ``trades``, made with ``choices``; ``reasons`` and ``places`` say why something cannot be chosen.

What is going on, without a window: ``session`` (the people at this screen) has a ``seat`` (what its player can do and
has prepared), a ``worker`` (the process that leads the seats, and what it says, with ``conversation``) and a ``menu``.

Before there is a table: ``lobby`` (its pages, with the ``options`` for a new game), shown by ``front``.

The window: ``table_view`` draws a session, with ``dock``, ``marks``, ``dialogs`` and ``talk``; ``window`` owns both and
the viewer's window, and turns what mouse and keyboard do into calls of the session.
"""
