"""Games of hidden hands as recordings: each step as its reader may know it, and how far that goes.

Nobody's cards are shown but those that a key at hand opens: the own one at a table, after the end those that players
have told.
"""

from pathlib import Path
from typing import NamedTuple

from catan_p2p.game.cards import NO_CARDS, unpack
from catan_p2p.game.constants import Player
from catan_p2p.game.state import NOTHING_HIDDEN, State
from catan_p2p.log.game import Game
from catan_p2p.log.graph import Graph
from catan_p2p.log.known_cards import KnownCards
from catan_p2p.log.opened import openings_of
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.vault import Vault
from catan_p2p.replication.own_cards import OwnCards
from catan_p2p.tables.seat import read_secret, read_settings

from .recording import Commit, Range, Unsure


class Told(NamedTuple):
    """A commit as everybody sees it, and the sealed cards after it."""

    commit: Commit
    vault: Vault


class HiddenGame:
    """The commits of a game of hidden hands, for whoever has the repository, or for its player by their ``seat``."""

    def __init__(self, game: Game, root: ObjectId, seat: Path | None) -> None:
        own: dict[Player, OwnCards] = {}
        if seat is not None and (player := game.player_of(read_settings(seat).colour)) is not None:
            own[player] = OwnCards(root, player, read_secret(seat))
        self._known = KnownCards(own)
        self._told: list[Told] = []

    @property
    def public(self) -> list[Commit]:
        """The commits as everybody sees them."""
        return [told.commit for told in self._told]

    def add(self, commit: Commit, vault: Vault, commits: list[Commit]) -> None:
        """Add a commit to those that are shown; if it opens cards, all of them are shown anew."""
        self._told.append(Told(commit, vault))
        if self._known.hear(vault):
            commits[:] = [self._shown(*told) for told in self._told]
        else:
            commits.append(self._shown(commit, vault))

    def closed(self, graph: Graph) -> str | None:
        """After the end, who has not opened their cards, or whose do not open; None if all are open."""
        vault = graph.line.hearing_all().vault
        if not graph.state.is_over or vault is None:
            return None
        steps = ((told.commit.action.player, told.vault) for told in self._told if told.commit.action is not None)
        found = openings_of(graph.game, graph.state, vault, steps)
        return None if found.is_whole else str(found)

    def _shown(self, commit: Commit, vault: Vault) -> Commit:
        state = self._known.state(commit.state, vault)
        action = None if commit.action is None else self._known.action(commit.action, vault)  # type: ignore[arg-type]
        return commit._replace(action=action, state=state, unsure=unsure_of(state), public=commit.state)


def unsure_of(state: State) -> Unsure | None:
    """What a state leaves open of hidden cards, None if nothing.

    Of each resource a player has what is known, and of what nobody accounts for at most all and at least what the
    others' sealed cards leave over.
    """
    hidden = state.hid
    if hidden is NOTHING_HIDDEN or not (any(hidden.sealed) or any(hidden.bought) or any(hidden.held)):
        return None
    unseen = state.constants.rules.resource_pool - state.bnk.rc - sum((hand.rc for hand in state.h), NO_CARDS)
    left, hands = unpack(unseen), []
    for player, hand in enumerate(state.h, 1):
        sealed, size = hidden.sealed[player - 1], state.hand_size(player)
        each = (
            Range(known + max(0, sealed + number - sum(left)), known + min(sealed, number))
            for known, number in zip(unpack(hand.rc), left, strict=True)
        )
        hands.append((Range(size, size), *each))
    bank = tuple(Range(number, number) for number in unpack(state.bnk.rc))
    cards = tuple(sum(pair) for pair in zip(hidden.bought, hidden.held, strict=True))
    return Unsure(tuple(hands), bank, cards)
