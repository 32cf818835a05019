"""A flat state of a game: two arrays of numbers that change in place, and what can be read from them."""

from __future__ import annotations

from collections.abc import Sequence

from catan_p2p.game.flat import places
from catan_p2p.game.flat.tables import FlatTables, MoveScratch, zeros

BORROW = 0x80_80_80_80_80


class FlatPosition:
    """The numbers and sets of one state; ``catan_p2p.game.flat.places`` says which is where."""

    def __init__(self, tables: FlatTables, scratch: MoveScratch) -> None:
        self.t = tables
        self.scratch = scratch
        self.v = zeros(places.NUMBERS)
        self.s = zeros(places.SETS)
        self.seen = 0
        """Road points that the search for a trail has reached."""

    def load(self, numbers: Sequence[int], sets: Sequence[int]) -> None:
        """Take over a state: the places before ``TOLD`` and ``SETS_TOLD``; the others are computed."""
        v, s = self.v, self.s
        for i in range(places.TOLD):
            v[i] = numbers[i]
        for i in range(places.SETS_TOLD):
            s[i] = sets[i]
        for i in range(places.SETS_TOLD, places.SETS):
            s[i] = 0
        v[places.PROPOSALS] = 0
        for player in range(1, self.t.players + 1):
            v[places.TRAIL + player] = 0
            v[places.VILLAGES + player] = self.count(s[places.VILLAGES_ON + player])
            v[places.CITIES + player] = self.count(s[places.CITIES_ON + player])
            v[places.ROADS + player] = self.count(s[places.ROADS_ON + player])
            s[places.TAKEN] |= s[places.VILLAGES_ON + player] | s[places.CITIES_ON + player]
            s[places.ROADS_TAKEN] |= s[places.ROADS_ON + player]
            if v[places.PG + player] or v[places.PR + player]:
                v[places.PROPOSALS] += 1
        for at in range(1, self.t.settlements + 1):
            if s[places.TAKEN] & self.t.bit[at]:
                s[places.CROWDED] |= self.t.crowd[at]

    def numbers(self) -> list[int]:
        """All numbers before ``TOLD``."""
        return [self.v[i] for i in range(places.TOLD)]

    def sets(self) -> list[int]:
        """All sets before ``SETS_TOLD``."""
        return [self.s[i] for i in range(places.SETS_TOLD)]

    def set_to(self, other: FlatPosition) -> None:
        """Become equal to another state of the same game."""
        self.v[:] = other.v
        self.s[:] = other.s

    # ---------------------------------------------------------------------------------------------- cards and sets

    def count(self, points: int) -> int:
        """How many points a set has."""
        n = 0
        while points:
            # Clears the lowest bit of the set.
            points &= points - 1
            n += 1
        return n

    def total(self, cards: int) -> int:
        """How many cards there are in all; as in the mirror, correct up to 255."""
        n = (cards & 127) + (cards >> 8 & 127) + (cards >> 16 & 127) + (cards >> 24 & 127) + (cards >> 32 & 127)
        return n & 255

    def covers(self, cards: int, cost: int) -> bool:
        """Whether there are at least as many cards of every kind as in ``cost``."""
        return ((cards | BORROW) - cost) & BORROW == BORROW

    def first_kind(self, cards: int) -> int:
        """The first kind that there is, ``NO_CARD`` if there is none."""
        for kind in range(5):
            if cards >> 8 * kind & 127:
                return kind
        return places.NO_CARD

    # ------------------------------------------------------------------------------------------------------- players

    def next_player(self, player: int) -> int:
        """The player clockwise after another, of those present."""
        n, v = self.t.players, self.v
        after = player
        for _ in range(n):
            after = after % n + 1
            if not v[places.AWAY + after]:
                return after
        # With nobody present, as in the mirror.
        return player % n + 1

    def previous_player(self, player: int) -> int:
        """The player clockwise before another, of those present."""
        n, v = self.t.players, self.v
        before = player
        for _ in range(n):
            before = (before - 2 + n) % n + 1
            if not v[places.AWAY + before]:
                return before
        return (player - 2 + n) % n + 1

    def builder(self) -> int:
        """Whose turn to build it is."""
        return self.v[places.SB] if self.v[places.TP] == places.SPECIAL_BUILDING else self.v[places.AP]

    def awaited(self) -> int:
        """The first of those whom the game waits for; nobody after the end."""
        v = self.v
        tp = v[places.TP]
        if tp == places.TOP:
            return places.NOBODY
        if tp == places.BOT:
            return v[places.SU_AP]
        if tp == places.DISCARDING:
            for player in range(1, self.t.players + 1):
                if self.owed(player):
                    return player
        elif tp == places.OFFERING:
            for player in range(1, self.t.players + 1):
                if v[places.ANS + player] == places.ASKED:
                    return player
        return self.builder()

    def owed(self, player: int) -> int:
        """How many cards a player still has to discard."""
        limit = self.v[places.LIM + player]
        if limit == 0:
            return 0
        over = self.total(self.v[places.RC + player]) - limit
        return over if over > 0 else 0

    def is_discard_due(self) -> bool:
        """Whether anybody still has to discard."""
        return any(self.owed(player) for player in range(1, self.t.players + 1))

    def needs_answers(self) -> bool:
        """Whether the offer can be settled only once everybody has answered, and somebody has not yet."""
        if self.t.talk:
            return False
        return any(self.v[places.ANS + player] == places.ASKED for player in range(1, self.t.players + 1))

    # -------------------------------------------------------------------------------------------- points and bonuses

    def points(self, player: int) -> int:
        """Victory points."""
        v = self.v
        points = v[places.VILLAGES + player] + 2 * v[places.CITIES + player]
        points += v[places.UC + player] >> 8 * places.POINT & 127
        if v[places.LR] == player:
            points += 2
        if v[places.LA] == player:
            points += 2
        return points

    def own(self, player: int) -> int:
        """The player's settlements."""
        return self.s[places.VILLAGES_ON + player] | self.s[places.CITIES_ON + player]

    def trail(self, player: int) -> int:
        """The length of a player's longest trail; 0 if they have too few roads for it to matter."""
        v, s = self.v, self.s
        if v[places.ROADS + player] < self.t.trail_least:
            return 0
        roads = s[places.ROADS_ON + player]
        cut = s[places.TAKEN] & ~self.own(player)
        # Kept for as long as roads and foreign settlements stay the same: the search is the most expensive part.
        if s[places.TRAIL_ROADS + player] != roads or s[places.TRAIL_CUT + player] != cut:
            s[places.TRAIL_ROADS + player] = roads
            s[places.TRAIL_CUT + player] = cut
            v[places.TRAIL + player] = self.longest(roads, cut)
        return v[places.TRAIL + player]

    def longest(self, roads: int, cut: int) -> int:
        """The length of the longest trail of these roads, which passes through no point of ``cut``.

        It starts where an odd number of roads meet or where one ends; in a part of the network without such a point it
        is the whole part.
        """
        t = self.t
        best = 0
        self.seen = 0
        # First from all possible starts, then closed parts, which have none.
        for closed in range(2):
            for road in range(1, t.roads + 1):
                if not roads & t.bit[road] or (closed and self.seen & t.bit[road]):
                    continue
                for turned in range(2):
                    start = t.end_b[road] if turned else t.end_a[road]
                    onward = t.end_a[road] if turned else t.end_b[road]
                    if closed or self.is_start(start, roads, cut):
                        length = 1 + self.onward(onward, roads, cut, t.bit[road])
                        if length > best:
                            best = length
        return best

    def is_start(self, at: int, roads: int, cut: int) -> bool:
        """Whether a longest trail may start at a point: one that is no way through, or where an odd number meet."""
        if at == 0 or cut & self.t.bit[at]:
            return True
        return self.count(roads & self.t.roads_at[at]) % 2 == 1

    def onward(self, at: int, roads: int, cut: int, used: int) -> int:
        """The length of the longest trail from a point on, along roads that are not used yet."""
        t = self.t
        self.seen |= used
        if at == 0 or cut & t.bit[at]:
            return 0
        best = 0
        for i in range(4 * at, 4 * at + 3):
            # At most three roads meet at a point; the table's row of a point has four places.
            road = t.meeting[i]
            if road and roads & t.bit[road] and not used & t.bit[road]:
                there = t.end_a[road] + t.end_b[road] - at
                length = 1 + self.onward(there, roads, cut, used | t.bit[road])
                if length > best:
                    best = length
        return best

    def bonus_size(self, player: int, army: bool) -> int:
        """How many knights a player has unveiled, or else how long their trail is."""
        return self.v[places.UC + player] >> 8 * places.KNIGHT & 127 if army else self.trail(player)

    def bonus_holder(self, army: bool) -> int:
        """Who holds the largest army, or else the longest road."""
        v = self.v
        least = self.t.army_least if army else self.t.trail_least
        holder = v[places.LA] if army else v[places.LR]
        held = self.bonus_size(holder, army) if holder != places.NOBODY else 0
        most = 0
        leader = places.NOBODY
        leaders = 0
        for player in range(1, self.t.players + 1):
            if player == holder:
                size = held
            elif not army and held >= least and v[places.ROADS + player] <= held:
                continue  # No trail is longer than the player's roads, so this one cannot beat the holder's.
            else:
                size = self.bonus_size(player, army)
            if size > most:
                most = size
                leader = player
                leaders = 1
            elif size == most:
                leaders += 1
        if most < least:
            return places.NOBODY
        if holder != places.NOBODY and held == most:
            return holder
        return leader if leaders == 1 else places.NOBODY

    def look_around(self, player: int) -> None:
        """Work out where the player's roads end and where they may go on, unless that is known."""
        s, t = self.s, self.t
        roads = s[places.ROADS_ON + player]
        own = self.own(player)
        cut = s[places.TAKEN] & ~own
        if (
            s[places.REACH_ROADS + player] == roads
            and s[places.REACH_OWN + player] == own
            and s[places.REACH_CUT + player] == cut
        ):
            return
        s[places.REACH_ROADS + player] = roads
        s[places.REACH_OWN + player] = own
        s[places.REACH_CUT + player] = cut
        ends = on = 0
        for road in range(1, t.roads + 1):
            if roads & t.bit[road]:
                ends |= t.end_points[road]
        from_here = own | ends & ~cut
        for at in range(1, t.settlements + 1):
            if from_here & t.bit[at]:
                on |= t.roads_at[at]
        s[places.REACH_ENDS + player] = ends
        s[places.REACH_OPEN + player] = on
