"""``catan-p2p lmu``: serve tables that LMU clients join, join one as a computer player, or play at one yourself."""

import argparse
import asyncio
import contextlib
import importlib
import importlib.util
import os
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from catan_p2p.cli import values
from catan_p2p.cli.lmu_options import add_server_options, has_websockets, host_until_done
from catan_p2p.cli.output import FINDING, FINE, WRONG_USAGE, counted, emit, emit_json, say
from catan_p2p.cli.table_options import add_window_options, with_help
from catan_p2p.game.board import MapError, read_map
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.secret_streams import secret_seed, seed_for
from catan_p2p.lmu.client import CannotConnect, ClientGame, ClientSettings, play
from catan_p2p.lmu.control import SERVER_COMMANDS
from catan_p2p.lmu.from_server import ServerMessage
from catan_p2p.lmu.hosting import ServerSettings
from catan_p2p.lmu.objects import MAX_NAME
from catan_p2p.lmu.public_record import NothingRecorded, write_seen
from catan_p2p.lmu.seats import TableSettings
from catan_p2p.lmu.server import LmuServer
from catan_p2p.lmu.words import COLOUR_WORDS
from catan_p2p.log.storage.objects import StoreError


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "lmu",
        help="play the LMU Catan-Protokoll 1.0: serve tables, join one, or play at one",
        description="Play with programs that speak the LMU Catan-Protokoll 1.0. Every game of the server is a "
        "Git repository that all other verbs read.",
        epilog="docs/guides/lmu.md explains the protocol and what it leaves open.",
    )
    verbs = parser.add_subparsers(title="verbs", metavar="VERB", required=True)
    _add_serve(verbs)
    _add_join(verbs)
    _add_play(verbs)


def _add_serve(verbs: Any) -> None:
    parser = verbs.add_parser(
        "serve",
        help="host games",
        description="Host games until interrupted: the rule book's rules, a drawn island, seats dealt at random. "
        f"At its terminal, the server understands {', '.join(SERVER_COMMANDS)}.",
        epilog="Exit code 1 if something went wrong at a table.",
    )
    parser.add_argument(
        "--players",
        type=_seats,
        default="3-4",
        metavar="N|N-M",
        help="how many play at a table: a number from 3 to 6, or a range such as 5-6 (default: 3-4)",
    )
    parser.add_argument(
        "--fill", type=values.policy, metavar="NAME", help=f"computer players for empty seats: {values.POLICY_NAMES}"
    )
    parser.add_argument(
        "--wait",
        type=values.seconds,
        default=5.0,
        metavar="SECONDS",
        help="how long to wait for more players once enough are there and all are ready (default: 5)",
    )
    parser.add_argument("--name", type=_line, metavar="TEXT", help="the name of the server, as clients see it")
    parser.add_argument(
        "--password",
        type=_line,
        metavar="TEXT",
        help="let in only those who give NAME:TEXT as their name (default: anybody)",
    )
    add_server_options(parser)
    parser.add_argument("--tables", type=values.count, default=1, metavar="N", help="games at a time (default: 1)")
    parser.add_argument("--games", type=values.count, metavar="N", help="stop after this many games")
    parser.set_defaults(func=run_serve)


def _add_join(verbs: Any) -> None:
    parser = verbs.add_parser(
        "join",
        help="let a computer player play at a server of the protocol",
        description="Sit down at any server of the protocol as a computer player, and play until the game ends.",
        epilog="Exit code 1 if the game ended without a winner.",
    )
    _add_seat_options(parser, "the name to play under")
    parser.add_argument(
        "--policy",
        type=values.policy,
        metavar="NAME",
        default="builder",
        help=f"who decides: {values.POLICY_NAMES} (default: builder)",
    )
    parser.add_argument("--seed", type=values.integer, metavar="S", help="the seed of its choices (default: a secret)")
    parser.add_argument("--json", action="store_true", help="print how it ended as JSON")
    parser.set_defaults(func=run_join)


def _add_seat_options(parser: Any, name_help: str, *, is_person: bool = False) -> None:
    parser.add_argument("url", metavar="URL", help="ws://HOST:8080/catan, or tcp://HOST:PORT")
    parser.add_argument("--name", required=not is_person, metavar="NAME", help=name_help)
    parser.add_argument(
        "--colour",
        choices=tuple(COLOUR_WORDS.values()),
        default="Rot",
        help="the colour to play, if it is free (default: Rot)",
    )
    parser.add_argument(
        "--wait",
        type=values.seconds,
        default=15.0,
        metavar="SECONDS",
        help="how long to try to reach the server (default: 15)",
    )
    parser.add_argument("--out", type=values.new_path, metavar="DIR", help="keep what was seen as a public view in DIR")


def _add_play(verbs: Any) -> None:
    parser = verbs.add_parser(
        "play",
        help="play at a server of the protocol yourself, in a window",
        description="Sit down at any server of the protocol and play in a window, as with catan-p2p play. The hands of "
        "other players stay hidden, since the server does not tell them.",
        epilog="Exit code 2 if the server cannot be reached, or the connection is lost for good.",
    )
    _add_seat_options(parser, "the name to play under (default: the one of the lobby, or Player)", is_person=True)
    add_window_options(parser)
    parser.set_defaults(func=run_play, pace=None)


