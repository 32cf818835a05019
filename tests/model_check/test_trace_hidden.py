"""Games of hidden hands as traces: TLC takes the recorded one, and refuses it where anything public was changed."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from catan_p2p.game import actions as a
from catan_p2p.game.cards import ONE
from catan_p2p.game.state import State
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.model_check.recording import LineStep, RecordedGame, RecordedStep, read_recording
from catan_p2p.model_check.tlc import TlcProgram
from catan_p2p.model_check.trace import check_recording
from tests.hidden.games import GAMES, RULES, written
from tests.log.storage.repositories import commit_at, git, main_line, rewrite_from
from tests.log.table import hidden_log
from tests.model_check.test_trace_repositories import changed_tree

pytestmark = [pytest.mark.needs("spec"), pytest.mark.long, pytest.mark.sampled(6, together=True)]

_FOLDER = TemporaryDirectory(prefix="catan-trace-hidden-")

HIDDEN_CARDS = "state/game/hidden_cards"

Changed = tuple[RecordedGame, ObjectId]
"""A recording with something changed, and the commit at which it is to be refused."""
Change = Callable[[RecordedGame], Changed]
Wanted = Callable[[LineStep], bool]


@cache
def recorded(name: str) -> RecordedGame:
    """A game of tests/hidden/games.py, read from its repository."""
    return read_recording(written(GAMES[name](), Path(_FOLDER.name) / name.replace(" ", "-")))


@pytest.mark.parametrize("name", ["whole", "left"])
def test_every_order_of_replies_is_taken(name: str, tlc: TlcProgram) -> None:
    game = recorded(name)
    entries = tuple(entry._replace(replies=entry.replies[::-1]) for entry in game.entries)
    turned = replace(game, entries=entries, pending=game.pending[::-1])
    assert {type(reply.action) for entry in entries for reply in entry.replies} >= {a.Pledge, a.Reveal, a.Surrender}
    assert len(turned.pending) > 1 and turned.entries != game.entries
    assert check_recording(turned, tlc) is None


@pytest.mark.parametrize("what", ["RollDice", "BuyDevCard", "MoveBandit"])
def test_who_owes_a_share_or_a_card_is_excused(what: str, tmp_path: Path, tlc: TlcProgram) -> None:
    table = hidden_log(RULES, 4, 1)
    table.play_until(lambda state: state.tp == "Drawing" and state.call.what == what)
    table.excuse(table.state.due.index(True) + 1)
    table.play_until(lambda state: state.tp not in ("Drawing", "Shuffling"))
    table.play_until(lambda state: state.tp == "Drawing" and not any(state.due))
    game = read_recording(written(table, tmp_path / "game"))
    assert any(isinstance(entry.step.action, a.Excuse) for entry in game.entries)
    assert check_recording(game, tlc) is None


# What is changed


def is_a(kind: type[a.Action]) -> Wanted:
    return lambda entry: isinstance(entry.step.action, kind)


def replied(kind: type[a.Action]) -> Wanted:
    return lambda entry: any(isinstance(reply.action, kind) for reply in entry.replies)


def is_theft(entry: LineStep) -> bool:
    return isinstance(entry.step.action, a.MoveBandit) and entry.step.action.card == "sealed"


def answers_theft(entry: LineStep) -> bool:
    return is_theft(entry) and any(isinstance(reply.action, a.Reveal) for reply in entry.replies)


def shares(entry: LineStep) -> bool:
    return isinstance(entry.step.action, a.BuyDevCard)


def last_shuffle(entry: LineStep) -> bool:
    return isinstance(entry.step.action, a.Shuffle) and entry.step.state.hid.shuffles == 0


def index_of(recording: RecordedGame, wanted: Wanted, skip: int = 0) -> int:
    return [number for number, entry in enumerate(recording.entries) if wanted(entry)][skip]


def with_entry(recording: RecordedGame, at: int, *entries: LineStep) -> RecordedGame:
    """Other entries, or none, in the place of one; a few follow."""
    before, after = recording.entries[:at], recording.entries[at + 1 : at + 4]
    return replace(recording, entries=(*before, *entries, *after), pending=())


def changed_step(wanted: Wanted, change: Callable[[RecordedStep], RecordedStep], skip: int) -> Change:
    """Another step in the place of one, which is refused."""

    def changed(recording: RecordedGame) -> Changed:
        at = index_of(recording, wanted, skip)
        entry = recording.entries[at]
        return with_entry(recording, at, entry._replace(step=change(entry.step))), entry.step.commit

    return changed


def state(wanted: Wanted, change: Callable[[State], State], skip: int = 0) -> Change:
    """Another state in the tree of a step."""
    return changed_step(wanted, lambda step: step._replace(state=change(step.state)), skip)


def action(wanted: Wanted, change: Callable[[Any], a.Action], skip: int = 0) -> Change:
    """Another action in the message of a step."""
    return changed_step(wanted, lambda step: step._replace(action=change(step.action)), skip)


def left_out(wanted: Wanted, skip: int = 0) -> Change:
    """A step is missing: what follows it is refused, or one of the replies to it."""

    def changed(recording: RecordedGame) -> Changed:
        at = index_of(recording, wanted, skip)
        following = recording.entries[at + 1]
        return with_entry(recording, at), (*following.replies, following.step)[0].commit

    return changed


def replies(
    wanted: Wanted, change: Callable[[RecordedStep], Iterable[RecordedStep]], skip: int = 0, *, is_step: bool = False
) -> Change:
    """Something else in the place of the first reply, none or more; the last of them is refused, or the step."""

    def changed(recording: RecordedGame) -> Changed:
        at = index_of(recording, wanted, skip)
        first, *rest = recording.entries[at].replies
        others = tuple(change(first))
        entry = recording.entries[at]._replace(replies=(*others, *rest))
        return with_entry(recording, at, entry), entry.step.commit if is_step else others[-1].commit

    return changed


def missing(wanted: Wanted, skip: int = 0) -> Change:
    """A reply is missing: the step that merges the others is refused."""
    return replies(wanted, lambda reply: (), skip, is_step=True)


def twice(reply: RecordedStep) -> Iterable[RecordedStep]:
    return reply, reply._replace(commit=ObjectId("f" * 40))


def by(seat: Callable[[int], int]) -> Callable[[RecordedStep], Iterable[RecordedStep]]:
    """The same reply by another player."""
    return lambda reply: (reply._replace(action=replace(reply.action, player=seat(reply.action.player))),)


def pending(change: Callable[[RecordedStep], Iterable[RecordedStep]]) -> Change:
    """The same of replies that nothing follows yet."""

    def changed(recording: RecordedGame) -> Changed:
        first, *rest = recording.pending
        others = tuple(change(first))
        return replace(recording, pending=(*others, *rest)), others[-1].commit

    return changed


def count(name: str, seat: int, more: int) -> Callable[[State], State]:
    """One of the counts of hidden cards is another."""

    def changed(state: State) -> State:
        counts = list(getattr(state.hid, name))
        counts[seat - 1] += more
        return state._replace(hid=state.hid._replace(**{name: tuple(counts)}))

    return changed


def another_buyer(state: State) -> State:
    """A purchase is counted for another player."""
    seat = state.ap
    return count("bought", seat % 3 + 1, 1)(count("bought", seat, -1)(state))


def hidden(**changes: Any) -> Callable[[State], State]:
    return lambda state: state._replace(hid=state.hid._replace(**changes))


def hand(seat: int, pile: str, cards: int) -> Callable[[State], State]:
    """More cards in a pile of a hand."""

    def changed(state: State) -> State:
        hands = list(state.h)
        hands[seat - 1] = hands[seat - 1]._replace(**{pile: getattr(hands[seat - 1], pile) + cards})
        return state._replace(h=tuple(hands))

    return changed


def unsealed(reply: RecordedStep) -> Iterable[RecordedStep]:
    """The victim's hand stays open."""
    seat = reply.action.player
    return (reply._replace(state=count("sealed", seat, -1)(hand(seat, "rc", ONE["Ore"])(reply.state))),)


