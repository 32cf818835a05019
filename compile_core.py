"""Compile the flat core, from the same source that runs without it.

Wheels are built with it (``hatch_build``). In a checkout ``python -m compile_core`` puts the extension modules into
``catan_p2p/compiled``, where the program finds them; nothing else writes into an installed package. It needs Cython,
setuptools and a C compiler with integers of 128 bits, such as gcc or clang.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from textwrap import shorten
from typing import Any

from catan_p2p.compiled import DIGEST, FLAT, FLAT_MODULES, FOLDER, PURE, REASON, digest

_WHY_MOST = 160
_DIRECTIVES = {
    "language_level": 3,
    # Types are in the .pxd files; annotations are for mypy.
    "annotation_typing": False,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
    # Methods that introspect and pickle like Python's are half of the C code, and nobody needs them.
    "binding": False,
    "auto_pickle": False,
}
_FLAGS = (
    # As fast as -O3 in half the time, and without debugging information the same bytes wherever it is built.
    "-O2",
    "-g0",
    # Floating point as Python has it: no product and sum in one, which rounds once instead of twice.
    "-ffp-contract=off",
)


def build(folder: Path = FOLDER) -> None:
    """Compile all modules into a folder; ``ImportError`` without Cython, ``CCompilerError`` without a compiler."""
    with tempfile.TemporaryDirectory() as temporary:
        made = _compile(Path(temporary))
        folder.mkdir(parents=True, exist_ok=True)
        for left in [*folder.glob("*.so"), *folder.glob("*.pyd")]:
            left.unlink()
        for path in made:
            shutil.copy(path, folder)
        (folder / DIGEST).write_text(digest(), "ascii")


def build_if_possible(folder: Path) -> str | None:
    """Compile all modules into a new folder; where that cannot be, the folder says why, as does the answer."""
    why = "a package for every platform was asked for"
    if not os.environ.get(PURE):
        try:
            build(folder)
            return None
        except ImportError as error:
            why = f"{error}"
        except Exception as error:  # noqa: BLE001 - compilers fail in many ways
            # A compiler that fails has said more on standard error, where its whole command would only be in the way.
            is_compiler = type(error).__name__ in ("CCompilerError", "CompileError", "LinkError")
            why = "there is no C compiler that compiles it" if is_compiler else f"{type(error).__name__}: {error}"
    why = shorten(why, _WHY_MOST)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / REASON).write_text(f"{why}\n", "utf-8")
    return why


def _compile(where: Path) -> list[Path]:
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    game, source = where / "catan_p2p" / "game", where / "catan_p2p" / "compiled"
    for folder in (game / "flat", source):
        folder.mkdir(parents=True)
    for package in (game.parent, game, game / "flat", source):
        (package / "__init__.pxd").touch()
        (package / "__init__.py").touch()
    (game / "flat" / "places.pxd").write_text(_enumerated((FLAT / "places.py").read_text("utf-8")), "utf-8")
    shutil.copy(FLAT / "types.pxd", game / "flat")
    for name in FLAT_MODULES:
        for kind in ("py", "pxd"):
            text = (FLAT / f"{name}.{kind}").read_text("utf-8")
            for other in FLAT_MODULES:
                text = text.replace(f"catan_p2p.game.flat.{other} ", f"catan_p2p.compiled.{other} ")
            (source / f"{name}.{kind}").write_text(text, "utf-8")
    files = [source / f"{name}.py" for name in FLAT_MODULES]
    extensions = [
        Extension(f"catan_p2p.compiled.{file.stem}", [str(file)], extra_compile_args=list(_FLAGS)) for file in files
    ]
    made = [module for extension in extensions for module in _translated(extension, where)]
    command = build_ext(Distribution({"ext_modules": made}))
    command.build_lib, command.build_temp, command.parallel = str(where / "lib"), str(where / "temp"), True
    command.ensure_finalized()
    command.run()
    return [Path(command.get_ext_fullpath(extension.name)) for extension in extensions]


def _translated(extension: Any, where: Path) -> list[Any]:
    """The module in C. Tables are made from Python's numbers, which are larger than a computer's."""
    from Cython.Build import cythonize

    directives = {**_DIRECTIVES, "infer_types": not extension.name.endswith(".tables")}
    path = [str(where)]
    made: list[Any] = cythonize(
        [extension], compiler_directives=directives, include_path=path, build_dir=str(where), quiet=True
    )
    return made


def _enumerated(text: str) -> str:
    """The constants of ``places`` as Cython takes them: constants of the C compiler."""
    lines = [line for line in text.splitlines() if line[:1].isupper() and " = " in line]
    return "\n".join(["cdef enum:", *(f"    {line}" for line in lines), ""])


if __name__ == "__main__":
    try:
        build()
    except Exception as error:  # noqa: BLE001 - compilers fail in many ways
        sys.exit(f"compile_core: {error}")
    sys.stdout.write(f"{FOLDER}\n")
