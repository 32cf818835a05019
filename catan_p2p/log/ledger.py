"""What one peer has validated of a game: the line, and the shares of draws.

A ledger never changes; ``extend`` returns the next one. ``log.judging`` decides what may be in the next one.
"""

from __future__ import annotations

from typing import NamedTuple

from catan_p2p.log.authorship import SignatureCheck
from catan_p2p.log.game import GameDefinition
from catan_p2p.log.known_shares import KnownShares
from catan_p2p.log.line import GameLine
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import StateTree
from catan_p2p.log.verdict import LoggedStep


class Ledger(NamedTuple):
    """The validated part of a game's commit graph; nothing in it ever changes."""

    game: GameDefinition
    root: ObjectId
    verify: SignatureCheck | None
    line: GameLine
    known_shares: KnownShares

    @classmethod
    def begin(
        cls, game: GameDefinition, root: ObjectId, tree: StateTree, verify: SignatureCheck | None = None
    ) -> Ledger:
        """Return the ledger that holds only the root."""
        known_shares = KnownShares(root)
        sealed_cards = None
        if game.constants.rules.hands != "open":
            from catan_p2p.log.sealed_cards import first_sealed_cards

            sealed_cards = first_sealed_cards(root, game.constants)
        line = GameLine(root, tree, tree.state, known_shares, {}, sealed_cards=sealed_cards)
        return cls(game, root, verify, line, known_shares)

    def extend(self, step: LoggedStep) -> Ledger:
        """Return the ledger with one more commit, which was accepted or written."""
        known_shares = self.known_shares
        if step.entry.share is not None:
            known_shares = known_shares.after(step.entry, step.entry.share)
        if self.game.constants.rules.chance_ahead:
            known_shares = known_shares.after_turn(step.entry, step.state)
        return Ledger(self.game, self.root, self.verify, self.line.after(step, known_shares), known_shares)
