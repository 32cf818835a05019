cimport cython
from catan_p2p.game.flat cimport places
from catan_p2p.game.flat.making cimport MoveMaker
from catan_p2p.game.flat.tables cimport MoveScratch, FlatTables
from catan_p2p.game.flat.types cimport cards_t, points_t

@cython.locals(drawn=cards_t)
cpdef cards_t below(cards_t number, object bits) except -1

cdef class FlatGame(MoveMaker):
    cdef list _past
    cdef int _depth
    cpdef FlatGame copy(self)
    cpdef int phase(self) noexcept
    cpdef push(self, cards_t move)
    cpdef pop(self)
    @cython.locals(dice=cython.int, kind=cython.int, victim=cython.int)
    cpdef cards_t draw(self, cards_t move, object bits) except -1
    cdef cards_t _any_of(self, cards_t cards, object bits) except -1
    @cython.locals(number=cards_t)
    cpdef int play(self, object bits, int most) except -1
