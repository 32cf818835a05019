------------------------------- MODULE MCSeven ------------------------------
(***************************************************************************)
(* Sevens: discards of both players in any order, the bandit, thefts, and  *)
(* harvests that the bank cannot always pay.                               *)
(***************************************************************************)
EXTENDS MC

ModelRules == [Thesis EXCEPT !.HandLimit = 1]
LeavingRules == [ModelRules EXCEPT !.Leaving = TRUE]

ModelRCP == Cards(3, 1, 2, 0, 0)
ModelDCP == DevCards(0, 0, 0, 0, 0)
ModelBP == Pieces(1, 2, 0)

ModelStart ==
    Begun("DiceRoll", (pB :> 1) @@ (pH :> 1) @@ (pD :> 2) @@ (pF :> 2), (rBC :> 1) @@ (rFG :> 2),
          <<Cards(2, 0, 1, 0, 0), Cards(1, 1, 0, 0, 0)>>, <<ModelDCP, ModelDCP>>)

=============================================================================
