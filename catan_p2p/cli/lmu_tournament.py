"""``catan-p2p lmu tournament`` and ``lmu tell``: a tournament of LMU clients, and the commands of its organizer."""

import argparse
import asyncio
import json
from pathlib import Path
from typing import Any

from catan_p2p.cli import values
from catan_p2p.cli.lmu_options import add_server_options, has_websockets, host_until_done, workers_of
from catan_p2p.cli.output import FINDING, FINE, WRONG_USAGE, counted, emit, say
from catan_p2p.cli.table_options import with_help
from catan_p2p.game.board import MapError, read_map
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.secret_streams import secret_seed, seed_for
from catan_p2p.lmu.control import CONTROL_FILE, MAX_COMMAND_CHARS, SERVER_COMMANDS, TOURNAMENT_COMMANDS
from catan_p2p.lmu.hosting import ServerSettings
from catan_p2p.lmu.seats import TableSettings
from catan_p2p.lmu.table import rules_of
from catan_p2p.lmu.tournament.entrants import MAX_FILE_BYTES, BadEntrants, EntrantSecret, read_entrants
from catan_p2p.lmu.tournament.schedule import OPEN, OVER, NoSchedule, round_sizes, table_sizes
from catan_p2p.lmu.tournament.server import TournamentServer
from catan_p2p.lmu.tournament.standing import STATE_FILE, LmuTournament, NotThisTournament
from catan_p2p.log.storage.lock import is_locked
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.text_files import BadTextFile, read_text

MAX_GAMES = 2000


def add_tournament(verbs: Any) -> None:
    """Add ``lmu tournament``."""
    parser = verbs.add_parser(
        "tournament",
        help="host a tournament of named clients",
        description="Host a tournament: every client plays equally often, and has each opponent and each seat about "
        "equally often. Clients connect anew for each game and say who they are in Spieler, as Name or Name:secret. "
        "Started again with the same DIR, it goes on with the games that were not over.",
        epilog="DIR/index.html shows the standings. Exit code 1 if something went wrong at a table.",
    )
    parser.add_argument(
        "--rounds",
        type=values.count,
        required=True,
        metavar="N",
        help="how many games each client plays, one a round; if the clients do not fill the tables, as five do not, "
        "some sit out and there are more rounds",
    )
    parser.add_argument(
        "--clients", required=True, metavar="FILE", help="who takes part: on each line NAME, or NAME:SECRET"
    )
    parser.add_argument(
        "--computers", type=values.whole, default=0, metavar="N", help="computer players that take part (default: 0)"
    )
    parser.add_argument(
        "--policy",
        type=values.policy,
        default="builder",
        metavar="NAME",
        help=f"who plays for them, and for absent clients: {values.POLICY_NAMES} (default: builder)",
    )
    parser.add_argument("--password", metavar="TEXT", help="the secret of clients that have none of their own")
    parser.add_argument(
        "--players",
        type=values.integer,
        choices=(3, 4, 5, 6),
        default=4,
        help="how many play at a table (default: 4); if the clients do not fill such tables, as few as needed have "
        "the other number of players of the same island: 3 or 4, 5 or 6",
    )
    parser.add_argument("--tables", type=values.count, default=10, metavar="N", help="games at a time (default: 10)")
    parser.add_argument(
        "--wait",
        type=values.duration,
        default=120.0,
        metavar="TIME",
        help="how long clients that are ready wait for the others at their table (default: 2m)",
    )
    parser.add_argument(
        "--clock",
        type=values.duration,
        metavar="TIME",
        help="the time for all decisions of a client in one game; then the computer plays for it (default: no limit)",
    )
    parser.add_argument(
        "--delay",
        type=values.seconds,
        default=60.0,
        metavar="SECONDS",
        help="how much later than the players spectators see the game (default: 60)",
    )
    parser.add_argument(
        "--points",
        type=values.integer,
        choices=range(3, 11),
        default=10,
        metavar="N",
        help="points to win, 3 to 10 (default: 10)",
    )
    add_server_options(
        parser,
        seed_help="the seed of maps and chance, for a trial (default: a secret)",
        out_help="where games and results are kept",
    )
    parser.set_defaults(func=run_tournament)


def add_tell(verbs: Any) -> None:
    """Add ``lmu tell``."""
    parser = verbs.add_parser(
        "tell",
        help="send a command to a running server: kick a client, begin a game, pause",
        description="Tell a running server of lmu serve or lmu tournament what to do: "
        f"{', '.join(TOURNAMENT_COMMANDS)}. Only a tournament can skip games. The same lines are understood at the "
        "server's own terminal.",
        epilog="The server prints the result. Exit code 1 if the tournament is over.",
    )
    parser.add_argument("out", type=values.path, metavar="DIR", help="the folder of the server's games")
    parser.add_argument(
        "verb",
        choices=[command.split()[0] for command in TOURNAMENT_COMMANDS],
        metavar="COMMAND",
        help="one of these commands",
    )
    parser.add_argument("what", nargs="?", metavar="NAME|GAME", help="whom to kick, or the number of a game")
    parser.set_defaults(func=run_tell)


