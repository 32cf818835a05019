cimport cython
from catan_p2p.game.flat cimport places
from catan_p2p.game.flat.tables cimport MoveScratch, FlatTables
from catan_p2p.game.flat.types cimport cards_t, points_t

cdef cards_t BORROW

cdef class FlatPosition:
    cdef FlatTables t
    cdef MoveScratch scratch
    cdef cards_t v[161]
    cdef points_t s[88]
    cdef points_t seen
    cpdef void set_to(self, FlatPosition other) noexcept
    cdef int count(self, points_t points) noexcept
    cdef int total(self, cards_t cards) noexcept
    cdef bint covers(self, cards_t cards, cards_t cost) noexcept
    cdef int first_kind(self, cards_t cards) noexcept
    cdef int next_player(self, int player) noexcept
    cdef int previous_player(self, int player) noexcept
    cdef int builder(self) noexcept
    cpdef int awaited(self) noexcept
    cdef int owed(self, int player) noexcept
    cdef bint is_discard_due(self) noexcept
    cdef bint needs_answers(self) noexcept
    cpdef int points(self, int player) noexcept
    cdef points_t own(self, int player) noexcept
    cdef int trail(self, int player) noexcept
    cdef int longest(self, points_t roads, points_t cut) noexcept
    cdef bint is_start(self, int at, points_t roads, points_t cut) noexcept
    cdef int onward(self, int at, points_t roads, points_t cut, points_t used) noexcept
    cdef int bonus_size(self, int player, bint army) noexcept
    cdef int bonus_holder(self, bint army) noexcept
    @cython.locals(ends=points_t, on=points_t)
    cdef void look_around(self, int player) noexcept
