"""What each option of a new game means, in the words of the lobby."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from catan_p2p.game.board import BEGINNERS_MAP_NAME, DEFAULT_MAP_NAME, MapError
from catan_p2p.game.constants import UnsupportedRules
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.state import initial_state

from .new_game_options import NETWORK, RELAY, NewGameOptions
from .table import LARGE

if TYPE_CHECKING:
    from catan_p2p.game.state import State

_EXAMPLE = 2
"""The seed of islands shown as examples."""

TITLES = {
    "players": "Players",
    "people": "People at this screen",
    "computers": "Seats for computer players",
    "strength": "Computer players are",
    "rules": "Rules",
    "map": "Map",
    "colour": "Your colour",
    "meeting": "The players meet",
    "hands": "Hands are",
    "patience": "Wait for a silent player",
    "announced": "Announce the table in this network",
    "relay": "The relay",
}
"""The name of each option."""

_STRENGTHS = {
    "easy": "They miss the best choice in every third decision: for a first game.",
    "good": "They build towards the nearest of their goals, and trade for what they lack.",
    "strong": "They weigh what gains most, and win when they can.",
    "strongest": "They think a little about each decision, with what they have learned from many games.",
}
_RULES = {
    "standard": "The whole rule book, with proposals and counter-offers. Ten points win.",
    "brief": "The rule book with brief trades: offers of at most four cards, to players who could pay, no proposals.",
    "thesis": "The game of the thesis: no trade between players, nothing built beside the bandit, and ten points win "
    "at the end of the turn.",
}
_MAPS = {
    DEFAULT_MAP_NAME: "The rule book's island for beginners, the same in every game. You choose where you begin.",
    BEGINNERS_MAP_NAME: "The same island, on which everybody's first villages and roads stand: for up to four.",
    "variable": "Terrains and wharfs are shuffled, numbers laid in the rule book's order. The picture is an example.",
    "variable-free": "Everything is shuffled, but 6 and 8 are never neighbours. The picture is an example.",
    "large": "The island for five and six, shuffled, numbers in the rule book's order. The picture is an example.",
    "large-free": "The island for five and six, shuffled, 6 and 8 never neighbours. The picture is an example.",
}
_HANDS = {
    "open": "All cards are in the log, for anybody who reads it. Every machine has less to compute.",
    "hidden": (
        "Until the end only robber and victim see what was stolen, and nobody else your development cards, unless all "
        "others collude."
    ),
}
_MEETINGS = {
    RELAY: "At a Git repository to which all of them may push: a folder that a sync service shares with all of you, or "
    "a private repository at a Git host. You need not be there at the same time.",
    NETWORK: "In this network, from machine to machine. A player who closes the window cannot be reached.",
}
_RELAY = (
    "The whole path of a shared folder, such as /home/ada/Sync/catan, or the URL of a Git repository. "
    "A folder that does not exist is created."
)


def explanation(name: str, options: NewGameOptions) -> str:
    """What the chosen value of an option means."""
    match name:
        case "players":
            more = " Five and six play on the large island, and may build between turns." if options.players > 4 else ""
            others = "one other" if options.players == 2 else f"{options.players - 1} others"
            return f"You and {others}.{more}"
        case "people":
            if options.people == 1:
                return "You play alone against computers."
            return f"{_and(options.here)} sit at this screen. A curtain hides the hands between two turns."
        case "computers":
            return _computers(options)
        case "strength":
            return _STRENGTHS[options.strength]
        case "rules":
            return _RULES[options.rules]
        case "map":
            is_large = options.map == DEFAULT_MAP_NAME and options.players >= LARGE and options.rules != "thesis"
            return _MAPS["large" if is_large else options.map]
        case "colour":
            return f"Your pieces are {options.colour.lower()}, and your seat is the first."
        case "meeting":
            return _MEETINGS[options.meeting]
        case "hands":
            return _HANDS[options.hands]
        case "patience":
            return _patience(options.patience)
        case "announced" if options.announced == "yes":
            return "Anybody who looks for tables in this network finds yours, and can take a seat."
        case "announced":
            return "Only players to whom you send the invitation find the table."
        case "relay":
            return _RELAY
    return ""


def _computers(options: NewGameOptions) -> str:
    if not options.computers:
        return "Only people play. Computer players can fill seats; they run on your machine."
    is_one = options.computers == 1
    plays = "is a computer player" if is_one else "are computer players"
    return (
        f"{_and(options.computer_seats)} {plays} on your machine, and cannot play while it is off. The others read "
        f"that before they join, and that you could look at {'its' if is_one else 'their'} cards."
    )


def _patience(patience: str) -> str:
    means = (
        f"If a player does nothing for {patience} while all wait, the others may vote to go on without them; all of "
        "them have to agree."
    )
    if patience in ("1 minute", "3 minutes"):
        return f"{means} For a game in one evening; a short break can cost a player the seat."
    if patience in ("10 minutes", "1 hour"):
        return f"{means} For a game at one table, with breaks."
    return f"{means} For a game that lasts days, in which everybody plays when they like."


def _and(colours: tuple[str, ...]) -> str:
    return " and ".join([", ".join(colours[:-1]), colours[-1]]) if len(colours) > 1 else "".join(colours)


def pictured(options: NewGameOptions) -> State | None:
    """The first state on the chosen map, an example if the map is random; None if there is no such game."""
    return _beginning(options.rules, options.map, options.colours)


@lru_cache(maxsize=8)
def _beginning(rules: str, map: str, colours: tuple[str, ...]) -> State | None:
    try:
        return initial_state(new_constants(rules, colours, map, _EXAMPLE))
    except (MapError, UnsupportedRules):
        return None
