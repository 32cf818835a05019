"""What ``host`` and ``join`` do with a seat once the game has begun."""

from __future__ import annotations

import argparse
from pathlib import Path

from catan_p2p.cli import values
from catan_p2p.cli.output import FINE, tell

STARTS = ("peer", "no")


def add_start_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--start`` and ``--policy``."""
    parser.add_argument(
        "--start",
        choices=STARTS,
        default="no",
        help="what to do when the game begins: let a policy play the seat (peer), or say how to go on (default: no)",
    )
    parser.add_argument("--policy", type=values.policy, metavar="NAME", help="with --start peer, who decides")


def start(args: argparse.Namespace, path: Path) -> int:
    """Do it; returns the exit code."""
    if args.start == "no":
        tell(f"go on with: catan-p2p peer {path}" + (f" --listen {args.listen}" if args.listen else ""))
        return FINE
    # Imported here: who only waits for others needs neither policies nor a peer.
    from catan_p2p.cli.main import make_parser

    given = ["peer", str(path), *(["--policy", args.policy] if args.policy else [])]
    given += ["--listen", args.listen] if args.listen else []
    then = make_parser(["peer"]).parse_args(given)
    code: int = then.func(then)
    return code
