cdef extern from *:
    """
    typedef long long cards_t;
    typedef unsigned __int128 points_t;
    """
    ctypedef long long cards_t
    ctypedef unsigned long long points_t
