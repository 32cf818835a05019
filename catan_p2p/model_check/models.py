"""The models of the specification, and the purpose of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from catan_p2p.game.constants import STANDARD, THESIS, Constants, Rules
from catan_p2p.game.state import State
from catan_p2p.model_check.configurations import config_text, settings_of
from catan_p2p.model_check.states import make_state, model_constants, parse_first_value, parse_variables
from catan_p2p.model_check.tlc import spec_folder

Kind = Literal["complete", "simulation", "counterexample"]


@dataclass(frozen=True, slots=True)
class TlcModel:
    """A configuration of a module in ``spec/``, and what TLC does with it."""

    name: str
    """The name of the configuration, in ``spec/models.toml``."""
    module: str
    """The name of the module, without ``.tla``."""
    kind: Kind
    """Whether TLC explores all states, plays at random, or must find a counterexample."""
    purpose: str
    may_stop: bool = True
    """Whether a state without a successor is allowed; if not, TLC reports it as a deadlock."""
    length: int = 5000
    """The longest behaviour of a simulation, in steps."""
    rules: Rules = THESIS
    """The rules of a simulation; a small model defines its own."""

    @property
    def module_file(self) -> Path:
        """The module's file."""
        return spec_folder() / f"{self.module}.tla"

    @property
    def config(self) -> str:
        """The configuration, as TLC reads it."""
        if self.name == "Catan":  # the only one with a file of its own
            return (spec_folder() / "Catan.cfg").read_text(encoding="utf-8")
        return config_text(settings_of(self.name))

    def arguments(self, seed: int | None = None, games: int = 10, depth: int | None = None) -> list[str]:
        """TLC's arguments besides the module and the configuration."""
        stopping = ["-deadlock"] if self.may_stop else []
        if self.kind != "simulation":
            return stopping
        seeded = [] if seed is None else ["-seed", str(seed)]
        return [*stopping, "-depth", str(depth or self.length), *seeded, "-simulate", f"num={games}"]


FULL_GAME = TlcModel("Catan", "Catan", "simulation", "the full game for four players, at random", may_stop=False)
STANDARD_GAME = TlcModel(
    "CatanStandard", "Catan", "simulation", "the same by the rule book's rules", may_stop=False, rules=STANDARD
)

THESIS_MODELS = (
    TlcModel("MCSetup", "MCSetup", "complete", "the set-up with a short bank"),
    TlcModel("MCTrade", "MCTrade", "complete", "trades at every rate"),
    TlcModel("MCSeven", "MCSeven", "complete", "sevens: discards, bandit, thefts, shortages"),
    TlcModel("MCHarvest", "MCHarvest", "complete", "several settlements of a player at one tile"),
    TlcModel("MCBuild", "MCBuild", "complete", "building with scarce pieces, and a win"),
    TlcModel("MCRoads", "MCRoads", "complete", "the longest road changes hands"),
    TlcModel("MCKnights", "MCKnights", "complete", "development cards, knights, largest army"),
    TlcModel("MCOutlaw", "MCOutlaw", "complete", "the bandit robs nobody, and returns to the desert"),
    TlcModel("MCFour", "MCFour", "complete", "four players on the default map discard at the same time"),
    TlcModel("MCProgress", "MCProgress", "complete", "monopoly, year of plenty, road building"),
    TlcModel("MCScarce", "MCScarce", "complete", "a turn with few pieces left"),
)

