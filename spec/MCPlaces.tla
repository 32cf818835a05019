------------------------------- MODULE MCPlaces -----------------------------
(***************************************************************************)
(* Road building cards that are good for two roads, for one or for none.   *)
(* Player 1 has three roads left and two places, at both ends of the       *)
(* island; the bandit stands beside one of them, until a knight drives him *)
(* away.  Player 2 has one place, at A, but no road left.                  *)
(***************************************************************************)
EXTENDS MC

ModelRules == [NoTrade EXCEPT !.LongestRoadMin = 9, !.LargestArmyMin = 1, !.BanditBlocksBuilding = TRUE]

ModelRCP == NoResources
ModelDCP == DevCards(0, 0, 2, 1, 0)
ModelBP == Pieces(8, 2, 0)

LOCAL Roads(own, roads) == [rp \in roads |-> own]

ModelStart ==
    LET begun == Begun("DiceRoll", (pB :> 1) @@ (pD :> 1) @@ (pA :> 2) @@ (pF :> 2),
                       Roads(1, (RoadsAt[pC] \cup RoadsAt[pD])) @@ Roads(2, UNION {RoadsAt[sp] : sp \in {pF, pG, pH, pI}})
                       @@ ((CHOOSE rp \in RoadsAt[pA] : TRUE) :> 2),
                       <<NoResources, NoResources>>, <<DevCards(0, 0, 1, 1, 0), DevCards(0, 0, 1, 0, 0)>>)
    IN [begun EXCEPT !.G.ba = 2]

=============================================================================
