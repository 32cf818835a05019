cimport cython
from catan_p2p.game.flat.tables cimport FlatTables

cdef double NEVER

cdef class SeatPlanner:
    cdef FlatTables t
    cdef int sites, villages
    cdef double h[5]
    cdef double income[5]
    cdef double share[5]
    cdef double pips[640]
    cdef double sums[128]
    cdef int kind[128]
    cdef double tile_pips[128]
    cdef int site_away[8]
    cdef int site_at[8]
    cdef int village_at[8]
    cdef double road_gap, army_gap, knights, free_roads, wild, deck, knight_share, point_share
    cdef double pieces_roads, pieces_villages, pieces_cities
    @cython.locals(kind=cython.int, tile=cython.int, weight=cython.double)
    cdef _learn_board(self)
    @cython.locals(time=cython.double, balance=cython.double, slope=cython.double)
    cdef double _wait(self, double c0, double c1, double c2, double c3, double c4) noexcept
    @cython.locals(lacking=cython.double, spare=cython.double, keep=cython.double)
    cdef void _spend(self, double c0, double c1, double c2, double c3, double c4, double time) noexcept
    @cython.locals(time=cython.double, roads=cython.double, cities=cython.double, villages=cython.double, deck=cython.double, is_army=cython.bint, is_road=cython.bint, progress=cython.double, used=cython.int, best=cython.double, choice=cython.int, best_wait=cython.double, best_gain=cython.double, total=cython.double, rolls=cython.double, growth=cython.double, patience=cython.double, wait=cython.double, worth=cython.double, away=cython.double, paid=cython.double, fresh=cython.double, y=cython.double, gain=cython.double, buy=cython.double, turns=cython.double, at=cython.int, spot=cython.int)
    cdef double _plan(self, double needed) noexcept
