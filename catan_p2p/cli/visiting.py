"""How a verb visits a player's own seat and leaves again: ``turn`` and ``vote``."""

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path

from catan_p2p.cli.output import FINDING, say
from catan_p2p.game.randomness import clock_named
from catan_p2p.game.secret_streams import randomness_named
from catan_p2p.players.policies import make_policy
from catan_p2p.replication.core.own import GaveUp
from catan_p2p.replication.replica import Replica
from catan_p2p.tables.opening import opened_seat
from catan_p2p.tables.seat import read_settings

Verb = Callable[[argparse.Namespace], int]


@contextmanager
def visited_seat(path: Path, *, alone: bool = False, has_chat: bool = True) -> Iterator[Replica]:
    """The replica of the seat at ``path``, with the seat's own clock, policy and randomness."""
    settings = read_settings(path)
    clock, policy = clock_named(settings.clock), make_policy(settings.policy or "random")
    randomness = randomness_named(settings.clock)
    with opened_seat(path, settings, policy, randomness, clock, alone=alone, has_chat=has_chat) as replica:
        yield replica


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
