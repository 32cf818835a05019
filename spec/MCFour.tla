------------------------------- MODULE MCFour -------------------------------
(***************************************************************************)
(* Four players on the default map who all have to discard after a seven.  *)
(***************************************************************************)
EXTENDS MC

ModelRules == [Thesis EXCEPT !.HandLimit = 1]
LeavingRules == [ModelRules EXCEPT !.PointsToWin = 2, !.Leaving = TRUE]

ModelRCP == Cards(8, 0, 0, 0, 0)
ModelDCP == DevCards(0, 0, 0, 0, 0)
ModelBP == Pieces(2, 2, 0)

ModelStart ==
    Begun("DiceRoll", (1 :> 1) @@ (8 :> 2) @@ (12 :> 3) @@ (17 :> 4) @@ (23 :> 4) @@ (29 :> 3) @@ (37 :> 2) @@ (40 :> 1),
          <<>>, [p \in Players |-> Cards(2, 0, 0, 0, 0)], [p \in Players |-> ModelDCP])

=============================================================================