def run_tell(args: argparse.Namespace) -> int:
    """Leave a command for the server; returns the exit code."""
    needs = next(command for command in TOURNAMENT_COMMANDS if command.split()[0] == args.verb).split()[1:]
    if bool(needs) != (args.what is not None):
        say(f"catan-p2p lmu tell: {args.verb}: expected {needs[0] if needs else 'nothing'} after it")
        return WRONG_USAGE
    if needs == ["GAME"] and not args.what.isdecimal():
        say(f"catan-p2p lmu tell: {args.what}: expected the number of a game")
        return WRONG_USAGE
    is_tournament = (args.out / STATE_FILE).exists()
    if not is_tournament and args.verb not in {command.split()[0] for command in SERVER_COMMANDS}:
        say(f"catan-p2p lmu tell: {args.verb}: {args.out}: not the folder of a tournament")
        return WRONG_USAGE
    if is_tournament and _is_over(args.out / STATE_FILE):
        say(f"catan-p2p lmu tell: {args.out}: the tournament is over")
        return FINDING
    if not is_locked(args.out / CONTROL_FILE):  # a server locks its file while it runs
        say(f"catan-p2p lmu tell: {args.out}: no server of lmu serve or lmu tournament is running in this folder")
        return WRONG_USAGE
    line = f"{args.verb} {args.what or ''}".strip()
    if len(line) > MAX_COMMAND_CHARS or not line.isprintable():
        say("catan-p2p lmu tell: expected a name of one line")
        return WRONG_USAGE
    try:
        with (args.out / CONTROL_FILE).open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")  # the server reads whole lines only
    except OSError as error:
        say(f"catan-p2p lmu tell: {args.out / CONTROL_FILE}: {error.strerror}")
        return WRONG_USAGE
    return FINE


def _is_over(path: Path) -> bool:
    """Whether the state file of a tournament has no game left to play."""
    try:
        return all(game["state"] not in OPEN for game in json.loads(path.read_text("utf-8"))["games"])
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _entrants(args: argparse.Namespace) -> list[EntrantSecret]:
    text = read_text(args.clients, MAX_FILE_BYTES, "no such file, expected one with a name a line")
    entrants = read_entrants(text, args.computers, args.password)
    if len(entrants) * args.rounds > MAX_GAMES * min(table_sizes(args.players)):
        raise BadEntrants(f"more than {MAX_GAMES} games; expected fewer clients or --rounds")
    return entrants


def run_tournament(args: argparse.Namespace) -> int:
    """Host a tournament; returns the exit code."""
    if not has_websockets():
        return WRONG_USAGE
    seed = secret_seed() if args.seed is None else args.seed
    try:
        entrants = _entrants(args)
        table = TableSettings(
            args.players,
            args.policy,
            args.wait,
            args.patience,
            seed,
            read_map(args.map),
            strict=args.strict,
            out=args.out,
            clock_s=args.clock,
            points=args.points,
        )
        # Tried before a client comes: a map can be unfit for the number of players of some table.
        for players in {size for sizes in round_sizes(len(entrants), args.players, args.rounds) for size in sizes}:
            new_constants(rules_of(table), [""] * players, table.map_name, seed_for(seed, "map"))
        args.out.mkdir(parents=True, exist_ok=True)
        tournament = LmuTournament.opened(args.out, entrants, args.players, args.rounds)
    except MapError as error:
        say(f"catan-p2p lmu tournament: --map {with_help(error)}")
        return WRONG_USAGE
    except BadTextFile as error:
        say(f"catan-p2p lmu tournament: --clients {error}")
        return WRONG_USAGE
    except BadEntrants as error:
        say(f"catan-p2p lmu tournament: --clients {args.clients}: {error}")
        return WRONG_USAGE
    except (NoSchedule, NotThisTournament, OSError) as error:
        say(f"catan-p2p lmu tournament: {error}")
        return WRONG_USAGE
    connections = max(64, 4 * len(entrants))
    workers = workers_of(args, args.tables, "tournament")
    limits = ServerSettings(args.tables, max_connections=connections, linger_s=1.0, workers=workers)
    server = TournamentServer(tournament, limits, table, say, args.delay)
    if args.seed is not None:
        say(f"seed {seed}")
    try:
        return asyncio.run(_host(server, args))
    except (StoreError, OSError) as error:
        say(f"catan-p2p lmu tournament: {error}")
        return WRONG_USAGE


async def _host(server: TournamentServer, args: argparse.Namespace) -> int:
    games = server.tournament.games

    async def begin() -> None:
        await server.begin()
        say(f"{counted(len(games), 'game')}, results in {Path(args.out) / 'index.html'}")

    await host_until_done(server, args, begin)
    for place, one in enumerate(server.tournament.ratings(), 1):
        emit(f"{place}. {one.policy}: rating {one.rating:.0f}, {one.wins} of {counted(one.games, 'game')} won")
    say(f"{sum(game.state == OVER for game in games)} of {counted(len(games), 'game')} over")
    return FINDING if server.troubles else FINE