def _line(text: str) -> str:
    if not text or not text.isprintable() or text != text.strip() or len(text) > MAX_NAME:
        raise argparse.ArgumentTypeError(f"expected 1 to {MAX_NAME} characters of one line, without blanks around them")
    return text


def _seats(text: str) -> tuple[int, int]:
    """How many play at least and at most."""
    low, _, high = text.partition("-")
    if low not in _PLAYERS or (high or low) not in _PLAYERS or (high or low) < low:
        raise argparse.ArgumentTypeError(f"{text}: expected 3 to 6, or a range such as 3-4")
    return int(low), int(high or low)


_PLAYERS = ("3", "4", "5", "6")


def run_serve(args: argparse.Namespace) -> int:
    """Host games; returns the exit code."""
    if not has_websockets():
        return WRONG_USAGE
    seed = secret_seed() if args.seed is None else args.seed
    try:
        chosen = read_map(args.map)
        least, most = args.players
        table = TableSettings(
            most,
            args.fill,
            args.wait,
            args.patience,
            seed,
            chosen,
            strict=args.strict,
            out=args.out,
            least=least,
            password=args.password,
        )
        # Tried before a client comes: a map can be unfit for this number of players.
        new_constants("brief", [""] * most, table.map_name, seed_for(seed, "map"))
    except MapError as error:
        say(f"catan-p2p lmu serve: --map {with_help(error)}")
        return WRONG_USAGE
    say(f"games in {args.out}" if args.seed is None else f"seed {seed}, games in {args.out}")
    server_settings = ServerSettings(
        args.tables,
        args.games,
        max_connections=max(64, 12 * args.tables),
        name=args.name or "",
    )
    try:
        args.out.mkdir(parents=True, exist_ok=True)
        return asyncio.run(_serve(LmuServer(server_settings, table, say), args))
    except (StoreError, OSError) as error:
        say(f"catan-p2p lmu serve: {error}")
        return WRONG_USAGE


async def _serve(server: LmuServer, args: argparse.Namespace) -> int:
    await host_until_done(server, args)
    say(f"{counted(server.games_over, 'game')} played")
    return FINDING if server.troubles else FINE


async def _join(settings: ClientSettings) -> ClientGame:
    """Play; returns the game as this client has seen it, also after an interruption."""
    played = ClientGame.new(settings)
    played.tell = say
    playing = asyncio.ensure_future(play(settings, played))
    with contextlib.suppress(NotImplementedError):  # asyncio has no signal handlers on Windows
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, playing.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await playing
    return played


def run_play(args: argparse.Namespace) -> int:
    """Play in a window; returns the exit code."""
    if not has_websockets():
        return WRONG_USAGE
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    if importlib.util.find_spec("pygame") is None:
        say("catan-p2p lmu play: needs pygame: pip install 'catan-p2p[lmu,play]'")
        return WRONG_USAGE
    package = "catan_p2p.visualizer" if importlib.util.find_spec("catan_p2p.visualizer") else "visualizer"
    importlib.import_module(f"{package}.light_pygame").import_pygame()
    args.colour = _ours(args.colour)
    code, heard = importlib.import_module(f"{package}.play.main").play_at_server(args)
    if args.out is not None:
        _keep(args.out, heard, args.name or "a person")
    return int(code)


def _ours(german: str) -> str:
    return next(ours for ours, word in COLOUR_WORDS.items() if word == german)


def _keep(path: Path, heard: Sequence[ServerMessage], name: str) -> None:
    """Write the messages of a game as a public view."""
    try:
        write_seen(path, heard, f"seen by {name}")
        say(f"what was seen is in {path}")
    except NothingRecorded as error:
        say(f"nothing to keep: {error}")


def run_join(args: argparse.Namespace) -> int:
    """Play at a server; returns the exit code."""
    if not has_websockets():
        return WRONG_USAGE
    seed = secret_seed() if args.seed is None else args.seed
    if args.seed is not None:
        say(f"seed {seed}")
    settings = ClientSettings(args.url, args.name, _ours(args.colour), args.policy, seed, connect_s=args.wait)
    try:
        played = asyncio.run(_join(settings))
    except CannotConnect as error:
        say(f"catan-p2p lmu join: {error}")
        return WRONG_USAGE
    client_player = played.client_player
    if args.out is not None:
        _keep(args.out, played.heard, args.name)
    if args.json:
        emit_json(
            {
                "winner": played.winner,
                "points": {known.name or str(id): known.points for id, known in client_player.model.players.items()},
                "heard": len(played.heard),
                "sent": played.sent,
                "refused": len(client_player.refusals),
                "unreadable": played.unreadable,
                "failure": client_player.failure,
            }
        )
    elif played.winner is not None:
        emit(f"{played.winner} has won; {counted(len(client_player.refusals), 'action')} refused")
    else:
        emit(f"no winner: {client_player.failure or 'the connection ended'}")
    return FINE if played.winner is not None else FINDING
