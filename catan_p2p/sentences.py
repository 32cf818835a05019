"""Words in a sentence."""

from collections.abc import Sequence


def listed(words: Sequence[str]) -> str:
    """``a, b and c``; an empty text for no words."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
