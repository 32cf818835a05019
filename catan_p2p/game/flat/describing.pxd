cimport cython
from catan_p2p.game.flat cimport places
from catan_p2p.game.flat.game cimport FlatGame
from catan_p2p.game.flat.planning cimport SeatPlanner
from catan_p2p.game.flat.types cimport cards_t, points_t

cdef double TO_1024THS

cdef class SeatDescriber(SeatPlanner):
    cdef double x[128]
    cdef int n
    cdef double lost[5]
    cdef int rate[5]
    cdef double unseen[5]
    cdef double rings[96]
    cdef int found[8]
    cdef int found_at[64]
    cdef int found_away[64]
    cdef points_t of_own[8]
    cdef points_t of_roads[8]
    cdef points_t of_taken[8]
    cdef points_t of_shut[8]
    cpdef list inputs(self, FlatGame flat, int seat, int viewer)
    cdef void _put(self, double value) noexcept
    @cython.locals(needed=cython.int, is_active=cython.bint, time=cython.double)
    cpdef void see(self, FlatGame flat, int seat, int viewer) noexcept
    @cython.locals(villages=points_t, cities=points_t, own=points_t, there=points_t, has=points_t, times=cython.double, spot=cython.int, bandit=cython.int, pieces=cython.int, total=cython.double, kinds=cython.double, gone=cython.double, general=cython.int, rate=cython.int)
    cdef void _see_income(self, FlatGame flat, int seat) noexcept
    @cython.locals(cards=cards_t, held=cython.int, total=cython.int, lacks_city=cython.double, lacks_village=cython.double)
    cdef void _see_hand(self, FlatGame flat, int seat) noexcept
    @cython.locals(own=cython.int, most=cython.int, army=cython.int, strongest=cython.int, length=cython.int, size=cython.int, gap=cython.double)
    cdef void _see_bonuses(self, FlatGame flat, int seat) noexcept
    @cython.locals(stock=cards_t, hideable=cython.double, fresh=cards_t, ready=cards_t, held=cython.int, waiting=cython.int, old=cython.double, new=cython.double, all_unseen=cython.double)
    cdef void _see_cards(self, FlatGame flat, int seat, int viewer) noexcept
    @cython.locals(own=points_t)
    cdef void _find_sites(self, FlatGame flat, int seat) noexcept
    @cython.locals(own=points_t, foreign=points_t, ring=points_t, seen=points_t, shut=points_t, open_there=points_t, reached=points_t, onward=points_t, best=cython.double, following=cython.double, count=cython.double, worth=cython.double, first=cython.int, spot=cython.int, last=cython.int, road=cython.int)
    cdef void _look_for_sites(self, FlatGame flat, int seat) noexcept
    @cython.locals(wait=cython.double, roads=cython.double)
    cdef void _see_prospects(self, FlatGame flat, int seat) noexcept