def surrenders(change: Callable[[a.Surrender], int]) -> Callable[[RecordedStep], Iterable[RecordedStep]]:
    """Other cards are surrendered than the tree has."""

    def changed(reply: RecordedStep) -> Iterable[RecordedStep]:
        assert isinstance(reply.action, a.Surrender)
        return (reply._replace(action=replace(reply.action, cards=change(reply.action))),)

    return changed


CHANGES: dict[str, tuple[str, Change, str]] = {
    "a pledge is missing": ("left", missing(replied(a.Pledge)), "SH1 phase"),
    "a second pledge": ("left", replies(replied(a.Pledge), twice), "PL2 due"),
    "a shuffle is missing": ("left", left_out(is_a(a.Shuffle), 1), "SH2 turn"),
    "another seat shuffles": ("left", action(is_a(a.Shuffle), lambda _: a.Shuffle(3), 1), "SH2 turn"),
    "a shuffle is not counted": ("left", state(is_a(a.Shuffle), hidden(shuffles=0)), "shuffles"),
    "the shuffles follow no keys": ("left", state(last_shuffle, hidden(deck="keys")), "deck"),
    "a call is missing": ("whole", left_out(is_a(a.Call), 4), "RV1 phase"),
    "another draw is called for": (
        "whole",
        action(is_a(a.Call), lambda call: replace(call, what="BuyDevCard"), 8),
        "CA2 phase",
    ),
    "a call for another victim": (
        "whole",
        action(
            lambda entry: isinstance(entry.step.action, a.Call) and entry.step.action.victim > 0,
            lambda call: replace(call, victim=call.player),
        ),
        "CA13 victim",
    ),
    "a share of a roll is missing": ("whole", missing(is_a(a.RollDice), 3), "RD4 drawn"),
    "a share of a purchase is missing": ("whole", missing(shares), "BD5 drawn"),
    "a share of the buyer's own": ("whole", replies(shares, by(lambda _: 2)), "RV2 due"),
    "another sum of the dice": (
        "whole",
        action(is_a(a.RollDice), lambda roll: replace(roll, dice=14 - roll.dice)),
        "dice",
    ),
    "the tree has other dice": ("whole", state(is_a(a.RollDice), lambda state: state._replace(dice=0), 3), "dice"),
    "a card too many": ("whole", state(is_a(a.RollDice), hand(2, "rc", ONE["Ore"]), 3), "RC of 2"),
    "the victim of a theft does not answer": ("whole", missing(answers_theft), "MB9 drawn"),
    "another answers for the victim": ("whole", replies(answers_theft, by(lambda seat: seat % 3 + 1)), "RV2 due"),
    "the victim's hand stays open": ("whole", replies(answers_theft, unsealed), "sealed"),
    "the stolen card is named": ("whole", action(is_theft, lambda theft: replace(theft, card="Ore")), "MB8 card"),
    "a sealed card too many": ("whole", state(is_theft, count("sealed", 1, 1)), "sealed"),
    "the stolen card stays": ("whole", state(is_theft, lambda state: count("sealed", state.ap, -1)(state)), "sealed"),
    "a purchase is named": ("whole", action(shares, lambda bought: replace(bought, card="Knight")), "BD4 stock"),
    "a purchase counts for another player": ("left", state(shares, another_buyer), "bought"),
    "a hidden purchase is taken out of the bank": (
        "left",
        state(shares, lambda state: state._replace(bnk=state.bnk._replace(dc=state.bnk.dc - ONE["Brick"]))),
        "bank DC",
    ),
    "what was bought cannot be played later": (
        "whole",
        state(is_a(a.EmptyBuild), count("held", 1, -1), -1),
        "held",
    ),
    "a point is shown of another pile": (
        "whole",
        action(is_a(a.ShowPoint), lambda point: replace(point, pile="bought")),
        "SP4 card",
    ),
    "another player shows a point": (
        "whole",
        action(is_a(a.ShowPoint), lambda point: replace(point, player=point.player % 3 + 1)),
        "SP3 turn",
    ),
    "a shown point counts for nobody": (
        "whole",
        state(is_a(a.ShowPoint), lambda state: hand(state.ap, "uc", -ONE["Ore"])(state)),
        "UC",
    ),
    "a monopoly asks for something else": ("whole", state(is_a(a.PlayMonopoly), hidden(wanted="Ore"), -1), "wanted"),
    "a monopoly goes on elsewhere": ("whole", state(is_a(a.PlayMonopoly), hidden(back="Building"), -1), "back"),
    "too few cards are surrendered": ("whole", replies(replied(a.Surrender), surrenders(lambda _: 0), -1), "RC"),
    "too many cards are surrendered": (
        "whole",
        replies(replied(a.Surrender), surrenders(lambda gave: gave.cards * 5), -1),
        "SU4 hand",
    ),
    "other cards are surrendered": (
        "whole",
        replies(replied(a.Surrender), surrenders(lambda _: ONE["Ore"]), -1),
        "SU3 resource",
    ),
    "a surrender is missing": ("whole", missing(replied(a.Surrender), -1), "phase"),
    "a second surrender": ("whole", replies(replied(a.Surrender), twice, -1), "SU2 due"),
    "an answer is another": (
        "left",
        replies(
            lambda entry: any(getattr(reply.action, "answer", "") == "reject" for reply in entry.replies),
            lambda reply: (reply._replace(action=replace(reply.action, answer="accept")),),  # type: ignore[call-arg]
        ),
        "ans",
    ),
    "an offer for more cards than anybody holds": (
        "left",
        action(is_a(a.OfferTrade), lambda offer: replace(offer, receive=ONE["Ore"] * 9)),
        "OT8 taker",
    ),
    "an owner is another": (
        "whole",
        state(is_a(a.BuildVillage), lambda state: state._replace(s=state.s._replace(villages=state.s.villages[::-1]))),
        "s of",
    ),
    "somebody else is away": (
        "left",
        state(is_a(a.Excuse), lambda state: state._replace(away=(False, False, True))),
        "away",
    ),
    "an excuse is missing": ("left", left_out(is_a(a.Excuse)), "SH1 phase"),
    "who leaves excuses": (
        "left",
        action(is_a(a.Excuse), lambda excuse: replace(excuse, player=excuse.absent)),
        "EX5 other",
    ),
    "what is left is not shuffled": ("left", state(is_a(a.Excuse), hidden(deck="lost")), "deck"),
    "a signature is missing": ("left", missing(is_a(a.CloseGame)), "CG2 signed"),
    "the winner signs": ("left", replies(is_a(a.CloseGame), by(lambda seat: 1)), "SE2 due"),
    "another player closes": ("left", action(is_a(a.CloseGame), lambda _: a.CloseGame(3)), "CG3 turn"),
    "the game is not closed": ("left", state(is_a(a.CloseGame), lambda state: state._replace(tp="Signing")), "tp"),
    "a second signature": ("unsigned", pending(twice), "SE2 due"),
    "cards are opened before the end is signed": (
        "unsigned",
        pending(lambda reply: (reply._replace(action=a.OpenAll(reply.action.player)),)),
        "OA1 phase",
    ),
    "somebody opens twice": ("left", pending(twice), "OA2 due"),
    "somebody opens who has left": ("left", pending(by(lambda seat: 2)), "OA2 due"),
    "an opened hand is told": (
        "left",
        pending(lambda reply: (reply._replace(state=count("sealed", 1, -1)(reply.state)),)),
        "sealed",
    ),
}
"""By what it is: the game, the change, and the guard or the component that is named."""


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_game_is_refused_and_what_is_wrong_is_named(name: str, tlc: TlcProgram) -> None:
    game, change, told = CHANGES[name]
    changed, commit = change(recorded(game))
    refusal = check_recording(changed, tlc)
    assert refusal is not None
    assert refusal.commit == commit, refusal
    assert any(guard.startswith(told) for guard in refusal.guards) or told in refusal.detail, refusal


