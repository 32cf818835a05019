"""The choices of a person at a moment of the game: state and draft go in, choices come out."""

from dataclasses import replace

from catan_p2p.game import actions
from catan_p2p.game.actions.discard import owed
from catan_p2p.game.actions.drawing import is_shared
from catan_p2p.game.actions.offering import is_talking, proposers
from catan_p2p.game.actions.propose_trade import may_propose
from catan_p2p.game.cards import RESOURCES, count, covers, describe, total
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import awaited
from catan_p2p.game.state import BUILD_PHASES, NO_OFFER, TRADE_PHASES, State
from catan_p2p.sentences import listed
from catan_p2p.sessions.messages import NO_DEAL, deal_in

from .choices import GIVE_KEYS, SeatMoment
from .declining import ASKED, DeclineRules
from .dev_cards import CardChoices
from .draft import NOTHING, ActionDraft, SeatRequest
from .pieces import PieceChoices
from .questions import question
from .reasons import broken_by
from .trades import TradeChoices

COURSE = ("Pledging", "Shuffling", "Drawing", "Surrendering", "Signing")
"""Phases in which nobody decides: the programs act by themselves."""


def moment(
    state: State,
    player: Player,
    names: tuple[str, ...],
    draft: ActionDraft = NOTHING,
    excusable: tuple[Player, ...] = (),
    colours: tuple[str, ...] = (),
    *,
    has_proposals: bool = True,
    declining: DeclineRules = ASKED,
) -> SeatMoment:
    """The choices of a player who has prepared ``draft``, and may vote to go on without the ``excusable`` players.

    Offers that ``declining`` covers need no answer by a click. ``colours`` are by default the ``names``.
    """
    teller = _MomentFinder(state, player, names, draft, colours)
    teller.excusable, teller.has_proposals, teller.declining = excusable, has_proposals, declining
    return teller.moment()


def keeps(state: State, player: Player, draft: ActionDraft, excusable: tuple[Player, ...] = ()) -> bool:
    """Whether a draft still fits the state, in which the player may vote to go on without the ``excusable`` players."""
    if draft == NOTHING:
        return True
    if isinstance(draft.ask, actions.Excuse | actions.Claim):
        return draft.ask.absent in excusable
    if not may_decide(state, player) and (draft.mode != "propose" or state.tp in COURSE):
        return False
    if draft.ask is not None and broken_by(state, draft.ask):
        return False
    # An offer may have changed while its answer was being confirmed.
    if draft.ask is not None and draft.deal not in (NO_DEAL, deal_in(state, draft.ask)):
        return False
    match draft.mode:
        case "" if draft.ask is not None:
            return True
        case "":
            return state.tp == "Discarding" and covers(state.h[player - 1].rc, draft.give)
        case "settle":
            return state.tp == "bot"
        case "bandit":
            return state.tp in ("Discarding", "MovingBandit")
        case "knight" | "monopoly" | "plenty" | "roads":
            return state.tp in (*TRADE_PHASES, *BUILD_PHASES, "DiceRoll")
        case "propose":
            to_them = draft.picks == (state.ap,)
            return to_them and may_propose(state, player) and covers(state.h[player - 1].rc, draft.give)
        case "bank" | "offer":
            return state.tp in TRADE_PHASES and covers(state.h[player - 1].rc, draft.give)
        case _:
            return state.tp in BUILD_PHASES


def is_departure(action: actions.Action | None) -> bool:
    """Whether an action is to go on without another player, which is possible at any time."""
    return isinstance(action, actions.Excuse | actions.Claim)


def may_decide(state: State, player: Player) -> bool:
    """Whether the player can decide something: the game waits for them, or they may end their own offer at any time."""
    if state.tp in COURSE or state.is_over:
        return False
    settles = state.tp == "Offering" and state.ap == player and state.constants.rules.table_talk
    return player in awaited(state) or settles


