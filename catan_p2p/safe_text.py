"""What somebody else wrote, as it is shown: no text moves the cursor, changes colours or reorders a line.

No date is outside the calendar.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

_FIRST_S, _LAST_S = -62_135_596_800, 253_402_300_799
"""The first and the last second that a date can have."""


def shown(text: str) -> str:
    r"""One line in which whatever cannot be printed is spelled: ``\x1b`` for ESC, ``\n`` for the end of a line.

    That are the control characters of ASCII and beyond (C1), marks that change the direction of text, and bytes that
    were no text.
    """
    return text if text.isprintable() else "".join(_spelled(character) for character in text)


def shown_lines(text: str) -> str:
    """The same for text of several lines, which stay lines."""
    return text if text.isprintable() else "\n".join(map(shown, text.split("\n")))


def shown_date(time_s: int) -> datetime:
    """The date of so many seconds since 1970; outside the years 1 to 9999 the nearest date inside them."""
    from datetime import UTC, datetime

    return datetime.fromtimestamp(min(max(time_s, _FIRST_S), _LAST_S), UTC)


def _spelled(character: str) -> str:
    return character if character.isprintable() else repr(character)[1:-1]
