------------------------------ MODULE CatanGiven ------------------------------
(***************************************************************************)
(* States that are given one by one: what an action makes of a state, and  *)
(* which invariants hold in it.  TLC prints both; the program answers the  *)
(* same questions and compares.  A given state need not be reachable, nor  *)
(* keep any invariant.                                                     *)
(***************************************************************************)
EXTENDS CatanSuccessors

CONSTANTS
    Given,      \* sequence of [changes, act, next]: a state as what it has otherwise than another, what is asked about
                \* it (an action as in a trace; <<"judge">>; or <<>>: nothing), and which states are told by this one
    FromInit    \* those that are told by Init

NoTrace == <<>>

GivenInit ==
    /\ Init
    /\ at = 0
    /\ left = {}
    /\ base = NoOffer
    /\ PrintT(<<"init", SU, G>>)

\* The state number at is put on the table.
Put ==
    /\ at' \in IF at = 0 THEN FromInit ELSE Given[at].next
    /\ G' = AllRecorded(G, Given[at'].changes, Len(Given[at'].changes))
    /\ SU' = RecordedSetup(Given[at'].changes)
    /\ UNCHANGED <<left, base>>

\* Never taken: it only prints.
Step ==
    /\ at # 0
    /\ Given[at].act \notin {<<>>, <<"judge">>}
    /\ Act(Given[at].act)
    /\ UNCHANGED <<at, left, base>>
    /\ PrintT(<<"step", at, Changes>>)
    /\ FALSE

\* The invariants that hold; without types the others say nothing.
Holding ==
    IF ~TypeOK THEN {}
    ELSE {"TypeOK"}
         \cup (IF ConservationOfResourceCards THEN {"ConservationOfResourceCards"} ELSE {})
         \cup (IF ConservationOfDevelopmentCards THEN {"ConservationOfDevelopmentCards"} ELSE {})
         \cup (IF ConservationOfBuildings THEN {"ConservationOfBuildings"} ELSE {})
         \cup (IF DistanceRule THEN {"DistanceRule"} ELSE {})
         \cup (IF RoadsConnected THEN {"RoadsConnected"} ELSE {})
         \cup (IF BanditOnLand THEN {"BanditOnLand"} ELSE {})
         \cup (IF BonusHolders THEN {"BonusHolders"} ELSE {})
         \cup (IF BoughtByActive THEN {"BoughtByActive"} ELSE {})
         \cup (IF TurnOrder THEN {"TurnOrder"} ELSE {})
         \cup (IF OfferIsCovered THEN {"OfferIsCovered"} ELSE {})
         \cup (IF SharesAreDue THEN {"SharesAreDue"} ELSE {})
         \cup (IF AwayAreSkipped THEN {"AwayAreSkipped"} ELSE {})
         \cup (IF WinAtOnce THEN {"WinAtOnce"} ELSE {})

\* Never taken either.
Judge ==
    /\ at # 0
    /\ Given[at].act = <<"judge">>
    /\ PrintT(<<"holds", at, Holding>>)
    /\ FALSE
    /\ UNCHANGED tvars

GivenSpec == GivenInit /\ [][Put \/ Step \/ Judge]_tvars

=============================================================================
