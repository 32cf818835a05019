"""A game as the viewer holds it: every commit in order with the state after it, and what can be looked up about it.

Steps are in a linear order in which parents come before children. Replies to one commit (the discards of a seven, the
answers to an offer) commute, so they may stand one after the other. ``state`` is the state after all steps so far, so
playing the steps is playing the game.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, replace
from hashlib import sha1

from catan_p2p.game.actions import Action
from catan_p2p.game.actions.parts import ReplyKind
from catan_p2p.game.actions.roll_dice import two_dice
from catan_p2p.game.chance import SharedDraw
from catan_p2p.game.constants import Constants, Player
from catan_p2p.game.rules import apply, initial_state
from catan_p2p.game.scoring import points_of
from catan_p2p.game.state import State
from catan_p2p.view.events import DiceRolled, Event, PlayerEvent, PlayerTrade, StartRolled, TurnEnded, put_down
from catan_p2p.view.knowledge import PublicKnowledge, known_of
from catan_p2p.view.observe import observe, veil

SEVEN = 7


_LONGEST_NAME = 16
"""Characters of a name that fit in a sentence of the window."""


@dataclass(frozen=True, slots=True)
class RecordedPlayer:
    """One player: number, colour and name."""

    player: Player
    colour: str
    name: str


@dataclass(frozen=True, slots=True)
class PlayedStep:
    """A validated commit with the state after it and all before it; the root's action is None."""

    commit: str
    parents: tuple[str, ...]
    branch: str
    """The branch on which it was written: ``Red_0``, or a reply's branch."""
    action: Action | PlayerEvent | None
    """What was done; an event if not enough is known for an action."""
    state: State
    told: PublicKnowledge | None = None
    """What is known after it, if the state does not say it."""
    draw: SharedDraw | None = None
    """The shares that made the outcome, if all players drew it together."""
    public: State | None = None
    """The state that its files hold, if ``state`` has hidden cards as well."""
    events: tuple[Event, ...] = ()
    """Its events; if there are none, a recording fills them in from the action."""
    index: int = 0
    """Its place in a recording, from 0, the root."""

    @property
    def known(self) -> PublicKnowledge:
        """The knowledge of hands, bank and development cards after it."""
        return self.told or known_of(self.state)

    @property
    def event(self) -> Event | None:
        """What was done, None for the root; the consequences are the events after it."""
        return self.events[0] if self.events else None

    @property
    def player(self) -> Player:
        """Its author; player 1 writes the root."""
        return 1 if self.action is None else self.action.player

    @property
    def reply_kind(self) -> ReplyKind | None:
        """``loss`` for a discard, ``answer``, ``pledge``, ``chance`` for a reveal; None for all others.

        Replies are written on temporary branches.
        """
        return self.action.reply if isinstance(self.action, Action) else None

    @property
    def is_reply(self) -> bool:
        """Whether it was written on a temporary branch, beside the replies of other players."""
        return self.reply_kind is not None


@dataclass(frozen=True, slots=True)
class TimelineMark:
    """A mark on the timeline: ``kind`` is seven, trade (of two players), road, village or city."""

    index: int
    kind: str
    player: Player


