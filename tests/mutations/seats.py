"""Mistakes about who is meant, made from the source: the next seat in place of each that the rules name."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.mutations.mutation import PACKAGE

SEATS = {"player", "seat", "absent", "victim", "partner", "holder", "follower", "builder", "other", "caller"}
"""What variables are called that hold a seat."""
FIELDS = {"player", "absent", "victim", "partner", "ap", "su_ap", "sb", "first", "lr", "la", "builder", "caller"}
"""What fields are called that hold a seat."""
STATES = ("state", "before", "after")


class WrongSeat(NamedTuple):
    """One use of a seat replaced by the next one."""

    what: str
    file: str
    """Below ``catan_p2p``."""
    function: str
    """Its qualified name."""
    source: str
    """The file with the mistake."""


def mirror_files() -> list[Path]:
    """The modules of the rules that the specification has, too."""
    game = PACKAGE / "game"
    return [*sorted((game / "actions").glob("*.py")), game / "scoring.py", game / "state.py"]


def wrong_seats() -> Iterator[WrongSeat]:
    """Every use of a seat in the mirror of the specification, with the next one in its place."""
    for path in mirror_files():
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines(keepends=True)
        file = path.relative_to(PACKAGE).as_posix()
        seen: Counter[str] = Counter()
        for function, name in _functions(ast.parse(text)):
            for node, count in _uses(function, "State" if name.startswith("State.") else ""):
                before, old, after = _parts(lines, node)
                what = f"{path.stem}.{name}: {f'{before}«{old}»{after}'.strip()}"
                seen[what] += 1
                number = f" ({seen[what]})" if seen[what] > 1 else ""
                changed = [*lines]
                changed[node.lineno - 1] = f"{before}({old} % {count} + 1){after}"
                yield WrongSeat(what + number, file, name, "".join(changed))


def _functions(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef, str]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node, node.name
        elif isinstance(node, ast.ClassDef):
            for method in node.body:
                if isinstance(method, ast.FunctionDef):
                    yield method, f"{node.name}.{method.name}"


def _uses(function: ast.FunctionDef, cls: str) -> Iterator[tuple[ast.expr, str]]:
    """The uses of seats in a function, each with how many seats there are, as the function can say it."""
    arguments = [one.arg for one in function.args.args]
    count = next((f"{name}.constants.player_count" for name in STATES if name in arguments), "")
    if cls and arguments[:1] == ["self"]:
        count = "self.constants.player_count"
    elif "values" in arguments:
        count = "len(values)"
    elif "s" in arguments:
        count = "len(s.villages)"
    for statement in function.body:
        for node in ast.walk(statement):
            here = count
            if isinstance(node, ast.Subscript) and not count:
                here = f"len({ast.unparse(node.value)})"
                node = node.slice.left if isinstance(node.slice, ast.BinOp) else node.slice
            if here and _is_seat(node):
                yield node, here  # type: ignore[misc]


def _is_seat(node: ast.AST) -> bool:
    if not isinstance(getattr(node, "ctx", None), ast.Load):
        return False
    return (isinstance(node, ast.Name) and node.id in SEATS) or (
        isinstance(node, ast.Attribute) and node.attr in FIELDS
    )


def _parts(lines: list[str], node: ast.expr) -> tuple[str, str, str]:
    """The line of a use: what is before it, the use itself, what is after it."""
    line = lines[node.lineno - 1]
    assert node.lineno == node.end_lineno and line.isascii()
    return line[: node.col_offset], line[node.col_offset : node.end_col_offset], line[node.end_col_offset :]
