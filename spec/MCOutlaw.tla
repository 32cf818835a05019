------------------------------ MODULE MCOutlaw ------------------------------
(***************************************************************************)
(* Player 2 has settled in the desert only, where the bandit begins: he goes *)
(* anywhere then, without a victim, and later back to the desert.          *)
(***************************************************************************)
EXTENDS MC

SparedRules == [Thesis EXCEPT !.BanditTargets = "friendly"]

ModelTiles == [TwinIslands EXCEPT ![2].terrain = "desert", ![2].n = 0, ![6].terrain = "sea",
                                  ![8].terrain = "sea", ![8].n = 0]
ModelRCP == Cards(0, 0, 2, 0, 0)
ModelDCP == DevCards(0, 0, 0, 0, 0)
ModelBP == Pieces(1, 2, 0)

ModelStart ==
    Begun("DiceRoll", (pF :> 1) @@ (pH :> 1) @@ (pB :> 2) @@ (pD :> 2), (rFG :> 1) @@ (rBC :> 2),
          <<Cards(0, 0, 1, 0, 0), Cards(0, 0, 1, 0, 0)>>, <<ModelDCP, ModelDCP>>)

\* Player 2 begins: wherever the bandit can go, a friendly one finds somebody to spare.
SparedStart == [ModelStart EXCEPT !.G.ap = 2]

=============================================================================
