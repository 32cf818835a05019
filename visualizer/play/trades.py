"""Choices of trades: with the bank, offers, answers, and the partner of a trade."""

from collections.abc import Iterable
from dataclasses import replace

from catan_p2p.game import actions
from catan_p2p.game.actions.offering import is_talking
from catan_p2p.game.cards import NO_CARDS, ONE, RESOURCES, Resource, count, describe, pack, unpack
from catan_p2p.game.constants import Player
from catan_p2p.game.state import NO_OFFER
from catan_p2p.sentences import listed

from .choices import GIVE_KEYS, TAKE_KEYS, ChoiceMaker
from .declining import ASKED, DeclineRules
from .draft import ActionDraft, ResourceRow, SeatRequest
from .reasons import broken_by, missing, reasons


class TradeChoices(ChoiceMaker):
    """The choices of trades."""

    has_proposals = True
    """Whether players other than the active one can propose trades."""
    declining: DeclineRules = ASKED
    """The rules by which offers are declined without a click."""

    @property
    def _active(self) -> str:
        """The player to whom a proposal goes, in words."""
        return f"{self.names[self.state.ap - 1]}, whose turn it is"

    # The bank

    def _bank(self) -> None:
        give = next((name for name in RESOURCES if count(self.draft.give, name)), None)
        take = next((name for name in RESOURCES if count(self.draft.take, name)), None)
        self.found.title = "What do you give, and what do you want?"
        self.found.hint = "bank"
        mores = []
        for key, name in zip(GIVE_KEYS, RESOURCES, strict=True):
            rate = self._rate(name)
            then = replace(self.draft, give=ONE[name] * rate, take=NO_CARDS if name == take else self.draft.take)
            refusal = "" if count(self.hand.rc, name) >= rate else f"{rate} {name} are needed"
            mores.append(self._pick("give", name, f"{rate} {name}", key, then, refusal))
        rates = tuple(self._rate(name) for name in RESOURCES)
        self.found.rows.append(ResourceRow("Give", self.draft.give, rates, tuple(mores), ()))
        mores = []
        for key, name in zip(TAKE_KEYS, RESOURCES, strict=True):
            refusal = "" if count(self.state.bnk.rc, name) else "the bank has none left"
            refusal = "the same thing twice" if name == give else refusal
            mores.append(self._pick("take", name, name, key, replace(self.draft, take=ONE[name]), refusal))
        held = tuple(count(self.state.bnk.rc, name) for name in RESOURCES)
        self.found.rows.append(ResourceRow("Take", self.draft.take, held, tuple(mores), ()))
        action = self._bank_trade(give, take) if give and take else None
        refusal, (cost, gain) = "" if action else "choose both", (self.draft.give, self.draft.take)
        self._button("trade", "Trade", "Enter", action, refusal, "accept", cost, main=True, gain=gain)
        self._cancel()

    def _bank_pairs(self) -> Iterable[tuple[Resource, Resource]]:
        for give in RESOURCES:
            for take in RESOURCES:
                if self._bank_trade(give, take) is not None:
                    yield give, take

    def _bank_trade(self, give: Resource, take: Resource) -> actions.Action | None:
        """The cheapest trade of one resource for another, None if there is none."""
        trades = (kind(self.player, give, take) for kind in actions.BANK_TRADES.values())
        return next((trade for trade in trades if not broken_by(self.state, trade)), None)

    def _rate(self, give: Resource) -> int:
        """How many cards of a resource the bank takes for one other card."""
        # Any other resource will do: the rate depends only on what is given.
        other: Resource = "Ore" if give != "Ore" else "Wool"
        return next(
            rate
            for rate, kind in actions.BANK_TRADES.items()
            if not any(tag.endswith("wharf") for tag in broken_by(self.state, kind(self.player, give, other)))
        )

    def _why_no_bank(self) -> str:
        rates = [(self._rate(name), name) for name in RESOURCES]
        best = min(rates, key=lambda pair: pair[0] - count(self.hand.rc, pair[1]))
        if not self.state.bnk.rc:
            return "the bank has none left"
        return missing(self.hand.rc, ONE[best[1]] * best[0], f" for {best[0]} to 1")

    # Other players

    def _offer(self) -> None:
        most = self.state.constants.rules.side_max
        proposes = self.draft.mode == "propose"
        asked = 0 if proposes or not self.draft.picks else self.draft.picks[0]
        goes_to = f"{self.names[asked - 1]} alone" if asked else "all others"
        self.found.title = f"Your proposal to {self._active}" if proposes else f"Your offer to {goes_to}"
        others = [] if proposes else self._addressees()
        self.found.hint = "offer to one" if others else "offer"
        held = tuple(count(self.hand.rc, name) for name in RESOURCES)
        self._row("give", "You give", self.draft.give, held, GIVE_KEYS, most, other=self.draft.take)
        self._row("take", "You want", self.draft.take, (None,) * 5, TAKE_KEYS, most, other=self.draft.give)
        give, take = self.draft.give, self.draft.take
        action: actions.Action = actions.OfferTrade(self.player, give, take)
        if proposes:
            action = actions.ProposeTrade(self.player, give, take)
        elif asked:
            action = actions.OfferTradeTo(self.player, asked, give, take)
        refusal = reasons(self.state, action, most=1)
        verb = "Propose" if proposes else "Offer"
        name = "make proposal" if proposes else "make offer"
        self._button(name, verb, "Enter", action, refusal, "accept", give, main=True, gain=take)
        if others:
            further = others[others.index(asked) + 1 :] if asked else others
            words = f"To {self.names[further[0] - 1]}" if further else "To all"
            self._button("to", words, "T", replace(self.draft, picks=tuple(further[:1])), icon="next_action")
        self._cancel()

    def _addressees(self) -> list[Player]:
        """The players to whom alone an offer may be made; nobody if there is no choice."""
        others = [seat for seat in self.state.present if seat != self.player]
        return others if self.state.constants.rules.offers_to_one and len(others) > 1 else []

    def _offered(self) -> None:
        state = self.state
        give, receive = state.offer
        if state.ans[self.player - 1] == "asked":
            who = self.names[state.ap - 1]
            self.found.title = f"{who} offers {describe(give)} for your {describe(receive)}"
            self.found.hint = "asked"
            accept, reject = actions.AnswerTrade(self.player, "accept"), actions.AnswerTrade(self.player, "reject")
            refusal = self._why_not(accept)
            self._button("accept", "Accept", "A", self._ask_for(accept), refusal, "accept", receive, gain=give)
            self._button("reject", "No, thanks", "X", reject, icon="reject")
            if is_talking(state) and self.has_proposals:
                self._proposal("Make a counter-offer")
            self._button("decline turn", "None more this turn", "Z", SeatRequest("decline turn", str(state.ap)))
            self._button("decline", f"None more from {who}", "J", SeatRequest("decline", str(state.ap)))
            return
        partners = self._partners()
        self.found.hint = "answers"
        silent = listed([name for name, answer in zip(self.names, state.ans, strict=False) if answer == "asked"])
        if partners:
            self.found.title = "With whom do you trade?"
            if silent:
                self.found.title += f" {silent} may still answer"
        else:
            waits = f"Your offer stands: wait for {silent}, or take it back"
            self.found.title = waits if silent else "Nobody accepts your offer"
        self._conclusions(partners)
        self._button("withdraw", "Take the offer back", "X", actions.WithdrawTrade(self.player), icon="reject",
                     main=not partners)  # fmt: skip

    def _proposal(self, words: str) -> None:
        """A button for a trade on the player's own terms, or why there can be none."""
        action = actions.ProposeTrade(self.player, self.hand.rc, NO_CARDS)
        # Only whether a proposal is possible: the guards about its terms do not count yet.
        ill_formed = ("give", "receive", "differ")
        broken = [tag for tag in broken_by(self.state, action) if tag.partition(" ")[2] not in ill_formed]
        refusal = reasons(self.state, action, broken, most=1)
        if not refusal and not self.hand.rc:
            refusal = "you have nothing to offer"
        self._button("propose", words, "O", self._first_proposal(), refusal, "hand")

    def _first_proposal(self) -> ActionDraft:
        """The draft of a proposal: the reverse of the standing offer, as far as the player can pay it."""
        state = self.state
        give = pack(min(pair) for pair in zip(unpack(state.offer.receive), unpack(self.hand.rc), strict=True))
        return ActionDraft("propose", (state.ap,), give, state.offer.give)

    def _declined(self) -> None:
        """The choices at an offer that is declined without a click."""
        state = self.state
        give, receive = state.offer
        told = f"{self.names[state.ap - 1]} offers {describe(give)} for {describe(receive)}"
        self.found.hint = "declined"
        if self.declining.refuses(state.ap):
            self.found.title = f"{told}; you decline"
        else:
            self.found.title = f"{told}; you cannot pay, so it is declined for you"
            self._button("reject", "No, thanks", "X", actions.AnswerTrade(self.player, "reject"), icon="reject")
            if is_talking(state) and self.has_proposals:
                self._proposal("Make a counter-offer")
        self._hear_again()

    def _hear_again(self) -> None:
        """A button for each player whose offers are declined, to take that back."""
        state, declining = self.state, self.declining
        if declining.turn_of == state.ap and state.ap not in declining.players:
            words = f"Hear {self.names[state.ap - 1]} again"
            self._button("decline turn", words, "Z", SeatRequest("decline turn", str(state.ap)))
        key = "J"
        for seat in sorted(declining.players):
            words = f"Hear {self.names[seat - 1]} again"
            self._button(f"hear {self.colours[seat - 1]}", words, key, SeatRequest("decline", str(seat)))
            key = ""

    def _partners(self) -> list[Player]:
        """The players who have accepted the offer, or have proposed a trade."""
        return [seat for seat in self.state.constants.players if self.state.terms(seat) != NO_OFFER]

    def _conclusions(self, partners: Iterable[Player]) -> None:
        """A button for each trade that can be made."""
        for seat in partners:
            name = self.names[seat - 1]
            action = actions.ConcludeTrade(self.player, seat)
            words = f"{name} accepts" if self.state.ans[seat - 1] == "accept" else f"{name} proposes"
            give, receive = self.state.terms(seat)
            refusal, then = self._why_not(action), self._ask_for(action)
            colour = self.colours[seat - 1]
            self._button(f"with {colour}", words, str(seat), then, refusal, f"badge {colour}", give, gain=receive)
