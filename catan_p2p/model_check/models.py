"""The models that come with the specification, and what each of them is for."""

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
class Model:
    """A configuration of a module in ``spec/``, and what TLC does with it."""

    name: str
    """The name of the configuration, in ``spec/models.toml``."""
    module: str
    """The name of the module, without ``.tla``."""
    kind: Kind
    """Whether TLC explores every state, plays at random, or has to find a counterexample."""
    purpose: str
    may_stop: bool = True
    """Whether a state without a successor is allowed; if not, TLC looks for standstills too."""
    length: int = 5000
    """The length limit of a behaviour in a simulation, in steps."""
    rules: Rules = THESIS
    """The rules of a simulation; a small model defines its own."""

    @property
    def module_file(self) -> Path:
        """The module's file."""
        return spec_folder() / f"{self.module}.tla"

    @property
    def config(self) -> str:
        """The configuration, as TLC reads it."""
        if self.name == "Catan":  # the one that is a file
            return (spec_folder() / "Catan.cfg").read_text(encoding="utf-8")
        return config_text(settings_of(self.name))

    def arguments(self, seed: int | None = None, games: int = 10, depth: int | None = None) -> list[str]:
        """TLC's arguments besides the module and the configuration."""
        stopping = ["-deadlock"] if self.may_stop else []
        if self.kind != "simulation":
            return stopping
        seeded = [] if seed is None else ["-seed", str(seed)]
        return [*stopping, "-depth", str(depth or self.length), *seeded, "-simulate", f"num={games}"]


FULL_GAME = Model("Catan", "Catan", "simulation", "the full game for four players, at random", may_stop=False)
STANDARD_GAME = Model(
    "CatanStandard", "Catan", "simulation", "the same by the rule book's rules", may_stop=False, rules=STANDARD
)

THESIS_MODELS = (
    Model("MCSetup", "MCSetup", "complete", "the set-up with a short bank"),
    Model("MCTrade", "MCTrade", "complete", "trades at every rate"),
    Model("MCSeven", "MCSeven", "complete", "sevens: discards, bandit, thefts, shortages"),
    Model("MCHarvest", "MCHarvest", "complete", "several settlements of a player at one tile"),
    Model("MCBuild", "MCBuild", "complete", "building with scarce pieces, and a win"),
    Model("MCRoads", "MCRoads", "complete", "the longest road changes hands"),
    Model("MCKnights", "MCKnights", "complete", "development cards, knights, largest army"),
    Model("MCOutlaw", "MCOutlaw", "complete", "the bandit without a victim, and back in the desert"),
    Model("MCFour", "MCFour", "complete", "four players on the default map discard at the same time"),
    Model("MCProgress", "MCProgress", "complete", "monopoly, year of plenty, road building"),
    Model("MCScarce", "MCScarce", "complete", "a turn with few pieces left"),
)

STANDARD_MODELS = (
    Model("MCOffers", "MCOffers", "complete", "offers to two players, answered in every order"),
    Model("MCTalk", "MCTalk", "complete", "table talk: proposals, counter-offers, and nobody waits for answers"),
    Model("MCToOne", "MCTalk", "complete", "table talk where an offer may be to one player alone"),
    Model("MCCountedTalk", "MCTalk", "complete", "table talk with one offer and one proposal a turn"),
    Model("MCCombined", "MCCombined", "complete", "trading and building in one phase, a harbour and a win at once"),
    Model("MCCards", "MCCards", "complete", "one development card a turn, also before the dice"),
    Model("MCPlaces", "MCPlaces", "complete", "road building for two roads, for one or for none"),
    Model("MCShare", "MCShare", "complete", "shortages of one resource, and a bandit who goes anywhere"),
    Model("MCFriendly", "MCShare", "complete", "a friendly bandit, and draws together; one player can be robbed"),
    Model("MCSpared", "MCOutlaw", "complete", "a friendly bandit where everybody is spared"),
    Model("MCStart", "MCStart", "complete", "rolls for the start, with ties, and first villages"),
    Model("MCOrder", "MCStart", "complete", "the set-up that another player than the first begins"),
    Model("MCOpening", "MCStart", "complete", "rolls for the start of a game that has its villages"),
    Model("MCChance", "MCChance", "complete", "draws of three players together: dice, thefts, knights, cards"),
    Model("MCLastKnight", "MCChance", "complete", "the same with one knight, where two cards may be played in a turn"),
    Model("MCAhead", "MCChance", "complete", "shares of rolls that are told ahead, and a knight before the dice"),
    Model("MCPledge", "MCStart", "complete", "pledges, and rolls for the start that are drawn together"),
    Model("MCSpecial", "MCSpecial", "complete", "building between two turns, and a win when the next begins"),
)

