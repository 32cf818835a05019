"""The core of a peer: ``step`` takes an event and returns what a shell has to do, in order; nothing else changes it.

It reads no clock, draws nothing, and has no store: what it has had kept it can look up again by id (``kept``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from catan_p2p.game.chance import Share
from catan_p2p.game.constants import Player
from catan_p2p.log.graph import Graph
from catan_p2p.log.reading import Read
from catan_p2p.log.refs import branch_at
from catan_p2p.log.storage.objects import Damaged
from catan_p2p.replication.core import events
from catan_p2p.replication.core.effects import Effect
from catan_p2p.replication.core.held import Held
from catan_p2p.replication.core.intake import Intake
from catan_p2p.replication.core.own import Author
from catan_p2p.replication.core.settler import Settler

if TYPE_CHECKING:
    from catan_p2p.replication.core.looking import Looking
    from catan_p2p.replication.core.source import Source
    from catan_p2p.replication.core.voter import Voter


class Core:
    """One player's replica of a game, without I/O.

    ``kept`` gives what is in the own repository, ``number_of`` the number of a share in the own chain (``ValueError``
    if it is not of that), ``sources`` are where others are looked for. Its parts can be asked what they know and what
    they would do; only ``step`` changes anything.
    """

    def __init__(
        self,
        graph: Graph,
        player: Player,
        kept: Read,
        number_of: Callable[[Share, bool], int],
        sources: Iterable[Source] = (),
    ) -> None:
        self.held = Held(graph, player, kept, sources)
        self.settler = Settler(self.held, number_of)
        self.author = Author(self.held, self.settler)
        self.intake = Intake(self.held, self.settler)
        self._takes: Mapping[type[events.Event], Callable[[Any], None]] = {
            events.Restarted: self._restart,
            events.Heard: self.intake.hear,
            events.Looked: lambda _: self.held.tidy_all(),
            events.Decided: self.author.decide,
            events.Voted: self.author.vote,
            events.Stored: lambda _: self.author.store(),
            events.Charged: lambda _: self.settler.move_to_survivor(),
            events.Passed: lambda _: self.held.show_tidied(),
            events.Lingered: lambda _: self.held.linger(),
            events.Ended: lambda _: self.held.end(),
        }

    @cached_property
    def looking(self) -> Looking:
        """Where to look for what is new; players of one repository do not ask."""
        from catan_p2p.replication.core.looking import Looking

        return Looking(self.held, self.settler)

    @cached_property
    def voter(self) -> Voter:
        """How to vote on others; where nobody may leave, nobody asks."""
        from catan_p2p.replication.core.voter import Voter

        return Voter(self.held, self.settler)

    def step(self, event: events.Event) -> list[Effect]:
        """What has to be done now that this has happened.

        Raises ``Damaged`` at a restart if the own log cannot be read, ``Unacceptable`` if the others would refuse what
        the player decides.
        """
        try:
            self._takes[type(event)](event)
        except BaseException:
            self.held.taken()
            raise
        return self.held.taken()

    def _restart(self, event: events.Restarted) -> None:
        held = self.held
        held.refs = dict(event.refs)
        for ref, head in event.refs.items():
            problem = None if branch_at(ref) is None else self.intake.recall(head)
            if problem is not None and problem.reason == "missing":
                raise Damaged(f"{ref}: {problem.detail}")
        own = held.refs.get(held.log)
        if own is not None and own not in held.graph:
            raise Damaged(f"the own log at {own[:10]} is not one that this player could write")
        held.count_me()
        self.settler.recall(event.lies)
        self.settler.move_to_survivor()
