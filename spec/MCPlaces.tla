------------------------------- MODULE MCPlaces -----------------------------
(***************************************************************************)
(* Road building cards that are good for one road or for none.  Player 1   *)
(* has two roads left, but only one place, at E; player 2 has one place,   *)
(* at A, but no road left.                                                 *)
(***************************************************************************)
EXTENDS MC

ModelRCP == NoResources
ModelDCP == DevCards(0, 0, 2, 0, 0)
ModelBP == Pieces(8, 2, 0)

LOCAL Roads(own, points) == [rp \in UNION {RoadsAt[sp] : sp \in points} |-> own]

ModelStart ==
    Begun("DiceRoll", (pB :> 1) @@ (pD :> 1) @@ (pA :> 2) @@ (pF :> 2),
          Roads(1, {pB, pC, pD}) @@ Roads(2, {pF, pG, pH, pI}) @@ ((CHOOSE rp \in RoadsAt[pA] : TRUE) :> 2),
          <<NoResources, NoResources>>, <<DevCards(0, 0, 1, 0, 0), DevCards(0, 0, 1, 0, 0)>>)

=============================================================================