LEAVING_MODELS = (
    Model("MCLeaveStart", "MCStart", "complete", "pledges and rolls for the start; any player may leave"),
    Model("MCLeaveOrder", "MCStart", "complete", "the set-up; any player may leave"),
    Model("MCLeaveOffers", "MCOffers", "complete", "offers to two players; any player may leave"),
    Model("MCLeaveToOne", "MCOffers", "complete", "offers to all or to one player; any player may leave"),
    Model("MCLeaveTalk", "MCTalk", "complete", "table talk; any player may leave"),
    Model("MCLeaveChance", "MCChance", "complete", "draws of three players together; any player may leave"),
    Model("MCLeaveAhead", "MCChance", "complete", "shares of rolls that are told ahead; any player may leave"),
    Model("MCLeaveFour", "MCFour", "complete", "a turn of four players; any player may leave"),
    Model("MCLeaveSpecial", "MCSpecial", "complete", "building between two turns; any player may leave"),
    Model("MCLeaveSeven", "MCSeven", "complete", "sevens of two players; either may claim the game"),
)

SEALED_MODELS = (
    Model(
        "MCSealedStart", "MCSealed", "complete", "pledges, keys, shuffles and rolls for the start; anybody may leave"
    ),
    Model("MCSealedSeven", "MCSealed", "complete", "hidden hands: a seven, discards, and thefts that two see"),
    Model("MCSealedMonopoly", "MCSealed", "complete", "hidden hands: a monopoly takes known and sealed cards"),
    Model("MCSealedDeck", "MCSealed", "complete", "hidden hands: a card is bought, a point shown, a knight played"),
    Model("MCSealedTrade", "MCSealed", "complete", "hidden hands: sealed cards pay for trades with table talk"),
    Model("MCSealedOffers", "MCSealed", "complete", "hidden hands: offers to those who could pay"),
    Model("MCSealedSpecial", "MCSealed", "complete", "hidden hands: those who could pay build between two turns"),
    Model("MCSealedLeave", "MCSealed", "complete", "hidden hands: a monopoly and a purchase; anybody may leave"),
    Model("MCSealedLeaveSeven", "MCSealed", "complete", "hidden hands: a seven and thefts; anybody may leave"),
)
"""Games of hidden hands as everybody sees them."""

SMALL_MODELS = (*THESIS_MODELS, *STANDARD_MODELS, *LEAVING_MODELS, *SEALED_MODELS)

LIVENESS = (
    Model("MCTurns", "MCTurns", "complete", "every turn without offers ends, under weak fairness"),
    Model("MCTies", "MCStart", "complete", "rolls for the start, where a tie of all who roll is decided by seat, end"),
    Model("MCBounded", "MCTalk", "complete", "every turn with bounded offers and proposals ends, under weak fairness"),
    Model("MCPatience", "MCOffers", "complete", "every turn with offers ends, under strong fairness"),
)
ENDLESS = (
    Model("MCEndless", "MCTurns", "counterexample", "a fair game need not end"),
    Model("MCHaggling", "MCOffers", "counterexample", "under weak fairness a turn with offers need not end"),
)
TRAILS = Model("MCTrails", "MCTrails", "complete", "the longest trail is what a plain search finds")
"""Its states are networks of roads, not of a game."""

DRAWS = (
    Model("MCDrawHonest", "CatanChance", "complete", "a draw that an honest player calls for, and one liar"),
    Model("MCDrawLiar", "CatanChance", "complete", "a draw that a liar calls for"),
)
"""Their states are what is known of one draw, not of a game."""

VOTES = (
    Model("MCVote", "CatanLeaving", "complete", "a vote of three players on one who may be gone for ever"),
    Model("MCVoteLate", "CatanLeaving", "complete", "the same where all vote after the one who would excuse"),
    Model("MCVoteLiar", "CatanLeaving", "complete", "the same with a liar among the voters"),
    Model("MCVoteExcuser", "CatanLeaving", "complete", "the same where the one who excuses lies"),
    Model("MCVoteAbsent", "CatanLeaving", "complete", "the same where the one who is voted on lies"),
    Model("MCVoteGone", "CatanLeaving", "complete", "a vote of four on one who is late, another being gone for ever"),
    Model("MCVoteFirst", "CatanLeaving", "complete", "the same where who would excuse is gone, and has to vote first"),
)
"""Their states are what is known of one vote, not of a game."""

FOUND_OUT = Model(
    "MCFoundOut", "CatanFoundOut", "complete", "a vote of three where who would excuse is found out as a liar"
)
"""Its states are what is known of one vote and one lie, not of a game."""

