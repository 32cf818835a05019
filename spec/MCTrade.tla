------------------------------- MODULE MCTrade ------------------------------
(***************************************************************************)
(* Trading with the bank.  Player 1 may trade three to one at B and wool at *)
(* E two to one, player 2 grain at I two to one; the bank is short.        *)
(***************************************************************************)
EXTENDS MC

ModelRCP == Cards(5, 1, 4, 4, 0)
ModelDCP == DevCards(0, 0, 0, 0, 0)
ModelBP == Pieces(1, 2, 0)

ModelStart ==
    Begun("Trading", (pB :> 1) @@ (pE :> 1) @@ (pG :> 2) @@ (pI :> 2), (rBC :> 1) @@ (rGH :> 2),
          <<Cards(4, 0, 3, 0, 0), Cards(0, 0, 0, 3, 0)>>, <<ModelDCP, ModelDCP>>)

=============================================================================
