cimport cython
from catan_p2p.game.flat cimport places
from catan_p2p.game.flat.position cimport FlatPosition
from catan_p2p.game.flat.tables cimport MoveScratch, FlatTables
from catan_p2p.game.flat.types cimport cards_t, points_t

cdef cards_t ONES, FROM_FOUR

cdef class MoveLister(FlatPosition):
    cdef int listed, owing
    cdef cards_t head, discards, owed_from
    cpdef cards_t list_moves(self, int player) noexcept
    cpdef cards_t move(self, cards_t index) except -1
    cdef void _add(self, cards_t move) noexcept
    cdef cards_t _high(self, cards_t card) noexcept
    cdef void _add_points(self, int kind, points_t points, int last) noexcept
    cdef void _list_setup(self) noexcept
    cdef void _list_trading(self, int player) noexcept
    cdef void _list_exchanges(self, int player, int kind, int rate, int served) noexcept
    cdef void _add_offer(self, int player, int kind) noexcept
    cdef bint may_propose(self, int player) noexcept
    cdef void _list_replies(self, int player) noexcept
    cdef void _list_conclusions(self, int player) noexcept
    cdef void _list_building(self, int player) noexcept
    cdef points_t open_roads(self, int player) noexcept
    cdef void _list_cards(self, int player) noexcept
    cdef void _list_paving(self, int player) noexcept
    cdef void _list_robberies(self, int player, int kind) noexcept
    cdef bint _is_settled(self, points_t points) noexcept
    @cython.locals(spared=points_t)
    cdef points_t _spared(self, int player) noexcept
    @cython.locals(found=cards_t)
    cdef void _count_discards(self, int player) noexcept
    @cython.locals(cards=cards_t, with_it=cards_t)
    cdef cards_t _discard(self, cards_t index) noexcept
