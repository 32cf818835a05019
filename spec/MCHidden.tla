------------------------------ MODULE MCHidden ------------------------------
(***************************************************************************)
(* The games of MCSealed with all that can be inside of the seals.         *)
(***************************************************************************)
EXTENDS MCSealed, CatanHidden

HiddenStart == MCInit /\ Filled

\* Building between two turns, where anybody may leave.
LeavingSpecialRules == [SpecialRules EXCEPT !.Leaving = TRUE, !.SignedEnd = TRUE]

FewOffers(p) ==
    [give: {Cards(1, 0, 0, 0, 0), Cards(0, 0, 1, 0, 0)}, receive: {Cards(1, 0, 0, 0, 0), Cards(0, 1, 0, 0, 0), Cards(0, 0, 1, 0, 0)}]

\* A theft from whom another may be silent or lie.
TheftStart ==
    [SevenStart EXCEPT !.G.tp = "MovingBandit", !.G.dice = 7, !.G.hid.sealed = <<0, 1, 0>>, !.G.bnk.RC = Cards(0, 0, 0, 0, 0),
                       !.G.h = [p \in Players |->
                                   [@[p] EXCEPT !.RC = <<NoResources, Cards(0, 1, 0, 0, 0), Cards(1, 0, 0, 0, 0)>>[p]]]]
TheftRCP == Cards(2, 1, 0, 0, 0)
TheftSpec == HiddenStart /\ [][HiddenNext]_hiddenVars /\ HiddenFair

=============================================================================
