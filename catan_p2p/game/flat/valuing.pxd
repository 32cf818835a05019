cimport cython
from catan_p2p.game.flat cimport places
from catan_p2p.game.flat.game cimport Flat
from catan_p2p.game.flat.tables cimport Tables
from catan_p2p.game.flat.types cimport cards_t, points_t

cdef double NEVER, TO_1024THS

cdef double exponential(double x) noexcept

cdef class Valuer:
    cdef Tables t
    cdef double w[3424]
    cdef double x[128]
    cdef int n, sites, villages
    cdef double before[1024]
    cdef double hidden[256]
    cdef double scores[8]
    cdef double h[5]
    cdef double income[5]
    cdef double share[5]
    cdef double lost[5]
    cdef double pips[640]
    cdef double sums[128]
    cdef int rate[5]
    cdef int kind[128]
    cdef double tile_pips[128]
    cdef int site_away[8]
    cdef int site_at[8]
    cdef int village_at[8]
    cdef double unseen[5]
    cdef double rings[96]
    cdef int found[8]
    cdef int found_at[64]
    cdef int found_away[64]
    cdef points_t of_own[8]
    cdef points_t of_roads[8]
    cdef points_t of_taken[8]
    cdef points_t of_shut[8]
    cdef double road_gap, army_gap, knights, free_roads, wild, deck, knight_share, point_share
    cdef double pieces_roads, pieces_villages, pieces_cities
    @cython.locals(kind=cython.int, tile=cython.int, weight=cython.double)
    cdef _learn_board(self)
    cpdef list inputs(self, Flat flat, int seat, int viewer)
    cdef void _put(self, double value) noexcept
    @cython.locals(needed=cython.int, is_active=cython.bint, time=cython.double)
    cpdef void see(self, Flat flat, int seat, int viewer) noexcept
    @cython.locals(villages=points_t, cities=points_t, own=points_t, there=points_t, has=points_t, times=cython.double, spot=cython.int, bandit=cython.int, pieces=cython.int, total=cython.double, kinds=cython.double, gone=cython.double, general=cython.int, rate=cython.int)
    cdef void _see_income(self, Flat flat, int seat) noexcept
    @cython.locals(cards=cards_t, held=cython.int, total=cython.int, lacks_city=cython.double, lacks_village=cython.double)
    cdef void _see_hand(self, Flat flat, int seat) noexcept
    @cython.locals(own=cython.int, most=cython.int, army=cython.int, strongest=cython.int, length=cython.int, size=cython.int, gap=cython.double)
    cdef void _see_bonuses(self, Flat flat, int seat) noexcept
    @cython.locals(stock=cards_t, hideable=cython.double, fresh=cards_t, ready=cards_t, held=cython.int, waiting=cython.int, old=cython.double, new=cython.double, all_unseen=cython.double)
    cdef void _see_cards(self, Flat flat, int seat, int viewer) noexcept
    @cython.locals(own=points_t)
    cdef void _find_sites(self, Flat flat, int seat) noexcept
    @cython.locals(own=points_t, foreign=points_t, ring=points_t, seen=points_t, shut=points_t, open_there=points_t, reached=points_t, onward=points_t, best=cython.double, following=cython.double, count=cython.double, worth=cython.double, first=cython.int, spot=cython.int, last=cython.int, road=cython.int)
    cdef void _look_for_sites(self, Flat flat, int seat) noexcept
    @cython.locals(wait=cython.double, roads=cython.double)
    cdef void _see_prospects(self, Flat flat, int seat) noexcept
    @cython.locals(time=cython.double, balance=cython.double, slope=cython.double)
    cdef double _wait(self, double c0, double c1, double c2, double c3, double c4) noexcept
    @cython.locals(lacking=cython.double, spare=cython.double, keep=cython.double)
    cdef void _spend(self, double c0, double c1, double c2, double c3, double c4, double time) noexcept
    @cython.locals(time=cython.double, roads=cython.double, cities=cython.double, villages=cython.double, deck=cython.double, is_army=cython.bint, is_road=cython.bint, progress=cython.double, used=cython.int, best=cython.double, choice=cython.int, best_wait=cython.double, best_gain=cython.double, total=cython.double, rolls=cython.double, growth=cython.double, patience=cython.double, wait=cython.double, worth=cython.double, away=cython.double, paid=cython.double, fresh=cython.double, y=cython.double, gain=cython.double, buy=cython.double, turns=cython.double, at=cython.int, spot=cython.int)
    cdef double _plan(self, Flat flat, int seat, double needed) noexcept
    @cython.locals(change=cython.double, total=cython.double, old=cython.int, sums=cython.int, at=cython.int)
    cpdef double score(self, Flat flat, int seat, int viewer) noexcept
    cpdef void take_in(self, Flat flat, int viewer) noexcept
    @cython.locals(behind=cython.double)
    cpdef double chance(self, Flat flat, int seat) noexcept
    cpdef double value(self, Flat flat, int seat) noexcept
    cpdef double value_alone(self, Flat flat, int seat) noexcept