class _MomentFinder(PieceChoices, CardChoices, TradeChoices):
    """Finds the choices, depending on the phase of the game."""

    excusable: tuple[Player, ...] = ()
    """The players without whom this one can vote to go on."""

    def moment(self) -> SeatMoment:
        state, found = self.state, self.found
        found.is_mine = may_decide(state, self.player)
        if self.draft.mode == "propose" and may_propose(state, self.player):
            found.is_mine = True
        elif self.declining.covers(state, self.player):
            found.is_mine = False
        if state.is_over:
            found.title = "You have won!" if state.ap == self.player else f"{self.names[state.ap - 1]} has won"
            found.hint = "over"
            self._button("new game", "Play again", "N", SeatRequest("new_game"), main=True)
            return found
        if self.draft.ask is not None and is_departure(self.draft.ask):
            self._ask(self.draft.ask)
            return found
        if not found.is_mine:
            self._declined() if self.declining.covers(state, self.player) else self._wait()
            return found
        if self.draft.ask is not None:
            self._ask(self.draft.ask)
            return found
        if self.draft.mode:
            self._prepare()
            return found
        match state.tp:
            case "bot":
                self._begin()
            case "DiceRoll":
                self._before_dice()
            case "Discarding" if owed(state, self.player):
                self._discard()
            case "Discarding" | "MovingBandit":
                self._bandit("bandit")
            case "Offering":
                self._offered()
            case _:
                self._turn()
        return found

    # Waiting

    def _wait(self) -> None:
        state = self.state
        waiting = [self.names[player - 1] for player in awaited(state)]
        who = listed(waiting) or "nobody"
        if state.tp in COURSE:
            self.found.title = self._course()
        elif state.tp == "Offering" and state.ap == self.player:
            self.found.title = f"Your offer stands; {who} {'thinks' if len(waiting) == 1 else 'think'} about it"
        elif state.tp == "Offering" and state.ans[self.player - 1] == "accept":
            self.found.title = f"You have accepted; {self.names[state.ap - 1]} decides"
        elif state.tp == "Offering" and self.player not in awaited(state):
            self.found.title = f"{self.names[state.ap - 1]} has made {who} an offer"
        elif state.tp == "Discarding":
            self.found.title = f"{who} must discard"
        else:
            self.found.title = f"It is {who}'s turn" if len(waiting) == 1 else f"Waiting for {who}"
            if self.declining.refuses(state.ap):
                self.found.title += f"; you decline all offers of {self.names[state.ap - 1]}"
        self.found.hint = "wait"
        if state.ap != self.player and is_talking(state) and self.has_proposals:
            self._proposal(f"Propose a trade to {self._active}")
            if state.prop[self.player - 1] != NO_OFFER:
                give, receive = state.prop[self.player - 1]
                self.found.title += f"; you propose {describe(give)} for {describe(receive)} to {self._active}"
        self._hear_again()
        self._votes()

    def _course(self) -> str:
        """What the programs are doing by themselves."""
        state = self.state
        if state.tp == "Shuffling":
            return "Everybody shuffles the development cards"
        if state.tp == "Surrendering":
            return "The monopoly takes the sealed cards"
        if state.tp == "Pledging" or is_shared(state):
            return "All players draw together"
        if state.call.what == "BuyDevCard":
            return "A development card is dealt, unseen by the others"
        return f"A card is stolen from {self.names[state.call.victim - 1]}, unseen by the others"

    def _votes(self) -> None:
        """Buttons to go on without players who are silent for too long: a vote, or a claim if only two are left."""
        key = "G"
        for absent in self.excusable:
            is_claim = len(self.state.present) == 2
            step = actions.Claim(self.player, absent) if is_claim else actions.Excuse(self.player, absent)
            name, colour = self.names[absent - 1], self.colours[absent - 1]
            words = "Claim the game" if is_claim else f"Go on without {name}"
            self._button(f"without {colour}", words, key, self._ask_for(step), icon=f"badge {colour}")
            key = ""

    # Confirming

    def _ask(self, action: actions.Action) -> None:
        self.found.title = f"{question(self.state, action, self.names)}?"
        self.found.hint = "ask"
        self._button("yes", "Yes", "Enter", action, icon="accept", main=True)
        self._button("no", "No", "Escape", replace(self.draft, ask=None, deal=NO_DEAL), icon="reject")

    # The beginning

    def _begin(self) -> None:
        if self.state.sup == "Rolling":
            self.found.title = "Roll the dice: the highest begins"
            self.found.hint = "start"
            self._button(
                "roll", "Roll for the start", "D", actions.RollForStart(self.player, 0), icon="dice", main=True
            )
            return
        self._settle()

    # A turn

    def _before_dice(self) -> None:
        self.found.title = "Your turn: roll the dice"
        self.found.hint = "dice"
        self._button(
            "roll", "Roll the dice", "D", actions.RollDice(self.player, self._some_dice()), icon="dice", main=True
        )
        if self.state.constants.rules.dev_card_before_dice:
            self._cards()

    def _some_dice(self) -> int:
        """Any sum stands for all: the draw decides."""
        return self.state.constants.rules.dice[0]

    def _turn(self) -> None:
        state, rules = self.state, self.state.constants.rules
        if state.tp == "SpecialBuilding":
            self.found.title = "You may build between the turns"
        elif state.tp == "Trading":
            self.found.title = "Your turn: trade, then build"
        elif said := [self.names[seat - 1] for seat in proposers(state)]:
            verb = "proposes" if len(said) == 1 else "propose"
            self.found.title = f"Your turn; {listed(said)} {verb} a trade"
        else:
            self.found.title = "Your turn: build" if state.tp == "Building" else "Your turn: trade and build"
        self.found.hint = "turn"
        if state.tp == "Trading":
            self._button(
                "stop trading", "Go on to building", "E", actions.EmptyTrade(self.player), icon="next_action", main=True
            )
        else:
            words = "End building" if state.tp == "SpecialBuilding" else "End the turn"
            end = actions.EmptyBuild(self.player)
            self._button("end turn", words, "E", self._ask_for(end), self._why_not(end), "next_turn")
        if state.tp != "Trading":
            self._building()
        if state.tp in TRADE_PHASES:
            refusal = "" if any(self._bank_pairs()) else self._why_no_bank()
            self._button("bank", "Trade with the bank", "T", ActionDraft("bank"), refusal, "deck")
            if rules.table_talk:
                self._conclusions(self._partners())
            if rules.domestic_trade:
                refusal = "" if total(self.hand.rc) else "you have nothing to offer"
                if not refusal and not any(state.hand_size(i) for i in state.constants.players if i != self.player):
                    refusal = "nobody else has a card"
                self._button("offer", "Offer a trade", "O", ActionDraft("offer"), refusal, "hand")
        if state.tp != "SpecialBuilding":
            self._cards()
        self._shortcuts()

    def _prepare(self) -> None:
        match self.draft.mode:
            case "road" | "village" | "city":
                self._build(self.draft.mode)
            case "settle":
                self._settle()
            case "knight" | "bandit":
                self._bandit(self.draft.mode)
            case "roads":
                self._free_road()
            case "monopoly":
                self._monopoly()
            case "plenty":
                self._plenty()
            case "bank":
                self._bank()
            case "offer" | "propose":
                self._offer()

    # A seven

    def _discard(self) -> None:
        due = owed(self.state, self.player)
        chosen = total(self.draft.give)
        self.found.title = f"A seven: discard {due} of your {total(self.hand.rc)} cards; {chosen} chosen"
        self.found.hint = "discard"
        held = tuple(count(self.hand.rc, name) for name in RESOURCES)
        self._row("give", "Discard", self.draft.give, held, GIVE_KEYS, most=due)
        action = actions.Discard(self.player, self.draft.give)
        refusal = f"{due - chosen} more to choose" if chosen < due else self._why_not(action)
        self._button("discard", "Discard", "Enter", action, refusal, "accept", self.draft.give, main=True)
        if chosen:
            self._button("cancel", "Start over", "Escape", NOTHING, icon="previous_action")
