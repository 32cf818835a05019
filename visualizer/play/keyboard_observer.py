"""Tells what a person types from the text of a key that has just been a command: both come, one after the other."""

import pygame


class KeyboardObserver:
    """Whoever types: ``pressed`` is told each key before it is obeyed, ``typed`` each text after its key."""

    def __init__(self) -> None:
        self._commanded = ""
        """The text of the last key, if it was a command; it may still come."""

    def pressed(self, event: pygame.event.Event, *, is_typing: bool) -> None:
        """A key is pressed; whether that is one letter of a text."""
        self._commanded = "" if is_typing else event.unicode

    def typed(self, event: pygame.event.Event) -> str:
        """What a text adds: nothing if it is what the last key's command left behind."""
        own, self._commanded = self._commanded, ""
        return "" if event.text == own else str(event.text)
