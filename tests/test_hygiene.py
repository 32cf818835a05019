"""How the source is kept: layers, names, docstrings, and what importing it does not do.

Each rule is one test over all files: pytest's bookkeeping of a case a file took longer than the rules.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.source_figures import classes, one_word, words_of_docs

ROOT = Path(__file__).parents[1]

LAYERS = (
    "limits",
    "settings",
    "time_source",
    "durations",
    "interrupts",
    "sentences",
    "safe_text",
    "text_files",
    "programs",
    "extras",
    "compiled",
    "frames",
    "intervals",
    "plot_style",
    "game.palette",
    "game.float_sums",
    "game.chance",
    "game.cards",
    "game.board",
    "game.constants",
    "game.randomness",
    "game.secret_streams",
    "game.markup",
    "game.state",
    "game.scoring",
    "game.actions",
    "game.hidden",
    "game.move_watcher",
    "game.rules",
    "game.flat",
    "game.playable",
    "game.rule_names",
    "game.new_game",
    "game.invariants",
    "view",
    "actions",
    "sealing",
    "log",
    "players",
    "replication",
    "tables",
    "simulation",
    "sessions",
    "metrics",
    "model_check",
    "notation",
    "api",
    "env",
    "study",
    "tournament",
    "lmu",
    "visualizer",
    "cli",
    "__main__",
)
"""Rooms and modules of ``catan_p2p`` from the bottom up, and the viewer: each may import those before it.

The command line alone is above the viewer, which it starts.
"""

LOG_ROOMS = ("storage", "transport")
"""The rooms of ``catan_p2p.log`` from the bottom up; the modules beside them are above both."""


ROOMS = ("view", "commands", "data", "pictures", "pages", "control", "drawing", "window", "play", "main")
"""Rooms and modules of the viewer from the bottom up; pygame is for ``drawing`` and those after it."""

VAGUE = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "managers", "tools"}
"""Names that say nothing."""

PRINTING = ("cli", "visualizer", "__main__")
"""Layers that talk to the user; all others return what they have to say."""


def sources(*folders: str) -> tuple[Path, ...]:
    """All Python files below the folders, as paths from the root."""
    return tuple(sorted(path.relative_to(ROOT) for folder in folders for path in (ROOT / folder).rglob("*.py")))


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse((ROOT / path).read_text(encoding="utf-8"), str(path))


def layer_of(module: str) -> str | None:
    """The layer of a module of ours by its dotted name; None for the root package and for foreign modules."""
    first, *rest = module.split(".")
    if first == "visualizer":
        return first
    if first != "catan_p2p" or not rest:
        return None
    return ".".join(rest[:2]) if rest[0] == "game" else rest[0]


def module_of(path: Path) -> str:
    """The dotted name of a file."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


@cache
def module_names() -> frozenset[str]:
    """The dotted names of all files of ours."""
    return frozenset(module_of(path) for path in sources("catan_p2p", "visualizer"))


def imported_from(path: Path, node: ast.ImportFrom) -> str:
    """The dotted name that a ``from`` names: relative inside the viewer, which has two homes, absolute elsewhere."""
    module = node.module or ""
    inside = path.parts[0] == "visualizer"
    own = node.level > 0 or module.partition(".")[0] == "visualizer"
    assert (node.level > 0) == (inside and own), f"{path}:{node.lineno}: relative inside the viewer, else absolute"
    if not node.level:
        return module
    package = path.parent.parts[: len(path.parent.parts) - node.level + 1]
    assert package, f"{path}:{node.lineno}: leaves the viewer"
    return ".".join((*package, *filter(None, [module])))


