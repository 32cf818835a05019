"""The core of a peer: ``step`` takes an event and returns what a shell has to do, in order; nothing else changes it.

It reads no clock, draws nothing, and has no store: what it has had kept it can look up again by id (``kept``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from catan_p2p.game.chance import Share
from catan_p2p.game.constants import Player
from catan_p2p.log.graph import Graph
from catan_p2p.log.reading import Read
from catan_p2p.log.refs import HEADS, REMOTES, parse_branch
from catan_p2p.log.storage.objects import Damaged, ObjectId
from catan_p2p.log.verdict import Rejected, Step
from catan_p2p.replication.core import events
from catan_p2p.replication.core.effects import Effect
from catan_p2p.replication.core.held import Held
from catan_p2p.replication.core.intake import Intake
from catan_p2p.replication.core.own import Author
from catan_p2p.replication.core.settler import Settler
from catan_p2p.replication.core.source import Source


class Core:
    """One player's replica of a game, without I/O.

    ``kept`` gives what is in the own repository, ``number_of`` the number of a share in the own chain (``ValueError``
    if it is not of that), ``sources`` are where others are looked for.
    """

    def __init__(
        self,
        graph: Graph,
        player: Player,
        kept: Read,
        number_of: Callable[[Share], int],
        sources: Iterable[Source] = (),
    ) -> None:
        self._held = Held(graph, player, kept, sources)
        self.settler = Settler(self._held, number_of)
        self._author = Author(self._held, self.settler)
        self._intake = Intake(self._held, self.settler)

    @property
    def graph(self) -> Graph:
        """What is validated."""
        return self._held.graph

    @property
    def refs(self) -> dict[str, ObjectId]:
        """The refs of the own repository, as they are once all effects are carried out."""
        return self._held.refs

    @property
    def rejected(self) -> dict[ObjectId, Rejected]:
        """The commits that were refused last."""
        return self._held.rejected

    @property
    def refused_for_good(self) -> Mapping[ObjectId, Rejected]:
        """Commits that no look will ever find valid, nor what continues them, whoever shows them."""
        return self._intake.refused_for_good

    @property
    def refusals(self) -> int:
        """How many commits were refused that somebody is to blame for."""
        return self._intake.refusals

    @property
    def written(self) -> Step | None:
        """What was decided or voted last, as long as it is not known to be recorded."""
        return self._author.written

    @property
    def is_signed(self) -> bool:
        """Whether all players have keys."""
        return self._held.is_signed

    @property
    def may_settle(self) -> bool:
        """Whether votes by the proof of a lie are possible here."""
        return self._held.may_settle

    def tell_steps(self) -> None:
        """From now on, have people told of each commit that is taken in."""
        self.graph.tell_step = self._held.tell

    def is_far(self, player: Player) -> bool:
        """Whether a player is heard through others only."""
        return self._held.is_far(player)

    def step(self, event: events.Event) -> list[Effect]:
        """What has to be done now that this has happened.

        Raises ``Damaged`` at a restart if the own log cannot be read, ``Unacceptable`` if the others would refuse what
        the player decides.
        """
        try:
            self._take(event)
        except BaseException:
            self._held.taken()
            raise
        return self._held.taken()

    def _take(self, event: events.Event) -> None:
        held = self._held
        match event:
            case events.Heard():
                self._intake.hear(event)
            case events.Looked():
                held.tidy()
                held.tidy_tracked()
            case events.Decided():
                self._author.decide(event)
            case events.Stored():
                self._author.store()
            case events.Voted():
                self._author.vote(event)
            case events.Spoiled():
                self._intake.spoil(event)
            case events.Charged():
                self.settler.move_to_survivor()
            case events.Passed():
                held.tidy()
                held.show()
            case events.Ended():
                held.record(held.log, held.graph.head)
                held.show()
            case events.Restarted():
                self._restart(event)

    def _restart(self, event: events.Restarted) -> None:
        held = self._held
        held.refs = dict(event.refs)
        for ref, head in event.refs.items():
            if not ref.startswith((HEADS, REMOTES)) or parse_branch(ref.rpartition("/")[2]) is None:
                continue
            problem = self._intake.recall(head)
            if problem is not None and problem.reason == "missing":
                raise Damaged(f"{ref}: {problem.detail}")
        own = held.refs.get(held.log)
        if own is not None and own not in held.graph:
            raise Damaged(f"the own log at {own[:10]} is not one that this player could write")
        held.count_me()
        self.settler.recall(event.lies)
        self.settler.move_to_survivor()
