"""Playing: the viewer with a seat.

What a player can choose, without a window: ``moment`` collects the choices of ``pieces``, ``dev_cards`` and ``trades``,
which are made with ``choices``; ``reasons`` and ``places`` say why something cannot be chosen.

The state of a table, without a window: ``session`` (the people at this screen) has a ``seat`` (what its player can do
and has prepared), a ``worker`` (the process that runs the peers, with ``conversation``) and a ``menu``.

Before there is a table: ``lobby`` has pages, with the ``new_game_options``; ``front_window`` shows them.

The window: ``table_view`` draws a session, with ``dock``, ``marks``, ``dialogs`` and ``talk``. ``window`` owns both and
the viewer's window, and turns mouse and keyboard input into calls of the session.
"""
