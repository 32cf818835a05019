"""The program ``catan-p2p``: its verbs, and how errors end."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from catan_p2p import __version__
from catan_p2p.cli.output import INTERRUPTED, WRONG_USAGE, end_progress, say
from catan_p2p.log.storage.objects import StoreError

VERBS = (
    "simulate",
    "verify",
    "log",
    "watch",
    "metrics",
    "report",
    "map",
    "new_key",
    "new_game",
    "join",
    "peer",
    "status",
    "export",
    "import_",
    "stats",
    "check_spec",
    "check_trace",
)
"""The modules of the verbs, in the order of the help."""


def make_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="catan-p2p",
        description="One game of Catan is one Git history.",
        epilog="Exit codes: 0 fine, 1 a finding, 2 wrong usage or something that cannot be read or written.",
    )
    parser.add_argument("--version", action="version", version=f"catan-p2p {__version__}")
    subparsers = parser.add_subparsers(title="verbs", metavar="VERB", required=True)
    for verb in VERBS:
        importlib.import_module(f"catan_p2p.cli.{verb}").add_parser(subparsers)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; returns the exit code."""
    args = make_parser().parse_args(argv)
    try:
        code: int = args.func(args)
        sys.stdout.flush()
    except StoreError as error:
        end_progress()
        say(f"catan-p2p: {error}")
        return WRONG_USAGE
    except KeyboardInterrupt:
        end_progress()
        say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output, such as head, has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


if __name__ == "__main__":
    sys.exit(main())
