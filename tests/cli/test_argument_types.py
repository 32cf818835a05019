"""Every option with a type says what it expects: none leaves that to argparse, whose message names Python's type."""

import argparse
from collections.abc import Iterator

from catan_p2p.cli.main import make_parser


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from parsers(each)


def test_no_option_has_a_type_whose_error_argparse_words() -> None:
    options = ((one.prog, action) for one in parsers(make_parser()) for action in one._actions)
    assert not [(verb, *action.option_strings) for verb, action in options if action.type in (int, float)]
