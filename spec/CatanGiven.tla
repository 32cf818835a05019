------------------------------ MODULE CatanGiven ------------------------------
(***************************************************************************)
(* States that are given one by one: what an action makes of a state, what *)
(* can follow it by any action, and which invariants hold in it.  TLC      *)
(* prints the answers; the program answers the same questions and          *)
(* compares.  A given state need not be reachable, nor keep any invariant. *)
(***************************************************************************)
EXTENDS CatanTrace

CONSTANTS
    Given,      \* sequence of [changes, act, next]: a state as what it has otherwise than another, what is asked about
                \* it (an action as in a trace; <<"next">>: all of them; <<"judge">>; or <<>>: nothing), and which states
                \* are told by this one
    FromInit    \* those that are told by Init

NoTrace == <<>>

Five(rc) == <<rc.Lumber, rc.Brick, rc.Wool, rc.Grain, rc.Ore>>
ProgressCounts(cards) == <<cards.Monopoly, cards.YearOfPlenty, cards.RoadBuilding, 0, 0>>
HiddenCounts(cards) == <<cards.Monopoly, cards.YearOfPlenty, cards.RoadBuilding, cards.Knight, 0>>
AllCounts(cards) == <<cards.Monopoly, cards.YearOfPlenty, cards.RoadBuilding, cards.Knight, cards.VictoryPoint>>

Changed(old, new, told) == IF old = new THEN {} ELSE {told}

ChangesOfHand(p) ==
    LET old == G.h[p]
        new == G'.h[p]
    IN Changed(old.RC, new.RC, <<"RC", p, Five(new.RC)>>)
       \cup Changed(old.DC.BC, new.DC.BC, <<"BC", p, HiddenCounts(new.DC.BC)>>)
       \cup Changed(old.DC.AC, new.DC.AC, <<"AC", p, HiddenCounts(new.DC.AC)>>)
       \cup Changed(old.DC.UC, new.DC.UC, <<"UC", p, <<0, 0, 0, new.DC.UC.Knight, new.DC.UC.VictoryPoint>>>>)
       \cup Changed(G.b[p], G'.b[p], <<"b", p, <<G'.b[p].Road, G'.b[p].Village, G'.b[p].City>>>>)

Changes ==
    Changed(SU.sup, SU'.sup, <<"sup", SU'.sup>>)
    \cup Changed(SU.ap, SU'.ap, <<"SU ap", SU'.ap>>)
    \cup Changed(SU.first, SU'.first, <<"first", SU'.first>>)
    \cup Changed(SU.rolls, SU'.rolls, <<"rolls", SU'.rolls>>)
    \cup Changed(G.ap, G'.ap, <<"ap", G'.ap>>)
    \cup Changed(G.tp, G'.tp, <<"tp", G'.tp>>)
    \cup Changed(G.dice, G'.dice, <<"dice", G'.dice>>)
    \cup Changed(G.pd, G'.pd, <<"pd", G'.pd>>)
    \cup Changed(G.sb, G'.sb, <<"sb", G'.sb>>)
    \cup Changed(G.ba, G'.ba, <<"ba", G'.ba>>)
    \cup Changed(G.lr, G'.lr, <<"lr", G'.lr>>)
    \cup Changed(G.la, G'.la, <<"la", G'.la>>)
    \cup Changed(G.lim, G'.lim, <<"lim", G'.lim>>)
    \cup Changed(G.offer, G'.offer, <<"offer", Five(G'.offer.give), Five(G'.offer.receive)>>)
    \cup Changed(G.ans, G'.ans, <<"ans", G'.ans>>)
    \cup Changed(G.made, G'.made, <<"made", G'.made>>)
    \cup Changed(G.due, G'.due, <<"due", G'.due>>)
    \cup Changed(G.away, G'.away, <<"away", G'.away>>)
    \cup Changed(G.ret, G'.ret, <<"ret", [p \in Players |-> <<G'.ret[p].left, G'.ret[p].missed>>]>>)
    \cup Changed(G.ahead, G'.ahead, <<"ahead", G'.ahead>>)
    \cup Changed(G.call, G'.call, <<"call", G'.call.what, G'.call.tp, G'.call.to, G'.call.victim>>)
    \cup Changed(G.hid.sealed, G'.hid.sealed, <<"sealed", G'.hid.sealed>>)
    \cup Changed(G.hid.bought, G'.hid.bought, <<"bought", G'.hid.bought>>)
    \cup Changed(G.hid.held, G'.hid.held, <<"held", G'.hid.held>>)
    \cup Changed(G.hid.shuffles, G'.hid.shuffles, <<"shuffles", G'.hid.shuffles>>)
    \cup Changed(G.hid.keyless, G'.hid.keyless, <<"keyless", G'.hid.keyless>>)
    \cup Changed(G.hid.wanted, G'.hid.wanted, <<"wanted", G'.hid.wanted>>)
    \cup Changed(G.hid.back, G'.hid.back, <<"back", G'.hid.back>>)
    \cup Changed(G.hid.deck, G'.hid.deck, <<"deck", G'.hid.deck>>)
    \cup Changed(G.dp, G'.dp, <<"dp", ProgressCounts(G'.dp)>>)
    \cup Changed(G.bnk.RC, G'.bnk.RC, <<"bank RC", Five(G'.bnk.RC)>>)
    \cup Changed(G.bnk.DC, G'.bnk.DC, <<"bank DC", AllCounts(G'.bnk.DC)>>)
    \cup UNION {Changed(G.prop[p], G'.prop[p], <<"prop", p, Five(G'.prop[p].give), Five(G'.prop[p].receive)>>) : p \in Players}
    \cup UNION {ChangesOfHand(p) : p \in Players}
    \cup UNION {Changed(G.s[sp], G'.s[sp], <<"s", sp, G'.s[sp].own, G'.s[sp].st>>) : sp \in DOMAIN CT}
    \cup UNION {Changed(G.r[rp], G'.r[rp], <<"r", rp, G'.r[rp]>>) : rp \in DOMAIN CD}

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
    /\ IF Given[at].act = <<"next">> THEN Next ELSE Act(Given[at].act)
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
