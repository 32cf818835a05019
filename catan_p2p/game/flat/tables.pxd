from catan_p2p.game.flat cimport places
from catan_p2p.game.flat.types cimport cards_t, points_t

cdef class FlatTables:
    cdef readonly int players, settlements, roads, land_count
    cdef int tiles, after_dice, bandit_blocks, only_adversaries, friendly, friendly_below, shortage_nobody
    cdef int cards_per_turn, before_dice, at_once, domestic, talk, offers, proposals, side_most, listed_most, needs, goal, hand_limit
    cdef int trail_least, army_least, special, by_seat, opened, first_sum
    cdef cards_t pool, cost_road, cost_village, cost_city, cost_card
    cdef int sums[16]
    cdef points_t bit[128]
    cdef cards_t one[8]
    cdef points_t corners[128]
    cdef points_t edges[128]
    cdef points_t end_points[128]
    cdef points_t roads_at[128]
    cdef points_t crowd[128]
    cdef cards_t first_yield[128]
    cdef int end_a[128]
    cdef int end_b[128]
    cdef int meeting[512]
    cdef int land[128]
    cdef int land_row[128]
    cdef points_t everywhere
    cdef points_t wharfs[8]
    cdef int producing[16]
    cdef int tile[129]
    cdef points_t tile_corners[129]
    cdef cards_t tile_card[129]

cdef class MoveScratch:
    cdef cards_t moves[18432]
    cdef cards_t ways[3840]