STANDARD_MODELS = (
    TlcModel("MCOffers", "MCOffers", "complete", "offers to two players, answered in every order"),
    TlcModel("MCTalk", "MCTalk", "complete", "table talk: proposals, counter-offers, and nobody waits for answers"),
    TlcModel("MCToOne", "MCTalk", "complete", "table talk where an offer may be to one player alone"),
    TlcModel("MCCountedTalk", "MCTalk", "complete", "table talk with one offer and one proposal a turn"),
    TlcModel("MCCombined", "MCCombined", "complete", "trading and building in one phase, a harbour and a win at once"),
    TlcModel("MCCards", "MCCards", "complete", "one development card a turn, also before the dice"),
    TlcModel("MCPlaces", "MCPlaces", "complete", "road building for two roads, for one or for none"),
    TlcModel("MCShare", "MCShare", "complete", "shortages of one resource, and a bandit that may go to any tile"),
    TlcModel("MCFriendly", "MCShare", "complete", "a friendly bandit, and draws together; one player can be robbed"),
    TlcModel("MCSpared", "MCOutlaw", "complete", "a friendly bandit where everybody is spared"),
    TlcModel("MCStart", "MCStart", "complete", "rolls for the start, with ties, and first villages"),
    TlcModel("MCOrder", "MCStart", "complete", "the set-up, begun by another player than the first"),
    TlcModel("MCOpening", "MCStart", "complete", "rolls for the start of a game that begins with villages"),
    TlcModel("MCChance", "MCChance", "complete", "draws of three players together: dice, thefts, knights, cards"),
    TlcModel(
        "MCLastKnight", "MCChance", "complete", "the same with one knight, where two cards may be played in a turn"
    ),
    TlcModel("MCAhead", "MCChance", "complete", "shares of rolls revealed ahead, and a knight before the dice"),
    TlcModel("MCPledge", "MCStart", "complete", "pledges, and rolls for the start that are drawn together"),
    TlcModel("MCSpecial", "MCSpecial", "complete", "building between two turns, and a win when the next begins"),
)

LEAVING_MODELS = (
    TlcModel("MCLeaveStart", "MCStart", "complete", "pledges and rolls for the start; any player may leave"),
    TlcModel("MCLeaveOrder", "MCStart", "complete", "the set-up; any player may leave"),
    TlcModel("MCLeaveOffers", "MCOffers", "complete", "offers to two players; any player may leave"),
    TlcModel("MCLeaveToOne", "MCOffers", "complete", "offers to all or to one player; any player may leave"),
    TlcModel("MCLeaveTalk", "MCTalk", "complete", "table talk; any player may leave"),
    TlcModel("MCLeaveChance", "MCChance", "complete", "draws of three players together; any player may leave"),
    TlcModel("MCLeaveAhead", "MCChance", "complete", "shares of rolls revealed ahead; any player may leave"),
    TlcModel("MCReturnChance", "MCChance", "complete", "the same; any player may leave, and one come back twice"),
    TlcModel(
        "MCReturnAhead", "MCChance", "complete", "shares of rolls revealed ahead; one player is away, and comes back"
    ),
    TlcModel("MCReturnSettled", "MCChance", "complete", "whoever lacks a settlement does not come back"),
    TlcModel("MCLeaveFour", "MCFour", "complete", "a turn of four players; any player may leave"),
    TlcModel("MCLeaveSpecial", "MCSpecial", "complete", "building between two turns; any player may leave"),
    TlcModel("MCLeaveSeven", "MCSeven", "complete", "sevens of two players; either may claim the game"),
)

SEALED_MODELS = (
    TlcModel(
        "MCSealedStart", "MCSealed", "complete", "pledges, keys, shuffles and rolls for the start; anybody may leave"
    ),
    TlcModel("MCSealedSeven", "MCSealed", "complete", "hidden hands: a seven, discards, and thefts that two see"),
    TlcModel("MCSealedMonopoly", "MCSealed", "complete", "hidden hands: a monopoly takes known and sealed cards"),
    TlcModel("MCSealedDeck", "MCSealed", "complete", "hidden hands: a card is bought, a point shown, a knight played"),
    TlcModel("MCSealedTrade", "MCSealed", "complete", "hidden hands: sealed cards pay for trades with table talk"),
    TlcModel("MCSealedOffers", "MCSealed", "complete", "hidden hands: offers to those who could pay"),
    TlcModel("MCSealedSpecial", "MCSealed", "complete", "hidden hands: those who could pay build between two turns"),
    TlcModel("MCSealedLeave", "MCSealed", "complete", "hidden hands: a monopoly and a purchase; anybody may leave"),
    TlcModel(
        "MCSealedLeaveFour",
        "MCSealed",
        "complete",
        "hidden hands: a monopoly and a purchase of four; several may leave",
    ),
    TlcModel("MCSealedBack", "MCSealed", "complete", "hidden hands: who was left out comes back; anybody may leave"),
    TlcModel("MCSealedLeaveSeven", "MCSealed", "complete", "hidden hands: a seven and thefts; anybody may leave"),
)
"""Games of hidden hands as all players see them."""

