"""Text and dates from other people, made safe to show.

No text moves the cursor, changes colours or reorders a line, and no date is outside the calendar.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

_FIRST_S, _LAST_S = -62_135_596_800, 253_402_300_799
"""The first and the last second that a date can have."""


def shown(text: str) -> str:
    r"""One line of text in which unprintable characters are escaped: ``\x1b`` for ESC, ``\n`` for a line break.

    Unprintable are control characters (ASCII and C1), marks that change the direction of text, and surrogates that
    stand for undecodable bytes.
    """
    return text if text.isprintable() else "".join(_spelled(character) for character in text)


def shown_lines(text: str) -> str:
    """The same for several lines of text; line breaks stay."""
    return text if text.isprintable() else "\n".join(map(shown, text.split("\n")))


def shown_date(time_s: int) -> datetime:
    """The UTC date at ``time_s`` seconds since 1970; outside the years 1 to 9999, the nearest date inside them."""
    from datetime import UTC, datetime

    return datetime.fromtimestamp(min(max(time_s, _FIRST_S), _LAST_S), UTC)


def _spelled(character: str) -> str:
    return character if character.isprintable() else repr(character)[1:-1]  # without the quotes
