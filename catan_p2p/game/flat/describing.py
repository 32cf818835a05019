"""What a player may know of a seat in a flat game, as numbers for the network in ``valuing``."""

from __future__ import annotations

from catan_p2p.game.flat import places
from catan_p2p.game.flat.game import FlatGame
from catan_p2p.game.flat.planning import SeatPlanner, nothing
from catan_p2p.game.flat.tables import FlatTables, zeros

TO_1024THS = 1.5 * 2.0**42
"""Adding this number to another and subtracting it again rounds the other one to 1024ths."""


class SeatDescriber(SeatPlanner):
    """Describes seats of states of one game."""

    def __init__(self, tables: FlatTables) -> None:
        super().__init__(tables)
        self.x = nothing(128)
        self.n = 0
        self.lost = nothing(5)
        self.rate = zeros(5)
        self.unseen = nothing(5)
        self.rings = nothing(96)
        self.found = zeros(8)
        self.found_at = zeros(64)
        self.found_away = zeros(64)
        self.of_own = zeros(8)
        self.of_roads = zeros(8)
        self.of_taken = zeros(8)
        self.of_shut = zeros(8)

    def inputs(self, flat: FlatGame, seat: int, viewer: int) -> list[float]:
        """The numbers that describe a seat, as the viewer knows it."""
        self.see(flat, seat, viewer)
        return [self.x[i] for i in range(places.INPUTS)]

    def _put(self, value: float) -> None:
        """The next input, in 1024ths: sums of such numbers and of weights in 4096ths are exact in any order."""
        self.x[self.n] = value + TO_1024THS - TO_1024THS
        self.n += 1

    def see(self, flat: FlatGame, seat: int, viewer: int) -> None:
        """Work out the inputs of a seat."""
        v, t = flat.v, self.t
        self.n = 0
        needed = t.goal - flat.points(seat)
        self._put(needed / 10.0)
        self._put(1.0 if needed <= 1 else 0.0)
        self._put(1.0 if needed <= 2 else 0.0)
        self._put(1.0 if needed <= 3 else 0.0)
        self._put(1.0 if needed <= 5 else 0.0)
        self._put(1.0 if t.players == 2 else 0.0)
        self._put(1.0 if t.players == 3 else 0.0)
        self._put(1.0 if t.players >= 4 else 0.0)
        is_active = v[places.AP] == seat and v[places.TP] != places.BOT
        self._put(1.0 if is_active and v[places.TP] == places.DICE_ROLL else 0.0)
        self._put(1.0 if is_active and v[places.TP] != places.DICE_ROLL else 0.0)
        self._put((seat - v[places.AP] + t.players) % t.players / 4.0)
        self._see_income(flat, seat)
        self._see_hand(flat, seat)
        self._see_bonuses(flat, seat)
        self._see_cards(flat, seat, viewer)
        self._find_sites(flat, seat)
        self._see_prospects(flat, seat)
        time = self._plan(needed)
        self._put(time / 100.0)
        self._put(12.0 / (12.0 + time))
        self._put(30.0 / (30.0 + time))

    def _see_income(self, flat: FlatGame, seat: int) -> None:
        v, s, t = flat.v, flat.s, self.t
        villages, cities = s[places.VILLAGES_ON + seat], s[places.CITIES_ON + seat]
        own = villages | cities
        self.villages = 0
        for k in range(5):
            self.income[k] = 0.0
            self.lost[k] = 0.0
        for at in range(1, t.settlements + 1):
            if not own & t.bit[at]:
                continue
            times = 1.0
            if cities & t.bit[at]:
                times = 2.0
            # Villages in descending order of their income: the plan turns the best ones into cities first.
            elif self.villages < 8:
                spot = self.villages
                while spot > 0 and self.sums[self.village_at[spot - 1]] < self.sums[at]:
                    self.village_at[spot] = self.village_at[spot - 1]
                    spot -= 1
                self.village_at[spot] = at
                self.villages += 1
            for k in range(5):
                self.income[k] += times * self.pips[5 * at + k]
        bandit = v[places.BA]
        there = t.corners[bandit]
        pieces = flat.count(villages & there) + 2 * flat.count(cities & there)
        self.lost[self.kind[bandit]] += self.tile_pips[bandit] * pieces
        total = kinds = gone = 0.0
        for k in range(5):
            self._put(self.income[k] / 10.0)
            total += self.income[k]
            gone += self.lost[k]
            if self.income[k] > 0.0:
                kinds += 1.0
        self._put(kinds / 5.0)
        self._put(total / 20.0)
        for k in range(5):
            self._put(self.lost[k] / 10.0)
        self._put(gone / 10.0)
        general = 3 if own & t.wharfs[5] else 4
        for k in range(5):
            has = own & t.wharfs[k]
            rate = 2 if has else general
            self.rate[k] = rate
            self.share[k] = 0.46 if rate == 2 else 0.25 if rate == 3 else 0.13
            self._put(1.0 if has else 0.0)
            self._put(self.income[k] / 10.0 if has else 0.0)
        self._put(1.0 if general == 3 else 0.0)
        self._put(total / 20.0 if general == 3 else 0.0)
        for k in range(5):
            # Per roll: there are 36 outcomes, and a blocked tile counts as lost for a part of the time.
            self.income[k] = (self.income[k] - 0.6 * self.lost[k]) / 36.0

    def _see_hand(self, flat: FlatGame, seat: int) -> None:
        v, t = flat.v, self.t
        cards = v[places.RC + seat]
        for k in range(5):
            held = cards >> 8 * k & 127
            self.h[k] = held
            self._put(held / 5.0)
            self._put(1.0 if held >= 1 else 0.0)
            self._put(1.0 if held >= 2 else 0.0)
            self._put(1.0 if held >= 3 else 0.0)
        total = flat.total(cards)
        self._put(total / 10.0)
        self._put((total - t.hand_limit) / 5.0 if total > t.hand_limit else 0.0)
        self._put(1.0 if total > t.hand_limit else 0.0)
        self._put(v[places.VILLAGES + seat] / 5.0)
        self._put(v[places.CITIES + seat] / 4.0)
        self._put(v[places.ROADS + seat] / 15.0)
        self._put(1.0 if v[places.VILLAGE + seat] == 0 else 0.0)
        self._put(1.0 if v[places.CITY + seat] == 0 else 0.0)
        self._put(1.0 if flat.covers(cards, t.cost_road) else 0.0)
        self._put(1.0 if flat.covers(cards, t.cost_village) else 0.0)
        self._put(1.0 if flat.covers(cards, t.cost_city) else 0.0)
        self._put(1.0 if flat.covers(cards, t.cost_card) else 0.0)
        lacks_city = (2.0 - self.h[3] if self.h[3] < 2.0 else 0.0) + (3.0 - self.h[4] if self.h[4] < 3.0 else 0.0)
        lacks_village = 0.0
        for k in range(4):
            if self.h[k] < 1.0:
                lacks_village += 1.0
        self._put(lacks_city / 5.0)
        self._put(lacks_village / 4.0)

    def _see_bonuses(self, flat: FlatGame, seat: int) -> None:
        v, t = flat.v, self.t
        own = flat.trail(seat)
        most = 0
        army = flat.bonus_size(seat, True)
        strongest = 0
        for other in range(1, t.players + 1):
            if other != seat:
                length = flat.trail(other)
                if length > most:
                    most = length
                size = flat.bonus_size(other, True)
                if size > strongest:
                    strongest = size
        gap = 0.0
        if v[places.LR] != seat:
            gap = (most + 1 if most >= t.trail_least else t.trail_least) - own
        self.road_gap = gap
        self._put(own / 10.0)
        self._put(1.0 if v[places.LR] == seat else 0.0)
        self._put(gap / 6.0 if gap < 6.0 else 1.0)
        self._put((own - most) / 4.0 if v[places.LR] == seat else 0.0)
        gap = 0.0
        if v[places.LA] != seat:
            gap = (strongest + 1 if strongest >= t.army_least else t.army_least) - army
        self.army_gap = gap
        self._put(army / 5.0)
        self._put(1.0 if v[places.LA] == seat else 0.0)
        self._put(gap / 4.0 if gap < 4.0 else 1.0)
        self._put((army - strongest) / 3.0 if v[places.LA] == seat else 0.0)

    def _see_cards(self, flat: FlatGame, seat: int, viewer: int) -> None:
        """Development cards: the viewer's own by kind, of others how many of each kind are to be expected."""
        v, t = flat.v, self.t
        stock = v[places.STOCK]
        for k in range(5):
            self.unseen[k] = stock >> 8 * k & 127
        for other in range(1, t.players + 1):
            if other != viewer:
                for k in range(5):
                    self.unseen[k] += (v[places.BC + other] >> 8 * k & 127) + (v[places.AC + other] >> 8 * k & 127)
        hideable = self.unseen[0] + self.unseen[1] + self.unseen[2] + self.unseen[3]
        fresh, ready = v[places.BC + seat], v[places.AC + seat]
        held, waiting = flat.total(ready), flat.total(fresh)
        for k in range(4):
            if seat == viewer:
                old = 1.0 * (ready >> 8 * k & 127)
                new = 1.0 * (fresh >> 8 * k & 127)
            elif hideable > 0.0:
                old = held * self.unseen[k] / hideable
                new = waiting * self.unseen[k] / hideable
            else:
                old = new = 0.0
            if k == places.KNIGHT:
                self._put(old / 2.0)
                self._put(new / 2.0)
                self.knights = old + new
            else:
                self._put((old + new) / 2.0)
                if k == places.PAVING:
                    self.free_roads = 2.0 * (old + new)
                elif k == places.YEAR:
                    self.wild += 1.5 * (old + new)
                else:
                    self.wild = 1.5 * (old + new)
        self._put((held + waiting) / 5.0)
        self._put(1.0 if held > 0 and v[places.PD] == 0 else 0.0)
        all_unseen = hideable + self.unseen[4]
        self.deck = 1.0 * flat.total(stock)
        self.knight_share = self.unseen[3] / all_unseen if all_unseen > 0.0 else 0.0
        self.point_share = self.unseen[4] / all_unseen if all_unseen > 0.0 else 0.0
        self._put(self.deck / 25.0)
        self._put(self.point_share)

    def _find_sites(self, flat: FlatGame, seat: int) -> None:
        """The places to settle that at most three roads lead to: the best of each distance, and five for the plan."""
        v, s = flat.v, flat.s
        own = flat.own(seat)
        # The search depends on these sets alone, so its result is kept for each seat.
        if not (
            self.of_own[seat] == own
            and self.of_roads[seat] == s[places.ROADS_ON + seat]
            and self.of_taken[seat] == s[places.TAKEN]
            and self.of_shut[seat] == s[places.ROADS_TAKEN]
        ):
            self.of_own[seat] = own
            self.of_roads[seat] = s[places.ROADS_ON + seat]
            self.of_taken[seat] = s[places.TAKEN]
            self.of_shut[seat] = s[places.ROADS_TAKEN]
            self._look_for_sites(flat, seat)
        self.sites = self.found[seat]
        for i in range(self.sites):
            self.site_at[i] = self.found_at[8 * seat + i]
            self.site_away[i] = self.found_away[8 * seat + i]
        for i in range(9):
            self._put(self.rings[12 * seat + i])
        self._put(self.sums[self.village_at[0]] / 12.0 if self.villages > 0 else 0.0)
        self._put(self.sums[self.village_at[1]] / 12.0 if self.villages > 1 else 0.0)
        self.pieces_roads = 1.0 * v[places.ROAD + seat]
        self.pieces_villages = 1.0 * v[places.VILLAGE + seat]
        self.pieces_cities = 1.0 * v[places.CITY + seat]

    def _look_for_sites(self, flat: FlatGame, seat: int) -> None:
        s, t = flat.s, self.t
        flat.look_around(seat)
        own = flat.own(seat)
        foreign = s[places.TAKEN] & ~own
        ring = own | s[places.REACH_ENDS + seat]
        seen = ring
        shut = s[places.ROADS_TAKEN]
        self.sites = 0
        for away in range(4):
            open_there = ring & t.everywhere & ~s[places.CROWDED]
            best = following = count = 0.0
            first = self.sites
            if open_there:
                for at in range(1, t.settlements + 1):
                    if not open_there & t.bit[at]:
                        continue
                    worth = self.sums[at]
                    for k in range(5):
                        if self.income[k] <= 0.0:
                            worth += 0.5 * self.pips[5 * at + k]
                    for k in range(6):
                        if t.wharfs[k] & t.bit[at]:
                            worth += 1.0
                    count += 1.0
                    if worth > best:
                        following = best
                        best = worth
                    elif worth > following:
                        following = worth
                    # Five in all: nearer distances first, and the best first within a distance.
                    spot = self.sites
                    while spot > first and self.sums[self.site_at[spot - 1]] < self.sums[at]:
                        spot -= 1
                    if spot < 5:
                        last = self.sites if self.sites < 4 else 4
                        while last > spot:
                            self.site_at[last] = self.site_at[last - 1]
                            self.site_away[last] = self.site_away[last - 1]
                            last -= 1
                        self.site_at[spot] = at
                        self.site_away[spot] = away
                        if self.sites < 5:
                            self.sites += 1
            if away < 3:
                self.rings[12 * seat + 3 * away] = best / 12.0
                self.rings[12 * seat + 3 * away + 1] = following / 12.0
                self.rings[12 * seat + 3 * away + 2] = count / 4.0
                reached = ring & ~ring
                onward = ring & ~foreign
                for at in range(1, t.settlements + 1):
                    if onward & t.bit[at]:
                        for i in range(4 * at, 4 * at + 3):
                            road = t.meeting[i]
                            if road and not shut & t.bit[road]:
                                reached |= t.end_points[road]
                ring = reached & ~seen
                seen |= ring
        self.found[seat] = self.sites
        for i in range(self.sites):
            self.found_at[8 * seat + i] = self.site_at[i]
            self.found_away[8 * seat + i] = self.site_away[i]

    def _see_prospects(self, flat: FlatGame, seat: int) -> None:
        wait = self._wait(0.0, 0.0, 0.0, 2.0, 3.0)
        self._put(6.0 / (6.0 + wait))
        roads = 1.0 * self.site_away[0] if self.sites > 0 else 3.0
        wait = self._wait(1.0 + roads, 1.0 + roads, 1.0, 1.0, 0.0)
        self._put(6.0 / (6.0 + wait))
        wait = self._wait(1.0, 1.0, 0.0, 0.0, 0.0)
        self._put(6.0 / (6.0 + wait))
        wait = self._wait(0.0, 0.0, 1.0, 1.0, 1.0)
        self._put(6.0 / (6.0 + wait))
