"""Views and the changes between them, as values: who is present, who counts, who coordinates, and what was decided."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from catan_p2p.game.constants import Player
from catan_p2p.log.storage.objects import ObjectId


class ViewValue(NamedTuple):
    """What a change decides: where the next view begins, who is left out, and who comes back.

    Parties are named by their first seats.
    Two values with the same content are one.
    """

    head: ObjectId
    """The newest commit of the line."""
    replies: tuple[ObjectId, ...]
    """The replies to it, in the order of their players."""
    out: tuple[Player, ...]
    """The parties that are left out."""
    proven: tuple[Player, ...]
    """Those of them that have forked, or have no seat left since a proof that they lied about cards."""
    back: tuple[tuple[Player, ObjectId], ...] = ()
    """The parties that come back, in the order of seats, each with its request."""

    @property
    def returning(self) -> tuple[Player, ...]:
        """The parties that come back."""
        return tuple(party for party, _ in self.back)


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """Who is present from a commit of the line on. Two views with one ``id`` are the same: compare that."""

    id: str
    number: int
    """How many decisions have led here."""
    present: tuple[Player, ...]
    """The parties, by first seat, in the order of seats."""
    value: ViewValue
    """The decision that began it; of the first view, the root."""
    before: View | None = None
    settles: str | None = None
    """Of a settlement of two decisions: the id of the view from which both lead."""
    last_out: tuple[Player, ...] = ()
    """The parties that were left out last, except proven liars and those that are back."""
    again: int = 0
    """How many of the decisions that have led here begin where the one before began."""

    @classmethod
    def first(cls, root: ObjectId, parties: tuple[Player, ...]) -> View:
        """The view of all parties, from the root on."""
        return cls(root, 0, parties, ViewValue(root, (), (), ()))

    def after(self, value: ViewValue, settles: str | None = None) -> View:
        """The view that a decision begins."""
        requests = (request for _, request in value.back)
        lists = (" ".join(map(str, part)) or "-" for part in (*value[1:4], requests))
        lines = ("catan-p2p view 1", self.id, settles or "-", value.head, *lists)
        id = sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
        present = tuple(sorted({*self.present} - {*value.out} | {*value.returning}))
        last_out = {*value.out} - {*value.proven} if value.out else {*self.last_out} - {*value.returning}
        again = self.again + (value.head == self.value.head)
        return View(id, self.number + 1, present, value, self, settles, tuple(sorted(last_out)), again)

    @property
    def electorate(self) -> tuple[Player, ...]:
        """Who counts in the changes from it: ``Electorate`` of the specification.

        That is who is present and, once two are, whoever was left out last.
        """
        return tuple(sorted((*self.present, *self.last_out))) if len(self.present) == 2 else self.present

    def begins_again_at(self, head: ObjectId) -> bool:
        """Whether it begins at a commit where the view before it stood, and leaves nobody out."""
        return self.before is not None and self.value.head == head and not self.value.out

    def is_from(self, other: View) -> bool:
        """Whether decisions have led from another view to this one, or a settlement has replaced the other."""
        view: View | None = self
        while view is not None:
            if view.id == other.id or (view.settles is not None and other.has_passed(view.settles)):
                return True
            view = view.before
        return False

    def passed(self, id: str) -> View | None:
        """This view, or the one before it, with this id; None if there is none."""
        view: View | None = self
        while view is not None and view.id != id:
            view = view.before
        return view

    def has_passed(self, id: str) -> bool:
        """Whether this view, or one before it, is the one with this id."""
        return self.passed(id) is not None

    def side_of(self, id: str) -> View:
        """The view after the one with this id, on the way to this one."""
        view = self
        while view.before is not None and view.before.id != id:
            view = view.before
        return view


class Change(NamedTuple):
    """The change from a view to the next: ``Change`` of the specification.

    A settlement of two decisions leads from the same view, without those that are proven liars.
    """

    id: str
    """That of the view."""
    number: int
    """That of the view."""
    members: tuple[Player, ...]
    """The parties that count, in the order of seats."""
    without: tuple[Player, ...] = ()
    again: int = 0
    """That of the view."""

    @classmethod
    def of(cls, view: View, without: Collection[Player] = ()) -> Change:
        """The change from a view."""
        members = tuple(party for party in view.electorate if party not in without)
        return cls(view.id, view.number, members, tuple(sorted({*view.electorate} - {*members})), view.again)

    def coordinator(self, round: int) -> Player:
        """The party that proposes in a round: never a matter of the head."""
        return self.members[(self.number + len(self.without) + round) % len(self.members)]

    def is_majority(self, parties: Collection[Player]) -> bool:
        """Whether these are more than half of those who count."""
        return 2 * len({*parties}.intersection(self.members)) > len(self.members)
