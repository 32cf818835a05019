"""Arguments that everything with a window takes, and how it ends."""

import re

from ..pictures.layout import SMALLEST

FINE, FINDING, WRONG_USAGE = 0, 1, 2
_LARGEST = 16384


class WrongUsage(Exception):
    """Arguments that cannot be obeyed; the message is one line."""


def size_of(text: str) -> tuple[int, int]:
    """The size that an argument spells, such as ``1280x800``; raises ``WrongUsage``."""
    match = re.fullmatch(r"(\d{1,5})[xX](\d{1,5})", text)
    size = (int(match[1]), int(match[2])) if match else (0, 0)
    if not (SMALLEST[0] <= size[0] <= _LARGEST and SMALLEST[1] <= size[1] <= _LARGEST):
        least = "x".join(map(str, SMALLEST))
        raise WrongUsage(f"--size {text}: expected a size in pixels from {least} on, such as 1280x800")
    return size
