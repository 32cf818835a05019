"""Compile the flat core with Cython, from the same source that runs without it.

``python -m catan_p2p.game.flat.build`` puts extension modules beside this package, where ``catan_p2p.game.flat`` finds
them. It needs the extra ``compiled`` and a C compiler with integers of 128 bits, such as gcc or clang. Without it
everything works, only slower.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from catan_p2p.game.flat.cores import COMPILED, DIGEST, FOLDER, MODULES, PACKAGE, digest

_DIRECTIVES = {
    "language_level": 3,
    # Types are in the .pxd files; annotations are for mypy.
    "annotation_typing": False,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
}


def build(folder: Path = FOLDER) -> None:
    """Compile all modules into a folder; ``ImportError`` without Cython, ``CCompilerError`` without a compiler."""
    with tempfile.TemporaryDirectory() as temporary:
        made = _compile(Path(temporary))
        if folder.exists():
            shutil.rmtree(folder)
        folder.mkdir(parents=True)
        for path in made:
            shutil.copy(path, folder)
        (folder / DIGEST).write_text(digest(), "ascii")


def _compile(where: Path) -> list[Path]:
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    source = where / "catan_p2p" / "game"
    for folder in (source / "flat", source / COMPILED):
        folder.mkdir(parents=True)
        for package in (source.parent, source, folder):
            (package / "__init__.pxd").touch()
            (package / "__init__.py").touch()
    (source / "flat" / "places.pxd").write_text(_enumerated((PACKAGE / "places.py").read_text("utf-8")), "utf-8")
    shutil.copy(PACKAGE / "types.pxd", source / "flat")
    for name in MODULES:
        for kind in ("py", "pxd"):
            text = (PACKAGE / f"{name}.{kind}").read_text("utf-8")
            for other in MODULES:
                text = text.replace(f"catan_p2p.game.flat.{other} ", f"catan_p2p.game.{COMPILED}.{other} ")
            (source / COMPILED / f"{name}.{kind}").write_text(text, "utf-8")
    extensions = [
        Extension(
            f"catan_p2p.game.{COMPILED}.{name}",
            [str(source / COMPILED / f"{name}.py")],
            # Floating point as Python has it: no product and sum in one, which rounds once instead of twice.
            extra_compile_args=["-ffp-contract=off"],
        )
        for name in MODULES
    ]
    made = [module for extension in extensions for module in _translated(extension, where)]
    command = build_ext(Distribution({"ext_modules": made}))
    command.build_lib, command.build_temp = str(where / "lib"), str(where / "temp")
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
        sys.exit(f"build: {error}")
    sys.stdout.write(f"{FOLDER}\n")
