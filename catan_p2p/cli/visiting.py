"""What verbs that visit a seat and leave again have in common: ``turn`` and ``vote``."""

import argparse
from collections.abc import Callable
from functools import wraps

from catan_p2p.cli.output import FINDING, say
from catan_p2p.replication.core.commit_author import GaveUp

Verb = Callable[[argparse.Namespace], int]


def may_give_up(verb: Verb) -> Verb:
    """The verb, with the exit code of a finding where a peer can do nothing more."""

    @wraps(verb)
    def carried_out(args: argparse.Namespace) -> int:
        try:
            return verb(args)
        except GaveUp as error:
            say(f"catan-p2p {verb.__module__.rpartition('.')[2]}: {error}")
            return FINDING

    return carried_out
