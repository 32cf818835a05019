------------------------------ MODULE MCKnights -----------------------------
(***************************************************************************)
(* Knights, the largest army changing hands, and development cards bought  *)
(* until there are none.                                                   *)
(***************************************************************************)
EXTENDS MC

ModelRules == [Thesis EXCEPT !.PointsToWin = 5, !.LargestArmyMin = 1]

ModelRCP == Cards(1, 0, 2, 1, 2)
ModelDCP == DevCards(0, 0, 0, 3, 1)
ModelBP == Pieces(1, 2, 0)

ModelStart ==
    Begun("Building", (pB :> 1) @@ (pH :> 1) @@ (pD :> 2) @@ (pF :> 2), (rBC :> 1) @@ (rFG :> 2),
          <<Cards(0, 0, 2, 1, 1), Cards(1, 0, 0, 0, 1)>>, <<DevCards(0, 0, 0, 1, 0), DevCards(0, 0, 0, 1, 0)>>)

=============================================================================
