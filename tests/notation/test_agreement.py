"""Two judges of the same rules: with every card known, the referee and the engine allow the same events.

And where cards are not known, what the referee believes of the hands is true at every moment of a game.
"""

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from catan_p2p.game.cards import DEV_CARDS, ONE, RESOURCES, covers, total
from catan_p2p.game.constants import THESIS, Rules
from catan_p2p.game.state import State
from catan_p2p.notation import Event, NotationError, judged, table_for
from catan_p2p.notation.repair import begin
from catan_p2p.notation.repository.from_game import TimedAction
from catan_p2p.notation.repository.replay import EventReplayer
from catan_p2p.view import events as e
from catan_p2p.view.advance import ViewContext, advance
from catan_p2p.view.knowledge import PublicKnowledge
from tests.notation import samples

pytestmark = pytest.mark.long

Unit = list[e.PlayerEvent]
"""Events that stand for one action, or for the actions of one line."""


def units_of(events: list[Event], *, with_shown: bool = False) -> list[Unit]:
    """The events of a game as SGN tells them, those of one action together; with victory points shown, or without."""
    units: list[Unit] = []
    for event in events[2:]:
        assert isinstance(event, e.PlayerEvent)
        if isinstance(event, e.TurnEnded):
            continue
        if isinstance(event, e.VictoryPointPlayed):
            units[-1] += [event] if with_shown else []
            continue
        before = units[-1][-1] if units else None
        is_road = isinstance(event, e.RoadBuilt) and isinstance(before, e.VillageBuilt) and len(units) <= 12
        if is_road or (isinstance(event, e.BanditMoved) and isinstance(before, e.KnightPlayed)):
            units[-1].append(event)
        else:
            units.append([event])
    return units


def random_unit(rng: Random, n: int, active: int, in_setup: bool) -> Unit:
    """Something that somebody, mostly who is on turn, might do."""
    player = active if rng.random() < 0.8 else rng.randint(1, n)
    village, road = e.VillageBuilt(player, rng.randint(1, 54)), e.RoadBuilt(player, rng.randint(1, 72))
    if in_setup:
        return [village, road]
    give, receive = rng.choice(RESOURCES), rng.choice(RESOURCES)
    rate, cards = rng.choice((("4:1", 4), ("3:1", 3), (give, 2), (None, 4), (None, 3), (None, 2)))
    victim = rng.choice((None, 0, *range(1, n + 1)))
    card = rng.choice((*RESOURCES, "none")) if victim is not None else "none"
    bandit = e.BanditMoved(player, rng.randint(1, 37), victim, card)  # type: ignore[arg-type]
    discarded = sum(rng.randint(0, 3) * ONE[resource] for resource in RESOURCES)
    return rng.choice(
        [
            [village],
            [road],
            [e.CityBuilt(player, rng.randint(1, 54))],
            [e.DevCardBought(player, rng.choice(DEV_CARDS))],
            [e.DiceRolled(player, rng.randint(2, 12))],
            [bandit],
            [bandit],
            [e.CardsDiscarded(player, discarded)],
            [e.BankTrade(player, cards * ONE[give], ONE[receive], rate)],
            [e.BankTrade(player, 2 * cards * ONE[give], 2 * ONE[receive], rate)],
            [e.KnightPlayed(player), bandit],
            [e.RoadBuildingPlayed(player, rng.randint(1, 72), rng.randint(1, 72))],
            [e.YearOfPlentyPlayed(player, give, receive)],
            [e.MonopolyPlayed(player, give)],
        ]
    )


def neighbours(rng: Random, state: State, unit: Unit) -> Unit:
    """A unit that did happen, moved a little: to another player, or to another place near by."""
    board = state.constants.board
    changed = []
    for event in unit:
        if isinstance(event, e.VillageBuilt | e.CityBuilt):
            near = [end for at in range(1, 73) for end in board.ends[at] if event.at in board.ends[at]]
            event = type(event)(event.player, rng.choice(near))
        elif isinstance(event, e.RoadBuilt):
            corner = rng.choice(board.ends[event.at])
            event = e.RoadBuilt(event.player, rng.choice([at for at in range(1, 73) if corner in board.ends[at]]))
        changed.append(event)
    return changed


