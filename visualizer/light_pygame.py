"""Imports pygame without NumPy and pkg_resources, which it tries to import and a window does not need.

They take most of the time of the import.
"""

import importlib
import sys

_NOT_NEEDED = ("numpy", "pkg_resources")


def import_pygame() -> None:
    """Import pygame, if it is not there yet; ``ImportError`` if it cannot be."""
    hidden = [name for name in _NOT_NEEDED if name not in sys.modules]
    # None in ``sys.modules`` makes an import fail at once.
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]
    try:
        importlib.import_module("pygame")
    finally:
        for name in hidden:
            sys.modules.pop(name, None)