SETTLEMENTS = (
    Model("MCSettle", "CatanSettling", "complete", "a liar who has shown two continuations to different players"),
    Model("MCSettleReplies", "CatanSettling", "complete", "the same with two replies, one of which is merged"),
    Model("MCSettleFour", "CatanSettling", "complete", "four players, one of whom has shown two continuations"),
    Model("MCSettleFirst", "CatanSettling", "complete", "three players, and who acts after the lie lies as well"),
    Model("MCSettleOther", "CatanSettling", "complete", "three players, and who does not act next lies as well"),
    Model(
        "MCSettleTie", "CatanSettling", "complete", "five, whose votes tie, and one says too much of how far they came"
    ),
)
"""Their states are what is known of one lie, not of a game."""

TWO_LIARS = Model("MCSettleLiar", "CatanSettling", "complete", "the same with another liar among the others")
"""A large model of that kind."""

SHARES = (
    Model("MCShares", "CatanShares", "complete", "shares told on the side of a lie that does not survive"),
    Model("MCSharesMany", "CatanShares", "complete", "the same where more were told than the vote counts"),
)
"""Their states are which shares of one player were told, not those of a game."""

AHEAD = (
    Model("MCAheadTwo", "CatanAhead", "complete", "two players tell shares of rolls ahead: who foresees which"),
    Model("MCAheadThree", "CatanAhead", "complete", "the same with three, one of whom may be excused"),
    Model("MCAheadFour", "CatanAhead", "complete", "the same with four, two of whom may be excused"),
)
"""Their states are whose shares of which rolls were told, not those of a game."""

HIDDEN = (
    Model("MCHiddenSeven", "MCHidden", "complete", "hidden hands: a seven, discards, and thefts that two see"),
    Model("MCHiddenMonopoly", "MCHidden", "complete", "hidden hands: a monopoly takes known and sealed cards"),
    Model("MCHiddenTrade", "MCHidden", "complete", "hidden hands: sealed cards pay for trades with table talk"),
    Model("MCHiddenOffers", "MCHidden", "complete", "hidden hands: sealed cards pay for offers to those who could pay"),
    Model("MCHiddenSpecial", "MCHidden", "complete", "hidden hands: those who could pay build between two turns"),
    Model("MCHiddenDeck", "MCHidden", "complete", "hidden hands: a card is bought, a point shown, a knight played"),
    Model("MCHiddenTheft", "MCHidden", "complete", "hidden hands: a theft whose victim lies or is silent"),
    Model("MCHiddenRobber", "MCHidden", "complete", "hidden hands: a theft whose robber lies or is silent"),
    Model("MCHiddenLeave", "MCHidden", "complete", "hidden hands: a monopoly and a purchase; anybody may leave"),
)
"""Games of hidden hands with what is inside of the seals, which refine those of ``Catan.tla`` that everybody reads."""

UNSEEN = (
    Model("MCUnseenHands", "MCUnseen", "complete", "pairs of runs that differ in sealed cards look the same"),
    Model("MCUnseenStolen", "MCUnseen", "complete", "pairs that differ in a card beside a stolen one look the same"),
    Model("MCUnseenDeck", "MCUnseen", "complete", "pairs that differ in the order of the deck look the same"),
)
"""Their states are two tables with hidden hands and what one observer sees of them, not a game."""

TOLD = Model(
    "MCTold", "CatanTold", "complete", "shares of hidden cards told on the side of a lie that does not survive"
)
"""Its states are the cards of a deck whose shares one player has told, not a game."""

ENDING = Model("MCEnding", "CatanEnding", "complete", "keys of hidden hands told after an end that was shown to some")
"""Its states are who has signed, voted and told after one lie, not a game."""

TURN_CLOCK = Model("MCTurnClock", "CatanPatience", "complete", "how long one voter waits for one player in one turn")
FREE_TURN = Model("MCFreeTurn", "CatanPatience", "complete", "the same where the player may commit any number of times")
CLOCKS = (TURN_CLOCK, FREE_TURN)
"""Their states are the clocks of one voter, not a game."""

_OF_SHARES = (*SHARES, *AHEAD)
NO_GAMES = (*DRAWS, *VOTES, FOUND_OUT, *SETTLEMENTS, TWO_LIARS, *_OF_SHARES, *HIDDEN, *UNSEEN, TOLD, ENDING, *CLOCKS)
"""Models whose states are not those of a game of ``Catan.tla`` alone."""

MODELS = (
    *SMALL_MODELS,
    *LIVENESS,
    *ENDLESS,
    TRAILS,
    *DRAWS,
    *VOTES,
    FOUND_OUT,
    *SETTLEMENTS,
    TWO_LIARS,
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
    """The constants of a small model and the state it begins with, from what ``MC.tla`` prints as a run begins."""
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
