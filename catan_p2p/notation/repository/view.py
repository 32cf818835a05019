"""A public view: what is known of a game, and what is open in it.

A file becomes a view if it says too little to be replayed, or breaks the rules.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC

from catan_p2p.game.constants import Player
from catan_p2p.game.rule_names import rules_named
from catan_p2p.notation.errors import NotationFinding
from catan_p2p.notation.repair import ViewStep, begin
from catan_p2p.notation.tables import ViewFormat
from catan_p2p.view import events as e
from catan_p2p.view.consequences import told
from catan_p2p.view.knowledge import PublicKnowledge
from catan_p2p.view.words import EventWording, in_words

FIRST_DATE_S = 1735689600
"""The starting date of a game without one: 2025-01-01, midnight UTC."""


_LATEST_S = 99_999_999_999
"""The last date that a commit of a view can have, in the year 5138."""


@dataclass(frozen=True, slots=True)
class FileView:
    """A public view; ``findings`` are those of a lenient reader."""

    start: e.GameStarted
    format: ViewFormat
    rules: str
    """The rules by which it was judged, as ``rules_named`` reads them."""
    steps: tuple[ViewStep, ...]
    findings: tuple[NotationFinding, ...]
    root: str = ""
    """The id of the commit before the first step; empty if the view was not read from a repository."""

    @property
    def names(self) -> tuple[str, ...]:
        """The players' colours by seat, as games of this project spell them."""
        return tuple(player.colour.capitalize() for player in self.start.players)

    @property
    def first(self) -> PublicKnowledge:
        """The knowledge before the first event."""
        rules = rules_named(self.rules, len(self.start.players))
        return begin(self.start, rules, hides_points=self.format == "hidden")

    @property
    def last(self) -> PublicKnowledge:
        """The knowledge after the last event."""
        return self.steps[-1].after if self.steps else self.first

    @property
    def events(self) -> list[e.Event]:
        """All events, the start first."""
        return [self.start, *(step.event for step in self.steps)]

    @property
    def started_s(self) -> int:
        """When the game began, in seconds since 1970."""
        return started_s(self.start)

    @property
    def winner(self) -> Player | None:
        """The winner: as reported, or in SGN the active player with enough points; None if unknown."""
        return winner_of(self.last, self.format)

    def words(self, step: ViewStep) -> str:
        """A step in words, without the player's name."""
        return in_words(
            told(step.event, step.before, step.after), EventWording(self.names, step.before.state.constants.board)
        )

    def open_events(self) -> dict[str, int]:
        """How often the file leaves each kind of fact open."""
        found: Counter[str] = Counter()
        for step in self.steps:
            found.update(left_open(step, self.format))
        return told_open(found)


def winner_of(last: PublicKnowledge, format: ViewFormat) -> Player | None:
    """The winner of a game that ends like this. SGN does not report it, so there the points decide."""
    return last.winner() if format == "sgn" or last.state.tp == "top" else None


def started_s(start: e.GameStarted) -> int:
    """When a game began, in seconds since 1970; its time is taken as UTC."""
    return int(start.started.replace(tzinfo=UTC).timestamp()) if start.started else FIRST_DATE_S


def left_open(step: ViewStep, format: ViewFormat) -> Mapping[str, int]:
    """How often a step leaves a fact open that a game must have, by kind of fact."""
    event = step.event
    if isinstance(event, e.BanditMoved):
        is_unknown = event.victim and event.card is None and step.before.hand(event.victim).most
        return {"stolen cards": 1 if is_unknown else 0}
    if isinstance(event, e.DevCardBought):
        return {"development cards": int(event.card is None)}
    if isinstance(event, e.YearOfPlentyPlayed):
        return {"years of plenty": int(event.first is None)}
    if isinstance(event, e.CardsDiscarded):
        return {"discards": 1 if event.unseen else 0}
    if isinstance(event, e.DiceRolled) and event.dice == 7 and format in ("catan", "lmu"):
        hands = zip(step.before.hands, step.after.hands, strict=True)
        return {"discards": sum(new.most < old.most for old, new in hands)}
    return {}


def told_open(counts: Mapping[str, int]) -> dict[str, int]:
    """The counts above zero, in the order in which messages list them."""
    return {what: counts[what] for what in _OPEN if counts.get(what)}


def tell_open(counts: Mapping[str, int]) -> str:
    """The counts in words, such as ``1 stolen card, 3 discards``."""
    return ", ".join(f"{n} {what.removesuffix('s') if n == 1 else what}" for what, n in counts.items())


_OPEN = ("stolen cards", "discards", "development cards", "years of plenty")


def dated(start: e.GameStarted, steps: Iterable[ViewStep]) -> Iterator[ViewStep]:
    """The steps with dates: turns have their length; in a file without a starting time, each event takes a second."""
    time_s = turn_began_s = started_s(start)
    for step in steps:
        if isinstance(step.event, e.TurnEnded) and step.event.seconds is not None:
            time_s = turn_began_s = min(max(time_s, turn_began_s + step.event.seconds), _LATEST_S)
        elif start.started is None:
            time_s += 1
        yield step._replace(time_s=time_s)
