"""The options of ``lmu serve``, and the run of its server from start to end."""

import argparse
import asyncio
import contextlib
import importlib.util
import signal

from catan_p2p.cli import values
from catan_p2p.cli.output import say
from catan_p2p.cli.table_options import MAP_HELP
from catan_p2p.lmu.control import hear_terminal
from catan_p2p.lmu.server import LmuServer
from catan_p2p.log.transport.serve import parse_address


def add_server_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for addresses, patience, map, seed, and the folder of the games."""
    parser.add_argument(
        "--listen",
        type=values.address,
        default="127.0.0.1:8080",
        metavar="HOST:PORT",
        help="where to serve WebSocket, at /catan (default: 127.0.0.1:8080)",
    )
    parser.add_argument(
        "--tcp", type=values.address, metavar="HOST:PORT", help="where to serve plain TCP too, one JSON object a line"
    )
    parser.add_argument(
        "--patience",
        type=values.duration,
        default=60.0,
        metavar="TIME",
        help="how long a decision may take before the server acts for a player, such as 90s or 10m (default: 60s)",
    )
    parser.add_argument("--map", default="variable", metavar="NAME|FILE", help=f"{MAP_HELP} (default: variable)")
    parser.add_argument(
        "--seed",
        type=values.integer,
        metavar="S",
        help="the seed of maps, seats and chance, to repeat a game; anyone who knows it knows every roll "
        "(default: a secret)",
    )
    parser.add_argument("--strict", action="store_true", help="send nothing that the protocol does not name")
    parser.add_argument(
        "--out", type=values.new_path, required=True, metavar="DIR", help="where games are kept: DIR/Catan_0, ..."
    )


def has_websockets() -> bool:
    """Whether the package websockets is installed; if not, an error is printed."""
    if importlib.util.find_spec("websockets") is None:
        say("catan-p2p lmu: needs websockets: pip install 'catan-p2p[lmu]'")
        return False
    return True


async def host_until_done(server: LmuServer, args: argparse.Namespace) -> None:
    """Start the server, then listen until it is done or interrupted; close it in order, so that its games are kept."""
    stop = asyncio.Event()
    with contextlib.suppress(NotImplementedError):  # as on Windows, where Ctrl-C ends it less orderly
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    try:
        await server.begin()
        obeying: set[asyncio.Task[None]] = set()  # asyncio itself keeps only weak references to tasks

        def obey(line: str) -> None:
            obeying.add(task := asyncio.ensure_future(server.obey(line)))
            task.add_done_callback(obeying.discard)

        hear_terminal(obey)
        host, port = parse_address(args.listen)
        say(f"serving ws://{host}:{await server.listen(host, port)}/catan")
        if args.tcp is not None:
            host, port = parse_address(args.tcp)
            say(f"serving tcp://{host}:{await server.listen_tcp(host, port)}")
        ends = [asyncio.ensure_future(event.wait()) for event in (stop, server.done)]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        for end in ends:
            end.cancel()
    finally:
        await server.close()