SMALL_MODELS = (*THESIS_MODELS, *STANDARD_MODELS, *LEAVING_MODELS, *SEALED_MODELS)
"""Games whose states the tests compare with the program's."""

_LARGE_GAMES = """
MCRoads MCSeven MCLeaveToOne MCLeaveChance MCLeaveAhead MCLeaveSeven MCReturnAhead
MCSealedStart MCSealedLeave MCSealedLeaveFour MCSealedLeaveSeven"""
LARGE_GAMES = tuple(model for model in SMALL_MODELS if model.name in _LARGE_GAMES.split())
"""Those of them that take longest."""

LIVENESS = (
    TlcModel("MCTurns", "MCTurns", "complete", "every turn without offers ends, under weak fairness"),
    TlcModel(
        "MCTies", "MCStart", "complete", "rolls for the start, where a tie of all who roll is decided by seat, end"
    ),
    TlcModel(
        "MCBounded", "MCTalk", "complete", "every turn with bounded offers and proposals ends, under weak fairness"
    ),
    TlcModel("MCPatience", "MCOffers", "complete", "every turn with offers ends, under strong fairness"),
)
ENDLESS = (
    TlcModel("MCEndless", "MCTurns", "counterexample", "a fair game need not end"),
    TlcModel("MCHaggling", "MCOffers", "counterexample", "under weak fairness a turn with offers need not end"),
)
TRAILS = TlcModel("MCTrails", "MCTrails", "complete", "the longest trail is what a plain search finds")
"""Its states are networks of roads, not of a game."""

DRAWS = (
    TlcModel("MCDrawHonest", "CatanChance", "complete", "a draw that an honest player calls for, and one liar"),
    TlcModel("MCDrawLiar", "CatanChance", "complete", "a draw that a liar calls for"),
)
"""Their states are those of one draw, not of a game."""

VIEWS = (
    TlcModel("MCViews", "CatanViews", "complete", "a change of the view of three parties, in one round"),
    TlcModel("MCViewsProgress", "CatanViews", "complete", "the same where parties go down and come back"),
    TlcModel("MCViewsAgain", "CatanViews", "complete", "two changes in a row, and one who never acts"),
    TlcModel("MCViewsAll", "CatanViews", "complete", "the same where all owe a reply, and none comes"),
    TlcModel("MCViewsTie", "CatanViews", "complete", "four parties whose coordinator is silent after two proposals"),
    TlcModel("MCViewsSecond", "CatanViews", "complete", "a change of the view where a party's second seat acts"),
    TlcModel("MCViewsReplies", "CatanViews", "complete", "three parties, several of whom owe replies at once"),
    TlcModel("MCViewsSettle", "CatanViews", "complete", "a settlement among three, whose coordinator has lied"),
    TlcModel("MCViewsDivided", "CatanViewsInductive", "complete", "five whom a liar has divided come to one head"),
    TlcModel(
        "MCViewsInductive", "CatanViewsInductive", "complete", "a step from any state in which an invariant holds"
    ),
    TlcModel("MCViewsBack", "CatanViews", "complete", "three parties, one of whom leaves and comes back"),
    TlcModel("MCViewsAway", "CatanViews", "complete", "three parties, of whom one comes back while another is down"),
    TlcModel("MCViewsDue", "CatanViews", "complete", "three parties, two of whom are due back, and the third is down"),
    TlcModel("MCViewsGone", "CatanViews", "complete", "three parties, of whom one was proven to have lied about cards"),
    TlcModel("MCViewsGoneFour", "CatanViews", "complete", "four, of whom one was, and the others go on without it"),
    TlcModel("MCViewsTable", "MCViewsTable", "complete", "three peers who play Catan, and one who is silent or slow"),
)
"""Their states are those of changes of a view, not of a game."""

