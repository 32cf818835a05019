"""What stands on a button, in as many words as there is room for."""

from .draft import Choice

_SHORT = {
    "roll": "Roll",
    "end turn": "End",
    "card": "Card",
    "bank": "Bank",
    "offer": "Offer",
    "withdraw": "Take back",
    "propose": "Propose",
    "monopoly": "Mono.",
    "year of plenty": "Plenty",
    "road building": "Roads",
}
"""Names for narrow buttons; the icons tell what they are."""


def shortest(choice: Choice) -> str:
    """What a narrow button is called."""
    who = choice.icon.removeprefix("badge ")
    return who if who != choice.icon else _SHORT.get(choice.name, choice.words)


def key_words(key: str, is_main: bool) -> tuple[str, ...]:
    """How a button names its key, in ever fewer words."""
    if is_main and key != "Enter":
        return f"{key}, Enter", key
    return ("Esc" if key == "Escape" else key,)
