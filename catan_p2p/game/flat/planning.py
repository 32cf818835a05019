"""The race of a seat in a flat game: about how many rolls it needs to win, from its hand, income, sites and bonuses."""

from __future__ import annotations

from catan_p2p.game.flat.tables import FlatTables, zeros

NEVER = 400.0


def nothing(length: int) -> list[float]:
    """This many zeros."""
    return [0.0] * length


class SeatPlanner:
    """What a seat has, as ``SeatDescriber`` has found it, and the plan that follows."""

    def __init__(self, tables: FlatTables) -> None:
        self.t = tables
        self.h = nothing(5)
        self.income = nothing(5)
        self.share = nothing(5)
        self.pips = nothing(640)
        self.sums = nothing(128)
        self.kind = zeros(128)
        self.tile_pips = nothing(128)
        self.site_away = zeros(8)
        self.site_at = zeros(8)
        self.sites = 0
        self.village_at = zeros(8)
        self.villages = 0
        self.wild = self.free_roads = self.knights = self.deck = 0.0
        self.road_gap = self.army_gap = self.knight_share = self.point_share = 0.0
        self.pieces_roads = self.pieces_villages = self.pieces_cities = 0.0
        self._learn_board()

    def _learn_board(self) -> None:
        t = self.t
        for dice in range(2, 13):
            if dice == 7:
                continue
            # Of 36 outcomes, how many show this sum.
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

    def _wait(self, c0: float, c1: float, c2: float, c3: float, c4: float) -> float:
        """The rolls until hand and income pay a cost, with spare cards traded at the bank."""
        h0, h1, h2, h3, h4 = self.h[0] - c0, self.h[1] - c1, self.h[2] - c2, self.h[3] - c3, self.h[4] - c4
        i0, i1, i2, i3, i4 = self.income[0], self.income[1], self.income[2], self.income[3], self.income[4]
        s0, s1, s2, s3, s4 = self.share[0], self.share[1], self.share[2], self.share[3], self.share[4]
        time = 0.0
        # Newton's method: the balance is piecewise linear and rising, so a few steps suffice.
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
        # Spare cards pay for missing ones, and what is left of them shrinks in proportion.
        keep = 1.0 - lacking / spare if spare > lacking else 0.0
        for k in range(5):
            self.h[k] = self.h[k] * keep if self.h[k] > 0.0 else 0.0

    def _plan(self, needed: float) -> float:
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
