"""What a broken state is, and positions that several kinds of them begin with."""

from typing import Any, NamedTuple

from catan_p2p.game.constants import BRIEF
from catan_p2p.game.state import Hand, State
from tests.positions import position, set_up


class BrokenState(NamedTuple):
    """A sound state, and changes after which one invariant is the first that does not hold."""

    invariant: str
    what: str
    sound: State
    changes: dict[str, Any]

    @property
    def state(self) -> State:
        """The state in which the invariant is broken."""
        return self.sound._replace(**self.changes)

    @property
    def name(self) -> str:
        """Invariant and what breaks it."""
        return f"{self.invariant}: {self.what}"


SOUND = position(
    hands={1: "2 Ore", 2: "1 Wool"},
    bought={1: "1 Knight"},
    available={2: "1 Monopoly"},
    unveiled={1: "1 VictoryPoint"},
    discarded="1 RoadBuilding",
)
HAND = SOUND.h[0]


def mistyped(what: str, **changes: Any) -> BrokenState:
    """A value that its component cannot have."""
    return BrokenState("TypeOK", what, SOUND, changes)


def first_hand(**changes: int) -> tuple[Hand, ...]:
    """The hands of the sound state, the first of them changed."""
    return (HAND._replace(**changes), SOUND.h[1])


ROW = (23, 21, 10, 8, 64, 19)


PLAIN = position()
ROLLING = position(phase="DiceRoll")
SET_UP = set_up(turn=2, villages={1: (20,)}, roads={1: (23,)})
BY_BOOK = position(phase="TradingBuilding", rules=BRIEF)
