"""Separates typed text from the text of keys that were commands.

SDL reports a key as two events, the key and its text; the second must not be typed if the first was a command.
"""

import pygame


class KeyboardObserver:
    """Call ``pressed`` for each key before it is handled, and ``typed`` for each text event."""

    def __init__(self) -> None:
        self._commanded = ""
        """The text of the last key, if it was a command; its text event may still come."""

    def pressed(self, event: pygame.event.Event, *, is_typing: bool) -> None:
        """Note a key; ``is_typing`` if it goes to a line of text, and is no command."""
        self._commanded = "" if is_typing else event.unicode

    def typed(self, event: pygame.event.Event) -> str:
        """The text that an event adds; nothing if it belongs to the last command."""
        own, self._commanded = self._commanded, ""
        return "" if event.text == own else str(event.text)
