"""Games of hidden hands as recordings: each step as its reader may know it, and how far that goes.

Nobody's cards are shown but those that a key at hand opens: the own one at a table, after the end those that players
have told.
"""

from pathlib import Path

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
    """The commits of a game of hidden hands, for whoever has the repository, or for its player by their ``seat``."""

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

    def add(self, commit: PlayedStep, vault: SealedCards, commits: list[PlayedStep]) -> None:
        """Add a commit to those that are shown; if it opens cards, all of them are shown anew."""
        self._told.append((commit, vault))
        if self._known.hear(vault):
            commits[:] = [self._shown(*told) for told in self._told]
        else:
            commits.append(self._shown(commit, vault))

    def closed(self, graph: CommitGraph) -> str | None:
        """After the end, who has not opened their cards, or whose do not open; None if all are open."""
        vault = graph.line.hearing_all().vault
        if not graph.state.is_over or vault is None:
            return None
        steps = ((commit.player, vault) for commit, vault in self._told if commit.action is not None)
        found = openings_of(graph.game, graph.state, vault, steps)
        return None if found.is_whole else str(found)

    def _shown(self, commit: PlayedStep, vault: SealedCards) -> PlayedStep:
        state = self._known.state(commit.state, vault)
        action = None if commit.action is None else self._known.action(commit.action, vault)  # type: ignore[arg-type]
        return commit._replace(action=action, state=state, public=commit.state)
