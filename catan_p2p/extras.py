"""Packages that only an extra installs: imported when needed, with a clear message if they are missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class MissingExtra(ImportError):
    """A package that an extra installs is missing; the message names the command that installs it."""


def needed(module: str, extra: str, what: str) -> Any:
    """Import and return ``module``. ``MissingExtra`` says that ``what`` needs it, and how to install it."""
    try:
        return import_module(module)
    except ImportError as error:
        # The package is there, but something that it imports is not: the extra would not help.
        if (error.name or "").partition(".")[0] != module.partition(".")[0]:
            raise
        raise MissingExtra(f"{what} needs {module}: pip install 'catan-p2p[{extra}]'") from None
