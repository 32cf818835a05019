------------------------------ MODULE MCSpecial -----------------------------
(***************************************************************************)
(* After player 1's turn the others may build in their order; player 3     *)
(* reaches enough points with a city then, and wins when their own turn    *)
(* begins.  Player 2 buys the last development card, and has settled where *)
(* player 1's road ends.                                                   *)
(***************************************************************************)
EXTENDS MC

ModelRules == [NoTrade EXCEPT !.PointsToWin = 3, !.SpecialBuilding = TRUE]
LeavingRules == [ModelRules EXCEPT !.Leaving = TRUE]

ModelRCP == Cards(1, 1, 1, 3, 4)
ModelDCP == DevCards(1, 0, 0, 0, 0)
ModelBP == Pieces(3, 2, 1)

ModelStart ==
    Begun("TradingBuilding", (tB :> 1) @@ (tJ :> 1) @@ (tD :> 2) @@ (tH :> 2) @@ (tA :> 3) @@ (tF :> 3),
          (oBC :> 1) @@ (oCD :> 1) @@ (oDE :> 2) @@ (oFG :> 3),
          <<Cards(1, 1, 0, 0, 0), Cards(0, 0, 1, 1, 1), Cards(0, 0, 0, 2, 3)>>, [p \in Players |-> NoDevCards])

=============================================================================
