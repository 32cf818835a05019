---------------------------- MODULE MCViewsTable ----------------------------
(* Small instances of CatanViewsTable, on the strips of MCStrip. *)
EXTENDS CatanViewsTable, MCStrip
LeavingRules == [ModelRules EXCEPT !.Leaving = TRUE]
=============================================================================
