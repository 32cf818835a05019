------------------------------- MODULE MCRoads ------------------------------
(***************************************************************************)
(* The longest road changes hands, and wins together with a city.  Nobody has *)
(* a village left.                                                         *)
(***************************************************************************)
EXTENDS MC

ModelRules == [Thesis EXCEPT !.PointsToWin = 5, !.LongestRoadMin = 3]

ModelRCP == Cards(3, 3, 1, 3, 6)
ModelDCP == DevCards(0, 0, 0, 0, 0)
ModelBP == Pieces(4, 2, 1)

ModelStart ==
    LET begun == Begun("Building", (pA :> 1) @@ (pB :> 1) @@ (pF :> 2) @@ (pI :> 2),
                       (rBC :> 1) @@ (rCD :> 1) @@ (rFG :> 2) @@ (rHI :> 2),
                       <<Cards(1, 1, 1, 3, 3), Cards(2, 2, 0, 0, 3)>>, <<ModelDCP, ModelDCP>>)
    IN [begun EXCEPT !.G.ba = 2]

=============================================================================
