# The compiled form of alike.py, which has the docstrings: the same names, and the same results.

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.object cimport PyObject_Hash
from cpython.tuple cimport PyTuple_GET_ITEM, PyTuple_GET_SIZE
from libc.string cimport memcmp, memcpy

ctypedef unsigned char byte
ctypedef unsigned long long word

cdef Py_ssize_t ID_BYTES = 20
cdef Py_ssize_t MIN_COPY = 4
cdef Py_ssize_t MAX_GAP = 6
cdef Py_ssize_t MAX_INSERT = 127
cdef Py_ssize_t MAX_COPY = 0xFFFF


cdef inline bint _same(bytes one, bytes other) noexcept:
    cdef Py_ssize_t size = PyBytes_GET_SIZE(one)
    cdef word start, other_start
    if one is other:
        return True
    if size != PyBytes_GET_SIZE(other):
        return False
    if size >= 8:
        # The first eight bytes of two ids differ, and then nothing has to be called.
        memcpy(&start, PyBytes_AS_STRING(one), 8)
        memcpy(&other_start, PyBytes_AS_STRING(other), 8)
        if start != other_start:
            return False
    return memcmp(PyBytes_AS_STRING(one), PyBytes_AS_STRING(other), size) == 0


cpdef int unlike(tuple row, tuple other):
    cdef Py_ssize_t at, size = min(PyTuple_GET_SIZE(row), PyTuple_GET_SIZE(other))
    cdef int count = 0
    for at in range(size):
        if not _same(<bytes>PyTuple_GET_ITEM(row, at), <bytes>PyTuple_GET_ITEM(other, at)):
            count += 1
    return count


cdef inline word _mixed(word at) noexcept:
    # As in splitmix64: places that are close to one another become numbers that are not.
    at = (at ^ (at >> 30)) * <word>0xBF58476D1CE4E5B9
    at = (at ^ (at >> 27)) * <word>0x94D049BB133111EB
    return at ^ (at >> 31)


cpdef list but_one(tuple row):
    cdef Py_ssize_t at, size = PyTuple_GET_SIZE(row)
    cdef word whole = 0
    marks = []
    for at in range(size):
        mark = _mixed(<word>PyObject_Hash(<object>PyTuple_GET_ITEM(row, at)) + <word>(at + 1) * <word>0x9E3779B97F4A7C15)
        whole ^= <word>mark
        marks.append(mark)
    return [whole ^ <word>mark for mark in marks]


cdef class RecentRows:
    cdef list rows, costs
    cdef Py_ssize_t most

    def __init__(self, most):
        self.most = most
        self.rows, self.costs = [], []

    cpdef void clear(self) except *:
        self.rows.clear()
        self.costs.clear()

    cpdef void add(self, tuple row, double cost) except *:
        self.rows.insert(0, row)
        self.costs.insert(0, cost)
        if len(self.rows) > self.most:
            self.rows.pop()
            self.costs.pop()

    cpdef Py_ssize_t most_alike(self, tuple row) except -1:
        cdef Py_ssize_t best = 0, number
        cdef double score, highest = 0
        cdef tuple parts = tuple(dict.fromkeys(row))
        for number in range(len(self.rows)):
            score = _shared(parts, self.rows[number]) - <double>self.costs[number]
            if number == 0 or score > highest:
                best, highest = number, score
        return best


cdef int _shared(tuple parts, tuple other) noexcept:
    cdef Py_ssize_t at, place, size = PyTuple_GET_SIZE(other)
    cdef bytes part
    cdef int count = 0
    for at in range(PyTuple_GET_SIZE(parts)):
        part = <bytes>PyTuple_GET_ITEM(parts, at)
        # Most parts stand where they stood.
        if at < size and _same(part, <bytes>PyTuple_GET_ITEM(other, at)):
            count += 1
            continue
        for place in range(size):
            if _same(part, <bytes>PyTuple_GET_ITEM(other, place)):
                count += 1
                break
    return count


cdef inline byte* _size(byte* out, Py_ssize_t size) noexcept:
    while size > 0x7F:
        out[0] = size & 0x7F | 0x80
        out += 1
        size >>= 7
    out[0] = size
    return out + 1


