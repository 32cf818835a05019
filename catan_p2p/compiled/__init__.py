"""The modules that Cython compiles: which of them are here, and why none are where that is so.

They are the flat core of the rules, from the same source that runs without them. ``compile_core.py`` builds them into
this folder; wheels are built with them.
"""

from __future__ import annotations

import os
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import ModuleType

FOLDER = Path(__file__).parent
"""Where the build puts the extension modules, with the digest of their source."""
FLAT = FOLDER.parent / "game" / "flat"
FLAT_MODULES = (
    "tables",
    "position",
    "listing",
    "making",
    "game",
    "planning",
    "describing",
    "valuing",
    "searching",
    "observing",
    "episodes",
)
"""The modules of the flat core that are compiled, each after those it needs."""
PURE = "CATAN_P2P_PURE"
"""The environment variable that asks for Python: of a build, for a wheel for every platform; of a program, to run."""
DIGEST = "digest"
REASON = "reason"
"""The file in place of the modules in a package that was built without them; it says why."""


@cache
def digest() -> str:
    """The hash of all source that is compiled."""
    # Comments count, too: any change of the source asks for a new build.
    names = [f"{name}.{kind}" for name in FLAT_MODULES for kind in ("py", "pxd")]
    whole = sha256()
    for name in ("places.py", "types.pxd", *names):
        whole.update((FLAT / name).read_bytes())
    return whole.hexdigest()


@cache
def why_not_compiled() -> str | None:
    """Why everything runs as Python; None if the compiled modules can be loaded."""
    if (FOLDER / REASON).exists():
        return f"the package was built without it: {(FOLDER / REASON).read_text('utf-8').strip()}"
    if os.environ.get(PURE):
        return f"{PURE} is set"
    try:
        built = (FOLDER / DIGEST).read_text("ascii")
    except OSError:
        return "it was not built; make compiled builds it"
    # A core of other source could play by other rules.
    if built != digest():
        return "it was built from other source; make compiled builds it anew"
    try:
        import_module(f"{__name__}.{FLAT_MODULES[0]}")
    except ImportError as error:
        return f"it cannot be loaded: {error}"
    return None


def compiled(name: str) -> ModuleType | None:
    """The compiled module of this name; None if it runs as Python."""
    return import_module(f"{__name__}.{name}") if why_not_compiled() is None else None
