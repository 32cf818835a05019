cimport cython
from catan_p2p.game.flat cimport places
from catan_p2p.game.flat.game cimport FlatGame
from catan_p2p.game.flat.observing cimport ObservationBuffer
from catan_p2p.game.flat.types cimport cards_t, points_t

cdef int OFFERS_OF_KIND

cdef class FlatEpisode(FlatGame):
    cdef int firsts[32]
    cdef public object bits, uniform, other_bits
    cdef public int player, turns, most_turns, offers, offers_most, changes, seat, random_seats, first_road
    cdef public bint by_points
    cdef public cards_t given_up, last
    cdef int found
    cdef int choice_numbers[1536]
    cdef cards_t choice_moves[1536]
    cdef int with_kinds[32]
    cdef int offer_numbers[80]
    cdef cards_t offer_sides[80]
    @cython.locals(number=cython.int, sides=cards_t)
    cdef void _number_offers(self) noexcept
    cpdef begin(self, object numbers, object sets, object bits)
    cpdef list legal(self)
    cpdef void mark(self, signed char[::1] mask) except *
    cpdef bint decide(self, int number) except -1
    cpdef void carry_out(self, cards_t move) except *
    cpdef int play_others(self) except -1
    cpdef bint is_over(self) noexcept
    cpdef bint is_cut_off(self) noexcept
    cpdef double earned(self, int seat, int before) noexcept
    @cython.locals(at=cython.int, listed=cython.int, number=cython.int, left=cards_t, move=cards_t)
    cdef void _list(self) noexcept
    cdef void _add_choice(self, int number, cards_t move) noexcept
    cdef bint _may_offer(self) noexcept
    @cython.locals(held=cython.int, first=cython.int, ways=cython.int)
    cdef void _add_offers(self) noexcept
    @cython.locals(kind=cython.int, a=cython.int, b=cython.int, at=cython.int)
    cdef int _number(self, cards_t move) noexcept
    @cython.locals(give=cards_t, receive=cards_t, cards=cards_t)
    cdef bint _is_heard(self, cards_t move) noexcept
    @cython.locals(move=cards_t)
    cdef void _play_at_random(self) except *
    @cython.locals(hand=cards_t, box=cards_t, give=cards_t, receive=cards_t, ways=cython.int, index=cython.int)
    cdef cards_t _any_sides(self) except -1
    cdef cards_t _all_wanted(self) noexcept
    cdef bint _is_held(self, cards_t cards) noexcept
    cdef int _kinds(self, cards_t cards) noexcept
    cdef cards_t _next_part(self, cards_t part, cards_t whole, int most) noexcept

@cython.locals(episode=FlatEpisode, observation=ObservationBuffer, before=cython.int)
cpdef list step_all(list episodes, list numbers, list observations, unsigned char[::1] rests, signed char[:, ::1] masks, double[::1] rewards, unsigned char[::1] over, unsigned char[::1] cut_off)
