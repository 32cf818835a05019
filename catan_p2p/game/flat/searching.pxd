cimport cython
from catan_p2p.game.flat cimport places
from catan_p2p.game.flat.game cimport FlatGame
from catan_p2p.game.flat.tables cimport FlatTables
from catan_p2p.game.flat.types cimport cards_t, points_t
from catan_p2p.game.flat.valuing cimport SeatScorer

cdef class MoveSearch:
    cdef readonly SeatScorer valuer
    cdef FlatGame after, further
    cdef cards_t moves[18432]
    cdef double values[18432]
    cdef readonly int count
    cdef public int positions
    cdef int seen[18432]
    cdef public int depth, width
    cdef MoveSearch inner
    cdef double kept[8]
    @cython.locals(number=cards_t, kind=cython.int, best=cython.int)
    cpdef cards_t choose(self, FlatGame flat, int seat) except -1
    @cython.locals(best=cython.int, tp=cython.int, i=cython.int)
    cdef int best(self, FlatGame flat, int seat, int number, int depth) except -1
    @cython.locals(inner=MoveSearch, child=FlatGame, chosen=cython.int, highest=cython.double, kind=cython.int, number=cython.int, found=cython.int)
    cdef int _look_further(self, FlatGame flat, int seat, int depth) except -1
    @cython.locals(i=cython.int, kind=cython.int, last=cython.int)
    cdef void rate(self, FlatGame flat, int seat, int number) noexcept
    @cython.locals(kind=cython.int, after=FlatGame)
    cdef double value_of(self, FlatGame flat, int seat, cards_t move) noexcept
    @cython.locals(tp=cython.int)
    cdef void _end(self, FlatGame after) noexcept
    @cython.locals(after=FlatGame, valuer=SeatScorer, t=FlatTables, kind=cython.int, at=cython.int, is_all=cython.bint, is_new=cython.bint, value=cython.double, tiles=points_t)
    cdef double _changed(self, FlatGame flat, int seat, cards_t move) noexcept
    @cython.locals(stock=cards_t, total=cython.double, value=cython.double, cards=cards_t)
    cdef double _bought(self, FlatGame flat, int seat, cards_t move) noexcept
    @cython.locals(victim=cython.int, hand=cards_t, bare=cards_t, total=cython.double, value=cython.double, cards=cython.double)
    cdef double _robbed(self, FlatGame flat, int seat, cards_t move) noexcept
    @cython.locals(best=cython.int, i=cython.int)
    cdef void _rate_robberies(self, FlatGame flat, int seat, int first, int last) noexcept
    @cython.locals(best=cython.int, before=cython.int, part=cython.int, i=cython.int)
    cdef void _rate_pairs(self, FlatGame flat, int seat, int first, int last) noexcept
    @cython.locals(after=FlatGame, due=cython.int, given=cards_t, best=cython.int, value=cython.double, found=cython.double)
    cdef cards_t _discard(self, FlatGame flat, int seat) noexcept
