"""Games with hidden hands as recordings: each step as the reader may know it, and how complete that is.

Only cards that an available key opens are shown: the player's own key at a table, and after the end the keys that
players have published.
"""

from dataclasses import replace
from pathlib import Path

from catan_p2p.game.actions import Action
from catan_p2p.game.constants import Player
from catan_p2p.log.game import GameDefinition
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.known_cards import KnownCards
from catan_p2p.log.opened_hands import openings_of
from catan_p2p.log.sealed_cards import SealedCards
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.replication.own_cards import OwnCards
from catan_p2p.tables.seat import read_secret, read_settings

from .recording import PlayedStep


class HiddenGame:
    """The commits of a game with hidden hands, for any reader, or with a ``seat`` folder for its player."""

    def __init__(self, game: GameDefinition, root: ObjectId, seat: Path | None) -> None:
        own: dict[Player, OwnCards] = {}
        if seat is not None and (player := game.player_of(read_settings(seat).colour)) is not None:
            own[player] = OwnCards(root, player, read_secret(seat))
        self._known = KnownCards(own)
        self._told: list[tuple[PlayedStep, SealedCards]] = []
        """The commits as everybody sees them, and the sealed cards after each."""

    @property
    def public(self) -> list[PlayedStep]:
        """The commits as everybody sees them."""
        return [commit for commit, _ in self._told]

    def add(self, commit: PlayedStep, sealed_cards: SealedCards, commits: list[PlayedStep]) -> None:
        """Add a commit to the shown ones; if it opens cards, all are replaced by what is known now."""
        self._told.append((commit, sealed_cards))
        if self._known.hear(sealed_cards):
            commits[:] = [self._shown(*told) for told in self._told]
        else:
            commits.append(self._shown(commit, sealed_cards))

    def truncate(self, kept: int) -> None:
        """Forget all but so many commits; what their cards have told stays known."""
        del self._told[kept:]

    def closed(self, graph: CommitGraph) -> str | None:
        """After the end, whose cards were not opened, or do not open with their key; None if all are open."""
        sealed_cards = graph.line.hearing_all().sealed_cards
        if not graph.state.is_over or sealed_cards is None:
            return None
        steps = ((commit.player, sealed_cards) for commit, sealed_cards in self._told if commit.action is not None)
        found = openings_of(graph.game, graph.state, sealed_cards, steps)
        return None if found.is_whole else str(found)

    def _shown(self, commit: PlayedStep, sealed_cards: SealedCards) -> PlayedStep:
        state = self._known.state(commit.state, sealed_cards)
        action = commit.action
        if isinstance(action, Action):
            action = self._known.action(action, sealed_cards)
        return replace(commit, action=action, state=state, public=commit.state)
