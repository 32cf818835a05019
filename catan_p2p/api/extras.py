"""Packages that are only there with an extra: imported when needed, with a clear word if they are lacking."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class MissingExtra(ImportError):
    """A package that an extra installs is not there; the message says which command installs it."""


def needed(module: str, extra: str, what: str) -> Any:
    """The module; ``MissingExtra`` says what needs it and how it is installed."""
    try:
        return import_module(module)
    except ImportError as error:
        if (error.name or "").partition(".")[0] != module.partition(".")[0]:
            raise
        raise MissingExtra(f"{what} needs {module}: pip install 'catan-p2p[{extra}]'") from None
