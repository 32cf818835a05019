"""The words on a button, as many as there is room for."""

from .draft import SeatChoice

_SHORT = {
    "roll": "Roll",
    "end turn": "End",
    "card": "Card",
    "bank": "Bank",
    "offer": "Offer",
    "withdraw": "Take back",
    "decline turn": "None now",
    "decline": "None ever",
    "propose": "Propose",
    "monopoly": "Mono.",
    "year of plenty": "Plenty",
    "road building": "Roads",
}
"""Names for narrow buttons, whose icons say the rest."""


def shortest(choice: SeatChoice) -> str:
    """The name on a narrow button."""
    kind = choice.name.partition(" ")[0] if choice.icon.startswith("badge ") else choice.name
    match kind:
        case "without":  # the badge says who, the word what
            return "Without"
        case "with":
            return choice.words.rpartition(" ")[2].capitalize()
        case "rob":
            return choice.icon.removeprefix("badge ")
    return _SHORT.get(choice.name, choice.words)


def key_words(key: str, is_main: bool) -> tuple[str, ...]:
    """How a button names its key, in ever fewer words."""
    if is_main and key != "Enter":
        return f"{key}, Enter", key
    return ("Esc" if key == "Escape" else key,)
