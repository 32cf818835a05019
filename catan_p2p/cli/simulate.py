"""``catan-p2p simulate``: play whole games on Git."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from catan_p2p.cli import output, values
from catan_p2p.cli.executor_options import add_executor_options, chosen_executor
from catan_p2p.cli.table_options import (
    add_chance_option,
    add_hands_option,
    add_map_option,
    add_rules_option,
    with_help,
)
from catan_p2p.game.constants import UnsupportedRules
from catan_p2p.game.randomness import random_seed
from catan_p2p.simulation.command import simulate_command
from catan_p2p.simulation.findings import spell_finding
from catan_p2p.simulation.game import DEFAULT_MAX_ACTIONS, SCHEDULES, TRANSPORTS, GameResult, Progress
from catan_p2p.simulation.run import (
    JUDGINGS,
    OPTIONS,
    TOPOLOGIES,
    ClusterError,
    Executor,
    SettingsError,
    SimulationRun,
    begin_run,
    play_run,
    resume_run,
    settings_of,
)

_NO_FAULTS = "--shrink needs --topology network"


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "simulate",
        help="play whole games on Git",
        description="Play whole games of Catan in which every action is a Git commit on the acting player's branch.",
        epilog="Games are written to DIR/Catan_<n>, results to DIR/games.jsonl, and findings, as they "
        "occur, to DIR/findings.jsonl. Exit code 1 if there was a finding.",
    )
    parser.add_argument(
        "--players",
        type=values.player_count,
        metavar="N",
        help="how many play: 2 to 4, under brief and standard rules 2 to 6 (default: 2)",
    )
    parser.add_argument("--games", type=values.integer, metavar="N", help="how many games (default: 1)")
    parser.add_argument(
        "--game",
        type=values.whole,
        metavar="K",
        help="play only the game with this number, counted from 0",
    )
    parser.add_argument(
        "--seed", type=values.integer, metavar="S", help="the same seed gives the same object ids (default: random)"
    )
    parser.add_argument(
        "--policy",
        metavar="NAME,...",
        help="who decides: one policy for all players, or one for each, separated by commas: "
        f"{values.POLICY_NAMES} (default: random)",
    )
    add_rules_option(parser, "thesis")
    add_map_option(parser)
    add_chance_option(parser)
    add_hands_option(parser)
    parser.add_argument("--schedule", choices=tuple(SCHEDULES), help="whose peer runs next (default: round-robin)")
    parser.add_argument(
        "--max-actions",
        type=values.integer,
        metavar="N",
        help="stop a game that has no winner by then; with --resume, this replaces the earlier cap "
        f"(default: {DEFAULT_MAX_ACTIONS})",
    )
    parser.add_argument(
        "--topology",
        choices=TOPOLOGIES,
        help="one repository for all, a process with its own repository for each player, or replicas over simulated "
        "links in virtual time (default: shared)",
    )
    parser.add_argument(
        "--judging",
        choices=JUDGINGS,
        help="how the peers of one repository judge a commit: once for all, or each for "
        "itself, to measure the cost of a peer (default: once)",
    )
    parser.add_argument("--transport", choices=TRANSPORTS, help="how separate peers fetch (default: path)")
    parser.add_argument(
        "--network",
        metavar="NAME|FILE",
        help="with --topology network, which network: lan, city, continent, world, mobile, satellite, one of these "
        "with changes such as 'world; looks = hooks; faults = 5', or a file; see docs/guides/network.md "
        "(default: lan)",
    )
    parser.add_argument(
        "--shrink",
        action="store_true",
        help="with --topology network, reduce the faults of a failing game to those it needs to fail",
    )
    parser.add_argument(
        "--sign", action="store_true", default=None, help="sign every commit (not with --topology shared)"
    )
    add_executor_options(parser)
    parser.add_argument(
        "--out", type=values.new_path, metavar="DIR", help="a folder for the games (default: games/run_<n>)"
    )
    parser.add_argument("--resume", type=values.path, metavar="DIR", help="go on with an interrupted simulation")
    parser.add_argument(
        "--metrics",
        nargs="?",
        const="whole",
        choices=("whole", "quick"),
        help="measure each game when it ends, in the process that played it, and write what catan-p2p metrics writes "
        "(quick: without git gc and the packs of hand-overs)",
    )
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    try:
        with chosen_executor(args) as executor:
            return _play(args, executor)
    except (SettingsError, UnsupportedRules, ClusterError) as error:
        output.end_progress()
        output.say(f"catan-p2p simulate: {with_help(error)}")
        return output.WRONG_USAGE


def _play(args: argparse.Namespace, executor: Executor | None) -> int:
    simulation = _open(args)
    settings = simulation.settings
    games = output.counted(settings.games, "game") if args.game is None else f"game {args.game}"
    output.tell(f"seed {settings.seed}, {games} of {settings.players} players, in {simulation.out}")
    measuring = None
    if args.metrics is not None:
        from catan_p2p.metrics.while_playing import RunMeasurement

        measuring = RunMeasurement(simulation.out.resolve().name, thorough=args.metrics == "whole")
    try:
        play_run(simulation, args.jobs or 1, _progress(simulation), _ended, executor, measuring, args.game)
        output.end_progress()
        if measuring is not None:
            measuring.collect(simulation.out)
    except KeyboardInterrupt:
        output.end_progress()
        output.say(f"interrupted; go on with: catan-p2p simulate --resume {simulation.out}")
        return output.INTERRUPTED
    except ClusterError as error:
        raise ClusterError(f"{error}; go on with: catan-p2p simulate --resume {simulation.out}") from error
    output.end_progress()
    _show(simulation, as_json=args.json)
    if measuring is not None:
        output.tell(f"tables are in {simulation.out / 'metrics'}")
    lacking = [number for number in _numbers(args, settings.games) if number not in simulation.results]
    if args.shrink:
        _shrink(simulation, lacking)
    return output.FINDING if simulation.findings or lacking else output.FINE


def _numbers(args: argparse.Namespace, games: int) -> Sequence[int]:
    """The games that are to be played."""
    return range(games) if args.game is None else (args.game,)


def _open(args: argparse.Namespace) -> SimulationRun:
    if args.resume is not None:
        fixed = (name for name in (*OPTIONS, "out") if name != "max_actions")
        given = [name for name in fixed if getattr(args, name) is not None]
        if given:
            raise SettingsError(f"--{given[0].replace('_', '-')} cannot be changed when a simulation is resumed")
        found = resume_run(args.resume, args.max_actions)
        if args.game is not None and args.game >= found.settings.games:
            raise SettingsError(f"--game {args.game}: expected less than {found.settings.games}, the number of games")
        if args.shrink and found.settings.topology != "network":
            raise SettingsError(_NO_FAULTS)
        return found
    if args.shrink and args.topology != "network":
        raise SettingsError(_NO_FAULTS)
    options = {name: getattr(args, name) for name in OPTIONS}
    if args.game is not None:
        if args.games is not None and args.game >= args.games:
            raise SettingsError(f"--game {args.game}: expected less than {args.games}, the number of games")
        options["games"] = args.games or args.game + 1
    settings = settings_of(options | {"seed": random_seed() if args.seed is None else args.seed})
    return begin_run(args.out or _next_folder(Path("games")), settings)


def _shrink(simulation: SimulationRun, failed: Sequence[int]) -> None:
    """For each failed game, print the command that plays it with the fewest faults with which it still fails."""
    from catan_p2p.simulation.laboratory.shrinking import faults_told, shrink

    for number in failed:
        fewest = shrink(number, simulation.settings)
        told = "; ".join(faults_told(number, fewest)) or "no faults at all"
        output.say(f"game {number} fails with no fewer faults than: {told}; {simulate_command(fewest, game=number)}")


def _next_folder(base: Path) -> Path:
    number = 1
    while (base / f"run_{number}").exists():
        number += 1
    return base / f"run_{number}"


def _progress(simulation: SimulationRun) -> Progress:
    under_way: dict[int, int] = {}
    done = sum(result.actions for result in simulation.results.values())

    def show(game: int, actions: int, points: tuple[int, ...]) -> None:
        nonlocal done
        under_way[game] = actions
        # The games that have ended since the last report count by their results.
        for ended in under_way.keys() & simulation.results.keys():
            done += simulation.results[ended].actions
            del under_way[ended]
        standing = " ".join(map(str, points))
        output.show_progress(
            f"game {game}: {actions} actions, points {standing} | {len(simulation.results)} of "
            f"{simulation.settings.games} games, {done + sum(under_way.values())} actions in all"
        )

    return show


def _ended(simulation: SimulationRun, result: GameResult | None, why: str) -> None:
    output.end_progress()
    ended, games = len(simulation.results), simulation.settings.games
    if result is None:
        output.say(f"no winner: {why}")
    else:
        output.tell(f"game {result.game}: {result.winner} wins after {result.actions} actions ({ended} of {games})")


def _show(simulation: SimulationRun, *, as_json: bool) -> None:
    results = [simulation.results[number] for number in sorted(simulation.results)]
    if as_json:
        output.emit_json(
            {
                "settings": asdict(simulation.settings),
                "out": str(simulation.out),
                "games": [result.as_json() for result in results],
                "findings": simulation.findings,
            }
        )
        return
    if results:
        output.emit(_table(simulation, results))
        output.emit(_totals(results))
    for finding in simulation.findings:
        output.say(f"finding: {spell_finding(finding)}")


def _table(simulation: SimulationRun, results: list[GameResult]) -> str:
    head = ("game", "winner", "points", "actions", "rounds", "commits", "kB", "B/commit", "ms/action", "comp.", "sync.")
    rows = [
        (
            result.game,
            result.winner,
            " ".join(map(str, result.points)),
            result.actions,
            result.rounds,
            result.commits,
            result.repository_bytes / 1000,
            result.repository_bytes // result.commits,
            1000 * result.elapsed_s / result.actions,
            1000 * result.computing_s / result.actions,
            1000 * result.synchronizing_s / result.actions,
        )
        for result in results
    ]
    if simulation.settings.topology == "shared":
        return output.table(head, rows)
    apart = [
        (
            1000 * result.waiting_s / result.actions,
            result.fetches,
            result.bytes_received / 1000,
        )
        for result in results
    ]
    return output.table(
        (*head, "wait.", "fetches", "kB fetched"), [(*row, *more) for row, more in zip(rows, apart, strict=True)]
    )


def _totals(results: list[GameResult]) -> str:
    actions = sum(result.actions for result in results)
    elapsed = sum(result.elapsed_s for result in results)
    tries = sum(result.tries for result in results)
    findings = sum(result.findings for result in results)
    parts = [output.counted(len(results), "game"), f"{actions} actions", f"{1000 * elapsed / actions:.2f} ms an action"]
    told = ", ".join(parts)
    if mistakes := sum(result.mistakes for result in results):
        told += f"; {output.counted(mistakes, 'decision')} not made by the policy"
    if findings:
        return f"{told}; {output.counted(findings, 'finding')}"
    return f"{told}; {tries} tries out of turn, all refused" if tries else told
