"""``catan-p2p import``: read a game from a notation, check it by the rules, and turn it into a repository."""

import argparse
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from catan_p2p import notation
from catan_p2p.cli import values
from catan_p2p.cli.game_file import GameFile
from catan_p2p.cli.output import FINDING, FINE, WRONG_USAGE, emit, emit_json, say
from catan_p2p.cli.table_options import add_rules_option
from catan_p2p.notation.errors import FindingKind, PlayersUnclear
from catan_p2p.notation.formats import TITLES
from catan_p2p.notation.repository.game import seats
from catan_p2p.notation.sources import EventSource, read_file


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "import",
        help="read a game from .catan, SGN, catanatron, colonist.io or JSettlers",
        description="Read a game from catanlog's .catan or Settlers Game Notation, current or older, from catanatron, "
        "colonist.io or JSettlers; check it by the rules as far as the file tells, and replay it. The result is a game "
        "repository if the file has all facts, else a public view, which marks what is unknown.",
        epilog="Exit code 1 if the file breaks the format or the rules; then nothing is written, unless --lenient.",
    )
    parser.add_argument(
        "file", type=values.path, metavar="FILE", help="a game in any of these formats; - is standard input"
    )
    parser.add_argument("--format", choices=notation.FORMATS, help="the notation (default: by how the file begins)")
    parser.add_argument(
        "-o", "--out", type=values.new_path, metavar="DIR", help="the repository to make (default: only check)"
    )
    add_rules_option(parser, "those that the file names, or that the game breaks least often")
    parser.add_argument(
        "--rules-of",
        choices=("all", "public"),
        default="all",
        help="public: check only what everybody at the table sees, not what the hands must have held (default: all)",
    )
    parser.add_argument(
        "--players", type=values.player_count, metavar="N", help="how many play, if a file ends before that is clear"
    )
    parser.add_argument(
        "--lenient", action="store_true", help="collect all findings, leave out lines that were undone, and go on"
    )
    parser.add_argument("--json", action="store_true", help="print the verdict as JSON")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    if args.players is not None and not 2 <= args.players <= 6:
        say(f"catan-p2p import: --players {args.players}: expected 2 to 6")
        return WRONG_USAGE
    imported = _FileImport(args, GameFile(args.file))
    findings = imported.findings
    try:
        verdict = imported.check()
    except notation.NotationError as error:
        kind: FindingKind = "rules" if isinstance(error, notation.RulesBroken) else "format"
        findings.append(notation.NotationFinding(error.line, error.column, kind, error.reason))
        _report(args, findings, None)
        say(f"catan-p2p import: nothing was read{''.join(f'; {way}' for way in _ways_on(imported, error))}")
        return FINDING
    findings = sorted(findings, key=lambda found: found[:2])
    if args.out is not None:
        nonce = f"import {imported.file.digest()}"
        if verdict.constants is not None:
            notation.write_game(
                args.out, verdict.start, verdict.constants, notation.game_steps(verdict, imported.events), nonce
            )
        else:
            view = notation.FileView(verdict.start, verdict.format, verdict.rules, (), tuple(findings))
            notation.write_view(args.out, view, nonce, notation.view_steps(verdict, imported.events))
    _report(args, findings, verdict)
    return FINDING if findings else FINE


def _ways_on(imported: "_FileImport", error: notation.NotationError) -> Iterator[str]:
    """The options that get further in a refused file; each is tried before it is named, if that is possible."""
    if not imported.is_lenient and imported.gets_beyond(error, is_lenient=True):
        yield "--lenient collects all findings and goes on"
    if isinstance(error, PlayersUnclear):
        yield "--players N says how many play"
    if not isinstance(error, notation.RulesBroken):
        return
    if imported.checks_hands and imported.gets_beyond(error, checks_hands=False):
        yield "--rules-of public does not ask what the hands must have held"
    if error.constant:
        yield f"--rules FILE can have another {error.constant}"


