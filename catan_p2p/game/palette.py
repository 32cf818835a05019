"""The colour in which a player is drawn, by its name: in the window, on pages, in notebooks and in pictures alike."""

PLAYER_COLOURS: dict[str, str] = {
    "Red": "#d63a34",
    "Blue": "#3470de",
    "Green": "#209e58",
    "Orange": "#f28c24",
    "White": "#f0eee6",
    "Brown": "#845636",
}
"""By name, in the order in which seats get them where nobody chooses."""
UNKNOWN_COLOUR = "#9696a0"
"""For a name that no player has."""


def player_colour(name: str) -> str:
    """The colour of this name; grey for one that no player has."""
    return PLAYER_COLOURS.get(name, UNKNOWN_COLOUR)
