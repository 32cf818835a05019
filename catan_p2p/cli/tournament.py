"""``catan-p2p tournament``: let policies play against one another and rate them."""

import argparse
import os
import shlex
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from catan_p2p.cli import output, values
from catan_p2p.cli.table_options import MAP_HELP, add_rules_option, with_help
from catan_p2p.extras import MissingExtra
from catan_p2p.game.board import MapError, read_map
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.randomness import random_seed
from catan_p2p.log.refs import COLOURS
from catan_p2p.players.policies import UnknownPolicy, check_policy
from catan_p2p.tournament.games import TournamentGame, TournamentSetup, whole_deals
from catan_p2p.tournament.plot import plot
from catan_p2p.tournament.ratings import PolicyStanding, standings
from catan_p2p.tournament.running import play_all, play_on_cluster

_DESCRIPTION = """\
Let policies play against one another without Git, and rate them. Each deal is
played once in every rotation of the seats, with the same dice. There are as
many players at the table as names in --policies; a name may come twice.
"""
_EXAMPLES = """\
examples:
  catan-p2p tournament --policies builder,random --games 100
  catan-p2p tournament --policies mine:Hasty,builder,builder,builder --games 400 --jobs 2 --plot rating.png
"""


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "tournament",
        help="let policies play against one another and rate them",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--policies",
        required=True,
        metavar="A,B,...",
        help=f"the players at the table, two to six, each of them {values.POLICY_NAMES}",
    )
    parser.add_argument(
        "--games",
        type=values.count,
        default=100,
        metavar="N",
        help="at least this many, rounded up to whole deals (default: 100)",
    )
    add_rules_option(parser, "brief")
    parser.add_argument("--map", metavar="NAME|FILE", default="default", help=f"{MAP_HELP} (default: default)")
    parser.add_argument(
        "--seed", type=values.integer, metavar="S", help="the same seed gives the same games (default: random)"
    )
    parser.add_argument(
        "--jobs", type=values.count, metavar="J", help="processes to play on (default: as many as there are cores)"
    )
    parser.add_argument(
        "--scheduler", type=values.scheduler, metavar="URL", help="play on the Dask cluster of this scheduler instead"
    )
    parser.add_argument("--plot", type=values.new_path, metavar="FILE", help="draw the standings: FILE.png or FILE.svg")
    parser.add_argument("--json", action="store_true", help="print standings and games as JSON")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    policies = tuple(args.policies.split(","))
    args.rules = args.rules or "brief"
    seed = random_seed() if args.seed is None else args.seed
    try:
        entry = _entry(args, policies, seed)
    except ValueError as error:
        output.say(f"catan-p2p tournament: {with_help(error)}")
        return output.WRONG_USAGE
    numbers = range(whole_deals(args.games, policies))
    output.tell(f"seed {seed}, {output.counted(len(numbers), 'game')} of {', '.join(policies)}, {args.rules} rules")

    def played(count: int) -> None:
        output.show_progress(f"{count} of {len(numbers)} games")

    outcomes = _played(args, entry, numbers, played)
    if outcomes is None:
        return output.WRONG_USAGE
    found = standings(outcomes, seed)
    undecided = sum(outcome.winner is None for outcome in outcomes)
    if args.json:
        output.emit_json(_as_json(args, entry, outcomes, found))
    else:
        output.emit(_table(found))
        decided = len(outcomes) - undecided
        turns = sum(outcome.turns for outcome in outcomes) / len(outcomes)
        output.emit(f"{output.counted(len(outcomes), 'game')}, {decided} with a winner, {turns:.0f} turns on average")
        output.emit(f"again: {_command(args, entry)}")
    if args.plot is not None and (code := _plot(args, found)) != output.FINE:
        return code
    if undecided:
        output.say(f"finding: {output.counted(undecided, 'game')} without a winner after {entry.max_actions} actions")
    return output.FINDING if undecided else output.FINE


def _entry(args: argparse.Namespace, policies: tuple[str, ...], seed: int) -> TournamentSetup:
    """The tournament that the options describe; ``ValueError`` if it cannot be played."""
    if args.plot is not None and args.plot.suffix not in (".png", ".svg"):
        raise ValueError(f"--plot {args.plot}: expected a name that ends in .png or .svg")
    if args.plot is not None and find_spec("matplotlib") is None:  # before hours of playing
        raise ValueError("--plot needs matplotlib: pip install 'catan-p2p[report]'")
    if not 2 <= len(policies) <= 6:
        raise ValueError(f"--policies: {len(policies)} names, expected 2 to 6")
    for name in policies:
        try:
            check_policy(name)
        except UnknownPolicy as error:
            raise ValueError(f"--policies: {error}") from None

    try:
        entry = TournamentSetup(policies, args.rules, read_map(args.map), seed)
        new_constants(entry.rules, COLOURS[: len(policies)], entry.map, seed, 0)
    except MapError as error:
        raise ValueError(f"--map {error}") from None
    return entry


def _played(
    args: argparse.Namespace, entry: TournamentSetup, numbers: range, played: Any
) -> list[TournamentGame] | None:
    from catan_p2p.simulation.run import ClusterError

    try:
        if args.scheduler is not None:
            return play_on_cluster(entry, numbers, args.scheduler, played, output.say)
        return play_all(entry, numbers, args.jobs or os.cpu_count() or 1, played)
    except ClusterError as error:
        output.say(f"catan-p2p tournament: {with_help(error)}")
        return None
    finally:
        output.end_progress()


def _table(found: list[PolicyStanding]) -> str:
    head = ("policy", "seats", "won", "%", "95 %", "chance", "rating", "95 % ", "points")
    rows = [
        (
            one.policy,
            one.games,
            one.wins,
            round(100 * one.wins / one.games, 1),
            f"{100 * one.rate.low:.1f}..{100 * one.rate.high:.1f}",
            round(100 * one.parity, 1),
            round(one.rating),
            f"{one.rating_low:.0f}..{one.rating_high:.0f}",
            round(one.points, 1),
        )
        for one in found
    ]
    return output.table(head, rows)


def _as_json(
    args: argparse.Namespace, entry: TournamentSetup, outcomes: list[TournamentGame], found: list[PolicyStanding]
) -> dict[str, Any]:
    standings_ = [{**asdict(one), "rate": {"low": one.rate.low, "high": one.rate.high}} for one in found]
    games = [asdict(outcome) for outcome in outcomes]
    return {"command": _command(args, entry), "seed": entry.seed, "standings": standings_, "games": games}


def _command(args: argparse.Namespace, entry: TournamentSetup) -> str:
    command = ["catan-p2p", "tournament", "--policies", args.policies, "--games", str(args.games)]
    command += ["--seed", str(entry.seed)]
    if args.rules != "brief":
        command += ["--rules", args.rules]
    if args.map != "default":
        command += ["--map", args.map]
    return shlex.join(command)


def _plot(args: argparse.Namespace, found: list[PolicyStanding]) -> int:
    path: Path = args.plot
    try:
        plot(found, f"{args.policies}: {output.counted(sum(one.wins for one in found), 'game')} won", path)
    except MissingExtra as error:
        output.say(f"catan-p2p tournament: {with_help(error)}")
        return output.WRONG_USAGE
    output.tell(f"{path} written")
    return output.FINE
