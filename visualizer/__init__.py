"""The viewer: a game repository as a picture that can be played, searched and explained.

Drawing is separate from data. ``recording`` holds a game's steps, ``view`` what is looked at, ``scene`` turns both into
shapes; all of that is pure and needs no display. Only ``fonts``, ``renderer``, ``export`` and ``window`` use pygame.
"""
