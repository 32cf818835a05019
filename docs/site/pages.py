"""What mkdocs is told beyond its file: pages outside ``docs/``, the verbs' and the API's, their order, their links.

In the repository a page links to files where they are, so that it can be read there; on the site those files have other
places, or are added as they are.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import os
import posixpath
import re
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from mkdocs.structure.files import File

from catan_p2p.cli.main import main, make_parser
from catan_p2p.game.actions import ACTIONS, HIDDEN_ACTIONS, ActionKind
from catan_p2p.game.board import DEFAULT_BOARD
from catan_p2p.log.verdict import reason_table
from catan_p2p.metrics.columns import columns_page
from visualizer.pages.page import svg
from visualizer.pictures.island.land import terrain_layer
from visualizer.pictures.shapes import Rect

ROOT = Path(__file__).parents[2]

PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "spec/README.md": "specification.md",
    "spec/unseen.md": "unseen.md",
    "benchmarks/README.md": "benchmarks.md",
}
"""The pages that are not in ``docs/``, with their places on the site."""

ORDER = {
    "Get started": ["start/play.md", "start/from-action-to-commit.md"],
    "Guides": [
        f"guides/{name}.md"
        for name in (
            *("relay", "tables", "peers", "maps", "players", "viewer"),
            *("studies", "network", "lmu", "environment", "library"),
        )
    ],
    "Reference": [
        "reference/verbs.md",
        "reference/refusals.md",
        "reference/columns.md",
        "reference/log-format.md",
        "reference/model.md",
        "reference/notation.md",
        "specification.md",
        "security.md",
    ],
    "How it works": [
        f"how-it-works/{name}.md"
        for name in ("architecture", "replication", "chance", "hidden", "sealing", "reliability")
    ],
    "Research": [
        *(
            f"research/{name}.md"
            for name in ("figures", "fairness", "fairness-links", "network-study", "independent", "errata")
        ),
        "research/attacks.md",
        "unseen.md",
        "benchmarks.md",
    ],
}
"""Which pages come where; any other page of ``docs/`` is below More."""

API = {
    "library": ["catan_p2p"],
    "state": ["catan_p2p.game.state", "catan_p2p.game.cards", "catan_p2p.game.constants"],
    "rules": ["catan_p2p.game.rules", "catan_p2p.game.scoring", "catan_p2p.game.invariants"],
    "board": [
        "catan_p2p.game.board.maps",
        "catan_p2p.game.board.tiles",
        "catan_p2p.game.board.points",
        "catan_p2p.game.board.drawing",
    ],
    "log": [
        "catan_p2p.log.refs",
        "catan_p2p.log.commit",
        "catan_p2p.log.verdict",
        "catan_p2p.log.graph",
        "catan_p2p.log.ledger",
        "catan_p2p.log.line",
        "catan_p2p.log.history",
    ],
    "peers": ["catan_p2p.replication.peer", "catan_p2p.replication.replica", "catan_p2p.replication.play"],
    "simulation": ["catan_p2p.players.policies", "catan_p2p.simulation.game", "catan_p2p.simulation.run"],
    "metrics": ["catan_p2p.metrics.rows", "catan_p2p.metrics.collection"],
    "view": ["catan_p2p.view.events", "catan_p2p.view.observe", "catan_p2p.view.words", "catan_p2p.view.places"],
    "notation": ["catan_p2p.notation", "catan_p2p.notation.errors"],
    "model-check": ["catan_p2p.model_check.tlc", "catan_p2p.model_check.check"],
}
"""The modules of each page of the API."""

_FRAME = '<iframe class="replay" src="replay.html" title="A game, step by step" loading="lazy"></iframe>'
_LINK = re.compile(r"(\]\()([^)\s#:]+)(#[^)]*)?(\))")


def _helps(parser: argparse.ArgumentParser, depth: int = 2) -> Iterator[str]:
    """What each verb's ``--help`` says, with a heading; verbs of verbs come below."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for verb in dict.fromkeys(action.choices.values()):
                yield f"{'#' * depth} {verb.prog}\n\n```text\n{verb.format_help()}```\n\n"
                yield from _helps(verb, depth + 1)


def _verbs_page() -> str:
    with patch.dict(os.environ, {"COLUMNS": "100", "NO_COLOR": "1"}):
        return "# Verbs and options\n\n" + "".join(_helps(make_parser()))


def _guards(kind: ActionKind) -> list[str]:
    """The tags of an action's guards: every ``condition or "TAG word"`` in its ``broken``, in order."""
    source = ast.parse(inspect.getsource(import_module(f"catan_p2p.game.actions.{kind.snake_name}").broken))
    ends = (
        node.values[-1] for node in ast.walk(source) if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or)
    )
    return [str(end.value) for end in ends if isinstance(end, ast.Constant)]


