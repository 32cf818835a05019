"""Rules as arguments of the command line: the name of a profile, or a file of rules."""

from __future__ import annotations

import argparse
from pathlib import Path

from catan_p2p.constants import PROFILES, UnsupportedRules
from catan_p2p.log.game import parse_rules_file, rules_named

_MOST_BYTES = 65536


def add_rules_option(parser: argparse.ArgumentParser, default: str) -> None:
    """Add ``--rules`` to a verb."""
    parser.add_argument(
        "--rules",
        metavar="NAME|FILE",
        type=read_rules,
        help=f"{' or '.join(PROFILES)}, or a file of rules as docs/maps.md tells it (default: {default})",
    )


def read_rules(argument: str) -> str:
    """The rules that an argument names, on one line; ``ArgumentTypeError`` tells what is wrong."""
    try:
        if argument.partition("; ")[0] in PROFILES:
            rules_named(argument, 2)
            return argument
        return parse_rules_file(_text_of(argument), argument)
    except UnsupportedRules as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _text_of(argument: str) -> str:
    try:
        with Path(argument).open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        raise UnsupportedRules(f"{argument}: no such rules or file, expected one of {', '.join(PROFILES)}") from None
    except (OSError, ValueError) as error:
        raise UnsupportedRules(f"{argument}: cannot read: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > _MOST_BYTES:
        raise UnsupportedRules(f"{argument}: longer than {_MOST_BYTES} bytes, no rules need that")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnsupportedRules(f"{argument}: not UTF-8 text: {error.reason} at byte {error.start}") from None
