"""The viewer: a game repository as a picture that can be played back, searched and explained.

Drawing is separate from data. ``data`` holds games step by step, ``view`` is what a user looks at, ``pictures`` turns
both into shapes and targets, ``control`` turns keys and clicks into another view; all of that is pure and needs no
display. Only ``drawing``, ``window`` and parts of ``play`` use pygame. In a wheel this package is
``catan_p2p.visualizer``: its imports are relative.
"""
