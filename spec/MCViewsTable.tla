---------------------------- MODULE MCViewsTable ----------------------------
(* Small instances of CatanViewsTable, on the strips of MCStrip. *)
EXTENDS CatanViewsTable, MCStrip
LeavingRules == [ModelRules EXCEPT !.Leaving = TRUE]
ReturnRules == [LeavingRules EXCEPT !.Returns = 1]
\* Player 3 is away, and has missed a turn.
OneAway ==
    BegunWithout([NobodyAway EXCEPT ![3] = TRUE], (1 :> 1) @@ (5 :> 1) @@ (3 :> 2) @@ (8 :> 2) @@ (6 :> 3) @@ (9 :> 3),
          (1 :> 1) @@ (6 :> 1) @@ (3 :> 2) @@ (10 :> 2) @@ (7 :> 3) @@ (11 :> 3), WoolAndOre(<<2, 0, 1>>, <<0, 2, 2>>), "DiceRoll")
=============================================================================
