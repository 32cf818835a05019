"""Words in a sentence."""

from collections.abc import Sequence


def listed(words: Sequence[str]) -> str:
    """``a, b and c``; empty for none."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
