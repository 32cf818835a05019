"""Nothing in ``log``, ``replication`` and ``tables`` reads a clock, sleeps or draws unless it was given how."""

import ast
from pathlib import Path

from tests.for_each import for_each

PACKAGE = Path(__file__).parent.parent / "catan_p2p"
FORBIDDEN_MODULES = {"time", "datetime", "secrets", "uuid"}
"""Clocks, sleep, and randomness of the system's own."""
SEEDED = {"Random"}
"""What may be taken from ``random``: a generator that is given its seed."""
OF_THE_SYSTEM = {("os", "urandom"), ("os", "getrandom"), ("os", "times"), ("random", "SystemRandom")}
THE_SYSTEMS_OWN = PACKAGE / "log" / "storage" / "disk.py"
"""The disk of this machine is not there in a simulation: it may wait as this machine does."""
SOURCES = sorted(path for part in ("log", "replication", "tables") for path in (PACKAGE / part).rglob("*.py"))


def readings(source: str) -> list[str]:
    """The lines of a module that read a clock, sleep or draw without having been told how."""
    tree = ast.parse(source)
    defaults = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.Lambda)
        for default in (*function.args.defaults, *function.args.kw_defaults)
        if default is not None
        for node in ast.walk(default)
    }
    fields = {
        id(node)
        for one in ast.walk(tree)
        if isinstance(one, ast.ClassDef)
        for field in one.body
        if isinstance(field, ast.AnnAssign) and field.value is not None
        for node in ast.walk(field.value)
    }
    found = []
    for node in ast.walk(tree):
        if id(node) in defaults | fields:
            continue
        wrong = False
        if isinstance(node, ast.Import):
            wrong = any(alias.name.partition(".")[0] in FORBIDDEN_MODULES | {"random"} for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = (node.module or "").partition(".")[0]
            wrong = module in FORBIDDEN_MODULES or (
                module == "random" and any(alias.name not in SEEDED for alias in node.names)
            )
            wrong |= any((module, alias.name) in OF_THE_SYSTEM for alias in node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            wrong = (node.value.id, node.attr) in OF_THE_SYSTEM
        elif isinstance(node, ast.Name):
            wrong = node.id == "SYSTEM_TIME" and isinstance(node.ctx, ast.Load)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            wrong = node.func.id == "Random" and not node.args
        if wrong:
            found.append(f"line {node.lineno}: {ast.unparse(node)}")
    return found


def test_time_and_randomness_are_parameters() -> None:
    found = {path: readings(path.read_text("utf-8")) for path in SOURCES if path != THE_SYSTEMS_OWN}
    assert {path.relative_to(PACKAGE).as_posix(): wrong for path, wrong in found.items() if wrong} == {}


@for_each(
    "planted",
    [
        "import time",
        "from time import monotonic",
        "import datetime as d",
        "from secrets import token_hex",
        "import random",
        "from random import choice",
        "def f():\n    import uuid",
        "import os\nnonce = os.urandom(16)",
        "from os import urandom",
        "from catan_p2p.time_source import SYSTEM_TIME\ndef f():\n    return SYSTEM_TIME.monotonic()",
        "from random import Random\nrng = Random()",
    ],
)
def test_a_reading_is_found(planted: str) -> None:
    assert readings(planted)


@for_each(
    "allowed",
    [
        "from random import Random\nrng = Random(0)",
        "import os\ndef key(entropy=os.urandom):\n    return entropy(32)",
        "from catan_p2p.time_source import SYSTEM_TIME\ndef f(*, time=SYSTEM_TIME):\n    return time.monotonic()",
        "class One:\n    time: TimeSource = SYSTEM_TIME",
    ],
)
def test_a_parameter_is_none(allowed: str) -> None:
    assert not readings(allowed)
