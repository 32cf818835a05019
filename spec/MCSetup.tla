------------------------------- MODULE MCSetup ------------------------------
(***************************************************************************)
(* The set-up, from the first village to the first roll, with few resource *)
(* cards: not every second village can be paid for.  The bandit stands at u5, *)
(* so a village at H would be beside it, but not the road that leads to G. *)
(***************************************************************************)
EXTENDS MC

ModelTiles == [TwinIslands EXCEPT ![5].terrain = "desert", ![6].terrain = "hills", ![6].n = 5]

ModelRCP == Cards(1, 1, 2, 1, 0)
ModelDCP == DevCards(0, 0, 0, 0, 0)
ModelBP == Pieces(2, 2, 1)

ModelStart ==
    LET begun == Begun("bot", <<>>, <<>>, [p \in Players |-> NoResources], [p \in Players |-> ModelDCP])
    IN [begun EXCEPT !.SU.sup = "PhaseOne"]

=============================================================================
