cimport cython
from catan_p2p.game.flat cimport places
from catan_p2p.game.flat.game cimport FlatGame
from catan_p2p.game.flat.tables cimport FlatTables
from catan_p2p.game.flat.types cimport cards_t, points_t

cdef class ObservationBuffer:
    cdef FlatTables t
    cdef float[::1] x
    cdef int viewer, bandit
    cdef int starts[8]
    cdef int columns[16]
    cdef points_t shown[24]
    cpdef void write(self, FlatGame flat, int viewer, cards_t given_up) noexcept
    cdef void _forget(self) noexcept
    cdef void _write_cards(self, int at, cards_t cards) noexcept
    @cython.locals(at=cython.int, answer=cython.int)
    cdef void _write_seat(self, FlatGame flat, int seat, int row) noexcept
    cdef void _write_pieces(self, FlatGame flat, int seat, int row) noexcept
    @cython.locals(changed=points_t)
    cdef void _show(self, points_t now, int which, int at, int most) noexcept
    @cython.locals(at=cython.int, tp=cython.int, column=cython.int)
    cdef void _write_table(self, FlatGame flat) noexcept
    cdef void _write_bandit(self, int bandit) noexcept
