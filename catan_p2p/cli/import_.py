"""``catan-p2p import``: read a game from a notation, check it by the rules, and make a repository of it."""

from __future__ import annotations

import argparse
import hashlib
from collections import Counter
from pathlib import Path
from typing import Any

from catan_p2p.cli import values
from catan_p2p.cli.output import FINDING, FINE, WRONG_USAGE, emit, emit_json, say
from catan_p2p.cli.rules import add_rules_option
from catan_p2p.log.storage import disk
from catan_p2p.notation import (
    FORMATS,
    Finding,
    Imported,
    NotationError,
    RulesBroken,
    import_game,
    write_game,
    write_view,
)
from catan_p2p.notation.errors import FindingKind
from catan_p2p.notation.formats import TITLES
from catan_p2p.notation.sources import open_text, read_file


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "import",
        help="read a game from .catan, SGN, catanatron, colonist.io or JSettlers",
        description="Read a game from catanlog's .catan or Settlers Game Notation, current or older, from catanatron, "
        "colonist.io or JSettlers; check it by the rules as far as the file says, and play it again: a game repository "
        "where the facts suffice, else a public view in which what is open is marked.",
        epilog="Exit code 1 if the file breaks the format or the rules; nothing is written then, unless --lenient.",
    )
    parser.add_argument("file", type=values.path, metavar="FILE", help="a game in any of these formats")
    parser.add_argument("--format", choices=FORMATS, help="(default: by how it begins)")
    parser.add_argument(
        "-o", "--out", type=values.new_path, metavar="DIR", help="the repository to make (default: only check)"
    )
    add_rules_option(parser, "those that the file names, or that the game breaks least often")
    parser.add_argument(
        "--rules-of",
        choices=("all", "public"),
        default="all",
        help="public: check only what everybody at the table sees, not what the hands must have held",
    )
    parser.add_argument("--players", type=int, metavar="N", help="how many play, if a file ends before that is clear")
    parser.add_argument(
        "--lenient", action="store_true", help="collect all findings, leave out undone lines, and go on"
    )
    parser.add_argument("--json", action="store_true", help="print the verdict as JSON")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    if args.players is not None and not 2 <= args.players <= 6:
        say(f"catan-p2p import: --players {args.players}: expected 2 to 6")
        return WRONG_USAGE
    findings: list[Finding] = []
    try:
        imported = _read(args, findings)
    except NotationError as error:
        kind: FindingKind = "rules" if isinstance(error, RulesBroken) else "format"
        findings.append(Finding(error.line, error.column, kind, error.reason))
        _report(args, findings, None)
        say(_ways_on(args, kind))
        return FINDING
    if args.out is not None:
        nonce = f"import {_digest(args.file)}"
        view = imported.view
        if imported.constants is not None:
            write_game(args.out, view.start, imported.constants, imported.played, nonce)
        else:
            write_view(args.out, view, nonce)
    _report(args, sorted(findings, key=lambda found: found[:2]), imported)
    return FINDING if findings else FINE


def _ways_on(args: argparse.Namespace, kind: FindingKind) -> str:
    """What can be done about a file that was refused."""
    ways = "" if args.lenient else "--lenient collects all findings and goes on"
    if kind == "rules" and args.rules_of == "all":
        ways += f"{'; ' if ways else ''}--rules-of public does not ask what the hands must have held"
    return f"catan-p2p import: nothing was read{'; ' if ways else ''}{ways}"


def _read(args: argparse.Namespace, findings: list[Finding]) -> Imported:
    def note(error: NotationError) -> None:
        findings.append(Finding(error.line, error.column, "format", error.reason))

    with disk.explained("read", args.file), open_text(args.file) as handle:
        source = read_file(handle, args.format, args.players, note if args.lenient else None)
        events = [source.start, *source.events]
    collected = findings if args.lenient else None
    return import_game(events, source.format, args.rules, collected, checks_hands=args.rules_of == "all")


def _digest(path: Path) -> str:
    with disk.explained("read", path):
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def _report(args: argparse.Namespace, findings: list[Finding], imported: Imported | None) -> None:
    if args.json:
        emit_json(_as_json(args, findings, imported))
        return
    for finding in findings:
        emit(f"{args.file}: {finding}")
    if imported is None:
        return
    emit(f"{args.file}: {_summary(imported)}")
    emit(_standing(imported))
    if imported.why_view is not None:
        emit(f"a public view, for {imported.why_view}" if args.out else f"not to be played again: {imported.why_view}")
    if args.out is not None:
        kind = "game" if imported.constants is not None else "view"
        say(f"the {kind} is in {args.out}; catan-p2p log {args.out} tells it")


def _summary(imported: Imported) -> str:
    view = imported.view
    told = f"{TITLES[view.format]}, {len(view.names)} players, {len(view.steps)} events"
    if imported.constants is not None:
        told += f", {len(imported.played)} actions"
    kinds = Counter(finding.kind for finding in view.findings)
    verdict = ", ".join(f"{n} {_FINDING_NAMES[kind][n > 1]}" for kind, n in sorted(kinds.items())) or "in order"
    return f"{told}; by the {view.rules} rules: {verdict}"


_FINDING_NAMES = {
    "format": ("place that breaks the format", "places that break the format"),
    "repair": ("line undone", "lines undone"),
    "rules": ("breach of the rules", "breaches of the rules"),
    "cards": ("place after which all hands are open", "places after which all hands are open"),
}
"""For one finding and for several."""


def _standing(imported: Imported) -> str:
    view, last = imported.view, imported.view.last
    points = " ".join(f"{name} {last.points(seat)}" for seat, name in enumerate(view.names, 1))
    winner = view.winner
    end = f"{view.names[winner - 1]} has won" if winner else f"not over, phase {last.state.tp}"
    return f"{end}; points that are seen: {points}"


def _as_json(args: argparse.Namespace, findings: list[Finding], imported: Imported | None) -> dict[str, Any]:
    found: dict[str, Any] = {
        "file": str(args.file),
        "findings": [finding._asdict() for finding in findings],
        "fine": not findings,
    }
    if imported is not None:
        view = imported.view
        found |= {
            "format": view.format,
            "rules": view.rules,
            "players": [player._asdict() for player in view.start.players],
            "events": len(view.steps),
            "actions": len(imported.played) if imported.constants is not None else None,
            "winner": view.names[view.winner - 1] if view.winner else None,
            "points": {name: view.last.points(seat) for seat, name in enumerate(view.names, 1)},
            "is_game": imported.constants is not None,
            "why_view": imported.why_view,
            "open": view.open_events(),
            "out": str(args.out) if args.out else None,
        }
    return found
