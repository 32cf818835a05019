"""The viewer: a game repository as a picture that can be played, searched and explained.

Drawing is separate from data. ``data`` holds games step by step, ``view`` says what is looked at, ``pictures`` turns
both into shapes and places, ``control`` turns keys and clicks into another view; all of that is pure and needs no
display. Only ``drawing`` and ``window`` use pygame. In a wheel this package is ``catan_p2p.visualizer``: its imports
are relative.
"""
