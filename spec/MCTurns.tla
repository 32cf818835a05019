------------------------------- MODULE MCTurns ------------------------------
(***************************************************************************)
(* What is true, and what is not, of how games go on without offers.       *)
(* Every turn ends, if only somebody acts whenever somebody can.  The game *)
(* need not end: dice that never yield anything are fair.                  *)
(***************************************************************************)
EXTENDS MC

ModelRules == [Thesis EXCEPT !.PointsToWin = 4, !.HandLimit = 1, !.LargestArmyMin = 1]

ModelRCP == Cards(1, 1, 1, 0, 0)
ModelDCP == DevCards(1, 0, 0, 1, 0)
ModelBP == Pieces(3, 2, 0)

ModelStart ==
    Begun("DiceRoll", (pB :> 1) @@ (pH :> 1) @@ (pD :> 2) @@ (pF :> 2), (rBC :> 1) @@ (rFG :> 2),
          <<Cards(1, 1, 0, 0, 0), Cards(0, 0, 1, 0, 0)>>, <<DevCards(0, 0, 0, 1, 0), DevCards(1, 0, 0, 0, 0)>>)

\* Not true.
GameEnds == <>[](G.tp = "top")

=============================================================================
