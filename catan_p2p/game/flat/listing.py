"""What a player can decide, as numbers in the order of the mirror's ``decisions``."""

from __future__ import annotations

from catan_p2p.game.flat import places
from catan_p2p.game.flat.position import FlatPosition
from catan_p2p.game.flat.tables import FlatTables, MoveScratch

ONES = 0x01_01_01_01_01
"""One card of each kind."""
FROM_FOUR = 0xFC_FC_FC_FC_FC
"""The bits of counts from four on."""


class MoveLister(FlatPosition):
    """A position with the moves of one player, which ``list_moves`` works out.

    A move is a number: kind, player and up to three parts, or cards. Discards are not listed one by one, as there can
    be thousands: they are counted, and ``move`` makes the one that is asked for.
    """

    def __init__(self, tables: FlatTables, scratch: MoveScratch) -> None:
        super().__init__(tables, scratch)
        self.listed = 0
        self.head = 0
        """The player's part of each move."""
        self.discards = 0
        """How many discards the player can choose from, if any is due."""
        self.owing = 0
        self.owed_from = 0

    def list_moves(self, player: int) -> int:
        """List what the player can decide; return the number of moves."""
        v, t = self.v, self.t
        tp = v[places.TP]
        is_active = v[places.AP] == player
        self.listed = self.discards = 0
        self.head = player << places.PLAYER_AT
        if tp == places.BOT:
            if v[places.SU_AP] == player:
                self._list_setup()
        elif tp == places.DICE_ROLL:
            if is_active:
                self._add(places.ROLL_DICE | t.first_sum << places.A_AT)
                if t.before_dice:
                    self._list_cards(player)
        elif tp == places.DISCARDING or tp == places.MOVING_BANDIT:
            if tp == places.DISCARDING and self.owed(player):
                self._count_discards(player)
            elif is_active and not self.is_discard_due():
                self._list_robberies(player, places.MOVE_BANDIT)
        elif tp == places.OFFERING:
            self._list_replies(player)
        elif tp == places.SPECIAL_BUILDING:
            if v[places.SB] == player:
                self._list_building(player)
        elif tp == places.TRADING or tp == places.BUILDING or tp == places.TRADING_BUILDING:
            if tp != places.BUILDING:
                self._list_trading(player)
            if is_active:
                if tp != places.TRADING:
                    self._list_building(player)
                self._list_cards(player)
        return self.discards or self.listed

    def move(self, index: int) -> int:
        """One of the moves that were worked out last."""
        if not 0 <= index < (self.discards or self.listed):
            raise IndexError(f"move {index}: expected 0 to {(self.discards or self.listed) - 1}")
        return self._discard(index) if self.discards else self.scratch.moves[index]

    def _add(self, move: int) -> None:
        """Add a move of the player's: its kind and its parts."""
        self.scratch.moves[self.listed] = move | self.head
        self.listed += 1

    def _high(self, card: int) -> int:
        """A card as the third part of a move."""
        return card << places.C_AT

    def _add_points(self, kind: int, points: int, last: int) -> None:
        for at in range(1, last + 1):
            if points & self.t.bit[at]:
                self._add(kind | at << places.A_AT)

    def _list_setup(self) -> None:
        v, s, t = self.v, self.s, self.t
        stage = v[places.SUP]
        if stage == places.ROLLING:
            self._add(places.ROLL_FOR_START | t.first_sum << places.A_AT)
            return
        kind = places.SETUP_PHASE_ONE if stage == places.PHASE_ONE else places.SETUP_PHASE_TWO
        free = t.everywhere & ~s[places.CROWDED]
        shut = s[places.ROADS_TAKEN]
        if t.bandit_blocks:
            free &= ~t.corners[v[places.BA]]
            shut |= t.edges[v[places.BA]]
        for at in range(1, t.settlements + 1):
            if not free & t.bit[at]:
                continue
            if stage == places.PHASE_TWO and not self.covers(v[places.BANK], t.first_yield[at]):
                continue
            for i in range(4 * at, 4 * at + 3):
                road = t.meeting[i]
                if road and not shut & t.bit[road]:
                    self._add(kind | at << places.A_AT | road << places.B_AT)

    # -------------------------------------------------------------------------------------------------------- trades

    def _list_trading(self, player: int) -> None:
        v, t = self.v, self.t
        is_active = v[places.AP] == player
        if is_active:
            if v[places.TP] == places.TRADING:
                self._add(places.EMPTY_TRADE)
            settled = self.own(player)
            served = 0
            for kind in range(5):
                if settled & t.wharfs[kind]:
                    served |= 1 << kind
            self._list_exchanges(player, places.TRADE_FOUR, 4, 31)
            if settled & t.wharfs[5]:
                self._list_exchanges(player, places.TRADE_THREE, 3, 31)
            if served:
                self._list_exchanges(player, places.TRADE_TWO, 2, served)
            if t.domestic and (t.offers == 0 or v[places.MADE + player] < t.offers):
                self._add_offer(player, places.OFFER_TRADE)
        if t.talk:
            if self.may_propose(player):
                self._add_offer(player, places.PROPOSE_TRADE)
            self._list_conclusions(player)

    def _list_exchanges(self, player: int, kind: int, rate: int, served: int) -> None:
        hand, bank = self.v[places.RC + player], self.v[places.BANK]
        # Counts of at least the rate are at least four once the difference is added to each: one test for all types.
        if not (hand + (4 - rate) * ONES) & FROM_FOUR:
            return
        for give in range(5):
            if served >> give & 1 and (hand >> 8 * give & 127) >= rate:
                for receive in range(5):
                    if receive != give and bank >> 8 * receive & 127:
                        self._add(kind | give << places.A_AT | receive << places.B_AT)

    def _add_offer(self, player: int, kind: int) -> None:
        """One card for one card, as a representative of all that the player can offer or propose."""
        v, t = self.v, self.t
        hand, wanted = v[places.RC + player], t.pool
        if not t.talk:
            wanted = 0
            for other in range(1, t.players + 1):
                if other != player and not v[places.AWAY + other]:
                    wanted |= v[places.RC + other]
        # Backwards: the mirror lists cards of the last types first.
        for give in range(4, -1, -1):
            if not hand >> 8 * give & 127:
                continue
            for receive in range(4, -1, -1):
                if receive != give and wanted >> 8 * receive & 127:
                    sides = t.one[give] | t.one[receive] | t.one[receive] << 7
                    self._add(kind | sides << places.A_AT)
                    return

    def may_propose(self, player: int) -> bool:
        """Whether the player may make a proposal, if they have something to give."""
        v, t = self.v, self.t
        return (
            v[places.AP] != player
            and not v[places.AWAY + player]
            and not v[places.PG + player]
            and not v[places.PR + player]
            and (v[places.TP] != places.OFFERING or v[places.ANS + player] == places.ASKED)
            and (t.proposals == 0 or v[places.MADE + player] < t.proposals)
        )

    def _list_replies(self, player: int) -> None:
        v, t = self.v, self.t
        if v[places.ANS + player] == places.ASKED:
            if not t.talk or self.covers(v[places.RC + player], v[places.RECEIVE]):
                self._add(places.ANSWER_TRADE | places.ACCEPT << places.A_AT)
            self._add(places.ANSWER_TRADE | places.REJECT << places.A_AT)
        if t.talk and self.may_propose(player):
            self._add_offer(player, places.PROPOSE_TRADE)
        if v[places.AP] == player and not self.needs_answers():
            self._list_conclusions(player)
            self._add(places.WITHDRAW_TRADE)

    def _list_conclusions(self, player: int) -> None:
        v = self.v
        if v[places.AP] != player:
            return
        for other in range(1, self.t.players + 1):
            if v[places.ANS + other] == places.ACCEPT:
                give, receive = v[places.GIVE], v[places.RECEIVE]
            else:
                give, receive = v[places.PR + other], v[places.PG + other]
            if (give or receive) and self.covers(v[places.RC + player], give):
                self._add(places.CONCLUDE_TRADE | other << places.A_AT)

    # ------------------------------------------------------------------------------------------------------ building

    def _list_building(self, player: int) -> None:
        v, s, t = self.v, self.s, self.t
        hand, bandit = v[places.RC + player], v[places.BA]
        self._add(places.EMPTY_BUILD)
        if v[places.ROAD + player] and self.covers(hand, t.cost_road):
            self._add_points(places.BUILD_ROAD, self.open_roads(player), t.roads)
        if v[places.VILLAGE + player] and self.covers(hand, t.cost_village):
            self.look_around(player)
            points = s[places.REACH_ENDS + player] & ~s[places.CROWDED]
            if t.bandit_blocks:
                points &= ~t.corners[bandit]
            self._add_points(places.BUILD_VILLAGE, points, t.settlements)
        if v[places.CITY + player] and self.covers(hand, t.cost_city):
            points = s[places.VILLAGES_ON + player]
            if t.bandit_blocks:
                points &= ~t.corners[bandit]
            self._add_points(places.BUILD_CITY, points, t.settlements)
        if v[places.STOCK] and self.covers(hand, t.cost_card):
            self._add(places.BUY_DEV_CARD | self.first_kind(v[places.STOCK]) << places.A_AT)

    def open_roads(self, player: int) -> int:
        """All road points where the player may build a road."""
        t = self.t
        self.look_around(player)
        points = self.s[places.REACH_OPEN + player] & ~self.s[places.ROADS_TAKEN]
        if t.bandit_blocks:
            points &= ~t.edges[self.v[places.BA]]
        return points

    # --------------------------------------------------------------------------------------------------------- cards

    def _list_cards(self, player: int) -> None:
        v, t = self.v, self.t
        held = v[places.AC + player]
        if held == 0 or (t.cards_per_turn and v[places.PD] >= t.cards_per_turn):
            return
        if held & 127:
            for resource in range(5):
                self._add(places.PLAY_MONOPOLY | resource << places.A_AT)
        if held >> 8 * places.YEAR & 127:
            for first in range(5):
                for second in range(5):
                    if self.covers(v[places.BANK], t.one[first] + t.one[second]):
                        self._add(places.PLAY_YEAR | first << places.A_AT | second << places.B_AT)
        if held >> 8 * places.PAVING & 127 and v[places.ROAD + player] >= t.needs:
            self._list_paving(player)
        if held >> 8 * places.KNIGHT & 127:
            self._list_robberies(player, places.PLAY_KNIGHT)

    def _list_paving(self, player: int) -> None:
        """Every first road with every second one."""
        t = self.t
        is_pair = self.v[places.ROAD + player] >= 2
        firsts = self.open_roads(player)
        cut = self.s[places.TAKEN] & ~self.own(player)
        shut = self.s[places.ROADS_TAKEN]
        if t.bandit_blocks:
            shut |= t.edges[self.v[places.BA]]
        for first in range(1, t.roads + 1):
            if not firsts & t.bit[first]:
                continue
            seconds = firsts & ~t.bit[first]
            for turned in range(2):
                end = t.end_b[first] if turned else t.end_a[first]
                if end and not cut & t.bit[end]:
                    seconds |= t.roads_at[end] & ~shut & ~t.bit[first]
            if is_pair and seconds:
                for second in range(1, t.roads + 1):
                    if seconds & t.bit[second]:
                        self._add(places.PLAY_ROADS | first << places.A_AT | second << places.B_AT)
            elif t.needs == 1:
                self._add(places.PLAY_ROADS | first << places.A_AT)

    def _list_robberies(self, player: int, kind: int) -> None:
        """Every tile the bandit may move to with every possible victim."""
        v, t = self.v, self.t
        targets = self.s[places.TAKEN] & ~self.own(player)
        is_forced = t.only_adversaries and self._is_settled(targets)
        spared = self._spared(player)
        for i in range(t.land_count):
            to = t.land[i]
            corners = t.corners[to]
            if to == v[places.BA] or (spared and corners & spared):
                continue
            if not corners & targets:
                if not is_forced:
                    self._add(kind | to << places.A_AT | places.NOBODY << places.B_AT | self._high(places.NO_CARD))
                continue
            for victim in range(1, t.players + 1):
                if victim != player and corners & self.own(victim):
                    self._add(
                        kind
                        | to << places.A_AT
                        | victim << places.B_AT
                        | self._high(self.first_kind(v[places.RC + victim]))
                    )

    def _is_settled(self, points: int) -> bool:
        """Whether any land tile but the bandit's has one of these points."""
        for i in range(self.t.land_count):
            to = self.t.land[i]
            if to != self.v[places.BA] and self.t.corners[to] & points:
                return True
        return False

    def _spared(self, player: int) -> int:
        """The settlements of those whom a friendly bandit spares, unless it could go nowhere else."""
        t = self.t
        spared = 0
        if t.friendly:
            for other in range(1, t.players + 1):
                if other != player and self.points(other) < t.friendly_below:
                    spared |= self.own(other)
        for i in range(t.land_count):
            to = t.land[i]
            if to != self.v[places.BA] and not t.corners[to] & spared:
                return spared
        return 0

    # ------------------------------------------------------------------------------------------------------ discards

    def _count_discards(self, player: int) -> None:
        """Count the ways of choosing what is owed, for each number of kinds that are left to choose from."""
        ways = self.scratch.ways
        # Dynamic programming from the last type on: ways to choose an amount from this type and later ones.
        hand, owed = self.v[places.RC + player], self.owed(player)
        for amount in range(owed + 1):
            ways[5 * places.CARDS + amount] = 0
        ways[5 * places.CARDS] = 1
        for kind in range(4, -1, -1):
            held = hand >> 8 * kind & 127
            for amount in range(owed + 1):
                found = 0
                for taken in range((held if held < amount else amount) + 1):
                    found += ways[(kind + 1) * places.CARDS + amount - taken]
                ways[kind * places.CARDS + amount] = found
        self.owing, self.owed_from = owed, hand
        self.discards = ways[owed]

    def _discard(self, index: int) -> int:
        """The discard with this number, ordered by the counts, the first kind first."""
        ways = self.scratch.ways
        left = self.owing
        cards = 0
        # The counts of ways say how many discards begin with each count, so the index is found without listing them.
        for kind in range(5):
            held = self.owed_from >> 8 * kind & 127
            taken = 0
            while taken < held and taken <= left:
                with_it = ways[(kind + 1) * places.CARDS + left - taken]
                if index < with_it:
                    break
                index -= with_it
                taken += 1
            cards |= self.t.one[kind] * taken
            left -= taken
        return places.DISCARD | self.head | cards << places.A_AT
