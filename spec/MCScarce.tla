------------------------------ MODULE MCScarce ------------------------------
(***************************************************************************)
(* Player 1 can pay for a road, a village or two cities, but has only one  *)
(* city left.  It gives back a village, for which H is the one place: C    *)
(* and G are too near to others.  The turn ends the game.                  *)
(***************************************************************************)
EXTENDS MC

ModelRules == [Thesis EXCEPT !.PointsToWin = 2]

ModelRCP == Cards(1, 1, 1, 5, 6)
ModelDCP == NoDevCards
ModelBP == Pieces(3, 2, 1)

ModelStart ==
    Begun("Building", (pB :> 1) @@ (pF :> 1) @@ (pA :> 2) @@ (pD :> 2), (rBC :> 1) @@ (rFG :> 1) @@ (rGH :> 1),
          <<Cards(1, 1, 1, 5, 6), NoResources>>, <<NoDevCards, NoDevCards>>)

=============================================================================