def _refusals_page() -> str:
    """Why commits and actions are refused, from the tables of reasons and the guards of the program."""
    text = (
        "# Refusals\n\nWhy the program refuses a commit or an action, generated from its own tables.\n\n"
        f"## A commit\n\n{reason_table()}"
    )
    text += (
        "\n\n[The log format](log-format.md#validity) says which one is given if several apply.\n\n"
        "## An action\n\nAn action that is not enabled is refused with the tags of the guards that do not hold. "
        "[The model](model.md#actions-and-their-guards) explains those that are not plain.\n\n"
        "| action | guards |\n| --- | --- |\n"
    )
    return text + "".join(f"| `{kind.name}` | {', '.join(_guards(kind))} |\n" for kind in (*ACTIONS, *HIDDEN_ACTIONS))


GENERATED = {
    "reference/verbs.md": _verbs_page,
    "reference/refusals.md": _refusals_page,
    "reference/columns.md": columns_page,
}
"""The pages that the program's own tables make, by their places on the site."""


def _replay() -> str:
    """A page that replays the game of README."""
    with TemporaryDirectory() as folder, redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        game, page = Path(folder, "tour"), Path(folder, "game.html")
        settings = ["--players", "4", "--policy", "builder", "--seed", "1"]
        for verb in (["simulate", *settings, "--out", str(game)], ["page", str(game / "Catan_0"), "-o", str(page)]):
            if main(verb):
                raise RuntimeError(f"catan-p2p {' '.join(verb)} failed")
        return page.read_text(encoding="utf-8")


def _island() -> str:
    """The island of the default map as a picture."""
    area = Rect(0, 0, 512, 512)
    shapes = "".join(map(svg, terrain_layer(DEFAULT_BOARD, area).shapes))
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {area.w} {area.h}">{shapes}</svg>'


def _origin(uri: str) -> str:
    """The path in the repository of a page of the site."""
    return next((path for path, place in PAGES.items() if place == uri), f"docs/{uri}")


def _place(path: str) -> str:
    """The place on the site of a file of the repository."""
    return PAGES.get(path) or (path.removeprefix("docs/") if path.startswith("docs/") else f"files/{path}")


def _target(link: str, page: str) -> str:
    """The file that a page of the repository links to."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), link))


def _linked_files() -> set[str]:
    """The files outside ``docs/`` that pages link to and that are no pages themselves."""
    pages = [*PAGES, *(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))]
    found = set()
    for page in pages:
        if not (ROOT / page).exists():
            continue
        for match in _LINK.finditer((ROOT / page).read_text(encoding="utf-8")):
            target = _target(match[2], page)
            if (ROOT / target).is_file() and target not in PAGES and not target.startswith("docs/"):
                found.add(target)
    return found


def on_config(config: Any) -> Any:
    """Put the pages in order."""
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    docs = ROOT / "docs"
    there = {path.relative_to(docs).as_posix() for path in docs.rglob("*.md")} | set(PAGES.values())
    there |= set(GENERATED)
    there -= {_place(path) for path in PAGES if not (ROOT / path).exists()}
    listed = [page for pages in ORDER.values() for page in pages] + ["index.md", "contributing.md", "changelog.md"]
    config.nav = [
        {"catan_p2p": "index.md"},
        *({title: [page for page in pages if page in there]} for title, pages in ORDER.items()),
        {"Modules": [f"api/{name}.md" for name in API]},
        *([{"More": more}] if (more := sorted(there - set(listed))) else []),
        {"Contributing": "contributing.md"},
        {"Changes": "changelog.md"},
    ]
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages and files from outside ``docs/``, and the API's."""
    for path, place in PAGES.items():
        if (ROOT / path).exists():
            files.append(File.generated(config, place, abs_src_path=str(ROOT / path)))
    for path in sorted(_linked_files()):
        files.append(File.generated(config, _place(path), abs_src_path=str(ROOT / path)))
    for place, page in GENERATED.items():
        files.append(File.generated(config, place, content=page()))
    files.append(File.generated(config, "replay.html", content=_replay()))
    files.append(File.generated(config, "assets/island.svg", content=_island()))
    files.append(File.generated(config, "assets/site.css", abs_src_path=str(ROOT / "docs" / "site" / "site.css")))
    for name, modules in API.items():
        text = "".join([f"# {name.replace('-', ' ').capitalize()}\n\n", *(f"::: {module}\n\n" for module in modules)])
        files.append(File.generated(config, f"api/{name}.md", content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Lead links to where files are on the site; a folder has no place there, so its link is left out."""
    if page.file.src_uri in GENERATED or page.file.src_uri.startswith("api/"):
        return markdown
    origin = _origin(page.file.src_uri)

    def moved(match: re.Match[str]) -> str:
        target = _target(match[2], origin)
        if not (ROOT / target).is_file():
            return match[0] if not (ROOT / target).exists() else f"{match[1]}index.html{match[4]}"
        link = posixpath.relpath(_place(target), posixpath.dirname(page.file.src_uri) or ".")
        return f"{match[1]}{link}{match[3] or ''}{match[4]}"

    if page.file.src_uri == "index.md":
        markdown = markdown.replace("\n## Play\n", f"\n{_FRAME}\n\n## Play\n", 1)
    return _LINK.sub(moved, markdown)
