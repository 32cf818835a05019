"""``catan-p2p status``: print the state of a game as one peer knows it."""

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from catan_p2p.cli import values
from catan_p2p.cli.output import FINDING, FINE, counted, emit, emit_bytes, emit_json, table
from catan_p2p.game.scoring import player_points
from catan_p2p.log.evidence import read_evidence, refusal_in_words
from catan_p2p.safe_text import shown
from catan_p2p.tables.seat import private_folder
from catan_p2p.tables.status import SeatStatus, read_status
from catan_p2p.tables.terms import computers_in_words, fingerprint, map_choice, map_in_words, rules_in_words, terms


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "status",
        help="show the state of a game as one peer knows it",
        description="Print whose move the game waits for, how far each player's log is known, and which "
        "commits were refused.",
        epilog="Exit code 1 if a commit was refused or the repository is damaged.",
    )
    parser.add_argument("path", type=values.path, metavar="DIR", help="a player's repository")
    parser.add_argument(
        "--evidence", metavar="COLOUR/COMMIT", help="print only the bytes of this commit, which was kept as evidence"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    if args.evidence is not None:
        emit_bytes(read_evidence(private_folder(args.path), args.evidence)[1])
        return FINE
    status = read_status(args.path)
    if args.json:
        emit_json(_as_json(status))
    else:
        emit(_in_words(args.path, status))
    return FINDING if status.refusals or status.damage else FINE


def _in_words(path: Path, status: SeatStatus) -> str:
    graph = status.graph
    called = graph.game.called
    knows = f"knows {counted(graph.action_count, 'action')}, the newest {graph.head[:10]}"
    lines = [f"{called[status.settings.colour]} {knows}; {status.standing.waiting()}"]
    lines += status.standing.sentences()
    lines += (*terms(graph.game, graph.root), *map_choice(path, graph.game, graph.root))
    seats, rules = [seat.colour for seat in graph.game.seats], graph.game.constants.rules
    lines += computers_in_words(status.settings.computers, seats, rules, called[seats[0]])
    rows: list[tuple[object, ...]] = []
    for known in status.players:
        player = graph.game.player_of(known.colour) or 0
        points = player_points(graph.state, player)
        if player and graph.state.away[player - 1]:
            rows.append((called[known.colour], points, "-", "excused", known.url or "no remote"))
            continue
        if known.head is None:
            rows.append((called[known.colour], points, "-", "never seen", known.url or "no remote"))
        else:
            behind = (
                "unknown" if known.behind is None else "at the newest" if not known.behind else f"{known.behind} behind"
            )
            rows.append((called[known.colour], points, known.head[:10], behind, known.url or "no remote"))
    lines += table(("player", "points", "log at", "is", "remote"), rows).split("\n")
    for bad in status.damage:
        lines.append(f"damaged: {bad}")
    for line in status.refusals:
        lines.append(refusal_in_words(line, called))
    for name in status.evidence:
        lines.append(f"kept as evidence: {name}")
    return "\n".join(map(shown, lines))


def _as_json(status: SeatStatus) -> dict[str, Any]:
    graph = status.graph
    return {
        "colour": status.settings.colour,
        "root": graph.root,
        "rules": rules_in_words(graph.game),
        "map": map_in_words(graph.game),
        "keys": {seat.colour: seat.key and fingerprint(seat.key) for seat in graph.game.seats},
        "actions": graph.action_count,
        "head": graph.head,
        "phase": graph.state.tp,
        **status.standing.as_json(),
        "excused": [seat.colour for seat, away in zip(graph.game.seats, graph.state.away, strict=True) if away],
        "winner": graph.game.seats[graph.state.ap - 1].colour if graph.state.is_over else None,
        "computers": status.settings.computers,
        "names": {seat.colour: name for seat, name in zip(graph.game.seats, graph.game.names, strict=True)},
        "players": [asdict(known) for known in status.players],
        "refusals": list(status.refusals),
        "evidence": status.evidence,
        "damage": [str(bad) for bad in status.damage],
    }
