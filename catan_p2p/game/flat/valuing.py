"""How likely each seat is to win a flat game: what a player may know of a state as numbers, and a small network.

Each seat has a score, from numbers that describe its position; the chance to win is the softmax of all scores. So one
network serves for two to six players. The arithmetic is addition, multiplication and division in a fixed order: the
result is the same in Python and compiled, on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence

from catan_p2p.game.flat import places
from catan_p2p.game.flat.game import Flat
from catan_p2p.game.flat.tables import Tables, zeros

NEVER = 400.0
TO_1024THS = 1.5 * 2.0**42
"""Added to a number and taken away again, it leaves the nearest 1024th."""


def nothing(length: int) -> list[float]:
    """So many zeros."""
    return [0.0] * length


class Valuer:
    """Scores seats of states of one game."""

    def __init__(self, tables: Tables, weights: Sequence[float]) -> None:
        self.t = tables
        if len(weights) != places.WEIGHTS:
            raise ValueError(f"{len(weights)} weights: expected {places.WEIGHTS}")
        self.w = list(weights)
        """For each input its weights to all hidden numbers, then these numbers' biases, then their own weights."""
        self.x = nothing(128)
        self.n = 0
        self.before = nothing(1024)
        """The inputs of each seat that ``hidden`` belongs to: only those that change are added up anew."""
        self.hidden = nothing(8 * places.HIDDEN)
        for i in range(8 * places.HIDDEN):
            self.hidden[i] = self.w[places.HIDDEN * places.INPUTS + i % places.HIDDEN]
        self.scores = nothing(8)
        self.h = nothing(5)
        self.income = nothing(5)
        self.share = nothing(5)
        self.lost = nothing(5)
        self.pips = nothing(640)
        self.sums = nothing(128)
        self.rate = zeros(5)
        self.kind = zeros(128)
        self.tile_pips = nothing(128)
        self.site_away = zeros(8)
        self.site_at = zeros(8)
        self.sites = 0
        self.village_at = zeros(8)
        self.villages = 0
        self.unseen = nothing(5)
        self.wild = self.free_roads = self.knights = self.deck = 0.0
        self.road_gap = self.army_gap = self.knight_share = self.point_share = 0.0
        self.pieces_roads = self.pieces_villages = self.pieces_cities = 0.0
        self.rings = nothing(96)
        self.found = zeros(8)
        self.found_at = zeros(64)
        self.found_away = zeros(64)
        self.of_own = zeros(8)
        self.of_roads = zeros(8)
        self.of_taken = zeros(8)
        self.of_shut = zeros(8)
        self._learn_board()

    def _learn_board(self) -> None:
        t = self.t
        for dice in range(2, 13):
            if dice == 7:
                continue
            weight = 6.0 - (7 - dice if dice < 7 else dice - 7)
            for i in range(t.producing[dice] + 1, t.producing[dice + 1] + 1):
                kind = 0
                for k in range(5):
                    if t.tile_card[i] >> 8 * k & 127:
                        kind = k
                tile = t.tile[i]
                self.kind[tile] = kind
                self.tile_pips[tile] = weight
                for at in range(1, t.settlements + 1):
                    if t.tile_corners[i] & t.bit[at]:
                        self.pips[5 * at + kind] += weight
                        self.sums[at] += weight

    # ---------------------------------------------------------------------------------------------------- the inputs

    def inputs(self, flat: Flat, seat: int, viewer: int) -> list[float]:
        """The numbers that describe a seat, as the viewer knows it."""
        self.see(flat, seat, viewer)
        return [self.x[i] for i in range(places.INPUTS)]

    def _put(self, value: float) -> None:
        """The next input, in 1024ths: sums of such numbers and of weights in 4096ths are exact in any order."""
        self.x[self.n] = value + TO_1024THS - TO_1024THS
        self.n += 1

    def see(self, flat: Flat, seat: int, viewer: int) -> None:
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
        time = self._plan(flat, seat, needed)
        self._put(time / 100.0)
        self._put(12.0 / (12.0 + time))
        self._put(30.0 / (30.0 + time))

    def _see_income(self, flat: Flat, seat: int) -> None:
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
            self.income[k] = (self.income[k] - 0.6 * self.lost[k]) / 36.0

    def _see_hand(self, flat: Flat, seat: int) -> None:
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

    def _see_bonuses(self, flat: Flat, seat: int) -> None:
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

    def _see_cards(self, flat: Flat, seat: int, viewer: int) -> None:
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

    def _find_sites(self, flat: Flat, seat: int) -> None:
        """The places to settle that at most three roads lead to: the best of each distance, and five for the plan."""
        v, s = flat.v, flat.s
        own = flat.own(seat)
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

    def _look_for_sites(self, flat: Flat, seat: int) -> None:
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

    def _see_prospects(self, flat: Flat, seat: int) -> None:
        wait = self._wait(0.0, 0.0, 0.0, 2.0, 3.0)
        self._put(6.0 / (6.0 + wait))
        roads = 1.0 * self.site_away[0] if self.sites > 0 else 3.0
        wait = self._wait(1.0 + roads, 1.0 + roads, 1.0, 1.0, 0.0)
        self._put(6.0 / (6.0 + wait))
        wait = self._wait(1.0, 1.0, 0.0, 0.0, 0.0)
        self._put(6.0 / (6.0 + wait))
        wait = self._wait(0.0, 0.0, 1.0, 1.0, 1.0)
        self._put(6.0 / (6.0 + wait))

    # ------------------------------------------------------------------------------------------------------ the plan

    def _wait(self, c0: float, c1: float, c2: float, c3: float, c4: float) -> float:
        """The rolls until hand and income pay a cost, with spare cards traded at the bank."""
        h0, h1, h2, h3, h4 = self.h[0] - c0, self.h[1] - c1, self.h[2] - c2, self.h[3] - c3, self.h[4] - c4
        i0, i1, i2, i3, i4 = self.income[0], self.income[1], self.income[2], self.income[3], self.income[4]
        s0, s1, s2, s3, s4 = self.share[0], self.share[1], self.share[2], self.share[3], self.share[4]
        time = 0.0
        for _ in range(8):
            x0 = h0 + i0 * time
            x1 = h1 + i1 * time
            x2 = h2 + i2 * time
            x3 = h3 + i3 * time
            x4 = h4 + i4 * time
            balance = slope = 0.0
            if x0 < 0.0:
                balance += x0
                slope += i0
            else:
                balance += x0 * s0
                slope += i0 * s0
            if x1 < 0.0:
                balance += x1
                slope += i1
            else:
                balance += x1 * s1
                slope += i1 * s1
            if x2 < 0.0:
                balance += x2
                slope += i2
            else:
                balance += x2 * s2
                slope += i2 * s2
            if x3 < 0.0:
                balance += x3
                slope += i3
            else:
                balance += x3 * s3
                slope += i3 * s3
            if x4 < 0.0:
                balance += x4
                slope += i4
            else:
                balance += x4 * s4
                slope += i4 * s4
            if balance >= -1e-9:
                return time
            if slope <= 1e-9:
                return NEVER
            time -= balance / slope
            if time > NEVER:
                return NEVER
        return time

    def _spend(self, c0: float, c1: float, c2: float, c3: float, c4: float, time: float) -> None:
        """What is left of the hand once a cost is paid after so many rolls."""
        self.h[0] += self.income[0] * time - c0
        self.h[1] += self.income[1] * time - c1
        self.h[2] += self.income[2] * time - c2
        self.h[3] += self.income[3] * time - c3
        self.h[4] += self.income[4] * time - c4
        lacking = spare = 0.0
        for k in range(5):
            if self.h[k] < 0.0:
                lacking -= self.h[k]
            else:
                spare += self.h[k] * self.share[k]
        keep = 1.0 - lacking / spare if spare > lacking else 0.0
        for k in range(5):
            self.h[k] = self.h[k] * keep if self.h[k] > 0.0 else 0.0

    def _plan(self, flat: Flat, seat: int, needed: float) -> float:
        """About how many rolls the seat needs to win, always making the purchase with the most gain for its wait."""
        t = self.t
        time = 0.0
        roads, cities, villages, deck = self.pieces_roads, self.pieces_cities, self.pieces_villages, self.deck
        is_army, is_road = self.army_gap > 0.0, self.road_gap > 0.0
        progress = 1.0 - self.knight_share - self.point_share
        for k in range(5):
            self.h[k] += 0.2 * self.wild
        used = 0
        for _ in range(14):
            if needed <= 0.01:
                return time
            best, choice, best_wait, best_gain = 0.0, -1, 0.0, 0.0
            total = self.income[0] + self.income[1] + self.income[2] + self.income[3] + self.income[4]
            rolls = needed * 5.0 / (total if total > 0.05 else 0.05)
            growth = 0.2 * (rolls if rolls < 90.0 else 90.0)
            patience = 0.6 * t.players
            if cities > 0.0 and self.villages > 0:
                wait = self._wait(0.0, 0.0, 0.0, 2.0, 3.0)
                worth = (1.0 + growth * self.sums[self.village_at[0]] / 36.0) / (wait + patience)
                if wait < NEVER and worth > best:
                    best, choice, best_wait, best_gain = worth, 5, wait, 1.0
            if villages > 0.0:
                for i in range(self.sites):
                    away = 1.0 * self.site_away[i]
                    if used >> i & 1 or away > roads:
                        continue
                    paid = away - self.free_roads if away > self.free_roads else 0.0
                    fresh = 0.0
                    for k in range(5):
                        y = self.pips[5 * self.site_at[i] + k] / 36.0
                        fresh += y if self.income[k] > 0.02 else 1.5 * y
                    wait = self._wait(1.0 + paid, 1.0 + paid, 1.0, 1.0, 0.0) + away
                    worth = (1.0 + growth * fresh) / (wait + patience)
                    if wait < NEVER and worth > best:
                        best, choice, best_wait, best_gain = worth, i, wait, 1.0
            if deck >= 1.0:
                gain = self.point_share + 0.12 * self.knight_share + 0.3 * progress
                wait = self._wait(0.0, 0.0, 1.0, 1.0, 1.0)
                worth = gain / (wait + patience)
                if wait < NEVER and worth > best:
                    best, choice, best_wait, best_gain = worth, 6, wait, gain
                if is_army and self.knight_share > 0.0:
                    buy = (self.army_gap - self.knights if self.army_gap > self.knights else 0.0) / self.knight_share
                    if buy <= deck:
                        gain = (2.0 if needed <= 2.0 else 1.6) + buy * (self.point_share + 0.3 * progress)
                        wait = self._wait(0.0, 0.0, buy, buy, buy)
                        turns = t.players * (self.army_gap - 0.5 if self.army_gap > 1.0 else 0.5)
                        if wait < turns:
                            wait = turns
                        worth = gain / (wait + patience)
                        if wait < NEVER and worth > best:
                            best, choice, best_wait, best_gain = worth, 7, wait, gain
            if is_road and self.road_gap <= roads:
                paid = self.road_gap - self.free_roads if self.road_gap > self.free_roads else 0.0
                gain = 2.0 if needed <= 2.0 else 1.6
                wait = self._wait(paid, paid, 0.0, 0.0, 0.0) + 0.5 * paid
                worth = gain / (wait + patience)
                if wait < NEVER and worth > best:
                    best, choice, best_wait, best_gain = worth, 8, wait, gain
            if choice < 0:
                time += 30.0 * needed
                return time if time < NEVER else NEVER
            time += best_wait + 0.8
            if time >= NEVER:
                return NEVER
            needed -= best_gain
            if choice == 5:
                self._spend(0.0, 0.0, 0.0, 2.0, 3.0, best_wait)
                at = self.village_at[0]
                self.villages -= 1
                for i in range(self.villages):
                    self.village_at[i] = self.village_at[i + 1]
                for k in range(5):
                    self.income[k] += self.pips[5 * at + k] / 36.0
                cities -= 1.0
                villages += 1.0
            elif choice == 6:
                self._spend(0.0, 0.0, 1.0, 1.0, 1.0, best_wait)
                deck -= 1.0
            elif choice == 7:
                buy = (self.army_gap - self.knights if self.army_gap > self.knights else 0.0) / self.knight_share
                self._spend(0.0, 0.0, buy, buy, buy, best_wait)
                is_army = False
                deck -= 3.0
            elif choice == 8:
                paid = self.road_gap - self.free_roads if self.road_gap > self.free_roads else 0.0
                self._spend(paid, paid, 0.0, 0.0, 0.0, best_wait)
                roads -= self.road_gap
                self.free_roads = self.free_roads - self.road_gap if self.free_roads > self.road_gap else 0.0
                is_road = False
            else:
                away = 1.0 * self.site_away[choice]
                paid = away - self.free_roads if away > self.free_roads else 0.0
                self._spend(1.0 + paid, 1.0 + paid, 1.0, 1.0, 0.0, best_wait)
                used |= 1 << choice
                at = self.site_at[choice]
                spot = self.villages if self.villages < 7 else 7
                while spot > 0 and self.sums[self.village_at[spot - 1]] < self.sums[at]:
                    self.village_at[spot] = self.village_at[spot - 1]
                    spot -= 1
                self.village_at[spot] = at
                if self.villages < 8:
                    self.villages += 1
                for k in range(5):
                    self.income[k] += self.pips[5 * at + k] / 36.0
                    if self.share[k] < 0.46 and t.wharfs[k] & t.bit[at]:
                        self.share[k] = 0.46
                    elif self.share[k] < 0.25 and t.wharfs[5] & t.bit[at]:
                        self.share[k] = 0.25
                villages -= 1.0
                roads -= away
                self.free_roads = self.free_roads - away if self.free_roads > away else 0.0
        time += 25.0 * needed
        return time if time < NEVER else NEVER

    # --------------------------------------------------------------------------------------------------- the network

    def score(self, flat: Flat, seat: int, viewer: int) -> float:
        """How well a seat stands; what counts is the difference to the others."""
        self.see(flat, seat, viewer)
        old, sums = 128 * seat, places.HIDDEN * seat
        for i in range(places.INPUTS):
            change = self.x[i] - self.before[old + i]
            if change != 0.0:
                self.before[old + i] = self.x[i]
                at = places.HIDDEN * i
                for j in range(places.HIDDEN):
                    self.hidden[sums + j] += change * self.w[at + j]
        total = 0.0
        at = places.HIDDEN * (places.INPUTS + 1)
        for j in range(places.HIDDEN):
            if self.hidden[sums + j] > 0.0:
                total += self.hidden[sums + j] * self.w[at + j]
        return total

    def take_in(self, flat: Flat, viewer: int) -> None:
        """Score all seats of a state, for ``chance`` and ``chance_with``."""
        for seat in range(1, self.t.players + 1):
            if not flat.v[places.AWAY + seat]:
                self.scores[seat] = self.score(flat, seat, viewer)

    def chance(self, flat: Flat, seat: int) -> float:
        """The chance to win of a seat by the scores taken in."""
        v, t = flat.v, self.t
        if v[places.TP] == places.TOP:
            return 1.0 if v[places.AP] == seat else 0.0
        if not t.at_once and v[places.AP] == seat and v[places.TP] >= places.TRADING and flat.points(seat) >= t.goal:
            return 1.0
        behind = 1.0
        for other in range(1, t.players + 1):
            if other != seat and not v[places.AWAY + other]:
                behind += exponential(self.scores[other] - self.scores[seat])
        return 1.0 / behind

    def value(self, flat: Flat, seat: int) -> float:
        """The chance of a seat to win as the player there sees it."""
        self.take_in(flat, seat)
        return self.chance(flat, seat)

    def value_alone(self, flat: Flat, seat: int) -> float:
        """The same where only what that seat has has changed since the others were taken in."""
        self.scores[seat] = self.score(flat, seat, seat)
        return self.chance(flat, seat)


def exponential(x: float) -> float:
    """About e to the power of a number from -30 to 30, the same on every machine."""
    if x > 30.0:
        x = 30.0
    elif x < -30.0:
        x = -30.0
    y = 1.0 + x / 1024.0
    for _ in range(10):
        y = y * y
    return y
