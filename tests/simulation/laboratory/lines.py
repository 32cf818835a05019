"""All lines of a game in which somebody lies: what the peers hold, on whichever side of whichever lie.

One graph holds it all, since a commit is judged by what it links to. So whatever any peer holds is valid; nobody honest
has continued one commit in two ways; and a share that was told on one line is used on no other.
"""

from collections.abc import Callable, Collection

from catan_p2p.game.actions import Call, Pledge
from catan_p2p.game.chance import CHAIN_LENGTH, Share, share_before
from catan_p2p.game.constants import Player
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.reading import read_root
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.verdict import LoggedStep
from catan_p2p.simulation.laboratory.scene import PromiseBroken
from catan_p2p.simulation.laboratory.served_disk import Objects


class Lines:
    """What all peers of one game hold; ``liars`` may do what they like.

    Raises ``PromiseBroken`` for what must not be.
    """

    def __init__(self, root: ObjectId, objects: Objects, liars: Collection[Player], now: Callable[[], int]) -> None:
        graph = read_root(root, objects.__getitem__)
        assert isinstance(graph, CommitGraph), graph
        self.graph = graph
        self.liars = liars
        self._now = now
        self.data: dict[ObjectId, bytes] = {root: objects[root][1]}
        """Every commit that a peer holds."""
        self._written: dict[tuple[Player, ObjectId], ObjectId] = {}
        """By player and commit of theirs, what the player has continued the commit with."""
        self._numbers: dict[tuple[Player, Share], int] = {}
        self._told: dict[tuple[Player, bool], tuple[int, ObjectId]] = {}
        """By player the highest number of a share that they have told, and for which call; so of rolls ahead (True)."""

    def take_in(self, step: LoggedStep, data: bytes) -> None:
        """Take note of what a peer has taken in or written."""
        if step.commit in self.data:
            return
        self.data[step.commit] = data
        self._judge(step.commit, data)
        self._note_written(step)
        if step.entry.share is not None:
            self._note_share(step, step.entry.share)
        if step.entry.ahead is not None:
            self._note_share(step, step.entry.ahead, of_rolls=True)

    def _judge(self, commit: ObjectId, data: bytes) -> None:
        """Look whether a commit is valid by what it links to."""
        judged = self.graph.check(commit, data)
        if not isinstance(judged, LoggedStep):
            self._fail(f"a peer holds {commit[:10]}, which is not valid: {judged}")
        self.graph.add(judged)

    def _note_written(self, step: LoggedStep) -> None:
        player, base = step.action.player, step.entry.after or step.parents[0]
        other = self._written.setdefault((player, base), step.commit)
        if other != step.commit and player not in self.liars:
            self._fail(f"player {player} has continued {base[:10]} with {other[:10]} and with {step.commit[:10]}")

    def _note_share(self, step: LoggedStep, share: Share, *, of_rolls: bool = False) -> None:
        player = step.action.player
        call = step.commit if isinstance(step.action, Call) else step.parents[0]
        number = self._number_of(player, share, is_pledge=isinstance(step.action, Pledge), of_rolls=of_rolls)
        told, before = self._told.get((player, of_rolls), (-1, call))
        if number > told:
            self._told[player, of_rolls] = number, call
        elif player not in self.liars:
            self._fail(f"player {player} tells share {number} for {call[:10]} after share {told} for {before[:10]}")

    def _number_of(self, player: Player, share: Share, *, is_pledge: bool, of_rolls: bool) -> int:
        known, steps = share, 0
        while not is_pledge and (player, known) not in self._numbers and steps <= CHAIN_LENGTH:
            known, steps = share_before(self.graph.root, player, known, of_rolls=of_rolls), steps + 1
        number = self._numbers.get((player, known), 0) + steps
        self._numbers[player, share] = number
        return number

    def _fail(self, what: str) -> None:
        raise PromiseBroken(f"{self._now() / 1e6:.6f} s: {what}")
