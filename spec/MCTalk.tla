------------------------------- MODULE MCTalk ------------------------------
(***************************************************************************)
(* Table talk: offers of any size, also such that nobody can pay; the      *)
(* others propose, unasked or as counter-offers; the active player         *)
(* concludes or withdraws while somebody is silent, or goes on.            *)
(***************************************************************************)
EXTENDS MC

ModelRules == [NoTrade EXCEPT !.PointsToWin = 2, !.CombinedTradeBuild = FALSE, !.WinCheck = "turn_end",
                              !.DomesticTrade = TRUE, !.TableTalk = TRUE]
CountedRules == [ModelRules EXCEPT !.OffersPerTurn = 1, !.ProposalsPerTurn = 1]
ToOneRules == [ModelRules EXCEPT !.OffersToOne = TRUE, !.OffersPerTurn = 1, !.ProposalsPerTurn = 1]
LeavingRules == [ModelRules EXCEPT !.Leaving = TRUE]

ModelRCP == Cards(1, 1, 1, 0, 0)
ModelDCP == NoDevCards
ModelBP == Pieces(0, 2, 0)

ModelStart ==
    Begun("Trading", (tA :> 1) @@ (tF :> 1) @@ (tB :> 2) @@ (tH :> 2) @@ (tD :> 3) @@ (tJ :> 3), <<>>,
          <<Cards(1, 0, 0, 0, 0), Cards(0, 1, 0, 0, 0), Cards(0, 0, 1, 0, 0)>>, [p \in Players |-> NoDevCards])

=============================================================================
