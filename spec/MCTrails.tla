------------------------------- MODULE MCTrails -------------------------------
(***************************************************************************)
(* The longest trail is what a plain search for all trails finds: in every *)
(* network of player 1 over the roads that touch a tile, or that lie       *)
(* beside one of two neighbouring tiles, and in one that is a small ring   *)
(* and a long road apart from it; with a village of player 2 on one point  *)
(* or on none.  Not a game: a state is such a network.                     *)
(***************************************************************************)
EXTENDS Catan

ModelRules == [Thesis EXCEPT !.LongestRoadMin = 1]

Middle == BanditStart
Beside == CHOOSE t \in Land : t # Middle /\ \E rp \in DOMAIN CD : TilesBeside[rp] = {Middle, t}

Star == UNION {RoadsAt[sp] : sp \in Corners[Middle]}
Pair == {rp \in DOMAIN CD : TilesBeside[rp] \cap {Middle, Beside} # {}}
RingAndCoast == {rp \in DOMAIN CD : Middle \in TilesBeside[rp] \/ TilesBeside[rp] \ Land # {}}

TrailsInit ==
    \E own \in SUBSET Star \cup SUBSET Pair \cup {RingAndCoast} :
        \E village \in {0} \cup UNION {EndsOf[rp] : rp \in own} :
            /\ SU = "none"
            /\ G = [r |-> [rp \in DOMAIN CD |-> IF rp \in own THEN 1 ELSE NoOwner],
                    s |-> [sp \in DOMAIN CT |->
                              [own |-> IF sp = village THEN 2 ELSE NoOwner, st |-> IF sp = village THEN "Village" ELSE "none"]]]

TrailsNext == UNCHANGED vars

\* How far a trail goes on from the point sp over the roads left.
RECURSIVE From(_, _)
From(sp, left) ==
    IF G.s[sp].own = 2 THEN 0
    ELSE LET ways(rp) == {1} \cup {1 + From(to, left \ {rp}) : to \in EndsOf[rp] \ {sp}}
         IN Max({0} \cup UNION {ways(rp) : rp \in RoadsAt[sp] \cap left})

TrailIsLongest ==
    LET own == RoadsOf(1)
        trails == UNION {{1 + From(sp, own \ {rp}) : sp \in EndsOf[rp]} : rp \in own}
    IN LongestTrail(1, G.s, G.r) = Max({0} \cup trails)

=============================================================================
