------------------------------- MODULE MCBuild ------------------------------
(***************************************************************************)
(* Roads, villages and cities.  The bandit stands at u2, so B and D are    *)
(* beside him, and E is a free place for a village.  There is no income.   *)
(***************************************************************************)
EXTENDS MC

ModelRules == [Thesis EXCEPT !.PointsToWin = 4, !.LongestRoadMin = 3]

ModelRCP == Cards(2, 2, 1, 3, 3)
ModelDCP == DevCards(0, 0, 0, 0, 0)
ModelBP == Pieces(4, 3, 1)

ModelStart ==
    LET begun == Begun("Building", (pA :> 1) @@ (pB :> 1) @@ (pF :> 2) @@ (pI :> 2),
                       (rBC :> 1) @@ (rCD :> 1) @@ (rFG :> 2) @@ (rHI :> 2),
                       <<Cards(2, 2, 1, 1, 0), Cards(0, 0, 0, 2, 3)>>, <<ModelDCP, ModelDCP>>)
    IN [begun EXCEPT !.G.ba = 2]

=============================================================================
