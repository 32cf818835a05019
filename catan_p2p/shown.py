"""Text that somebody else wrote, as it is shown: nothing in it moves the cursor, changes colours or reorders a line."""

from __future__ import annotations


def shown(text: str) -> str:
    r"""One line in which whatever cannot be printed is spelled: ``\x1b`` for ESC, ``\n`` for the end of a line.

    That are the control characters of ASCII and beyond (C1), marks that change the direction of text, and bytes that
    were no text.
    """
    return text if text.isprintable() else "".join(_spelled(character) for character in text)


def shown_lines(text: str) -> str:
    """The same for text of several lines, which stay lines."""
    return text if text.isprintable() else "\n".join(map(shown, text.split("\n")))


def _spelled(character: str) -> str:
    return character if character.isprintable() else repr(character)[1:-1]
