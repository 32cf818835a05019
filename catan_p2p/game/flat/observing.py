"""What a player may know of a flat game, as numbers in a buffer of floats: what a learner observes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from catan_p2p.game.flat import places
from catan_p2p.game.flat.game import FlatGame
from catan_p2p.game.flat.tables import FlatTables, padded, zeros


def check_room(tables: FlatTables) -> None:
    """Raise ``ValueError`` unless the island and the players have room in what learners observe and choose."""
    found = (tables.settlements, tables.roads, tables.land_count, tables.players)
    most = (places.SEEN_POINTS, places.SEEN_ROADS, places.SEEN_LANDS, places.SEEN_SEATS)
    if any(its > room for its, room in zip(found, most, strict=True)):
        told = "{} settlement points, {} road points, {} land tiles and {} players"
        raise ValueError(f"{told.format(*found)}: expected at most {told.format(*most)}")


class ObservationBuffer:
    """Keeps a buffer up to date: it writes anew what is short, and of pieces and the bandit only what has changed.

    ``catan_p2p.env.observing`` lays the buffer out and writes into it what no move changes: land tiles and wharfs.
    """

    def __init__(self, tables: FlatTables, into: Any, starts: Sequence[int], columns: Sequence[int]) -> None:
        check_room(tables)
        if len(into) != starts[7]:
            raise ValueError(f"a buffer of {len(into)} numbers, expected {starts[7]}")
        self.t = tables
        self.x = into
        self.starts = list(starts)
        """Where players, table, hand, points, roads, tiles and wharfs begin, and where all ends."""
        self.columns = padded(list(columns), 16)
        """Where the table has each phase, by its number; 0 for none."""
        self.viewer = 0
        self.bandit = 0
        self.shown = zeros(24)
        """The sets of points as the buffer has them."""

    def write(self, flat: FlatGame, viewer: int, given_up: int) -> None:
        """Write what a viewer may know of the game; ``given_up``: the cards that they have named for a discard."""
        v, t = flat.v, self.t
        # Rows are relative to the viewer, so another viewer's rows are all wrong.
        if viewer != self.viewer:
            self._forget()
            self.viewer = viewer
        seat = viewer
        for row in range(t.players):
            self._write_seat(flat, seat, row)
            self._write_pieces(flat, seat, row)
            seat = seat % t.players + 1
        self._write_table(flat)
        at = self.starts[2]
        self._write_cards(at, v[places.RC + viewer] - given_up)
        self._write_cards(at + 5, v[places.BC + viewer])
        self._write_cards(at + 10, v[places.AC + viewer])
        self._write_bandit(v[places.BA])

    def _forget(self) -> None:
        """Empty all that is counted from the viewer."""
        for i in range(self.starts[5]):
            self.x[i] = 0.0
        for i in range(24):
            self.shown[i] = 0

    def _write_cards(self, at: int, cards: int) -> None:
        x = self.x
        x[at] = cards & 127
        x[at + 1] = cards >> 8 & 127
        x[at + 2] = cards >> 16 & 127
        x[at + 3] = cards >> 24 & 127
        x[at + 4] = cards >> 32 & 127

    def _write_seat(self, flat: FlatGame, seat: int, row: int) -> None:
        """What everybody sees of a seat, in 26 numbers.

        plays, resource cards, cards bought, cards available; unveiled by type (5); points, longest road, largest army;
        roads, villages, cities left; its turn, awaited to build, set-up turn; must keep so many cards; start roll;
        answer (none, asked, accept, reject); distance in turn, whether it began.
        """
        v, x = flat.v, self.x
        at = self.starts[0] + places.OF_SEAT * row
        x[at] = 1.0
        x[at + 1] = flat.total(v[places.RC + seat])
        x[at + 2] = flat.total(v[places.BC + seat])
        x[at + 3] = flat.total(v[places.AC + seat])
        self._write_cards(at + 4, v[places.UC + seat])
        x[at + 9] = flat.points(seat)
        x[at + 10] = v[places.LR] == seat
        x[at + 11] = v[places.LA] == seat
        x[at + 12] = v[places.ROAD + seat]
        x[at + 13] = v[places.VILLAGE + seat]
        x[at + 14] = v[places.CITY + seat]
        x[at + 15] = v[places.AP] == seat
        x[at + 16] = v[places.SB] == seat
        x[at + 17] = v[places.TP] == places.BOT and v[places.SU_AP] == seat
        x[at + 18] = v[places.LIM + seat]
        x[at + 19] = v[places.ROLLS + seat]
        answer = v[places.ANS + seat]
        for i in range(4):
            x[at + 20 + i] = answer == i
        x[at + 24] = row
        x[at + 25] = v[places.FIRST] == seat

    def _write_pieces(self, flat: FlatGame, seat: int, row: int) -> None:
        s, t = flat.s, self.t
        at = self.starts[3] + 2 * places.SEEN_POINTS * row
        self._show(s[places.VILLAGES_ON + seat], places.VILLAGES_ON + seat, at, t.settlements)
        self._show(s[places.CITIES_ON + seat], places.CITIES_ON + seat, at + places.SEEN_POINTS, t.settlements)
        at = self.starts[4] + places.SEEN_ROADS * row
        self._show(s[places.ROADS_ON + seat], places.ROADS_ON + seat, at, t.roads)

    def _show(self, now: int, which: int, at: int, most: int) -> None:
        """Write what has changed of a set of points, whose first number is at ``at``."""
        # Bits that differ are the points that changed: a move changes few of them.
        changed = now ^ self.shown[which]
        if not changed:
            return
        self.shown[which] = now
        for i in range(1, most + 1):
            if changed & self.t.bit[i]:
                self.x[at + i - 1] = 1.0 if now & self.t.bit[i] else 0.0

    def _write_table(self, flat: FlatGame) -> None:
        """The bank (5 resources, cards left), the discard pile's size, the phase, the dice, the offer, the rules."""
        v, t, x = flat.v, self.t, self.x
        at, tp = self.starts[1], v[places.TP]
        for i in range(at + 10, self.starts[2]):
            x[i] = 0.0
        self._write_cards(at, v[places.BANK])
        x[at + 5] = flat.total(v[places.STOCK])
        x[at + 6] = flat.total(v[places.DP])
        x[at + 7] = v[places.PD]
        x[at + 8] = t.players
        x[at + 9] = t.goal
        column = self.columns[tp]
        if column:
            x[at + column] = 1.0
        at = self.starts[2] - 35
        x[at + v[places.SUP]] = 1.0
        x[at + 3] = tp == places.TOP
        if 0 <= v[places.DICE] <= 12:
            x[at + 4 + v[places.DICE]] = 1.0
        self._write_cards(at + 17, v[places.GIVE])
        self._write_cards(at + 22, v[places.RECEIVE])
        self._write_cards(at + 27, v[places.DP])
        x[at + 32] = t.after_dice == places.TRADING_BUILDING
        x[at + 33] = t.domestic
        x[at + 34] = t.special

    def _write_bandit(self, bandit: int) -> None:
        for tile in (self.bandit, bandit):
            row = self.t.land_row[tile]
            if row:
                self.x[self.starts[5] + places.OF_TILE * row - 1] = 1.0 if tile == bandit else 0.0
        self.bandit = bandit
