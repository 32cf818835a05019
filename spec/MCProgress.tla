----------------------------- MODULE MCProgress -----------------------------
(***************************************************************************)
(* Monopoly, year of plenty and road building.                             *)
(***************************************************************************)
EXTENDS MC

ModelRules == [Thesis EXCEPT !.LongestRoadMin = 3]

ModelRCP == Cards(2, 1, 1, 0, 0)
ModelDCP == DevCards(1, 1, 1, 0, 0)
ModelBP == Pieces(4, 2, 0)

ModelStart ==
    Begun("Trading", (pB :> 1) @@ (pH :> 1) @@ (pD :> 2) @@ (pF :> 2), (rBC :> 1) @@ (rHI :> 1) @@ (rDE :> 2) @@ (rFG :> 2),
          <<Cards(1, 0, 0, 0, 0), Cards(0, 0, 1, 0, 0)>>, <<DevCards(1, 1, 0, 0, 0), DevCards(0, 0, 1, 0, 0)>>)

=============================================================================
