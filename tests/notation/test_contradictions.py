"""Records that leave something out: bounds stay within the cards there are, and a contradiction is told."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from catan_p2p import notation
from catan_p2p.game.cards import covers, total, unpack
from catan_p2p.game.constants import Constants, Rules, profile
from catan_p2p.game.rules import apply, awaited, decisions, draw
from catan_p2p.game.state import State, initial_state
from catan_p2p.players.policies import POLICIES
from catan_p2p.view.bounds import exactly
from catan_p2p.view.events import BankTrade, PlayerTrade, TradeAnswered, TradeOffered
from catan_p2p.view.knowledge import PublicKnowledge
from tests.for_each import with_soak
from tests.notation import samples
from tests.notation.stories import SETUP, Story

pytestmark = pytest.mark.long


def own_game(
    count: int, seed: int, rules: str, policy: str, most_actions: int = 4000, changed: Rules | None = None
) -> tuple[Constants, list[notation.TimedAction]]:
    """A game of this project, by any profile, or rules that were changed from it, and policy."""
    seeded = rules.replace("brief", "standard")  # what they were called when the games of these seeds were looked at
    rng = Random(f"{count}/{seed}/{seeded}/{policy}")
    constants = Constants(changed or profile(rules, count), player_count=count)
    chooser, state, steps = POLICIES[policy](), initial_state(constants), []
    while state.tp != "top" and len(steps) < most_actions:
        player = awaited(state)[0]
        action = draw(state, chooser.choose(state, player, decisions(state, player), rng), rng)
        state = apply(state, action)
        steps.append(notation.TimedAction(action, state, samples.STARTED_S + 5 * len(steps)))
    return constants, steps


def as_catan(constants: Constants, steps: list[notation.TimedAction]) -> list[notation.Event]:
    """The events of a game as a ``.catan`` file tells them, its players in the order of play."""
    told = list(notation.events_of(constants, samples.participants(constants.player_count), steps, samples.STARTED_S))
    return list(notation.in_order_of_play(samples.read_back(samples.written(told, "catan"), "catan")))


def games(count: int) -> Iterator[tuple[str, Constants, list[notation.TimedAction]]]:
    """So many own games, of all profiles and numbers of players."""
    for i in range(count):
        rules, policy = ("thesis", "brief")[i % 2], ("builder", "builder", "random")[i % 3]
        constants, steps = own_game(2 + i // 2 % 5, i, rules, policy)
        yield f"game {i}: {constants.player_count} players, {rules}, {policy}", constants, steps


# Games of our own are in order


@pytest.mark.parametrize("count", with_soak([20], [1000]))
def test_own_games_are_accepted_when_they_are_read_back(count: int) -> None:
    for name, constants, steps in games(count):
        rules = "thesis" if constants.rules.win_check == "turn_end" else "brief"
        try:
            imported = notation.import_game(as_catan(constants, steps), "catan", rules)
        except notation.RulesBroken as error:
            raise AssertionError(f"{name}: {error}") from error
        assert not imported.view.findings


@pytest.mark.parametrize("rules", ["thesis", "brief"])
def test_a_victory_point_shown_in_the_turn_in_which_another_card_was_bought(rules: str) -> None:
    """The shown one may be the new one, so the older card can still be played."""
    story = Story(rules).tell("red rolls 8").hold(1, 3 * sum(1 << 8 * i for i in (2, 3, 4)))
    story.tell("red buys dev card", "red ends turn after 1s", "blue rolls 8", "blue ends turn after 1s")
    story.tell("red rolls 8", "red buys dev card", "red plays victory point", "red plays knight")


# One line left out


def event_states(constants: Constants, steps: list[notation.TimedAction]) -> list[tuple[notation.Event, State]]:
    """Every event that a ``.catan`` file has a line for, with the state of the game after its action."""
    n = constants.player_count
    found: list[tuple[notation.Event, State]] = []
    done = iter(steps)
    last: list[State] = [initial_state(constants)]

    def watched() -> Iterator[notation.TimedAction]:
        for step in done:
            last[0] = step.state
            yield step

    for event in notation.events_of(constants, samples.participants(n), watched(), samples.STARTED_S):
        if isinstance(event, notation.PlayerEvent) and not isinstance(event, TradeOffered | TradeAnswered):
            found.append((event, last[0]))
    return found


def is_within(position: PublicKnowledge, hands: list[int], bank: int) -> bool:
    """Whether the bounds hold for the true hands and the true bank."""
    return all(
        covers(hand, bounds.low) and covers(bounds.high, hand) and bounds.least <= total(hand) <= bounds.most
        for bounds, hand in zip((*position.hands, position.bank), (*hands, bank), strict=True)
    )


def check_possible(position: PublicKnowledge, name: str) -> None:
    """Every bound is within the cards there are, and some way to deal them fits all bounds."""
    pool = position.rules.resource_pool
    everybody = (*position.hands, position.bank)
    for bounds in everybody:
        assert covers(bounds.high, bounds.low) and covers(pool, bounds.high), f"{name}: {bounds}"
        assert total(bounds.low) <= bounds.least <= bounds.most <= total(bounds.high), f"{name}: {bounds}"
    for i, n in enumerate(unpack(pool)):
        low, high = (
            sum(unpack(cards)[i] for cards in bound)
            for bound in zip(*((b.low, b.high) for b in everybody), strict=True)
        )
        assert low <= n <= high, f"{name}: {n} cards of kind {i}, from {low} to {high} are told"


def without(events: list[notation.Event], at: int) -> tuple[list[notation.ViewStep], list[notation.NotationFinding]]:
    """What a lenient reader makes of a file one of whose lines is missing."""
    start = events[0]
    assert isinstance(start, notation.GameStarted)
    findings: list[notation.NotationFinding] = []
    rules = profile("brief", len(start.players))
    left = [*events[1:at], *events[at + 1 :]]
    return list(notation.judged(start, left, notation.table_for(start, "catan"), rules, findings.append)), findings


def drop_a_trade(number: int) -> str:
    """Leave one trade out of an own game and see what comes of it."""
    constants, steps = own_game(2 + number % 3, number, "brief", "builder" if number % 4 else "random", 1500)
    events = as_catan(constants, steps)
    trades = [i for i, event in enumerate(events) if isinstance(event, BankTrade | PlayerTrade)]
    if not trades:
        return "no trade"
    dropped = Random(number).choice(trades)
    judged_steps, findings = without(events, dropped)
    name = f"game {number} without line {events[dropped].line}"
    for step in judged_steps:
        check_possible(step.after, name)
    opened = [finding.line for finding in findings if finding.kind == "cards"]
    if any(finding.kind == "rules" for finding in findings) and not opened:
        return "found by a rule"
    if not opened:
        return "a record that could be whole"
    # from the finding on, what really was the case is within the bounds at every moment
    truth = true_hands(constants, steps)
    for step in judged_steps:
        if step.event.line >= opened[0] and step.event.line in truth and not step.after.is_knight:
            assert is_within(step.after, *truth[step.event.line]), f"{name}, line {step.event.line}"
    return "the cards do not add up"


def true_hands(constants: Constants, steps: list[notation.TimedAction]) -> dict[int, tuple[list[int], int]]:
    """By line of the file the true hands, by the order of play, and the bank."""
    n = constants.player_count
    found: dict[int, tuple[list[int], int]] = {}
    line = 6 + n + 1
    for event, state in event_states(constants, steps):
        if not has_line(event):
            continue
        line += 1
        if state.tp == "Discarding":
            continue
        first = state.first - 1 if state.first else 0
        hands = [hand.rc for hand in state.h]
        found[line] = (hands[first:] + hands[:first], state.bnk.rc)
    return found


def has_line(event: notation.Event) -> bool:
    """Whether a ``.catan`` file has a line for an event."""
    return bool(notation.catanlog.speller(samples.start(6))(event))


def check_dropped(count: int) -> Counter[str]:
    outcomes = Counter(drop_a_trade(number) for number in range(count))
    assert outcomes["the cards do not add up"] > count // 2, outcomes
    return outcomes


def test_20_own_games_without_one_trade_end_in_a_finding_or_sound_bounds() -> None:
    check_dropped(20)


@pytest.mark.soak
def test_500_own_games_without_one_trade_end_in_a_finding_or_sound_bounds() -> None:
    print(check_dropped(500))


def test_a_contradiction_is_told_with_its_explanations() -> None:
    body = "red rolls 8\nred trades [1 sheep] to player blue for [1 ore]\nred buys city, builds at (10 NW)\n"
    reader = notation.catanlog.CatanlogBodyReader(samples.start(2))
    lines = (SETUP + body).splitlines()
    told: list[notation.Event] = [event for number, line in enumerate(lines, 1) for event in reader.take(line, number)]
    _, findings = without([samples.start(2), *told], len(told) + 1)
    assert [(finding.line, finding.kind) for finding in findings if finding.kind == "cards"] == [(15, "cards")]
    text = str(next(finding for finding in findings if finding.kind == "cards"))
    assert text.startswith("line 15, column 1: the cards do not add up, from here on all hands are open; possible are ")
    assert "a trade of Red's for 2 Ore with the bank" in text


def test_more_of_a_kind_than_there_are_is_a_contradiction() -> None:
    """Yields that together are more than the bank had: no hand can have paid for what is told, and nobody says so."""
    story = Story("brief").tell("red rolls 8")
    everything = story.position.rules.resource_pool
    story.position = story.position.with_hand(2, exactly(everything))
    problems = story.judge("red trades [2 wheat] to port wheat for [1 ore]")
    assert any("cards" in problem for problem in problems)
    check_possible(story.position, "more than there are")
