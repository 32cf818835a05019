cimport cython
from catan_p2p.game.flat cimport places
from catan_p2p.game.flat.describing cimport SeatDescriber
from catan_p2p.game.flat.game cimport FlatGame

cdef double exponential(double x) noexcept

cdef class SeatScorer(SeatDescriber):
    cdef double w[3424]
    cdef double before[1024]
    cdef double hidden[256]
    cdef double scores[8]
    @cython.locals(change=cython.double, total=cython.double, old=cython.int, sums=cython.int, at=cython.int)
    cpdef double score(self, FlatGame flat, int seat, int viewer) noexcept
    cpdef void take_in(self, FlatGame flat, int viewer) noexcept
    @cython.locals(behind=cython.double)
    cpdef double chance(self, FlatGame flat, int seat) noexcept
    cpdef double value(self, FlatGame flat, int seat) noexcept
    cpdef double value_alone(self, FlatGame flat, int seat) noexcept