def engine_allows(state: State, unit: Unit) -> bool:
    replayer = EventReplayer(state.constants)
    replayer.state = state
    try:
        for event in unit:
            list(replayer.play(event))
    except NotationError:
        return False
    return True


def referee_allows(table: ViewContext, position: PublicKnowledge, unit: Unit) -> bool:
    for event in unit:
        verdict = advance(table, position, event)
        if verdict.breaches:
            return False
        position = verdict.known
    return True


def judged_twice(
    happened: list[Event], rules: Rules, units: list[Unit], tries: Callable[[State], list[Unit]], rng: Random
) -> tuple[PublicKnowledge, State, Counter[bool]]:
    """Judge a game and what might have happened instead; both ends, and how often something was allowed and not."""
    start, verdicts = happened[0], Counter[bool]()
    assert isinstance(start, e.GameStarted)
    table, position = table_for(start, "sgn"), begin(start, rules)
    replayer = EventReplayer(position.state.constants)
    for unit in units:
        state = replayer.state
        if not state.is_over:
            for tried in (unit, neighbours(rng, state, unit), *tries(state)):
                allowed = engine_allows(state, tried)
                assert referee_allows(table, position, tried) == allowed, (state, tried)
                verdicts[allowed] += 1
        for event in unit:
            list(replayer.play(event))
            position = advance(table, position, event).known
    assert position.bank.low == replayer.state.bnk.rc
    return position, replayer.state, verdicts


@pytest.mark.sampled(4)
@pytest.mark.parametrize("count", [2, 3, 4, 6])
def test_the_referee_allows_what_the_engine_allows(count: int) -> None:
    rng, verdicts = Random(count), Counter[bool]()

    def tries(state: State) -> list[Unit]:
        active = state.su_ap if state.tp == "bot" else state.ap
        return [random_unit(rng, count, active, state.tp == "bot") for _ in range(6)]

    for seed in range(3):
        events = samples.random_events(count, seed, 700)
        position, state, found = judged_twice(events, THESIS, units_of(events), tries, rng)
        assert position.known_state().h == state.h
        verdicts += found
    assert verdicts[True] > 500 and verdicts[False] > 500


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("seed", range(3))
def test_what_is_known_of_unseen_hands_is_true_at_every_moment(count: int, seed: int) -> None:
    events = samples.random_events(count, seed, 1500)
    back = samples.read_back(samples.written(events, "catan"), "catan")
    last = followed(events, back, THESIS, assert_true)
    assert last.h == samples.random_game(count, seed, 1500)[1][-1].state.h


def followed(
    events: list[Event], back: list[Event], rules: Rules, check: Callable[[PublicKnowledge, State], None]
) -> State:
    """Check what is known of a game by what a file keeps of it, against the game itself; the last state."""
    start = back[0]
    assert isinstance(start, e.GameStarted)
    replayer = EventReplayer(begin(start, rules).state.constants)
    played = iter([event for event in events[1:] if isinstance(event, e.PlayerEvent)])
    for step in judged(start, back[1:], table_for(start, "catan"), rules):
        for event in played:
            list(replayer.play(event))
            if type(event) is type(step.event):
                break
        check(step.after, replayer.state)
    return replayer.state


def assert_true(position: PublicKnowledge, state: State) -> None:
    if position.settling or position.is_knight or state.tp == "Discarding":
        return  # half of an action, or discards that the file implies already
    seen = position.state
    assert (seen.s, seen.r, seen.b) == (state.s, state.r, state.b)
    assert (seen.lr, seen.la, seen.ba, seen.ap) == (state.lr, state.la, state.ba, state.ap)
    for bounds, hand in zip((position.bank, *position.hands), (state.bnk.rc, *(h.rc for h in state.h)), strict=True):
        assert covers(hand, bounds.low) and covers(bounds.high, hand)
        assert bounds.least <= total(hand) <= bounds.most


def test_the_state_of_a_game_is_what_its_events_say() -> None:
    constants, steps = samples.random_game(3, 7, 900)
    events = samples.random_events(3, 7, 900)
    replayer = EventReplayer(constants)
    states: list[TimedAction] = []
    for event in events[1:]:
        states += replayer.play(event)
    assert states[-1].state.h == steps[-1].state.h
    assert states[-1].state.s == steps[-1].state.s
