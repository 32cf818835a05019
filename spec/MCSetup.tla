------------------------------- MODULE MCSetup ------------------------------
(***************************************************************************)
(* The set-up, from the first village to the first roll, with few resource *)
(* cards: not every second village can be paid for.                        *)
(***************************************************************************)
EXTENDS MC

ModelRCP == Cards(1, 1, 2, 1, 0)
ModelDCP == DevCards(0, 0, 0, 0, 0)
ModelBP == Pieces(2, 2, 1)

ModelStart ==
    LET begun == Begun("bot", <<>>, <<>>, [p \in Players |-> NoResources], [p \in Players |-> ModelDCP])
    IN [SU |-> [sup |-> "PhaseOne", ap |-> 1], G |-> [begun.G EXCEPT !.dice = 0]]

=============================================================================
