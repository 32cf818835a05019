"""Shared by ``turn`` and ``vote``, which open a seat, synchronize, and close it again."""

import argparse
from collections.abc import Callable
from functools import wraps

from catan_p2p.cli.output import FINDING, say
from catan_p2p.replication.core.commit_author import GaveUp

Verb = Callable[[argparse.Namespace], int]


def may_give_up(verb: Verb) -> Verb:
    """Decorate a verb: if its peer finds no possible action, the exit code is that of a finding."""

    @wraps(verb)
    def carried_out(args: argparse.Namespace) -> int:
        try:
            return verb(args)
        except GaveUp as error:
            say(f"catan-p2p {verb.__module__.rpartition('.')[2]}: {error}")
            return FINDING

    return carried_out
