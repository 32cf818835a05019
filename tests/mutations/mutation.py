"""What a mistake in the engine is, and the guards left out, one at a time."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).parents[2] / "catan_p2p"

EFFECT = "game/actions/test_effects.py::test_effect"
SAME = "game/actions/test_effects.py::test_everything_else_is_the_very_same"
GUARD = "game/actions/test_guards.py::test_guard_refuses"
AGREEMENT = "game/actions/test_instances.py::test_listed_is_what_no_guard_refuses[{}]"


class Mutation(NamedTuple):
    """One piece of source text replaced by another."""

    what: str
    """What the program then does, in the words of the game."""
    file: str
    """Below ``catan_p2p``."""
    old: str
    """Must be there exactly once."""
    new: str
    test: str
    """Below ``tests``: file and function of a test that must fail, with the parameter if only one is meant."""

    @property
    def module(self) -> str:
        """The dotted name of the file."""
        return f"catan_p2p.{self.file.removesuffix('.py').replace('/', '.')}".removesuffix(".__init__")

    @property
    def source(self) -> str:
        """The source with the mistake."""
        text = (PACKAGE / self.file).read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            raise ValueError(f"{self.file}: {self.old!r} is there {text.count(self.old)} times, expected once")
        return text.replace(self.old, self.new)


def mistakes(file: str, test: str, *rows: tuple[str, str, str]) -> tuple[Mutation, ...]:
    """Mutations of one file that one test finds: of each what the program then does, the old text, and the new."""
    return tuple(Mutation(what, file, old, new, test) for what, old, new in rows)


def guard_deletions() -> Iterator[Mutation]:
    """Every guard of every action, left out."""
    for path in sorted((PACKAGE / "game" / "actions").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
                tag = node.values[-1]
                if isinstance(tag, ast.Constant) and isinstance(tag.value, str):
                    guard = ast.get_source_segment(text, node)
                    assert guard is not None
                    yield Mutation(f"without {tag.value}", f"game/actions/{path.name}", guard, "True", GUARD)
