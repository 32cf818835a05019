cimport cython
from catan_p2p.game.flat cimport places
from catan_p2p.game.flat.game cimport Flat
from catan_p2p.game.flat.tables cimport Tables
from catan_p2p.game.flat.types cimport cards_t, points_t
from catan_p2p.game.flat.valuing cimport Valuer

cdef class Searcher:
    cdef readonly Valuer valuer
    cdef Flat after, further
    cdef cards_t moves[18432]
    cdef double values[18432]
    cdef readonly int count
    cdef public int positions
    cdef int seen[18432]
    cdef public int depth, width
    cdef Searcher inner
    cdef double kept[8]
    @cython.locals(number=cards_t, kind=cython.int, best=cython.int)
    cpdef cards_t choose(self, Flat flat, int seat) except -1
    @cython.locals(best=cython.int, tp=cython.int, i=cython.int)
    cdef int best(self, Flat flat, int seat, int number, int depth) except -1
    @cython.locals(inner=Searcher, child=Flat, chosen=cython.int, highest=cython.double, kind=cython.int, number=cython.int, found=cython.int)
    cdef int _look_further(self, Flat flat, int seat, int depth) except -1
    @cython.locals(i=cython.int, kind=cython.int, last=cython.int)
    cdef void rate(self, Flat flat, int seat, int number) noexcept
    @cython.locals(kind=cython.int, after=Flat)
    cdef double value_of(self, Flat flat, int seat, cards_t move) noexcept
    @cython.locals(tp=cython.int)
    cdef void _end(self, Flat after) noexcept
    @cython.locals(after=Flat, valuer=Valuer, t=Tables, kind=cython.int, at=cython.int, is_all=cython.bint, is_new=cython.bint, value=cython.double, tiles=points_t)
    cdef double _changed(self, Flat flat, int seat, cards_t move) noexcept
    @cython.locals(stock=cards_t, total=cython.double, value=cython.double, cards=cards_t)
    cdef double _bought(self, Flat flat, int seat, cards_t move) noexcept
    @cython.locals(victim=cython.int, hand=cards_t, bare=cards_t, total=cython.double, value=cython.double, cards=cython.double)
    cdef double _robbed(self, Flat flat, int seat, cards_t move) noexcept
    @cython.locals(best=cython.int, i=cython.int)
    cdef void _rate_robberies(self, Flat flat, int seat, int first, int last) noexcept
    @cython.locals(best=cython.int, before=cython.int, part=cython.int, i=cython.int)
    cdef void _rate_pairs(self, Flat flat, int seat, int first, int last) noexcept
    @cython.locals(after=Flat, due=cython.int, given=cards_t, best=cython.int, value=cython.double, found=cython.double)
    cdef cards_t _discard(self, Flat flat, int seat) noexcept
