-------------------------------- MODULE Board --------------------------------
(***************************************************************************)
(* The board: tiles and wharfs are data, settlement points and road points *)
(* follow from them.  Everything is numbered from 1, as                    *)
(* docs/reference/model.md says, and is constant: TLC works it out once,   *)
(* and TLCEval has it keep a function as a table instead of working out    *)
(* every application.                                                      *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets, TLC

CONSTANTS
    Tiles,      \* sequence of [arr, row, col, terrain, n]; n = 0 where no number token lies
    Wharfs      \* set of [between, wt]: the numbers of two tiles, and what is traded there

\* Resource card types (definition 2) and how they are ordered.
RCT == {"Lumber", "Brick", "Wool", "Grain", "Ore"}

\* What a producing terrain yields.
Yield == [forest |-> "Lumber", hills |-> "Brick", pasture |-> "Wool", fields |-> "Grain", mountains |-> "Ore"]

Terrains == {"sea", "desert"} \cup DOMAIN Yield

\* Map tiles (definition 9).
MT == [arr: 0..1, row: Nat, col: Nat, terrain: Terrains, n: 0..12 \ {1, 7}]

\* Wharf types (definition 11).
WT == {"ThreeToOne"} \cup RCT

\* The map (definition 10) as the set of its tiles' numbers.
M == DOMAIN Tiles

Land == {t \in M : Tiles[t].terrain # "sea"}

-----------------------------------------------------------------------------
(* Hexagonal efficient coordinates: array 1 lies half a tile west of and one row below array 0. *)

IsAdjacent(t1, t2) ==
    LET a == Tiles[t1]
        b == Tiles[t2]
        north == IF a.arr = 0 THEN a.row - 1 ELSE a.row     \* rows of the other array
        west == IF a.arr = 0 THEN a.col ELSE a.col - 1      \* and its columns
    IN IF a.arr = b.arr
       THEN a.row = b.row /\ b.col - a.col \in {-1, 1}
       ELSE b.row - north \in 0..1 /\ b.col - west \in 0..1

\* The greater-numbered tiles beside a tile.
Following == TLCEval([t \in M |-> {u \in M : u > t /\ IsAdjacent(t, u)}])

Before(x, y) ==
    \E i \in DOMAIN x : x[i] < y[i] /\ \A j \in 1..(i - 1) : x[j] = y[j]

\* A set of tuples as a sequence in lexicographic order.
InOrder(S) ==
    LET rank == TLCEval([x \in S |-> 1 + Cardinality({y \in S : Before(y, x)})])
    IN TLCEval([i \in 1..Cardinality(S) |-> CHOOSE x \in S : rank[x] = i])

SetOf(tuple) == {tuple[i] : i \in DOMAIN tuple}

\* Settlement points: three adjacent tiles, not all of them sea, in lexicographic order.
CT == InOrder({k \in UNION {{t} \X Following[t] \X Following[t] : t \in M} :
                   k[3] \in Following[k[2]] /\ SetOf(k) \cap Land # {}})

\* Road points: two adjacent tiles, not both of them sea, likewise.
CD == InOrder({k \in UNION {{t} \X Following[t] : t \in M} : SetOf(k) \cap Land # {}})

\* The tiles around a settlement point, and on both sides of a road point.
TilesAt == TLCEval([sp \in DOMAIN CT |-> SetOf(CT[sp])])
TilesBeside == TLCEval([rp \in DOMAIN CD |-> SetOf(CD[rp])])

\* The settlement points at a tile's corners.
Corners == TLCEval([t \in M |-> {sp \in DOMAIN CT : t \in TilesAt[sp]}])

\* The settlement points at both ends of a road point, and the road points that meet at a settlement point.
EndsOf == TLCEval([rp \in DOMAIN CD |-> {sp \in DOMAIN CT : TilesBeside[rp] \subseteq TilesAt[sp]}])
RoadsAt == TLCEval([sp \in DOMAIN CT |-> {rp \in DOMAIN CD : sp \in EndsOf[rp]}])

\* The settlement points one road away.
Neighbours == TLCEval([sp \in DOMAIN CT |-> UNION {EndsOf[rp] : rp \in RoadsAt[sp]} \ {sp}])

\* What can be traded at a settlement point: the types of the wharfs it lies at.
WharfsAt == TLCEval([sp \in DOMAIN CT |-> {w.wt : w \in {v \in Wharfs : v.between \subseteq TilesAt[sp]}}])

\* The tiles with a number that yield a resource.
Producing ==
    LET yields(t, res) == Tiles[t].terrain \in DOMAIN Yield /\ Yield[Tiles[t].terrain] = res
    IN TLCEval([d \in 2..12 |-> TLCEval([res \in RCT |-> {t \in M : Tiles[t].n = d /\ yields(t, res)}])])

\* The resources around a settlement point: one card for every producing tile.
Harvest ==
    LET count(sp, terrain) == Cardinality({t \in TilesAt[sp] : Tiles[t].terrain = terrain})
    IN TLCEval([sp \in DOMAIN CT |->
           [Lumber |-> count(sp, "forest"), Brick |-> count(sp, "hills"), Wool |-> count(sp, "pasture"),
            Grain |-> count(sp, "fields"), Ore |-> count(sp, "mountains")]])

\* Where the bandit starts: the first desert, or the first land if there is none.
BanditStart ==
    LET deserts == {t \in Land : Tiles[t].terrain = "desert"}
        starts == IF deserts = {} THEN Land ELSE deserts
    IN CHOOSE t \in starts : \A u \in starts : t <= u

ASSUME BoardIsWellFormed ==
    /\ \A t \in M : Tiles[t] \in MT
    /\ \A t \in M : (Tiles[t].n # 0) = (Tiles[t].terrain \in DOMAIN Yield)
    /\ \A t \in 1..(Len(Tiles) - 1) :
        LET place(tile) == <<2 * tile.row + tile.arr, tile.col>>
        IN Before(place(Tiles[t]), place(Tiles[t + 1]))
    /\ \A w \in Wharfs :
        /\ w.wt \in WT
        /\ \E land \in Land, sea \in M \ Land : w.between = {land, sea} /\ IsAdjacent(land, sea)
    /\ Land # {}

-----------------------------------------------------------------------------
(* The default map: 19 land tiles in a ring of 18 sea tiles, nine wharfs. *)

DefaultTiles == <<
    [arr |-> 0, row |-> 0, col |-> 1, terrain |-> "sea", n |-> 0],
    [arr |-> 0, row |-> 0, col |-> 2, terrain |-> "sea", n |-> 0],
    [arr |-> 0, row |-> 0, col |-> 3, terrain |-> "sea", n |-> 0],
    [arr |-> 0, row |-> 0, col |-> 4, terrain |-> "sea", n |-> 0],

    [arr |-> 1, row |-> 0, col |-> 1, terrain |-> "sea", n |-> 0],
    [arr |-> 1, row |-> 0, col |-> 2, terrain |-> "mountains", n |-> 10],
    [arr |-> 1, row |-> 0, col |-> 3, terrain |-> "pasture", n |-> 2],
    [arr |-> 1, row |-> 0, col |-> 4, terrain |-> "forest", n |-> 9],
    [arr |-> 1, row |-> 0, col |-> 5, terrain |-> "sea", n |-> 0],

    [arr |-> 0, row |-> 1, col |-> 0, terrain |-> "sea", n |-> 0],
    [arr |-> 0, row |-> 1, col |-> 1, terrain |-> "fields", n |-> 12],
    [arr |-> 0, row |-> 1, col |-> 2, terrain |-> "hills", n |-> 6],
    [arr |-> 0, row |-> 1, col |-> 3, terrain |-> "pasture", n |-> 4],
    [arr |-> 0, row |-> 1, col |-> 4, terrain |-> "hills", n |-> 10],
    [arr |-> 0, row |-> 1, col |-> 5, terrain |-> "sea", n |-> 0],

    [arr |-> 1, row |-> 1, col |-> 0, terrain |-> "sea", n |-> 0],
    [arr |-> 1, row |-> 1, col |-> 1, terrain |-> "fields", n |-> 9],
    [arr |-> 1, row |-> 1, col |-> 2, terrain |-> "forest", n |-> 11],
    [arr |-> 1, row |-> 1, col |-> 3, terrain |-> "desert", n |-> 0],
    [arr |-> 1, row |-> 1, col |-> 4, terrain |-> "forest", n |-> 3],
    [arr |-> 1, row |-> 1, col |-> 5, terrain |-> "mountains", n |-> 8],
    [arr |-> 1, row |-> 1, col |-> 6, terrain |-> "sea", n |-> 0],

    [arr |-> 0, row |-> 2, col |-> 0, terrain |-> "sea", n |-> 0],
    [arr |-> 0, row |-> 2, col |-> 1, terrain |-> "forest", n |-> 8],
    [arr |-> 0, row |-> 2, col |-> 2, terrain |-> "mountains", n |-> 3],
    [arr |-> 0, row |-> 2, col |-> 3, terrain |-> "fields", n |-> 4],
    [arr |-> 0, row |-> 2, col |-> 4, terrain |-> "pasture", n |-> 5],
    [arr |-> 0, row |-> 2, col |-> 5, terrain |-> "sea", n |-> 0],

    [arr |-> 1, row |-> 2, col |-> 1, terrain |-> "sea", n |-> 0],
    [arr |-> 1, row |-> 2, col |-> 2, terrain |-> "hills", n |-> 5],
    [arr |-> 1, row |-> 2, col |-> 3, terrain |-> "fields", n |-> 6],
    [arr |-> 1, row |-> 2, col |-> 4, terrain |-> "pasture", n |-> 11],
    [arr |-> 1, row |-> 2, col |-> 5, terrain |-> "sea", n |-> 0],

    [arr |-> 0, row |-> 3, col |-> 1, terrain |-> "sea", n |-> 0],
    [arr |-> 0, row |-> 3, col |-> 2, terrain |-> "sea", n |-> 0],
    [arr |-> 0, row |-> 3, col |-> 3, terrain |-> "sea", n |-> 0],
    [arr |-> 0, row |-> 3, col |-> 4, terrain |-> "sea", n |-> 0]
>>

DefaultWharfs == {
    [between |-> {1, 6}, wt |-> "ThreeToOne"],
    [between |-> {3, 7}, wt |-> "Grain"],
    [between |-> {9, 14}, wt |-> "Ore"],
    [between |-> {10, 11}, wt |-> "Lumber"],
    [between |-> {21, 22}, wt |-> "ThreeToOne"],
    [between |-> {23, 24}, wt |-> "Brick"],
    [between |-> {27, 33}, wt |-> "Wool"],
    [between |-> {30, 34}, wt |-> "ThreeToOne"],
    [between |-> {31, 36}, wt |-> "ThreeToOne"]
}

=============================================================================