@cache
def imports(path: Path) -> tuple[tuple[int, str], ...]:
    """Line and dotted name of everything that a file imports, modules taken from a package included."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = imported_from(path, node)
            yield node.lineno, module
            names = (f"{module}.{alias.name}" for alias in node.names)
            yield from ((node.lineno, name) for name in names if module == "catan_p2p" or name in module_names())


def all_imports(paths: Iterable[Path]) -> Iterator[tuple[Path, int, str]]:
    """File, line and dotted name of everything that these files import."""
    return ((path, line, module) for path in paths for line, module in imports(path))


LIBRARY = sources("catan_p2p", "visualizer")
ALL = sources("catan_p2p", "visualizer", "benchmarks", "tests")


@pytest.mark.needs("all")
def test_imports_point_downwards() -> None:
    # The package itself is the library's surface: it names what is below, and imports it only when asked.
    assert [path for path in LIBRARY if layer_of(module_of(path)) is None] == [Path("catan_p2p/__init__.py")]
    for path, line, module in all_imports(LIBRARY):
        own = layer_of(module_of(path))
        other = layer_of(module)
        if own is None or other in (None, own, "game") or other.startswith("__"):
            continue
        assert other in LAYERS, f"{path}:{line}: {other} has no place in LAYERS"
        assert own in LAYERS, f"{path}: {own} has no place in LAYERS"
        assert LAYERS.index(other) < LAYERS.index(own), f"{path}:{line}: {own} must not import {other}"


BELOW_THE_LOG = (
    "catan_p2p.compiled",
    "catan_p2p.frames",
    "catan_p2p.limits",
    "catan_p2p.programs",
    "catan_p2p.safe_text",
    "catan_p2p.time_source",
)
"""Modules without a room, which every room of the log may import."""


def test_a_room_of_the_log_imports_only_itself_and_the_rooms_below_it() -> None:
    for path, line, module in all_imports(sources(*(f"catan_p2p/log/{room}" for room in LOG_ROOMS))):
        room = path.parts[2]
        allowed = LOG_ROOMS[: LOG_ROOMS.index(room) + 1]
        if layer_of(module) is not None:
            start = f"{path}:{line}: {room} must not import {module}"
            if module.startswith(BELOW_THE_LOG):
                continue
            assert module.startswith("catan_p2p.log."), start
            assert module.split(".")[2] in allowed, start


PURE = {"__future__", "collections", "contextlib", "dataclasses", "functools", "typing"}
"""What the core takes from Python: nothing that reads, waits or draws."""


def test_the_core_of_replication_has_no_files_sockets_clock_or_randomness() -> None:
    judges = (Path("catan_p2p/log") / name for name in ("judging.py", "place.py", "rules.py", "views/rules.py"))
    for path, line, module in all_imports((*sources("catan_p2p/replication/core"), *judges)):
        if layer_of(module) is None:
            assert module.split(".")[0] in PURE, f"{path}:{line}: the core must not import {module}"
            continue
        doing = module.startswith(("catan_p2p.log.storage.", "catan_p2p.log.transport.", "catan_p2p.time_source"))
        only_names = module in ("catan_p2p.log.storage.objects", "catan_p2p.log.transport.queries")
        assert only_names or not doing, f"{path}:{line}: the core must not import {module}"


@pytest.mark.long
def test_no_modules_import_each_other_in_a_circle() -> None:
    """Not even inside functions, where Python would not mind."""
    modules = {module_of(path): path for path in LIBRARY}
    wanted = {name: {m for _, m in imports(path) if m in modules and m != name} for name, path in modules.items()}
    packages = {module_of(path) for path in LIBRARY if path.name == "__init__.py"}
    left = {name: others - packages for name, others in wanted.items() if name not in packages}
    while done := {name for name, others in left.items() if not others & left.keys()}:
        left = {name: others for name, others in left.items() if name not in done}
    assert not left, f"in a circle, or above one: {sorted(left)}"


def room_of(module: str) -> str | None:
    """The room of a module of the viewer; None for its root and for all others."""
    first, *rest = module.split(".")
    return rest[0] if first == "visualizer" and rest else None


def test_the_viewers_rooms_lie_one_above_the_other() -> None:
    for path, line, module in all_imports(sources("visualizer")):
        own, other = room_of(module_of(path)), room_of(module)
        if own is None or other in (None, own):
            graphical = module.partition(".")[0] == "pygame"
            assert not graphical or ROOMS.index(own or "view") >= ROOMS.index("drawing"), f"{path}:{line}"
            continue
        assert other in ROOMS, f"{path}:{line}: {other} has no place in ROOMS"
        assert ROOMS.index(other) < ROOMS.index(own), f"{path}:{line}: {own} must not import {other}"


def test_every_layer_that_there_is_has_its_place() -> None:
    there = {layer_of(module_of(path)) for path in LIBRARY} - {None}
    assert there - {"game"} <= set(LAYERS)


def test_library_code_does_not_print() -> None:
    printed = [
        f"{path}:{call.lineno}"
        for path in LIBRARY
        if layer_of(module_of(path)) not in PRINTING
        for call in ast.walk(parsed(path))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "print"
    ]
    assert not printed


@pytest.mark.long
def test_every_module_says_what_it_is() -> None:
    for path in ALL:
        if not parsed(path).body and path.name == "__init__.py":
            continue
        first_line = (ast.get_docstring(parsed(path)) or "").partition("\n")[0]
        assert first_line, f"{path} has no docstring"
        assert re.search(r"[.:?!]$", first_line), f"{path}: {first_line!r} is not a sentence"


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert not [path for path in ALL if VAGUE & {path.stem, *path.parts[:-1]}]


def test_no_two_classes_have_the_same_name_and_few_have_a_name_of_one_word() -> None:
    """One word is for what the field or the game calls so: Board, Commit, Ledger. The rest says what it is."""
    names = classes()
    assert not {name: paths for name, paths in names.items() if len(paths) > 1}
    assert len(one_word(names)) < len(names) / 8


@pytest.mark.long
def test_no_text_names_a_class() -> None:
    """Texts are for people: a class that is renamed by a program must not take words of a text along."""
    found = classes()
    names = found.keys() - one_word(found)
    for path in sources("catan_p2p", "visualizer"):
        nodes = list(ast.walk(parsed(path)))
        docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        for node in nodes:
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in docstrings:
                continue
            is_type = re.fullmatch(r"\w+( \| \w+)*", node.value) is not None
            if " " not in node.value or is_type or path == Path("catan_p2p/__init__.py"):
                continue
            named = names & set(re.findall(r"\w+", node.value))
            assert not named, f"{path}:{node.lineno}: {node.value!r} names {named}"


def test_the_docs_stay_short() -> None:
    assert words_of_docs() < 38_000


def test_the_viewer_is_imported_only_where_it_is_started() -> None:
    """Only inside functions of the command line, so that all else works without pygame."""
    for path in sources("catan_p2p"):
        graphical = {line for line, module in imports(path) if module.partition(".")[0] in ("pygame", "visualizer")}
        at_once = {node.lineno for node in parsed(path).body}
        assert not graphical & at_once, path
        assert not graphical or layer_of(module_of(path)) == "cli", path


def test_gitpython_is_imported_in_one_module() -> None:
    """Everywhere else the variables of another repository would not have been dropped before it runs Git."""
    importing = {path for path in ALL for _, module in imports(path) if module.partition(".")[0] == "git"}
    assert {module_of(path) for path in importing} == {"catan_p2p.log.storage.repository"}


IMPORT_ALL = """
import importlib, pkgutil, sys
import catan_p2p
names = [module.name for module in pkgutil.walk_packages(catan_p2p.__path__, "catan_p2p.")]
for name in names:
    if not name.endswith("__main__"):
        importlib.import_module(name)
assert len(names) > 30, names
print(*sorted({name.partition(".")[0] for name in sys.modules} & {"pygame", "scipy", "visualizer"}))
"""


@pytest.mark.needs("all")
def test_importing_all_of_catan_p2p_imports_neither_pygame_nor_scipy() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", IMPORT_ALL], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "", "")


def test_every_target_of_the_makefile_can_be_made() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", text, re.MULTILINE))
    assert sorted(targets) == sorted(re.search(r"^\.PHONY: (.*)", text, re.MULTILINE)[1].split())  # type: ignore[index]
    for target in targets:
        done = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, timeout=60)
        assert (target, done.returncode, done.stderr) == (target, 0, "")
