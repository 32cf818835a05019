"""The clipboard: text that other programs have copied, and text for them."""

import subprocess
import sys

import pygame

_TEXT = "text/plain;charset=utf-8"
_WAIT_S = 2.0
_put_text, _get_text = getattr(pygame.scrap, "put_text", None), getattr(pygame.scrap, "get_text", None)
"""The functions of pygame-ce for the clipboard, in which those of pygame are deprecated."""


class SystemClipboard:
    """The clipboard of the system; on a Mac, its own programs read and write it."""

    def copy(self, text: str) -> bool:
        """Put a text on the clipboard; returns whether that worked."""
        try:
            if sys.platform == "darwin":
                subprocess.run(["pbcopy"], input=text.encode(), check=True, timeout=_WAIT_S)
            elif _put_text is not None:
                _put_text(text)
            else:
                pygame.scrap.init()
                pygame.scrap.put(_TEXT, text.encode())
        except (pygame.error, OSError, subprocess.SubprocessError):
            return False
        return True

    def paste(self) -> str:
        """The text on the clipboard; empty if there is none, or if it cannot be read."""
        try:
            if sys.platform == "darwin":
                found = subprocess.run(["pbpaste"], capture_output=True, check=True, timeout=_WAIT_S).stdout
            elif _get_text is not None:
                return str(_get_text())
            else:
                pygame.scrap.init()
                found = pygame.scrap.get(_TEXT) or b""
        except (pygame.error, OSError, subprocess.SubprocessError):
            return ""
        return found.decode("utf-8", "replace").rstrip("\0")