LARGE_VIEWS = (
    TlcModel("MCViewsOn", "CatanViews", "complete", "a change after a settlement among three"),
    TlcModel("MCViewsRounds", "CatanViews", "complete", "a change of three parties in two rounds"),
    TlcModel("MCViewsFive", "CatanViewsInductive", "complete", "a settlement among five, whose coordinator has lied"),
    TlcModel("MCViewsForks", "CatanViews", "complete", "four parties, one of whom shows two actions"),
    TlcModel("MCViewsLiar", "CatanViews", "complete", "four parties whose first coordinator lies"),
    TlcModel("MCViewsReplied", "CatanViews", "complete", "two changes in a row, where a reply may come in between"),
    TlcModel("MCViewsSince", "CatanViews", "complete", "the same, where who has replied acts next"),
    TlcModel("MCViewsTwice", "CatanViews", "complete", "two changes in a row of four parties"),
    TlcModel("MCViewsLate", "CatanViews", "complete", "a change of three parties that ends in its second round"),
    TlcModel("MCViewsSix", "CatanViewsInductive", "complete", "a tie of two values that a liar has proposed to six"),
    TlcModel("MCViewsInductiveHeads", "CatanViewsInductive", "complete", "the same after an action"),
    TlcModel(
        "MCViewsInductiveLiar", "CatanViewsInductive", "complete", "the same of four, whose first coordinator lies"
    ),
    TlcModel("MCViewsLiarFirst", "CatanViews", "complete", "four parties, of whom the one that acts first lies"),
    TlcModel("MCViewsLiarThird", "CatanViews", "complete", "four parties whose second coordinator lies"),
    TlcModel("MCViewsLiarLast", "CatanViews", "complete", "four parties, of whom the last one lies"),
    TlcModel("MCViewsMiddle", "CatanViews", "complete", "three parties, of whom one goes down within a change"),
    TlcModel("MCViewsFour", "CatanViews", "complete", "four parties, of whom one may go down"),
    TlcModel("MCViewsHeads", "CatanViewsInductive", "complete", "four whom a liar has divided by two actions"),
    TlcModel("MCViewsFiveDown", "CatanViews", "complete", "five parties, of whom two are down"),
    TlcModel("MCViewsSixDown", "CatanViews", "complete", "six parties, of whom two are down"),
    TlcModel("MCViewsSeats", "CatanViews", "complete", "a party of two seats, both of which owe replies"),
    TlcModel("MCViewsAwayFour", "CatanViews", "complete", "four parties, of whom one comes back while another is down"),
    TlcModel("MCViewsAwayLate", "CatanViews", "complete", "the same where requests may come too late"),
    TlcModel("MCViewsAwayLiar", "CatanViews", "complete", "four parties, of whom the one that may come back lies"),
    TlcModel("MCViewsInductiveBack", "CatanViewsInductive", "complete", "the same where one may come back"),
    TlcModel("MCViewsTableBack", "MCViewsTable", "complete", "three who play Catan, one of whom comes back"),
    TlcModel("MCViewsTableLive", "MCViewsTable", "complete", "three who play Catan go on, if they are running"),
)
"""Large models of that kind."""

SHARES = (TlcModel("MCShares", "CatanShares", "complete", "shares revealed on a side that a decision undoes"),)
"""Their states are the revealed shares of one player, not those of a game."""

AHEAD = (
    TlcModel("MCAheadTwo", "CatanAhead", "complete", "two players reveal shares of rolls ahead: who foresees which"),
    TlcModel("MCAheadThree", "CatanAhead", "complete", "the same with three, one of whom may be excused"),
    TlcModel("MCAheadFour", "CatanAhead", "complete", "the same with four, two of whom may be excused"),
)
"""Their states are the revealed shares of rolls by player, not those of a game."""