cdef inline byte* _copy(byte* out, Py_ssize_t start, Py_ssize_t stop) noexcept:
    cdef Py_ssize_t size
    cdef word operands
    cdef byte* code
    cdef int bit
    cdef byte op, value
    while start < stop:
        size = min(stop - start, MAX_COPY)
        # Four bytes of the offset, then two of the size; those that are zero are left out.
        operands = <word>start & 0xFFFFFFFF | <word>size << 32
        op = 0x80
        code = out
        out += 1
        for bit in range(6):
            value = operands >> (8 * bit) & 0xFF
            if value:
                op |= 1 << bit
                out[0] = value
                out += 1
        code[0] = op
        start += size
    return out


cdef inline byte* _insertion(byte* out, const byte* data, Py_ssize_t size) noexcept:
    cdef Py_ssize_t part
    while size > 0:
        part = min(size, MAX_INSERT)
        out[0] = part
        memcpy(out + 1, data, part)
        out += 1 + part
        data += part
        size -= part
    return out


cdef class TreeDeltas:
    cdef list starts
    cdef Py_ssize_t size

    def __init__(self, name_sizes):
        self.starts, self.size = [], 0
        for name_size in name_sizes:
            self.size += name_size
            self.starts.append(self.size)
            self.size += ID_BYTES

    cpdef bytes make(self, tuple base, tuple row):
        cdef Py_ssize_t at, source, start, done = 0, count = PyTuple_GET_SIZE(row)
        cdef bytes part
        # An id and the copy before it take at most seven bytes more than they stand for.
        cdef byte* delta = <byte*>PyMem_Malloc(self.size + 8 * count + 64)
        if delta == NULL:
            raise MemoryError
        cdef byte* out = _size(_size(delta, self.size), self.size)
        for at in range(count):
            part = <bytes>PyTuple_GET_ITEM(row, at)
            if _same(part, <bytes>PyTuple_GET_ITEM(base, at)):
                continue
            start = self.starts[at]
            out = _copy(out, done, start)
            for source in range(count):
                if _same(part, <bytes>PyTuple_GET_ITEM(base, source)):
                    out = _copy(out, self.starts[source], <Py_ssize_t>self.starts[source] + ID_BYTES)
                    break
            else:
                out = _insertion(out, <const byte*>PyBytes_AS_STRING(part), ID_BYTES)
            done = start + ID_BYTES
        out = _copy(out, done, self.size)
        try:
            return PyBytes_FromStringAndSize(<const char*>delta, out - delta)
        finally:
            PyMem_Free(delta)


cpdef bytes make_delta(bytes base, bytes target):
    cdef Py_ssize_t base_size = PyBytes_GET_SIZE(base), target_size = PyBytes_GET_SIZE(target)
    cdef const byte* old = <const byte*>PyBytes_AS_STRING(base)
    cdef const byte* new = <const byte*>PyBytes_AS_STRING(target)
    cdef Py_ssize_t aligned = min(base_size, target_size), end = 0, at = 0, done = 0, start, stop
    # An insertion of a byte takes two; no copy takes more than what it copies and seven more, and most take less.
    cdef byte* delta = <byte*>PyMem_Malloc(2 * target_size + 64)
    if delta == NULL:
        raise MemoryError
    cdef byte* out = _size(_size(delta, base_size), target_size)
    if base_size != target_size:
        while end < aligned and old[base_size - 1 - end] == new[target_size - 1 - end]:
            end += 1
        if end < MIN_COPY:
            end = 0
        aligned -= end
    while True:
        while at < aligned and old[at] == new[at]:
            at += 1
        start = stop = at
        # A run of differing bytes goes on over a few equal ones.
        while at < aligned and at - stop <= MAX_GAP:
            if old[at] != new[at]:
                stop = at + 1
            at += 1
        if start > done:
            out = _copy(out, done, start)
            done = start
        if stop == aligned:
            break
        out = _insertion(out, new + start, stop - start)
        done = stop
        at = stop
    out = _insertion(out, new + done, target_size - end - done)
    if end:
        out = _copy(out, base_size - end, base_size)
    try:
        return PyBytes_FromStringAndSize(<const char*>delta, out - delta)
    finally:
        PyMem_Free(delta)