# Trees


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("player_3 sealed 2 ", "player_3 sealed 3 ", "the tree differs from what the action leads to in sealed"),
        ("wanted none", "wanted Ore", "the tree differs from what the action leads to in wanted"),
        ("shuffles 3\n", "shuffles 3\n\n", "state/game/hidden_cards: "),
        ("player_3 sealed", "player_4 sealed", "state/game/hidden_cards: not in its canonical spelling"),
        ("wanted none", "wanted Gold", "state/game/hidden_cards: "),
    ],
)
def test_another_file_of_hidden_cards_is_refused(
    old: str, new: str, told: str, tmp_path: Path, tlc: TlcProgram
) -> None:
    path = written(GAMES["all silent"](), tmp_path / "game")
    at = len(main_line(path, "Red_0")) - 1
    last = commit_at(path, main_line(path, "Red_0")[at])
    text = git(path, "show", f"{last.tree}:{HIDDEN_CARDS}") + "\n"
    assert old in text, text
    tree = changed_tree(path, last.tree, HIDDEN_CARDS, text.replace(old, new))
    bad = rewrite_from(path, "Red_0", at, last._replace(tree=tree))
    refusal = check_recording(read_recording(path), tlc)
    assert refusal is not None and refusal.commit == bad
    assert refusal.detail.startswith(told)
