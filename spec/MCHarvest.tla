------------------------------ MODULE MCHarvest -----------------------------
(***************************************************************************)
(* Both players have two settlements at one tile: each of them earns.  One *)
(* of player 1's can become a city, and earns twice then.                  *)
(***************************************************************************)
EXTENDS MC

ModelRCP == Cards(5, 3, 0, 2, 3)
ModelDCP == NoDevCards
ModelBP == Pieces(1, 2, 1)

ModelStart ==
    Begun("DiceRoll", (pB :> 1) @@ (pD :> 1) @@ (pF :> 2) @@ (pH :> 2), (rBC :> 1) @@ (rFG :> 2),
          <<Cards(0, 0, 0, 2, 3), NoResources>>, <<NoDevCards, NoDevCards>>)

=============================================================================
