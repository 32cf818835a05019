------------------------------- MODULE MCTrails -------------------------------
(***************************************************************************)
(* The longest trail is what a plain search for all trails finds: in every *)
(* network of player 1 over the roads that touch a tile, or that lie       *)
(* beside one of two neighbouring tiles, with a village of player 2 on one *)
(* point or on none; and in a network that is a small ring and a long road *)
(* apart from it, with a village of player 1, too, or with one road more   *)
(* on the small ring.  A tile can be turned, so it takes villages of       *)
(* player 2 at one corner only, and at the point beside it.  Not a game: a *)
(* state is such a network.                                                *)
(***************************************************************************)
EXTENDS Catan

ModelRules == [Thesis EXCEPT !.LongestRoadMin = 1]

Middle == BanditStart
Beside == CHOOSE t \in Land : t # Middle /\ \E rp \in DOMAIN CD : TilesBeside[rp] = {Middle, t}

Star == UNION {RoadsAt[sp] : sp \in Corners[Middle]}
Pair == {rp \in DOMAIN CD : TilesBeside[rp] \cap {Middle, Beside} # {}}
RingAndCoast == {rp \in DOMAIN CD : Middle \in TilesBeside[rp] \/ TilesBeside[rp] \ Land # {}}

\* A corner of the middle tile, and the end of the road that leads away from the tile there.
Corner == CHOOSE sp \in Corners[Middle] : TRUE
OnceTurned == {0, Corner} \cup UNION {EndsOf[rp] \ Corners[Middle] : rp \in RoadsAt[Corner]}

PointsOf(own) == {0} \cup UNION {EndsOf[rp] : rp \in own}

\* The network of the roads own, with a village of player 2 and one of player 1, or none where a point is 0.
Network(own, village, mine) ==
    LET owner(sp) == IF sp = village THEN 2 ELSE IF sp = mine THEN 1 ELSE NoOwner
    IN /\ SU = "none"
       /\ G = [r |-> [rp \in DOMAIN CD |-> IF rp \in own THEN 1 ELSE NoOwner],
               s |-> [sp \in DOMAIN CT |->
                         [own |-> owner(sp), st |-> IF owner(sp) = NoOwner THEN "none" ELSE "Village"]]]

TrailsInit ==
    \/ \E own \in SUBSET Star : \E village \in PointsOf(own) \cap OnceTurned : Network(own, village, 0)
    \/ \E own \in SUBSET Pair : \E village \in PointsOf(own) : Network(own, village, 0)
    \/ \E village, mine \in PointsOf(RingAndCoast) : Network(RingAndCoast, village, mine)
    \/ \E rp \in Star : Network(RingAndCoast \cup {rp}, 0, 0)

TrailsNext == UNCHANGED vars

TrailIsLongest ==
    LET longest == TLCEval(LongestTrail(1, G.s, G.r))
    IN /\ longest = 0 \/ HasTrail(1, longest)
       /\ ~HasTrail(1, longest + 1)

=============================================================================
