"""What peers do in a counterexample is told in words: from two states, and from a run of TLC."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from catan_p2p.game.cards import DEV_CARDS, RESOURCES, Cards, unpack
from catan_p2p.game.constants import THESIS, Constants
from catan_p2p.game.rules import apply, enabled, initial_state
from catan_p2p.game.state import Offer, State
from catan_p2p.model_check.check import check_model
from catan_p2p.model_check.replication_models import REPLICATION_MODELS, ask_constants
from catan_p2p.model_check.replication_steps import describe_step, describe_steps
from catan_p2p.model_check.states import make_state, parse_value
from catan_p2p.model_check.tlc import TlcError
from tests.model_check.guard_mutations import quick_tlc
from tests.spec_replication.test_guards import without

pytestmark = pytest.mark.long

CONSTANTS = Constants(THESIS, player_count=2)
START = initial_state(CONSTANTS)

ROOT, NONE = (0, 1, 1), (0, 0, 0)
FIRST, OTHER, REPLY = (1, 1, 1), (1, 1, 2), (2, 2, 1)
EMPTY: frozenset[Any] = frozenset()


def named(names: tuple[str, ...], cards: Cards) -> dict[str, int]:
    return dict(zip(names, unpack(cards), strict=True))


def sides(offer: Offer) -> dict[str, dict[str, int]]:
    return {"give": named(RESOURCES, offer.give), "receive": named(RESOURCES, offer.receive)}


def game(state: State) -> dict[str, Any]:
    """``SU`` and ``G`` of a state of which nothing is built."""
    hands = [
        {
            "RC": named(RESOURCES, hand.rc),
            "DC": {"BC": named(DEV_CARDS, hand.bc), "AC": named(DEV_CARDS, hand.ac), "UC": named(DEV_CARDS, hand.uc)},
        }
        for hand in state.h
    ]
    roads = range(1, CONSTANTS.board.road_count + 1)
    places = range(1, CONSTANTS.board.settlement_count + 1)
    plain = ("ap", "tp", "dice", "pd", "sb", "ba", "lr", "la", "lim", "ans", "made", "due", "away", "ahead")
    simple = {name: getattr(state, name) for name in plain} | {"call": state.call._asdict()}
    simple["ret"] = [way._asdict() for way in state.ret]
    built = {
        "s": [{"own": owner, "st": "Village" if owner else "none"} for owner in map(state.s.owner, places)],
        "r": [next((p for p, points in enumerate(state.r, 1) if points >> rp & 1), 0) for rp in roads],
        "b": [{"Road": left[0], "Village": left[1], "City": left[2]} for left in state.b],
    }
    bank = {"RC": named(RESOURCES, state.bnk.rc), "DC": named(DEV_CARDS, state.bnk.dc)}
    offers = {"offer": sides(state.offer), "prop": [sides(proposal) for proposal in state.prop]}
    cards = {"dp": named(DEV_CARDS, state.dp), "bnk": bank, "h": hands}
    return {
        "SU": {"sup": state.sup, "ap": state.su_ap, "first": state.first, "rolls": state.rolls},
        "G": {**simple, **offers, **built, **cards},
    }


def desk(who: int = 0, name: int = 0, on: Any = ROOT, merges: Any = EMPTY, *, wrote: bool = False) -> dict[str, Any]:
    return {"who": who, "name": name, "on": on, "merges": merges, "wrote": wrote}


def commit(by: int, on: Any = ROOT, writer: int = 0) -> dict[str, Any]:
    return {"by": by, "writer": writer or by, "on": on}


def known(head: Any = ROOT, *replies: Any) -> dict[str, Any]:
    return {"head": head, "replies": frozenset(replies)}


def journal(log: Any = ROOT, reply: Any = NONE, seen: Any = None) -> dict[str, Any]:
    return {"log": log, "reply": reply, "seen": seen or known()}


def shown(log: Any = ROOT, reply: Any = NONE) -> dict[str, Any]:
    return {"log": log, "reply": reply}


def variables(**changes: Any) -> dict[str, Any]:
    """Two peers who have done nothing yet, but for these changes."""
    return {
        **game(START),
        "book": {ROOT: commit(1)},
        "journal": (journal(), journal()),
        "shown": (shown(), shown()),
        "view": (known(), known()),
        "up": frozenset({1, 2}),
        "cut": EMPTY,
        "desk": desk(),
        "proofs": (EMPTY, EMPTY),
        "faults": {"crashes": 0, "cuts": 0, "lies": 0},
        **changes,
    }


LINK = frozenset({frozenset({1, 2})})
LIED = {"crashes": 0, "cuts": 0, "lies": 1}
BOOK = {ROOT: commit(1), FIRST: commit(1), OTHER: commit(1)}
PROOF = frozenset({frozenset({FIRST, OTHER})})

STEPS: dict[str, tuple[Mapping[str, Any], Mapping[str, Any]]] = {
    "Red sits down": ({}, {"desk": desk(1, 1)}),
    "Blue sits down in the name of Red": ({}, {"desk": desk(2, 1), "faults": LIED}),
    "Red sits down again on 0.1.1, to go on otherwise": ({}, {"desk": desk(1, 1), "faults": LIED}),
    "Red records 1.1.1 on 0.1.1": (
        {"desk": desk(1, 1, wrote=True)},
        {"book": {ROOT: commit(1), FIRST: commit(1)}, "journal": (journal(FIRST), journal())},
    ),
    "Red records 1.1.1 on 0.1.1 with 2.2.1": (
        {"desk": desk(1, 1, merges=frozenset({REPLY}), wrote=True)},
        {"book": {ROOT: commit(1), FIRST: commit(1)}, "journal": (journal(FIRST), journal())},
    ),
    "Blue records 1.1.1 on 0.1.1 as if Red had": (
        {"desk": desk(2, 1, wrote=True)},
        {"book": {ROOT: commit(1), FIRST: commit(1, writer=2)}},
    ),
    "Red rises: it has recorded the same before": ({"desk": desk(1, 1, wrote=True)}, {}),
    "Red records 1.1.1 on 0.1.1, which no action leads to": ({}, {"book": {ROOT: commit(1), FIRST: commit(1)}}),
    "Red publishes its log": (
        {"journal": (journal(FIRST), journal())},
        {"journal": (journal(FIRST), journal()), "shown": (shown(FIRST), shown())},
    ),
    "Red publishes its temporary branch": (
        {"journal": (journal(reply=FIRST), journal())},
        {"journal": (journal(reply=FIRST), journal()), "shown": (shown(reply=FIRST), shown())},
    ),
    "Red publishes that its temporary branch is gone": ({"shown": (shown(reply=FIRST), shown())}, {}),
    "Red shows 1.1.2 as if its others had never been": (
        {"journal": (journal(FIRST), journal())},
        {"journal": (journal(FIRST), journal()), "shown": (shown(OTHER), shown())},
    ),
    "Blue takes in 1.1.1": ({}, {"view": (known(), known(FIRST))}),
    "Blue takes in 2.2.1": ({"view": (known(), known(FIRST))}, {"view": (known(), known(FIRST, REPLY))}),
    "Blue keeps what it has taken in": ({}, {"journal": (journal(), journal(seen=known(FIRST)))}),
    "Red removes its temporary branch": ({"journal": (journal(reply=FIRST), journal())}, {}),
    "Blue proves that Red has lied, by 1.1.1 and 1.1.2": ({"book": BOOK}, {"book": BOOK, "proofs": (EMPTY, PROOF)}),
    "Blue crashes": ({"desk": desk(2, 2)}, {"up": frozenset({1})}),
    "Blue restarts": ({"up": frozenset({1})}, {"view": (known(), known(FIRST))}),
    "the link between Red and Blue is cut": ({}, {"cut": LINK}),
    "the link between Red and Blue heals": ({"cut": LINK}, {}),
    "nothing changes": ({}, {}),
    "no step of the peers leads here, which changes faults": ({}, {"faults": LIED}),
}


@pytest.mark.parametrize("told", STEPS)
def test_a_step_is_told_by_what_differs(told: str) -> None:
    before, after = STEPS[told]
    assert describe_step(variables(**before), variables(**after), CONSTANTS) == told


def test_an_action_of_the_game_is_told_as_the_log_tells_it() -> None:
    action = enabled(START, 1)[0]
    after = apply(START, action)
    assert make_state(game(after)["SU"], game(after)["G"], CONSTANTS) == after
    settles = f"settles on point {action.at} with a road on {action.road}"  # type: ignore[union-attr]
    for who, told in ((1, f"Red {settles}"), (2, f"Blue, as Red, {settles}")):
        before = variables(desk=desk(who, 1))
        assert describe_step(before, variables(**game(after), desk=desk(who, 1, wrote=True)), CONSTANTS) == told


def test_what_is_no_action_of_the_game_is_told_by_its_components() -> None:
    before = variables(desk=desk(1, 1))
    after = variables(**game(START._replace(tp="Trading", ba=1)), desk=desk(1, 1, wrote=True))
    told = "Red makes a step that is no action of the program, which changes tp, ba"
    assert describe_step(before, after, CONSTANTS) == told


def test_tuples_may_be_the_keys_of_a_function() -> None:
    value = parse_value("( <<0, 1, 1>> :> [on |-> <<0, 1, 1>>] @@\n  <<1, 1, 1>> :> [on |-> <<0, 1, 1>>] )")
    assert value == {ROOT: {"on": ROOT}, FIRST: {"on": ROOT}}


@pytest.mark.needs("spec")
def test_a_counterexample_is_told_step_by_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = without(tmp_path, ("RM4",))
    monkeypatch.setattr("catan_p2p.model_check.models.spec_folder", lambda: folder)
    (two,) = (model for model in REPLICATION_MODELS if model.name == "MCP2PTwo")
    assert check_model(two, quick_tlc()).moves == (
        "begin: all know the same game, in phase DiceRoll",
        "Red sits down",
        "Red rolls 7; Red discards 1 card; Blue discards 1 card",
        "Red records 1.1.1 on 0.1.1",
        "Red sits down",
        "Red discards 1 Wool",
        "Red records 2.1.1 on 1.1.1",
        "Red removes its temporary branch",
    )


@pytest.mark.needs("spec")
def test_constants_that_tlc_does_not_tell_are_an_error(tmp_path: Path) -> None:
    folder = without(tmp_path, ())
    with pytest.raises(TlcError, match="MCP2P: TLC does not tell the constants of the game"):
        ask_constants(quick_tlc(), folder / "MCP2P.tla", "SPECIFICATION P2PSpec\n")
    (two,) = (model for model in REPLICATION_MODELS if model.name == "MCP2PTwo")
    assert ask_constants(quick_tlc(), two.module_file, two.config).rules.dice == (7,)


def test_how_a_behaviour_goes_on_for_ever_is_told() -> None:
    text = '1: <Initial predicate>\n/\\ book = (<<0, 1, 1>> :> [by |-> 1])\n/\\ G = [tp |-> "top"]'
    begin = "begin: all know the same game, in phase top"
    assert describe_steps([text, "2: Stuttering"], CONSTANTS) == (begin, "nothing happens any more")
    told = describe_steps([text, "1: Back to state: <P2PNext line 1 of module CatanP2P>"], CONSTANTS)
    assert told == (begin, "back to where it was after step 0")
    assert describe_steps([], CONSTANTS) == ()
