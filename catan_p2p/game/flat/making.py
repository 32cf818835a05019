"""Moves made in place: what each does to a flat state."""

from __future__ import annotations

from catan_p2p.game.flat import places
from catan_p2p.game.flat.listing import MoveLister

SEVEN = 7


class MoveMaker(MoveLister):
    """A position in which moves are made."""

    def do(self, move: int) -> None:
        """Make a move that the rules allow: one of ``list_moves``, with any outcome of chance, or any offer.

        Whether they allow it is not looked at. ``ValueError`` for a number that no move of the game has.
        """
        kind, player = move & 31, move >> places.PLAYER_AT & 7
        a, b, c = move >> places.A_AT & places.PART, move >> places.B_AT & places.PART, move >> places.C_AT & 15
        if not 1 <= player <= self.t.players or not places.ROLL_FOR_START <= kind <= places.PLAY_KNIGHT:
            raise ValueError(f"{move} is not the number of a move")
        if kind == places.DISCARD or kind == places.OFFER_TRADE or kind == places.PROPOSE_TRADE:
            self._hand_over(kind, player, move >> places.A_AT)
            return
        # Bounds that the compiled core relies on, which checks no index.
        if a >= places.MOST or b >= places.MOST or c > places.NO_CARD:
            raise ValueError(f"{move} is not the number of a move")
        if kind < places.EMPTY_TRADE:
            self._begin_turn(kind, player, a, b, c)
        elif kind < places.EMPTY_BUILD:
            self._trade(kind, player, a, b)
        elif kind < places.PLAY_MONOPOLY:
            self._build(kind, player, a)
        else:
            self._play_card(kind, player, a, b, c)

    def _hand_over(self, kind: int, player: int, cards: int) -> None:
        """A discard, an offer or a proposal."""
        v, t = self.v, self.t
        if kind == places.DISCARD:
            v[places.RC + player] -= cards
            v[places.BANK] += cards
            return
        give = receive = 0
        for resource in range(5):
            number = (cards >> 8 * resource & 127) * t.one[resource]
            if cards >> 8 * resource & 128:
                receive += number
            else:
                give += number
        if kind == places.PROPOSE_TRADE:
            v[places.PG + player], v[places.PR + player] = give, receive
            v[places.PROPOSALS] += 1
            if t.proposals:
                v[places.MADE + player] += 1
            if v[places.TP] == places.OFFERING:
                # A proposal declines the offer, as in the mirror.
                v[places.ANS + player] = places.REJECT
            return
        for other in range(1, t.players + 1):
            is_asked = other != player and not v[places.AWAY + other]
            if is_asked and not t.talk:
                is_asked = self.covers(v[places.RC + other], receive)
            v[places.ANS + other] = places.ASKED if is_asked else places.NONE
        self._hear()
        if t.offers:
            v[places.MADE + player] += 1
        v[places.GIVE], v[places.RECEIVE], v[places.TP] = give, receive, places.OFFERING

    def _begin_turn(self, kind: int, player: int, a: int, b: int, c: int) -> None:
        """The set-up, the dice and the bandit."""
        if kind == places.ROLL_DICE:
            self._roll(a)
        elif kind == places.MOVE_BANDIT:
            self._hear()
            self._rob(player, a, b, c)
            self.v[places.TP] = self.t.after_dice
            for other in range(1, self.t.players + 1):
                self.v[places.LIM + other] = 0
        elif kind == places.ROLL_FOR_START:
            self._hear()
            self._roll_for_start(player, a)
        else:
            self._set_up(kind, player, a, b)

    def _trade(self, kind: int, player: int, a: int, b: int) -> None:
        v, t = self.v, self.t
        if kind == places.ANSWER_TRADE:
            v[places.ANS + player] = a
        elif kind == places.CONCLUDE_TRADE:
            self._conclude(player, a)
        elif kind == places.WITHDRAW_TRADE:
            self._end_offer()
        elif kind == places.EMPTY_TRADE:
            self._hear()
            v[places.TP] = places.BUILDING
        else:
            self._hear()
            rate = 4 if kind == places.TRADE_FOUR else 3 if kind == places.TRADE_THREE else 2
            self._pay(player, t.one[a & 7] * rate - t.one[b & 7])

    def _build(self, kind: int, player: int, a: int) -> None:
        v, s, t = self.v, self.s, self.t
        self._hear()
        if kind == places.EMPTY_BUILD:
            self._end_turn(player)
            return
        if kind == places.BUILD_ROAD:
            self._pay(player, t.cost_road)
            self._pave(player, a)
            v[places.LR] = self.bonus_holder(False)
        elif kind == places.BUILD_VILLAGE:
            self._pay(player, t.cost_village)
            self._settle(player, a)
            v[places.LR] = self.bonus_holder(False)
        elif kind == places.BUILD_CITY:
            self._pay(player, t.cost_city)
            s[places.VILLAGES_ON + player] &= ~t.bit[a]
            s[places.CITIES_ON + player] |= t.bit[a]
            v[places.VILLAGES + player] -= 1
            v[places.CITIES + player] += 1
            v[places.VILLAGE + player] += 1
            v[places.CITY + player] -= 1
        else:
            self._pay(player, t.cost_card)
            v[places.STOCK] -= t.one[a & 7]
            v[(places.UC if a == places.POINT else places.BC) + player] += t.one[a & 7]
        self._end_if_won()

    def _play_card(self, kind: int, player: int, a: int, b: int, c: int) -> None:
        v, t = self.v, self.t
        card = t.one[kind - places.PLAY_MONOPOLY]
        self._hear()
        v[places.AC + player] -= card
        if t.cards_per_turn:
            v[places.PD] += 1
        if kind == places.PLAY_KNIGHT:
            self._rob(player, a, b, c)
            v[places.UC + player] += card
            v[places.LA] = self.bonus_holder(True)
            self._end_if_won()
            return
        v[places.DP] += card
        if kind == places.PLAY_ROADS:
            self._pave(player, a)
            if b:
                self._pave(player, b)
            v[places.LR] = self.bonus_holder(False)
            self._end_if_won()
        elif kind == places.PLAY_YEAR:
            self._pay(player, -t.one[a & 7] - t.one[b & 7])
        else:
            taken = 0
            for other in range(1, t.players + 1):
                lost = (v[places.RC + other] >> 8 * (a & 7) & 127) * t.one[a & 7]
                v[places.RC + other] -= lost
                taken += lost
            v[places.RC + player] += taken

    # --------------------------------------------------------------------------------------------------------- parts

    def _hear(self) -> None:
        """Drop all proposals: the active player goes on."""
        v = self.v
        if v[places.PROPOSALS]:
            v[places.PROPOSALS] = 0
            for player in range(1, self.t.players + 1):
                v[places.PG + player] = v[places.PR + player] = 0

    def _pay(self, player: int, cards: int) -> None:
        self.v[places.RC + player] -= cards
        self.v[places.BANK] += cards

    def _settle(self, player: int, at: int) -> None:
        v, s, t = self.v, self.s, self.t
        s[places.VILLAGES_ON + player] |= t.bit[at]
        s[places.TAKEN] |= t.bit[at]
        s[places.CROWDED] |= t.crowd[at]
        v[places.VILLAGES + player] += 1
        v[places.VILLAGE + player] -= 1

    def _pave(self, player: int, at: int) -> None:
        v, s, t = self.v, self.s, self.t
        s[places.ROADS_ON + player] |= t.bit[at]
        s[places.ROADS_TAKEN] |= t.bit[at]
        v[places.ROADS + player] += 1
        v[places.ROAD + player] -= 1

    def _end_if_won(self) -> None:
        """End the game if the rules look at once and the active player has won."""
        v = self.v
        tp = v[places.TP]
        if not self.t.at_once or tp == places.BOT or tp == places.TOP or tp == places.SPECIAL_BUILDING:
            return
        if self.points(v[places.AP]) >= self.t.goal:
            v[places.TP] = places.TOP

    def _roll_for_start(self, player: int, dice: int) -> None:
        """Note a roll; once all have rolled, the highest begins or those who tie roll again."""
        v, t = self.v, self.t
        v[places.ROLLS + player] = dice
        highest = leaders = leader = out = 0
        for other in range(1, t.players + 1):
            rolled = v[places.ROLLS + other]
            if rolled == 0:
                v[places.SU_AP] = other
                return
            out += rolled == 1
            if rolled > highest:
                highest, leaders, leader = rolled, 1, other
            elif rolled == highest:
                leaders += 1
        if leaders > 1 and not (t.by_seat and leaders + out == t.players):
            for other in range(1, t.players + 1):
                v[places.ROLLS + other] = 0 if v[places.ROLLS + other] == highest else 1
            v[places.SU_AP] = leader
            return
        for other in range(1, t.players + 1):
            v[places.ROLLS + other] = 0
        v[places.SUP] = places.PHASE_TWO if t.opened else places.PHASE_ONE
        v[places.TP] = places.DICE_ROLL if t.opened else places.BOT
        v[places.SU_AP] = v[places.FIRST] = v[places.AP] = leader

    def _set_up(self, kind: int, player: int, at: int, road: int) -> None:
        v = self.v
        self._settle(player, at)
        self._pave(player, road)
        if kind == places.SETUP_PHASE_ONE:
            after = self.next_player(player)
            is_last = after == v[places.FIRST]
            v[places.SUP] = places.PHASE_TWO if is_last else places.PHASE_ONE
            v[places.SU_AP] = player if is_last else after
            return
        self._pay(player, -self.t.first_yield[at])
        is_last = player == v[places.FIRST]
        v[places.SU_AP] = player if is_last else self.previous_player(player)
        v[places.TP] = places.DICE_ROLL if is_last else places.BOT
        self._end_if_won()

    def _roll(self, dice: int) -> None:
        v, t = self.v, self.t
        self._hear()
        v[places.DICE] = dice
        if dice == SEVEN:
            self._halve_hands()
            return
        v[places.TP] = t.after_dice
        # Any number is accepted as an outcome, but above twelve nothing yields.
        if dice > 12:
            return
        if not self._count_gains(dice):
            return
        taken = 0
        for player in range(1, t.players + 1):
            taken += self.scratch.ways[player]
        if not self.covers(v[places.BANK], taken):
            self._ration()
        for player in range(1, t.players + 1):
            self._pay(player, -self.scratch.ways[player])

    def _count_gains(self, dice: int) -> bool:
        """Note what each player gains from a roll; return whether anybody gains anything.

        Each tile with the number yields 1 card for a village and 2 for a city.
        """
        s, t, gains = self.s, self.t, self.scratch.ways
        is_any = False
        for player in range(1, t.players + 1):
            gains[player] = 0
        for i in range(t.producing[dice] + 1, t.producing[dice + 1] + 1):
            corners = t.tile_corners[i] & s[places.TAKEN]
            if not corners or t.tile[i] == self.v[places.BA]:
                continue
            is_any = True
            for player in range(1, t.players + 1):
                if not self.own(player) & corners:
                    continue
                pieces = self.count(s[places.VILLAGES_ON + player] & corners)
                pieces += 2 * self.count(s[places.CITIES_ON + player] & corners)
                gains[player] += t.tile_card[i] * pieces
        return is_any

    def _ration(self) -> None:
        """Where the bank cannot pay everything: nobody gains, or by the rule book nobody of what is short.

        A single player to whom a resource is due gains what is left of it.
        """
        t, gains = self.t, self.scratch.ways
        for resource in range(5):
            due = claimants = 0
            for player in range(1, t.players + 1):
                cards = gains[player] >> 8 * resource & 127
                due += cards
                claimants += cards > 0
            left = self.v[places.BANK] >> 8 * resource & 127
            # The rule book's rule for one resource at a time; the thesis takes everything away.
            if due <= left and not t.shortage_nobody:
                continue
            for player in range(1, t.players + 1):
                cards = gains[player] >> 8 * resource & 127
                # The only claimant takes what is left.
                if claimants == 1 and cards and not t.shortage_nobody:
                    cards -= left
                gains[player] -= cards * t.one[resource]

    def _halve_hands(self) -> None:
        v, t = self.v, self.t
        is_due = False
        for player in range(1, t.players + 1):
            cards = self.total(v[places.RC + player])
            limit = cards - cards // 2 if cards > t.hand_limit else 0
            if limit and v[places.AWAY + player]:
                self._take_first(player, cards - limit)
                limit = 0
            self.scratch.ways[player] = limit
            is_due = is_due or limit > 0
        if not is_due:
            v[places.TP] = places.MOVING_BANDIT
            return
        v[places.TP] = places.DISCARDING
        for player in range(1, t.players + 1):
            v[places.LIM + player] = self.scratch.ways[player]

    def _take_first(self, player: int, number: int) -> None:
        """Take the first cards of the hand of a player who is away, in the order of resources."""
        for resource in range(5):
            held = self.v[places.RC + player] >> 8 * resource & 127
            taken = held if held < number else number
            self._pay(player, self.t.one[resource] * taken)
            number -= taken

    def _rob(self, player: int, to: int, victim: int, card: int) -> None:
        v = self.v
        v[places.BA] = to
        if card != places.NO_CARD:
            v[places.RC + (victim & 7)] -= self.t.one[card & 7]
            v[places.RC + player] += self.t.one[card & 7]

    def _conclude(self, player: int, partner: int) -> None:
        v = self.v
        partner &= 7
        give, receive = v[places.PR + partner], v[places.PG + partner]
        if v[places.ANS + partner] == places.ACCEPT:
            give, receive = v[places.GIVE], v[places.RECEIVE]
        v[places.RC + player] += receive - give
        v[places.RC + partner] += give - receive
        self._end_offer()

    def _end_offer(self) -> None:
        v = self.v
        self._hear()
        v[places.TP] = self.t.after_dice
        v[places.GIVE] = v[places.RECEIVE] = 0
        for player in range(1, self.t.players + 1):
            v[places.ANS + player] = places.NONE

    def _end_turn(self, player: int) -> None:
        """The end of the game, or of a player's building: the next player builds, or the next turn begins."""
        v, t = self.v, self.t
        is_special = v[places.TP] == places.SPECIAL_BUILDING
        if not is_special and not t.at_once and self.points(player) >= t.goal:
            v[places.TP] = places.TOP
            return
        v[places.AC + player] += v[places.BC + player]
        v[places.BC + player] = 0
        builder = self._special_builder(player) if t.special else places.NOBODY
        if builder != places.NOBODY:
            v[places.TP], v[places.SB] = places.SPECIAL_BUILDING, builder
            return
        for other in range(1, t.players + 1):
            v[places.MADE + other] = 0
        v[places.AP] = self.next_player(v[places.AP])
        v[places.TP] = places.DICE_ROLL
        v[places.DICE] = v[places.PD] = v[places.SB] = 0
        self._end_if_won()

    def _special_builder(self, player: int) -> int:
        """The next player, up to the active one, who can pay for anything; or nobody."""
        v, t = self.v, self.t
        n, active = t.players, v[places.AP]
        other = self.next_player(player)
        # The distance from the active player, so the search ends after one round.
        while (other - active + n) % n > (player - active + n) % n:
            hand = v[places.RC + other]
            if self.covers(hand, t.cost_road) or self.covers(hand, t.cost_city) or self.covers(hand, t.cost_card):
                return other
            other = self.next_player(other)
        return places.NOBODY
