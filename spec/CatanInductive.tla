---------------------------- MODULE CatanInductive ----------------------------
(***************************************************************************)
(* The core of the invariants, which needs no board and no history: cards  *)
(* and pieces are conserved, and nobody holds fewer than none.  It is      *)
(* inductive once the turns have begun: every step from a state in which   *)
(* it holds, reachable or not, leads to another.  TLC looks at random      *)
(* states, which a test gives it (tests/model_check/test_inductive.py).    *)
(***************************************************************************)
EXTENDS CatanGiven

\* No count is negative or above its pool, and nothing is lost or made; nobody has bought a card that the bank does not have.
Conserved ==
    /\ G.bnk \in BNK /\ G.h \in H /\ G.dp \in DP /\ G.b \in B /\ G.hid \in HID
    /\ Sum(G.bnk.DC, DCT) >= Total(G.hid.bought) + Total(G.hid.held)
    /\ ConservationOfResourceCards
    /\ ConservationOfDevelopmentCards
    /\ ConservationOfBuildings

\* What the steps need of each other: answers, proposals and limits stand in their phases only, who can be traded with has
\* what they would give, and there is a card for whoever has called for one.
Covered ==
    /\ Below.tp # "Offering" => G.ans = NoAnswers
    /\ Below.tp \notin TalkPhases => G.prop = NoProposals
    /\ PhaseIn(Below) # "Discarding" => \A p \in Players : G.lim[p] = 0
    /\ G.call.what = "BuyDevCard" => Sum(G.bnk.DC, DCT) > Total(G.hid.bought) + Total(G.hid.held)
    /\ \A p \in Players :
        /\ G.ans[p] = "accept" => Covers(G.h[p].RC, G.offer.receive)
        /\ Covers(G.h[p].RC, G.prop[p].give)

\* The set-up is over; in it, that everybody has pieces left follows from the order of turns only.
TurnsHaveBegun == Below.tp \notin {"Pledging", "Shuffling", "bot"} /\ PhaseIn(Below) # "bot"

Inductive == at # 0 => Conserved /\ Covered /\ TurnsHaveBegun

\* A step from each given state, and no further.
StepOnce ==
    /\ at > 0
    /\ Next
    /\ at' = 0 - at
    /\ UNCHANGED <<left, base>>

InductiveSpec == GivenInit /\ [][(at = 0 /\ Put) \/ StepOnce]_tvars

=============================================================================
