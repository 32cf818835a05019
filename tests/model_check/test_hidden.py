"""Every promise of hidden hands and of their end is seen to fail without the guard that keeps it."""

import re

import pytest

from catan_p2p.model_check.configurations import settings_of
from catan_p2p.model_check.models import ENDING, HIDDEN, TOLD, UNSEEN
from catan_p2p.model_check.tlc import spec_folder
from tests.model_check.guard_mutations import reworded, run_changed, without

pytestmark = [pytest.mark.needs("spec"), pytest.mark.sampled(6)]

RED = (
    ("RefinesGame", "MCHiddenMonopoly", "RS1 balance"),
    ("CardsAreConserved", "MCHiddenMonopoly", "RS1 balance"),
    ("RefinesGame", "MCHiddenMonopoly", "SU1 rest"),
    ("RefinesGame", "MCHiddenDeck", "SC1 share"),
    ("HoldersCanOpen", "MCHiddenSeven", "TK1 place"),
    ("FixedBeforeRevealed", "MCHiddenSeven", "TK1 place"),
    ("HoldersCanOpen", "MCHiddenTheft", "TK2 opens"),
    ("ContentsAgree", "MCHiddenSeven", "AN1 whole"),
    ("WholeHandIsSealed", "MCHiddenSeven", "AN1 whole"),
    ("ProofsAreTrue", "MCHiddenRobber", "TE1 checked"),
    ("OperationsEnd", "MCHiddenTheft", "TE2 told"),
    ("DeckIsUnseen", "MCHiddenDeck", "TS1 called"),
    ("BuyersSeeTheirCard", "MCHiddenDeck", "TS2 proof"),
    ("ContentsAgree", "MCHiddenLeave", "LV1 spent"),
    ("DeckIsUnseen", "MCHiddenLeave", "LV2 anew"),
    ("RefinesGame", "MCHiddenBack", "CB6 opened"),
    ("NothingLeaks", "MCUnseenHands", "SE1 order"),
    ("NothingLeaks", "MCUnseenStolen", "PA1 anew"),
    ("NothingLeaks", "MCUnseenHands", "RO1 two"),
    ("NothingLeaks", "MCUnseenHands", "RO2 one"),
    ("NothingLeaks", "MCUnseenDeck", "BU1 own"),
    ("NoCardIsKnownBefore", "MCTold", "TD1 shuffled"),
    ("EveryBuyerIsServed", "MCTold", "TD2 anew"),
    ("NoCardIsKnownBefore", "MCTold", "TD3 dropped"),
    ("KeysFollowTheEnd", "MCEnding", "ED1 signed"),
    ("KeysFollowTheEnd", "MCEnding", "ED2 silent"),
    ("KeysFollowTheEnd", "MCEnding", "ED3 closed"),
    ("KeysFollowTheEnd", "MCEnding", "ED4 held"),
    ("CardsAreOpened", "MCEnding", "ED5 winner"),
    ("KeysFollowTheEnd", "MCEnding", "ED6 stands"),
    ("KeysFollowTheEnd", "MCEnding", "ED7 here"),
    ("KeysFollowTheEnd", "MCEnding", "ED8 others"),
    ("CardsAreOpened", "MCEnding", "ED9 once"),
)
"""Each promise with a model that shows it to fail, and without which guard."""

MODULES = ("CatanHidden", "CatanUnseen", "CatanTold", "CatanEnding")


def promises(name: str) -> tuple[list[str], list[str]]:
    """The invariants and the properties that a model's configuration lists."""
    settings = settings_of(name)
    return str(settings["INVARIANTS"]).split(), str(settings.get("PROPERTIES", "")).split()


@pytest.mark.parametrize(("promise", "model", "tag"), RED, ids=["-".join(row).replace(" ", "-") for row in RED])
def test_a_promise_fails_without_its_guard(promise: str, model: str, tag: str) -> None:
    result = run_changed(model, promise, Without=without(tag))
    assert result.verdict == ("invariant" if promise in promises(model)[0] else "property"), result.detail


def test_a_step_that_everybody_reads_otherwise_is_seen() -> None:
    """Whoever is told to have lied is out at once, without an excuse."""
    kept = "       /\\ UNCHANGED <<SU, G, seals, theft, deck, shares, piles>>\n"
    out = "       /\\ G' = [G EXCEPT !.away[G.call.victim] = TRUE]\n" + kept.replace("G, ", "")
    result = run_changed("MCHiddenTheft", "IsPublicGame", modules=reworded("CatanHidden.tla", kept, out))
    assert result.verdict == "property", result.detail


def test_every_guard_is_taken_out_in_some_case() -> None:
    text = "".join((spec_folder() / f"{name}.tla").read_text(encoding="utf-8") for name in MODULES)
    tags = {*re.findall(r'Keeps\("([^"]+)"', text), *re.findall(r'"(\w\w\d \w+)" \\(?:not)?in Without', text)}
    assert tags == {tag for _, _, tag in RED}


def test_every_promise_is_broken_in_some_case() -> None:
    listed = {name for model in (*HIDDEN, *UNSEEN, TOLD, ENDING) for names in promises(model.name) for name in names}
    assert listed - {"HiddenTypeOK", "TypeOK", "AllIsOpened", "LookTheSame", "IsPublicGame"} == {
        promise for promise, _, _ in RED
    }
