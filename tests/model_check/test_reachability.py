"""What has to be reached is reached: every Debug property of MC.tla is violated in some model."""

import re

import pytest

from catan_p2p.game.actions import ACTIONS, HIDDEN_ACTIONS
from catan_p2p.model_check.tlc import spec_folder
from tests.model_check.guard_mutations import model_reaching, run_changed

pytestmark = [pytest.mark.long, pytest.mark.sampled(3)]

REACHED_IN = {
    **{f"Debug{kind.name}": model_reaching(kind.name) for kind in (*ACTIONS, *HIDDEN_ACTIONS)},
    "DebugCallForStart": "MCPledge",
    "DebugCallForDice": "MCChance",
    "DebugCallForBandit": "MCChance",
    "DebugCallForCard": "MCChance",
    "DebugCallForKnight": "MCChance",
    "DebugCallBeforeDice": "MCChance",
    "DebugCallBetweenTurns": "MCChance",
    "DebugTheftWithoutCall": "MCChance",
    "DebugLongestRoadMoves": "MCRoads",
    "DebugLargestArmyMoves": "MCKnights",
    "DebugEverybodyDiscards": "MCFour",
    "DebugShortage": "MCSeven",
    "DebugShortageOfOne": "MCShare",
    "DebugShortageOfTwo": "MCShare",
    "DebugFreeBandit": "MCShare",
    "DebugChoiceOfVictims": "MCShare",
    "DebugTwoAccept": "MCOffers",
    "DebugLargeOffer": "MCOffers",
    **dict.fromkeys(
        ("DebugNobodyCanPay", "DebugSilentConclusion", "DebugSilentWithdrawal", "DebugCounterOffer"), "MCTalk"
    ),
    "DebugUnasked": "MCTalk",
    "DebugUnheard": "MCTalk",
    "DebugLastRoad": "MCCards",
    "DebugLastPlace": "MCPlaces",
    "DebugKnightBeforeDice": "MCPlaces",
    "DebugWinBeforeDice": "MCCards",
    "DebugTie": "MCStart",
    "DebugTieOfTwo": "MCStart",
    "DebugOtherBegins": "MCOpening",
    "DebugHarbourAtOnce": "MCCombined",
    "DebugSpecialBuilding": "MCSpecial",
    "DebugEnoughTooEarly": "MCSpecial",
    "DebugNoVictim": "MCOutlaw",
    "DebugNothingStolen": "MCFour",
    "DebugBackToTheDesert": "MCOutlaw",
    "DebugWinByRoad": "MCRoads",
    "DebugWinByArmy": "MCKnights",
    "DebugWinByCity": "MCRoads",
    "DebugWinWithoutBonus": "MCCombined",
    "DebugWinAtTurnStart": "MCSpecial",
    "DebugWinByVictoryPoint": "MCKnights",
    "DebugSealedTheft": "MCSealedSeven",
    "DebugRobberIsExcused": "MCSealedLeaveSeven",
    "DebugOthersOwe": "MCLeaveChance",
    "DebugOwesAfterShuffle": "MCSealedLeaveFour",
}
"""A model in which TLC finds a counterexample."""

IN_CI = ("DebugEverybodyDiscards", "DebugShortage", "DebugLargestArmyMoves", "DebugWinByCity", "DebugNoVictim")


def test_every_debug_property_has_its_model() -> None:
    text = (spec_folder() / "MC.tla").read_text(encoding="utf-8")
    assert set(re.findall(r"^(Debug\w+) ==", text, re.MULTILINE)) == set(REACHED_IN)


@pytest.mark.needs("spec")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in IN_CI else pytest.mark.soak) for name in REACHED_IN]
)
def test_is_reached(name: str) -> None:
    model = REACHED_IN[name]
    text = (spec_folder() / "MC.tla").read_text(encoding="utf-8")
    is_property = "]_vars" in text[text.index(f"\n{name} ==") :].split("\n\n")[0].split("\nDebug")[1]
    kinds = {"INVARIANTS": "", "PROPERTIES": name} if is_property else {"INVARIANTS": name, "PROPERTIES": ""}
    result = run_changed(model, **kinds)
    assert result.verdict == ("property" if is_property else "invariant"), result.detail
    assert name in result.detail