class _FileImport:
    """The import of one file, with its findings."""

    def __init__(self, args: argparse.Namespace, file: GameFile) -> None:
        self.findings: list[notation.NotationFinding] = []
        self.file = file
        self.is_lenient: bool = args.lenient
        self.checks_hands: bool = args.rules_of == "all"
        self._args = args
        self._noted: set[notation.NotationFinding] = set()

    def check(self) -> notation.ImportVerdict:
        """Judge the file. ``NotationError`` if it breaks the format or the rules, unless findings are collected."""
        args = self._args
        with self._source() as source:
            format = source.format
        collected = self.findings if self.is_lenient else None
        return notation.check(self.events, format, args.rules, collected, checks_hands=self.checks_hands)

    def gets_beyond(
        self, error: notation.NotationError, *, is_lenient: bool = False, checks_hands: bool = True
    ) -> bool:
        """Whether reading the file in this way gets further than ``error``."""
        other = _FileImport(self._args, self.file)
        other.is_lenient, other.checks_hands = is_lenient, checks_hands
        try:
            other.check()
        except notation.NotationError as found:
            return (found.line, found.column) > (error.line, error.column)
        return True

    def events(self) -> Iterator[notation.Event]:
        """The events of the file, from the beginning."""
        with self._source() as source:
            yield source.start
            yield from source.events

    @contextmanager
    def _source(self) -> Iterator[EventSource]:
        args = self._args
        with self.file.open() as handle:
            yield read_file(handle, args.format, args.players, self._note if self.is_lenient else None)

    def _note(self, error: notation.NotationError) -> None:
        finding = notation.NotationFinding(error.line, error.column, "format", error.reason)
        if finding not in self._noted:  # the file is read several times
            self._noted.add(finding)
            self.findings.append(finding)


def _report(
    args: argparse.Namespace, findings: list[notation.NotationFinding], verdict: notation.ImportVerdict | None
) -> None:
    if args.json:
        emit_json(_as_json(args, findings, verdict))
        return
    for finding in findings:
        emit(f"{args.file}: {finding}")
    if verdict is None:
        return
    emit(f"{args.file}: {_summary(verdict, findings, are_rules_named=_are_rules_named(args, verdict))}")
    emit(_standing(verdict))
    if verdict.why_view is not None:
        emit(f"a public view, for {verdict.why_view}" if args.out else f"cannot be replayed: {verdict.why_view}")
    if args.out is not None:
        kind = "game" if verdict.constants is not None else "view"
        say(f"the {kind} is in {args.out}; catan-p2p log {args.out} prints it")
        taken = zip(verdict.names, seats(verdict.start.players), strict=True)
        if renamed := [f"{name} is {seat.colour}" for name, seat in taken if name != seat.colour]:
            say(f"colours that no log has are replaced: {', '.join(renamed)}")


def _are_rules_named(args: argparse.Namespace, verdict: notation.ImportVerdict) -> bool:
    """Whether the file or the user names the rules; if not, they are the profile that the game breaks least often."""
    return args.rules is not None or verdict.start.rules is not None


def _summary(
    verdict: notation.ImportVerdict, findings: list[notation.NotationFinding], *, are_rules_named: bool
) -> str:
    told = f"{TITLES[verdict.format]}, {len(verdict.names)} players, {verdict.events} events"
    if verdict.constants is not None:
        told += f", {verdict.actions} actions"
    kinds = Counter(finding.kind for finding in findings)
    found = ", ".join(f"{n} {_FINDING_NAMES[kind][n > 1]}" for kind, n in sorted(kinds.items())) or "in order"
    named = "" if are_rules_named else "no rules named, "
    return f"{told}; {named}by the {verdict.rules} rules: {found}"


_FINDING_NAMES = {
    "format": ("place that breaks the format", "places that break the format"),
    "repair": ("line undone", "lines undone"),
    "rules": ("breach of the rules", "breaches of the rules"),
    "cards": ("place after which all hands are open", "places after which all hands are open"),
}
"""The words for one finding and for several, by kind."""


def _standing(verdict: notation.ImportVerdict) -> str:
    last, winner = verdict.last, verdict.winner
    points = " ".join(f"{name} {last.points(seat)}" for seat, name in enumerate(verdict.names, 1))
    end = f"{verdict.names[winner - 1]} has won" if winner else f"not over, phase {last.state.tp}"
    return f"{end}; points that are seen: {points}"


def _as_json(
    args: argparse.Namespace, findings: list[notation.NotationFinding], verdict: notation.ImportVerdict | None
) -> dict[str, Any]:
    found: dict[str, Any] = {
        "file": str(args.file),
        "findings": [finding._asdict() for finding in findings],
        "fine": not findings,
    }
    if verdict is not None:
        winner = verdict.winner
        found |= {
            "format": verdict.format,
            "rules": verdict.rules,
            "are_rules_named": _are_rules_named(args, verdict),
            "players": [player._asdict() for player in verdict.start.players],
            "events": verdict.events,
            "actions": verdict.actions if verdict.constants is not None else None,
            "winner": verdict.names[winner - 1] if winner else None,
            "points": {name: verdict.last.points(seat) for seat, name in enumerate(verdict.names, 1)},
            "is_game": verdict.constants is not None,
            "why_view": verdict.why_view,
            "open": verdict.open,
            "out": str(args.out) if args.out else None,
        }
    return found
