------------------------------- MODULE MCCards ------------------------------
(***************************************************************************)
(* One development card a turn, before the dice or after them.  Player 1   *)
(* has one road left, player 2 none.  One knight makes an army, which wins *)
(* at once, even before the dice are rolled.  Nobody trades with others.   *)
(***************************************************************************)
EXTENDS MC

ModelRules == [NoTrade EXCEPT !.PointsToWin = 4, !.LargestArmyMin = 1, !.OfferMax = 1]

ModelRCP == Cards(1, 2, 1, 0, 0)
ModelDCP == DevCards(1, 1, 1, 2, 0)
ModelBP == Pieces(2, 2, 0)

ModelStart ==
    Begun("DiceRoll", (pB :> 1) @@ (pH :> 1) @@ (pD :> 2) @@ (pF :> 2), (rBC :> 1) @@ (rDE :> 2) @@ (rFG :> 2),
          <<Cards(1, 0, 0, 0, 0), Cards(0, 0, 1, 0, 0)>>, <<DevCards(0, 0, 1, 1, 0), DevCards(1, 1, 0, 1, 0)>>)

=============================================================================
