"""A mistake in what an invariant says of hidden hands, on either side, is seen: damaged states are judged otherwise."""

import inspect
from collections.abc import Sequence
from types import ModuleType

import pytest

from catan_p2p.game import invariants
from catan_p2p.game.state import State
from catan_p2p.model_check.tlc import TlcError, spec_folder
from tests.model_check.given import Given, ask
from tests.model_check.guard_mutations import quick_tlc
from tests.model_check.test_invariant_agreement import holding, states_of

pytestmark = [pytest.mark.long]

_SOURCE = inspect.getsource(invariants)
_NUMBER = 2400
_TABLES = ("hidden", "hidden, leaving")

Change = tuple[str, str]
"""A text, and what stands in its place."""

MISTAKES: dict[str, tuple[Change, Change]] = {
    "a monopoly takes nothing": (
        ('/\\ (G.tp = "Surrendering") = (G.hid.wanted # "none")', ""),
        ('(state.tp == "Surrendering") != (hidden.wanted != "none") or ', ""),
    ),
    "it goes back to what nothing goes back to": (
        ('/\\ G.hid.back \\notin {"Shuffling", "Surrendering", "Signing"}', ""),
        (" or hidden.back in HIDDEN_PHASES:", ":"),
    ),
    "all have shuffled, and still do": (
        ("G.hid.shuffles < Cardinality(Present) /\\", "G.hid.shuffles <= Cardinality(Present) /\\"),
        ("hidden.shuffles < len(state.present)", "hidden.shuffles <= len(state.present)"),
    ),
    "a lost deck is shuffled": (
        (' /\\ G.hid.deck # "lost"', ""),
        (' and hidden.deck != "lost"\n        is_pause', "\n        is_pause"),
    ),
    "not all have shuffled": (
        (
            ' => (G.hid.shuffles = NPlayers) = (G.tp \\notin {"Pledging", "Shuffling"})',
            " => TRUE",
        ),
        ("(hidden.shuffles == n) == (state.tp not in _BEFORE_ALL) and ", ""),
    ),
    "the rest of a deck that nobody can leave": (
        ('/\\ Hands = "hidden" /\\ ~Leaving => G.hid.deck = "first"', ""),
        (' and hidden.deck == "first"', ""),
    ),
    "a lost deck that nobody has left": (
        ('/\\ G.hid.deck = "lost" /\\ Returns = 0 => Present # Players', ""),
        ("is_kept and is_keyed", "is_keyed"),
    ),
    "a key of who is away": (
        ("/\\ \\A p \\in Players : G.away[p] /\\ SignedEnd => G.hid.keyless[p]", ""),
        ("or all(lacks >= is_away", "or True or all(lacks >= is_away"),
    ),
    "more cards are held than the deck had": (
        ("/\\ Sum(G.bnk.DC, DCT) >= Total(G.hid.bought) + Total(G.hid.held)", ""),
        ("        and total(state.bnk.dc) >= sum(hidden.bought) + sum(hidden.held)\n", ""),
    ),
    "the end is signed where nobody signs": (
        ('G.tp = "Signing" => SignedEnd /\\', 'G.tp = "Signing" =>'),
        ("state.constants.rules.signed_end and {*owing}", "{*owing}"),
    ),
    "the winner signs": (("p \\in Present \\ {G.ap}", "p \\in Present"), (" - {state.ap}", "")),
    "another number is sealed": (
        ("/\\ Total(G.hid.sealed) = Count([res \\in RCT |-> Unseen(res)])", ""),
        (" and total(hidden) == sum(state.hid.sealed)", ""),
    ),
    "more cards of a kind than there are": (
        ("/\\ \\A res \\in RCT : Unseen(res) >= 0", "/\\ TRUE"),
        ("is_valid(hidden) and total(hidden)", "total(hidden)"),
    ),
    "another than who builds has bought": ((" \\/ G.hid.bought[p] > 0 =>", " =>"), (" or bought]", "]")),
    "an offer that only sealed cards cover": (
        (
            'G.ans[p] = "asked" => CouldPay(p, G.offer.receive)',
            'G.ans[p] = "asked" => Covers(G.h[p].RC, G.offer.receive)',
        ),
        ('could_pay(state, seat, receive) if answer == "asked" else ', ""),
    ),
    "nobody owes to a monopoly": (
        ('/\\ Below.tp = "Surrendering" => G.due # NobodyDue', ""),
        (
            'if state.tp == "Surrendering":\n        return any(state.due)',
            'if state.tp == "Surrendering":\n        return True',
        ),
    ),
    "nobody owes an opening": (
        (' /\\ (Hands = "open" \\/ Below.tp # "top") =>', " =>"),
        ('if state.tp == "top" and state.constants.rules.hands == "hidden":', "if False:"),
    ),
    "a winner who has left": (
        ('(Below.tp = "top" /\\ SignedEnd) \\/ acting', "acting"),
        ("() if state.constants.rules.signed_end else (state.ap,)", "(state.ap,)"),
    ),
    "signatures are no end": (
        ('IF G.tp = "Signing" THEN [G EXCEPT !.tp = "top"] ELSE ', ""),
        ('return state._replace(tp="top")', "return state"),
    ),
    "what is shuffled before is forgotten": (
        ('IF G.tp = "Shuffling" /\\ Leaving THEN Resumed(G) ELSE G', "G"),
        ('if state.tp != "Shuffling" or not state.constants.rules.leaving:', "if True:"),
    ),
}
"""By what it lets pass, or asks for: the change of ``Catan.tla``, and the one of the program."""


def changed(source: str, change: Change) -> str:
    old, new = change
    assert source.count(old) == 1, old
    return source.replace(old, new)


@pytest.mark.sampled(5)
def test_a_mistake_in_the_program_is_seen() -> None:
    states = [state for table in _TABLES for state in states_of(table, _NUMBER, 1)]
    right = [holding(state) for state in states]
    for name, (_, change) in MISTAKES.items():
        module = ModuleType(invariants.__name__)
        exec(changed(_SOURCE, change), vars(module))
        assert _is_seen(states, right, module), name


def _is_seen(states: Sequence[State], right: Sequence[frozenset[str]], module: ModuleType) -> bool:
    """Whether a state is judged otherwise by a changed module, or cannot be judged."""
    try:
        return any(holding(state, module) != held for state, held in zip(states, right, strict=True))
    except IndexError:
        return True


@pytest.mark.soak
@pytest.mark.needs("spec")
@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_in_the_specification_is_seen(name: str) -> None:
    text = (spec_folder() / "Catan.tla").read_text(encoding="utf-8")
    modules = {"Catan.tla": changed(text, MISTAKES[name][0])}

    def is_seen(table: str) -> bool:
        states = states_of(table, _NUMBER, 1)
        given = [Given(state, like=sound) for state, sound in states.items()]
        try:
            answers = ask(given[0].state.constants, given, quick_tlc(), modules)
        except TlcError as error:
            return "out of domain" in str(error) or "CHOOSE" in str(error)
        return any(holding(state) != theirs for state, theirs in zip(states, answers.holding, strict=True))

    assert any(map(is_seen, _TABLES))
