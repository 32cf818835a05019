"""``catan-p2p peer``: play a seat until the game ends."""

import argparse
import signal
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from catan_p2p import durations
from catan_p2p.cli import output, values
from catan_p2p.cli.narration import ReplicaNarration
from catan_p2p.cli.table_options import add_listen_option
from catan_p2p.game.randomness import clock_named
from catan_p2p.game.scoring import player_points
from catan_p2p.game.secret_streams import is_secret, randomness_named
from catan_p2p.log.storage.objects import ObjectDamaged, StoreError
from catan_p2p.log.transport.remote import checked_url
from catan_p2p.log.transport.serve import RepositoryServer, parse_address
from catan_p2p.players.policies import make_policy
from catan_p2p.replication.core.commit_author import GaveUp
from catan_p2p.replication.play import STAY_S, LookPace, PlayReport, once_there_is_room, play, unheard, waiting_for
from catan_p2p.replication.replica import Replica
from catan_p2p.sessions.computers import computers_played
from catan_p2p.simulation.findings import FindingLog, FoundLine, describe_finding, spell_finding
from catan_p2p.simulation.timings import write_timings
from catan_p2p.tables.opening import opened_seat
from catan_p2p.tables.repair import heal, mend_seat
from catan_p2p.tables.seat import SeatSettings, read_settings, write_settings
from catan_p2p.time_source import SYSTEM_TIME


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "peer",
        help="play a seat until the game ends",
        description="Play the seat whose repository is DIR until the game ends: fetch from the other players, "
        "validate, act, serve. After an interruption, or if it was killed, the same command goes on.",
        epilog="Remotes and policy are remembered. Exit code 1 if commits were refused, if one of the peer's own "
        "actions would have broken an invariant, or if it found no other action.",
    )
    parser.add_argument("path", type=values.path, metavar="DIR", help="your repository, made by new-game, host or join")
    parser.add_argument(
        "--remote",
        action="append",
        default=[],
        metavar="COLOUR=URL",
        help="where another player's repository is; once for each player",
    )
    parser.add_argument(
        "--relay",
        metavar="URL",
        help="a repository to which all players push their own branches: read the others there, unless --remote says "
        "otherwise, and push your own",
    )
    add_listen_option(parser)
    parser.add_argument(
        "--alone",
        action="store_true",
        help="act before the others have sent what they hold of your log; safe only if this repository is the newest",
    )
    parser.add_argument("--no-chat", action="store_true", help="ignore chat")
    parser.add_argument(
        "--policy",
        type=values.policy,
        metavar="NAME",
        help=f"who decides: {values.POLICY_NAMES} (default: random)",
    )
    parser.add_argument(
        "--stay",
        type=values.seconds,
        default=STAY_S,
        metavar="SECONDS",
        help=f"how long to stay after the end of the game for peers that do not know it yet (default: {STAY_S:g})",
    )
    parser.add_argument(
        "--stop-after", type=values.seconds, metavar="SECONDS", help="stop after this time, wherever the game is"
    )
    parser.add_argument(
        "--patience",
        type=values.duration,
        metavar="TIME",
        help="vote to go on without a player who has been silent for this time, such as 10m, or "
        "longer over slow links; at least the table's patience (default: the table's, if it has "
        "one, else never)",
    )
    parser.add_argument("--max-actions", type=values.count, metavar="N", help="stop a game that has no winner by then")
    parser.add_argument(
        "--tell-actions", action="store_true", help="print the id of each of your commits once it is on stable storage"
    )
    # For simulate --topology separate, which starts peers; nobody types these options.
    parser.add_argument("--timings", type=values.new_path, help=argparse.SUPPRESS)
    parser.add_argument("--findings", type=values.new_path, help=argparse.SUPPRESS)
    parser.add_argument("--tell-progress", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true", help="print what the peer did as JSON")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    until = None if args.stop_after is None else SYSTEM_TIME.monotonic() + args.stop_after
    with_room = partial(once_there_is_room, tell=output.say, until=until)
    for done in with_room(partial(heal, args.path)):
        output.say(f"mended: {done}")
    settings = read_settings(args.path)
    try:
        listen = args.listen or settings.listen
        address = None if listen is None else parse_address(listen)
        _remember(settings, args)
    except ValueError as error:
        output.say(f"catan-p2p peer: {error}")
        return output.WRONG_USAGE
    policy = settings.policy or "random"
    seed = None if is_secret(settings.seed) else settings.seed  # findings are printed with it
    clock = clock_named(settings.clock)
    # A peer in the background is ended by a plain kill: that must leave as orderly a state as Ctrl-C.
    signal.signal(signal.SIGTERM, _interrupt)
    with ExitStack() as opened:
        seat = partial(
            opened_seat,
            args.path,
            settings,
            make_policy(policy),
            randomness_named(settings.clock),
            clock,
            alone=args.alone,
            has_chat=not args.no_chat,
        )
        try:
            replica = with_room(partial(_open, opened, seat, args.path, settings))
        except GaveUp as error:
            output.say(f"catan-p2p peer: {args.path}: {error}")
            return output.FINDING
        colours = [seat.colour for seat in replica.game.seats]
        if strangers := [colour for colour in settings.remotes if colour not in colours]:
            output.say(
                f"catan-p2p peer: --remote {strangers[0]}: nobody plays {strangers[0]}, expected {', '.join(colours)}"
            )
            return output.WRONG_USAGE
        agreed_s = replica.game.constants.rules.patience
        if args.patience is not None and args.patience < agreed_s:
            output.say(
                f"catan-p2p peer: --patience {durations.agreed(args.patience)}: this table waits "
                f"{durations.agreed(agreed_s)} for a silent player; "
                "a peer may wait longer, not shorter"
            )
            return output.WRONG_USAGE
        # Only here: options that were refused above must not be remembered.
        if settings != read_settings(args.path):
            with_room(partial(write_settings, args.path, settings))
        if address is not None:
            server = opened.enter_context(RepositoryServer(args.path, *address, tell=output.say))
            replica.store.tell_publications(server.published)
            output.tell(f"serving {server.url}")
        pace = LookPace(
            stay_s=args.stay,
            serves=address is not None,
            max_s=args.stop_after,
            max_actions=args.max_actions,
            patience_s=args.patience or agreed_s or None,
        )
        if args.findings is not None:
            replica.tell_finding = FindingLog(args.findings, replica.game.number, seed).record
        try:
            for_people = not (args.json or args.tell_actions or args.tell_progress)
            told = ReplicaNarration(replica, settings.colour, tells_steps=for_people, tells_progress=args.tell_progress)
            told.begin()
            opened.enter_context(computers_played(args.path, tell=output.say, has_chat=not args.no_chat))
            report = play(replica, pace, told, _print_commit) if args.tell_actions else play(replica, pace, told)
        except KeyboardInterrupt:
            output.end_progress()
            with suppress(StoreError):  # the journal keeps it for the next start
                replica.store.publish()
            output.say(f"interrupted; go on with: catan-p2p peer {args.path}")
            return output.INTERRUPTED
        except GaveUp as error:
            output.end_progress()
            _show_findings(replica, seed)
            output.say(f"catan-p2p peer: {error}")
            if args.json:
                output.emit_json({"gave_up": str(error), "findings": _described(replica, seed)})
            return output.FINDING
        output.end_progress()
        if report.is_over:
            with_room(replica.store.fold)
            with_room(partial(replica.store.check_out, f"refs/heads/{settings.colour}_{replica.game.number}"))
        if args.timings is not None:
            write_timings(args.timings, replica.timings, replica.syncs)
        _show(replica, report, seed, as_json=args.json)
    return output.FINDING if report.refusals or report.findings else output.FINE


def _open(
    opened: ExitStack, seat: Callable[[], AbstractContextManager[Replica]], path: Path, settings: SeatSettings
) -> Replica:
    """The replica of the seat; a damaged repository is mended first."""
    try:
        replica = opened.enter_context(seat())
    except ObjectDamaged as error:
        output.say(f"{error}; mending the repository from what is left and from the other players'")
        aside = mend_seat(path, settings)
        output.say(f"mended; the damaged one is now {aside}")
        replica = opened.enter_context(seat())
    if replica.dirt is not None:
        output.say(f"git fsck reports damage in {path} outside the game, which does no harm: {replica.dirt}")
    return replica


def _remember(settings: SeatSettings, args: argparse.Namespace) -> None:
    for text in args.remote:
        given, separator, url = text.partition("=")
        if not separator or not url or url.startswith("-"):
            raise ValueError(f"--remote {text}: expected COLOUR=URL")
        try:
            colour = values.colour(given)
        except argparse.ArgumentTypeError as error:
            raise ValueError(f"--remote {text}: {error}") from None
        if colour == settings.colour:
            raise ValueError(f"--remote {text}: {colour} is this player")
        settings.remotes[colour] = checked_url(url)
    if args.relay is not None:
        settings.relay = checked_url(args.relay)
    if args.policy is not None:
        settings.policy = args.policy


def _print_commit(commit: str) -> None:
    output.emit(commit)
    sys.stdout.flush()


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def _described(replica: Replica, seed: int | None) -> list[FoundLine]:
    return [describe_finding(finding, replica.game.number, seed) for finding in replica.findings]


def _show_findings(replica: Replica, seed: int | None) -> None:
    for line in _described(replica, seed):
        output.say(f"finding: {spell_finding(line)}")


def _show(replica: Replica, report: PlayReport, seed: int | None, *, as_json: bool) -> None:
    state, seats = replica.graph.state, replica.game.seats
    winner = seats[state.ap - 1].colour if state.is_over else None
    points = {seat.colour: player_points(state, player) for player, seat in enumerate(seats, 1)}
    if as_json:
        findings, actions = _described(replica, seed), replica.graph.action_count
        output.emit_json(
            {**asdict(report), "findings": findings, "winner": winner, "points": points, "actions": actions}
        )
        return
    called = replica.game.called
    end = f"{called[winner]} has won" if winner else f"not over, waiting for {waiting_for(replica)}{unheard(replica)}"
    output.emit(
        f"{end} after {output.counted(replica.graph.action_count, 'action')}: "
        + ", ".join(f"{called[who]} {n}" for who, n in points.items())
    )
    output.emit(f"newest commit {report.head}")
    if report.is_over and not report.everybody_knows:
        output.say("not everybody is known to have seen the end")
    _show_findings(replica, seed)
    if report.refusals:
        output.say(f"{output.counted(report.refusals, 'commit')} refused; see: catan-p2p status")
