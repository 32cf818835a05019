------------------------------- MODULE MCOffers -----------------------------
(***************************************************************************)
(* Domestic trade: offers, answers in every order, conclusions and         *)
(* withdrawals.  Player 1 can be accepted by both others.                  *)
(* A player who makes offers for ever ends no turn, though somebody acts   *)
(* whenever somebody can.  Turns end if nobody can put off for ever what   *)
(* they can do again and again: to stop trading, and to stop building.     *)
(***************************************************************************)
EXTENDS MC

ModelRules == [Brief EXCEPT !.PointsToWin = 2, !.CombinedTradeBuild = FALSE, !.WinCheck = "turn_end", !.OfferMax = 2,
                            !.StartOrder = "seat"]
LeavingRules == [ModelRules EXCEPT !.Leaving = TRUE]
ToOneRules == [LeavingRules EXCEPT !.OffersToOne = TRUE]

ModelRCP == Cards(1, 2, 2, 0, 0)
ModelDCP == NoDevCards
ModelBP == Pieces(0, 2, 0)

ModelStart ==
    Begun("Trading", (tA :> 1) @@ (tF :> 1) @@ (tB :> 2) @@ (tH :> 2) @@ (tD :> 3) @@ (tJ :> 3), <<>>,
          <<Cards(1, 0, 0, 0, 0), Cards(0, 1, 0, 0, 0), Cards(0, 1, 2, 0, 0)>>, [p \in Players |-> NoDevCards])

PatientModel == FairModel /\ \A p \in Players : SF_vars(EmptyTrade(p)) /\ SF_vars(EmptyBuild(p))

=============================================================================