HIDDEN = (
    TlcModel("MCHiddenSeven", "MCHidden", "complete", "hidden hands: a seven, discards, and thefts that two see"),
    TlcModel("MCHiddenMonopoly", "MCHidden", "complete", "hidden hands: a monopoly takes known and sealed cards"),
    TlcModel("MCHiddenTrade", "MCHidden", "complete", "hidden hands: sealed cards pay for trades with table talk"),
    TlcModel(
        "MCHiddenOffers", "MCHidden", "complete", "hidden hands: sealed cards pay for offers to those who could pay"
    ),
    TlcModel("MCHiddenSpecial", "MCHidden", "complete", "hidden hands: those who could pay build between two turns"),
    TlcModel("MCHiddenDeck", "MCHidden", "complete", "hidden hands: a card is bought, a point shown, a knight played"),
    TlcModel("MCHiddenTheft", "MCHidden", "complete", "hidden hands: a theft whose victim lies or is silent"),
    TlcModel("MCHiddenRobber", "MCHidden", "complete", "hidden hands: a theft whose robber lies or is silent"),
    TlcModel("MCHiddenBack", "MCHidden", "complete", "hidden hands: who was left out comes back; anybody may leave"),
    TlcModel("MCHiddenLeave", "MCHidden", "complete", "hidden hands: a monopoly and a purchase; anybody may leave"),
)
"""Games of hidden hands with the contents of the seals, which refine the games of ``Catan.tla`` that all can read."""

UNSEEN = (
    TlcModel("MCUnseenHands", "MCUnseen", "complete", "pairs of runs that differ in sealed cards look the same"),
    TlcModel("MCUnseenStolen", "MCUnseen", "complete", "pairs that differ in a card beside a stolen one look the same"),
    TlcModel("MCUnseenDeck", "MCUnseen", "complete", "pairs that differ in the order of the deck look the same"),
)
"""Their states are two tables with hidden hands and one observer's views of them, not those of a game."""

TOLD = TlcModel("MCTold", "CatanTold", "complete", "shares of hidden cards revealed on a side that a decision undoes")
"""Its states are the cards of a deck whose shares one player has revealed, not those of a game."""

ENDING = TlcModel(
    "MCEnding", "CatanEnding", "complete", "keys of hidden hands revealed after an end that only some have seen"
)
"""Its states are the signatures, votes and keys after one lie, not those of a game."""

TURN_CLOCK = TlcModel("MCTurnClock", "CatanPatience", "complete", "how long one voter waits for one player in one turn")
FREE_TURN = TlcModel(
    "MCFreeTurn", "CatanPatience", "complete", "the same where the player may commit any number of times"
)
CLOCKS = (TURN_CLOCK, FREE_TURN)
"""Their states are the clocks of one voter, not those of a game."""

_OF_SHARES = (*SHARES, *AHEAD)
NO_GAMES = (
    *DRAWS,
    *VIEWS,
    *LARGE_VIEWS,
    *_OF_SHARES,
    *HIDDEN,
    *UNSEEN,
    TOLD,
    ENDING,
    *CLOCKS,
)
"""Models whose states are not those of a game of ``Catan.tla`` alone."""

MODELS = (
    *SMALL_MODELS,
    *LIVENESS,
    *ENDLESS,
    TRAILS,
    *DRAWS,
    *VIEWS,
    *LARGE_VIEWS,
    *_OF_SHARES,
    *HIDDEN,
    *UNSEEN,
    TOLD,
    ENDING,
    *CLOCKS,
    FULL_GAME,
    STANDARD_GAME,
)


def read_start(printed: Sequence[str]) -> tuple[Constants, State]:
    """The constants and the first state of a small model, from what ``MC.tla`` prints at the start of a run."""
    model = read_model(printed)
    constants = model_constants(model)
    return constants, make_state(model["Start"]["SU"], model["Start"]["G"], constants)


def read_model(printed: Sequence[str]) -> Any:
    """The record that a run prints as its ``"model"``; ``ValueError`` if it prints none."""
    text = "\n".join(printed)
    return parse_first_value(text[text.rindex("<<", 0, text.index('"model"')) :])[1]


def read_state(text: str, constants: Constants) -> State:
    """A state of a counterexample as TLC prints it."""
    variables = parse_variables(text)
    return make_state(variables["SU"], variables["G"], constants)
