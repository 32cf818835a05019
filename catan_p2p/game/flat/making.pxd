cimport cython
from catan_p2p.game.flat cimport places
from catan_p2p.game.flat.listing cimport MoveLister
from catan_p2p.game.flat.types cimport cards_t, points_t

cdef int SEVEN

cdef class MoveMaker(MoveLister):
    @cython.locals(kind=cython.int, player=cython.int, a=cython.int, b=cython.int, c=cython.int)
    cpdef void do(self, cards_t move) except *
    @cython.locals(give=cards_t, receive=cards_t, number=cards_t)
    cdef void _hand_over(self, int kind, int player, cards_t cards) noexcept
    cdef void _begin_turn(self, int kind, int player, int a, int b, int c) noexcept
    cdef void _trade(self, int kind, int player, int a, int b) noexcept
    cdef void _build(self, int kind, int player, int a) noexcept
    @cython.locals(taken=cards_t)
    cdef void _play_card(self, int kind, int player, int a, int b, int c) noexcept
    cdef void _hear(self) noexcept
    cdef void _pay(self, int player, cards_t cards) noexcept
    cdef void _settle(self, int player, int at) noexcept
    cdef void _pave(self, int player, int at) noexcept
    cdef void _end_if_won(self) noexcept
    cdef void _roll_for_start(self, int player, int dice) noexcept
    cdef void _set_up(self, int kind, int player, int at, int road) noexcept
    @cython.locals(taken=cards_t)
    cdef void _roll(self, int dice) noexcept
    cdef bint _count_gains(self, int dice) noexcept
    cdef void _ration(self) noexcept
    cdef void _halve_hands(self) noexcept
    cdef void _take_first(self, int player, int number) noexcept
    cdef void _rob(self, int player, int to, int victim, int card) noexcept
    cdef void _conclude(self, int player, int partner) noexcept
    cdef void _end_offer(self) noexcept
    cdef void _end_turn(self, int player) noexcept
    cdef int _special_builder(self, int player) noexcept
