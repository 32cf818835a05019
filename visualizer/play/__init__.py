"""Playing: the viewer with a seat.

What can be chosen, without a window: ``moment`` (which part of the game it is) puts together the choices of ``pieces``,
``dev_cards`` and ``trades``, made with ``choices``; ``reasons`` and ``places`` say why something cannot be chosen.

The window, each class on the one before: ``at_table`` (the game and its news), ``choosing`` (what a choice does),
``showing`` (how it looks, with ``dock``, ``marks`` and ``dialogs``), ``window`` (mouse and keyboard).
"""
