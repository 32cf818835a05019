"""``catan-p2p log``: print a game in words."""

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import Any

from catan_p2p.cli import values
from catan_p2p.cli.output import FINDING, FINE, emit, say
from catan_p2p.cli.public_view import is_view_at, tell_view
from catan_p2p.game.actions.replies import is_reply
from catan_p2p.log.commit import entry_message, trailers_of
from catan_p2p.log.history import GameHistory, LoggedAction, load_history, newest_replica
from catan_p2p.safe_text import shown
from catan_p2p.view.observe import observe
from catan_p2p.view.words import EventWording, in_words


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "log",
        help="print a game in words",
        description="Print a game in words: a line for each commit, with its id, the player, and what happened.",
    )
    parser.add_argument(
        "path", type=values.path, metavar="PATH", help="a game repository, or a public view that import has made"
    )
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object a line, with the action's parameters"
    )
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    path = newest_replica(args.path)
    if is_view_at(path):
        return tell_view(path, as_json=args.json)
    history = load_history(path, may_be_hidden=True)
    names = history.game.names
    width = max(map(len, names))
    for i, (logged, words) in enumerate(_told(history, names), 1):
        commit, parents, player = logged.commit, logged.parents, logged.action.player
        who = names[player - 1]
        if args.json:
            trailers = trailers_of(entry_message(logged.entry))
            colour = history.game.seats[player - 1].colour
            line = {"step": i, "commit": commit, "parents": parents, "player": colour, "name": who, "words": words}
            line |= trailers
            emit(json.dumps(line))
        else:
            emit(f"{i:5} {commit[:10]} {who:{width}} {words}")
    for rejected in history.rejected:
        say(shown(str(rejected)))
    return FINDING if history.rejected else FINE


def _told(history: GameHistory, names: Sequence[str]) -> Iterator[tuple[LoggedAction, str]]:
    telling = EventWording(names, history.game.constants.board)
    state = base = history.first
    for logged in history.actions:
        # Concurrent replies all follow the same commit: each is described from that commit's state, not the last one.
        before = base if is_reply(logged.action) else state
        yield logged, in_words(observe(logged.action, before, logged.state, logged.entry.shows), telling)
        state = logged.state
        if not is_reply(logged.action):
            base = logged.state