class GameRecording:
    """The steps of one game, and tables about them that grow with it.

    ``heads`` says at which commit each branch ends; ``title`` is shown as its name.
    """

    def __init__(self, constants: Constants, seats: Iterable[RecordedPlayer], title: str = "", number: int = 0) -> None:
        self.constants = constants
        self.seats = tuple(seats)
        self.title = title
        self.number = number
        self.steps: list[PlayedStep] = []
        self.heads: dict[str, str] = {}
        self.marks: list[TimelineMark] = []
        """Sevens, trades and builds in order."""
        self.points: list[tuple[int, ...]] = []
        """For each step the points of every player."""
        self.turns: list[int] = []
        """For each step the number of its turn, special building at its end included; 0 in the set-up."""
        self.turn_ends: list[int] = []
        """Indices after which somebody else acts: placements, ends of turns and of special building."""
        self.round_ends: list[int] = []
        """Indices after which the player who began is next."""
        self.row_of: dict[str, int] = {}
        """Index of a step by its commit."""
        self.most_replies = 0
        """The most replies that one commit has had."""
        self.veiled: frozenset[Player] = frozenset()
        """The players whose hands the viewer may not see: only counts are shown."""
        self._replies = 0

    def veil(self, players: frozenset[Player]) -> GameRecording:
        """The same game for somebody who may not see these hands. A new object, so that no cached picture is reused."""
        other = copy(self)
        other.veiled = players
        return other

    def __len__(self) -> int:
        return len(self.steps)

    @property
    def last(self) -> int:
        """Index of the newest step."""
        return len(self.steps) - 1

    def seat(self, player: Player) -> RecordedPlayer:
        """The seat of a player."""
        return self.seats[player - 1]

    def name(self, player: Player) -> str:
        """A player's name, shortened if it is long."""
        name = self.seats[player - 1].name
        return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"

    def colour(self, player: Player) -> str:
        """The colour of a player."""
        return self.seats[player - 1].colour

    def append(self, step: PlayedStep) -> PlayedStep:
        """Add the next step; if it has no events, those of its action are filled in."""
        before, action, events = self.steps[-1].state if self.steps else None, step.action, step.events
        if isinstance(action, PlayerEvent):
            events = events or (action,)
        elif action is not None and before is not None and not events:
            pair = None
            if step.draw is not None and action.drawn == "dice":
                pair = two_dice(before, step.draw.numbers())
            events = observe(action, before, step.state, pair)
        step, state = replace(step, index=len(self.steps), events=events), step.state
        self.steps.append(step)
        self.row_of[step.commit] = step.index
        # Identity is enough: actions share the parts of a state that they leave as they were.
        same = before is not None and before.s is state.s and before.lr == state.lr and before.la == state.la
        if same and before is not None and before.h is state.h:
            self.points.append(self.points[-1])
        else:
            self.points.append(points_of(state))
        self._count_turn(step, before)
        self._mark(step)
        return step

    def truncate(self, length: int) -> None:
        """Forget all steps from an index on."""
        for step in self.steps[length:]:
            del self.row_of[step.commit]
        del self.steps[length:], self.points[length:], self.turns[length:]
        del self.turn_ends[bisect_left(self.turn_ends, length) :]
        del self.round_ends[bisect_left(self.round_ends, length) :]
        del self.marks[bisect_left(self.marks, length, key=lambda mark: mark.index) :]
        self._replies = 0
        while self._replies < length and self.steps[length - 1 - self._replies].is_reply:
            self._replies += 1

    def _count_turn(self, step: PlayedStep, before: State | None) -> None:
        if before is None:
            self.turns.append(0)
            return
        # A card may come before the dice; in a public view there may be dice where no turn has begun in so many words.
        is_fresh = before.phase == "DiceRoll" and self.turn_ends[-1:] in ([], [step.index - 1])
        begins = is_fresh or (isinstance(step.event, DiceRolled) and before.phase != "DiceRoll")
        self.turns.append(self.turns[-1] + 1 if begins else self.turns[-1])
        after = step.state
        placed = isinstance(step.event, StartRolled) or (
            before.tp == "bot" and any(isinstance(event, TurnEnded) for event in step.events)
        )
        # Pledges come before the first turn, so their end is not the end of one.
        passes = after.phase != before.phase != "Pledging" and after.phase in ("DiceRoll", "top")
        if placed or passes or after.sb != before.sb:
            self.turn_ends.append(step.index)
            first_again = after.ap == after.first and after.tp == "DiceRoll"
            if first_again or after.tp == "top" or (placed and after.sup != before.sup):
                self.round_ends.append(step.index)

    def _mark(self, step: PlayedStep) -> None:
        self._replies = self._replies + 1 if step.is_reply else 0
        self.most_replies = max(self.most_replies, self._replies)
        for event in step.events:
            if isinstance(event, DiceRolled) and event.dice == SEVEN:
                self.marks.append(TimelineMark(step.index, "seven", step.player))
            elif isinstance(event, PlayerTrade):
                self.marks.append(TimelineMark(step.index, "trade", step.player))
            built = [piece for piece, _ in put_down(event) if piece != "bandit"]
            self.marks += [TimelineMark(step.index, piece, step.player) for piece in built]

    # Looking things up

    def told(self, step: PlayedStep) -> tuple[Event, ...]:
        """The events of a step as the viewer may see them."""
        return veil(step.events, self.veiled)

    def roll_before(self, index: int) -> PlayedStep | None:
        """The last roll of the dice up to a step, None if there has been none."""
        return next((s for s in reversed(self.steps[: index + 1]) if isinstance(s.event, DiceRolled)), None)

    def faces(self, index: int) -> tuple[int, int] | None:
        """What each of the dice shows after a step; None if they are not rolled, or only their sum is known."""
        roll = self.roll_before(index) if self.steps[index].state.dice else None
        return roll.event.pair if roll is not None and isinstance(roll.event, DiceRolled) else None

    def before(self, index: int) -> State:
        """The state before a step; of the root its own."""
        return self.steps[max(0, index - 1)].state

    def next_stop(self, index: int, unit: str) -> int:
        """Where stepping forward by an action, turn or round leads."""
        if unit == "action":
            return min(self.last, index + 1)
        stops = self.turn_ends if unit == "turn" else self.round_ends
        at = bisect_right(stops, index)
        return stops[at] if at < len(stops) else self.last

    def previous_stop(self, index: int, unit: str) -> int:
        """Where stepping back by an action, turn or round leads."""
        if unit == "action":
            return max(0, index - 1)
        stops = self.turn_ends if unit == "turn" else self.round_ends
        at = bisect_left(stops, index)
        return stops[at - 1] if at else 0

    def find(self, prefix: str) -> list[int]:
        """Indices of the commits whose ids begin with this text."""
        wanted = prefix.strip().lower()
        return [step.index for step in self.steps if step.commit.startswith(wanted)] if wanted else []

    def heads_at(self, commit: str) -> list[str]:
        """The branches that end at a commit."""
        return [name for name, head in self.heads.items() if head == commit]


def record(
    constants: Constants, actions: Iterable[Action], seats: Iterable[RecordedPlayer], title: str = ""
) -> GameRecording:
    """A recording of a game in memory, with made-up commit ids and the branches that its players would write."""
    recording = GameRecording(constants, seats, title)
    state = initial_state(constants)
    first = f"{recording.colour(1)}_0"
    head = _made_up("root", ())
    recording.append(PlayedStep(head, (), first, None, state))
    replies: dict[Player, str] = {}
    for action in actions:
        state = apply(state, action)
        branch = f"{recording.colour(action.player)}_0"
        if (kind := action.reply) is not None:
            commit = _made_up(repr(action), (head,))
            recording.append(PlayedStep(commit, (head,), f"{head}_{kind}_{branch}", action, state))
            replies[action.player] = commit
            continue
        parents = (head, *(replies[player] for player in sorted(replies)))
        replies = {}
        head = _made_up(repr(action), parents)
        recording.append(PlayedStep(head, parents, branch, action, state))
    recording.heads = {f"{seat.colour}_0": head for seat in recording.seats}
    return recording


def _made_up(what: str, parents: tuple[str, ...]) -> str:
    return sha1(" ".join((what, *parents)).encode(), usedforsecurity=False).hexdigest()
