------------------------------ MODULE MCCombined ----------------------------
(***************************************************************************)
(* One phase for trading and building.  A village at E has a harbour for   *)
(* wool, which can be used at once; the card that it pays for wins at    *)
(* once.  The bandit stands at u2, and nobody minds.                       *)
(***************************************************************************)
EXTENDS MC

ModelRules == [NoTrade EXCEPT !.PointsToWin = 4]

ModelRCP == Cards(2, 2, 5, 3, 4)
ModelDCP == DevCards(0, 0, 0, 0, 1)
ModelBP == Pieces(3, 3, 1)

ModelStart ==
    LET begun == Begun("TradingBuilding", (pB :> 1) @@ (pH :> 1) @@ (pA :> 2) @@ (pF :> 2),
                       (rBC :> 1) @@ (rCD :> 1) @@ (rFG :> 2),
                       <<Cards(2, 2, 4, 3, 0), Cards(0, 0, 0, 0, 3)>>, <<NoDevCards, NoDevCards>>)
    IN [begun EXCEPT !.G.ba = 2]

=============================================================================
