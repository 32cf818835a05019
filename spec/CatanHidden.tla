----------------------------- MODULE CatanHidden -----------------------------
(***************************************************************************)
(* What is inside of the seals of a game with hidden hands.                *)
(*                                                                         *)
(* Catan.tla has what everybody reads in the log: how many cards of each   *)
(* player are sealed.  Here are the cards.  A sealed card is a handle: its *)
(* place among its holder's sealed cards.  What is inside and who can open *)
(* it is state that no step may read but by its proofs, which              *)
(* docs/how-it-works/sealing.md has; here a proof is a guard that cannot   *)
(* be met by a lie.                                                        *)
(*                                                                         *)
(* Every step is one of Catan.tla, Acts, together with what it does inside *)
(* of the seals, Within; but for Tells, by which a robber shows that an    *)
(* answer was false.  So this module refines the game that everybody reads *)
(* (IsPublicGame).  It also refines a game of Catan.tla with open hands in *)
(* which whoever acts draws (RefinesGame): Truth, which has what is inside *)
(* of the seals in the hands.                                              *)
(*                                                                         *)
(* Liars answer with openings that are none, or say so of a good answer.   *)
(* Without names guards that are taken out, for the tests: each property   *)
(* below is violated without some guard.                                   *)
(***************************************************************************)
EXTENDS Catan

CONSTANTS
    Liars,      \* who may lie, and stop at any time
    Absent,     \* who may stop at any time
    Without     \* tags of guards that are left out; {} in the specification

ASSUME HiddenRules == Hands = "hidden" /\ Liars \cup Absent \subseteq Players

VARIABLES
    seals,      \* by player the sealed cards, by place: [card, opens], opens being who can open it
    theft,      \* what is fixed of the theft that was called for: [place, answered, bad], bad being places with a false opening
    deck,       \* the development cards in the order in which they will be bought
    shares,     \* who has told the share of the decryption of the deck's first card
    piles,      \* by player the development cards that only they have seen: [bought, held], counted by kind
    proven      \* who has been proven a liar

hidden == <<seals, theft, deck, shares, piles, proven>>
hiddenVars == <<SU, G, hidden>>

Keeps(tag, guard) == tag \in Without \/ guard

NoTheft == [place |-> 0, answered |-> FALSE, bad |-> {}]
NoneHeld == [card \in DCT |-> 0]

\* How many of a sequence of cards there are by kind.
Counts(cards, kinds) == [kind \in kinds |-> Cardinality({i \in DOMAIN cards : cards[i] = kind})]

\* All sequences of n cards that are these, counted by kind.
Orders(n, cards) == {order \in [1..n -> {kind \in DOMAIN cards : cards[kind] > 0}] : Counts(order, DOMAIN cards) = cards}

\* The cards that player p has sealed, by kind; those of a player who has left are out of play.
Inside(p) == Counts([i \in DOMAIN seals[p] |-> seals[p][i].card], RCT)
InPlay(p) == IF G.away[p] THEN NoResources ELSE Inside(p)

\* These cards, in this order, sealed by player p: only p can open them.
SealedBy(p, order) == [i \in DOMAIN order |-> [card |-> order[i], opens |-> {p}]]

\* All that n cards of player p can be once p has sealed them, in any order.
Sealings(p, n, cards) ==
    {SealedBy(p, order) : order \in IF "RS1 balance" \in Without THEN [1..n -> RCT] ELSE Orders(n, cards)}

IsTheftOn == G.tp = "Drawing" /\ G.call.what \in Robberies
IsSale == G.tp = "Drawing" /\ G.call.what = "BuyDevCard"
IsBuying(x) == IsSale /\ Builder = x

-----------------------------------------------------------------------------
(* What a step of the public game does inside of the seals.  What the step *)
(* is, G and its next value tell.                                          *)

\* Who leaves with this step.
Leaver == IF \E x \in Players : G'.away[x] /\ ~G.away[x] THEN CHOOSE x \in Players : G'.away[x] /\ ~G.away[x] ELSE NoOwner

\* Who comes back.
Comer == IF \E x \in Players : G.away[x] /\ ~G'.away[x] THEN CHOOSE x \in Players : G.away[x] /\ ~G'.away[x] ELSE NoOwner

\* Nobody leaves but a proven liar, or who is silent when the game waits for them.
MayLeave == Leaver # NoOwner => Leaver \in proven \/ (Leaver \in Liars \cup Absent /\ IsAwaited(Leaver))

\* Player p, whom the game waits for, gives what it waits for.
Gives(p) == Leaver = NoOwner /\ G.due[p] /\ ~G'.due[p]

\* The sealed cards that come into the open.
Shows == [res \in RCT |-> Unseen(res) - Unseen(res)']

\* The victim seals the whole hand, and gives the robber the opening of the card at the place that the robber has fixed, without
\* knowing which.  A liar gives some that open nothing.
SealHand(v) ==
    LET cards == IF "AN1 whole" \in Without THEN Inside(v) ELSE AddRec(G.h[v].RC, Inside(v))
    IN \E new \in Sealings(v, Count(cards), cards) : seals' = [seals EXCEPT ![v] = new]

\* The robber tells the place, and the sealed card there changes hands.
TakeSealed(p) ==
    \E place \in DOMAIN seals[G.call.victim] :
        LET v == G.call.victim
            got == [card |-> seals[v][place].card,
                    opens |-> {v} \cup (IF place = theft.place /\ place \notin theft.bad THEN {p} ELSE {})]
            others == [i \in 1..(Len(seals[v]) - 1) |-> seals[v][IF i < place THEN i ELSE i + 1]]
        IN /\ proven = {}
           /\ Keeps("TK1 place", place = theft.place)
           /\ Keeps("TK2 opens", place \notin theft.bad)
           /\ seals' = [seals EXCEPT ![v] = others, ![p] = Append(@, got)]

\* Player p pays with sealed cards, and seals the rest anew.  Where a monopoly asks for a kind, the rest are of the four others.
Pay(p) ==
    LET rest == [res \in RCT |-> IF Inside(p)[res] > Shows[res] THEN Inside(p)[res] - Shows[res] ELSE 0]
        isAsked == G.tp = "Surrendering" /\ Gives(p)
    IN /\ Keeps("RS1 balance", Covers(Inside(p), Shows))
       /\ Keeps("SU1 rest", isAsked => rest[G.hid.wanted] = 0)
       /\ IF Shows = NoResources THEN seals' = seals
          ELSE \E new \in Sealings(p, Len(seals[p]) - Count(Shows), rest) : seals' = [seals EXCEPT ![p] = new]

Seal(p) ==
    IF Leaver # NoOwner THEN seals' = seals
    ELSE IF Comer # NoOwner
    THEN Keeps("CB6 opened", Inside(Comer) = Shows) /\ seals' = [seals EXCEPT ![Comer] = <<>>]
    ELSE IF IsTheftOn /\ Gives(p) THEN SealHand(p)
    ELSE IF IsTheftOn /\ ~IsTheftOn' THEN TakeSealed(p)
    ELSE Pay(p)

\* The robber fixes with the call which of the victim's cards it is, which nobody else sees, until the card is taken, or somebody
\* leaves.
Steals(p) ==
    IF ~IsTheftOn' THEN theft' = NoTheft
    ELSE IF ~IsTheftOn THEN \E place \in 1..HandSize(G.call.victim)' : theft' = [NoTheft EXCEPT !.place = place]
    ELSE IF Gives(p)
    THEN \E bad \in IF p \in Liars THEN SUBSET (1..HandSize(p)) ELSE {{}} :
             theft' = [theft EXCEPT !.answered = TRUE, !.bad = bad]
    ELSE theft' = theft

\* Everybody else tells the share of the first card of the deck, once it is called for, and its buyer takes it.  It leaves with a
\* buyer who may have seen it already.  Whatever was told otherwise is of no use once the rest is shuffled anew.
Deal(p) ==
    LET isShuffled == G.tp = "Shuffling" /\ Leaver = NoOwner /\ <<G'.tp, G'.hid.deck>> # <<G.tp, G.hid.deck>>
        isTaken == \/ G'.hid.bought[p] > G.hid.bought[p]
                   \/ Leaver # NoOwner /\ IsBuying(Leaver) /\ "LV1 spent" \notin Without
        isTold == G.tp = "Drawing" /\ Gives(p) /\ Keeps("TS1 called", IsSale)
    IN /\ IF isShuffled /\ "LV2 anew" \notin Without THEN deck' \in Orders(Len(deck), Counts(deck, DCT))
          ELSE deck' = IF isTaken THEN Tail(deck) ELSE deck
       /\ IF isTold THEN shares' \in {shares \cup {p}} \cup (IF "TS2 proof" \in Without THEN {shares} ELSE {})
          ELSE shares' = IF isTaken \/ (isShuffled /\ "LV2 anew" \notin Without) THEN {} ELSE shares

\* Player p shows a development card with their own share, or the cards that somebody has bought in a turn that ends rest.
Hold(p) ==
    LET pile == IF G'.hid.held[p] < G.hid.held[p] THEN "held" ELSE "bought"
        rested == [q \in Players |-> IF G'.hid.bought[q] > 0 THEN piles[q]
                                     ELSE [bought |-> NoneHeld, held |-> AddRec(piles[q].held, piles[q].bought)]]
        isSpent == Leaver # NoOwner /\ IsBuying(Leaver) /\ "LV1 spent" \notin Without
    IN IF G'.bnk.DC # G.bnk.DC
       THEN \E own \in DCT : /\ piles[p][pile][own] > 0
                             /\ Keeps("SC1 share", G'.bnk.DC[own] < G.bnk.DC[own])
                             /\ piles' = [piles EXCEPT ![p][pile][own] = @ - 1]
       ELSE piles' = IF isSpent THEN [rested EXCEPT ![Leaver].held[Head(deck)] = @ + 1]
                     ELSE IF G'.hid.bought[p] > G.hid.bought[p] THEN [piles EXCEPT ![p].bought[Head(deck)] = @ + 1]
                     ELSE rested

Within(p) == MayLeave /\ Seal(p) /\ Steals(p) /\ Deal(p) /\ Hold(p) /\ proven' = proven \ {Leaver}

\* The robber says that the answer opens nothing, and tells the secret of their choice: so everybody sees who lies.
Tells(p) ==
    LET isBad == theft.place \in theft.bad
    IN /\ IsTheftOn
       /\ G.ap = p
       /\ theft.answered
       /\ proven = {}
       /\ "TE2 told" \notin Without
       /\ isBad \/ p \in Liars
       /\ proven' = proven \cup {IF isBad \/ "TE1 checked" \in Without THEN G.call.victim ELSE p}
       /\ UNCHANGED <<SU, G, seals, theft, deck, shares, piles>>

-----------------------------------------------------------------------------
(* The state machine. *)

\* What player p gets of a sequence of cards of which every player gets so many, in the order of seats.
Dealt(order, numbers, p) == SubSeq(order, UpTo(numbers, p - 1) + 1, UpTo(numbers, p))

\* Whatever can be inside of the seals of a public state.
Filled ==
    /\ \E order \in Orders(Total(G.hid.sealed), [res \in RCT |-> Unseen(res)]) :
           seals = [p \in Players |-> SealedBy(p, Dealt(order, G.hid.sealed, p))]
    /\ \E order \in Orders(Sum(G.bnk.DC, DCT), G.bnk.DC) :
           /\ piles = [p \in Players |-> [bought |-> NoneHeld, held |-> Counts(Dealt(order, G.hid.held, p), DCT)]]
           /\ deck = SubSeq(order, Total(G.hid.held) + 1, Len(order))
    /\ theft = NoTheft
    /\ shares = {}
    /\ proven = {}

HiddenInit == Init /\ Filled

Plays(p) == (Acts(p) /\ Within(p)) \/ Tells(p)

HiddenNext == \E p \in Players : Plays(p)

\* Whoever is well acts whenever they can; the others may stop.
Well == Players \ (Liars \cup Absent)
HiddenFair == \A p \in Well : WF_hiddenVars(Plays(p))

\* What everybody reads is a game of Catan.tla.
IsPublicGame == [][Next]_vars

-----------------------------------------------------------------------------
(* The true game.                                                          *)

\* What a monopoly asks for of cards that are still sealed belongs to who played it, until somebody leaves.  Player x, if any,
\* has left already: what they have sealed is out of play, and the card of the deck that they may have seen is theirs.
Surrendered(p, x) ==
    [res \in RCT |-> IF G.tp = "Surrendering" /\ res = G.hid.wanted /\ G.due[p] /\ x = NoOwner THEN Inside(p)[res] ELSE 0]
TrueHand(p, x) ==
    LET sealed == IF p = x THEN NoResources ELSE InPlay(p)
        own == SubRec(AddRec(G.h[p].RC, sealed), Surrendered(p, x))
    IN IF p # G.ap THEN own ELSE [res \in RCT |-> own[res] + Total([q \in Players |-> Surrendered(q, x)[res]])]

\* Points that nobody else has seen count for nobody.
Private(pile) == [card \in PCT \cup {"Knight"} |-> pile[card]]

TruthWithout(x) ==
    LET isSpent == x # NoOwner /\ IsBuying(x)
        held(p) == IF isSpent /\ p = x THEN [piles[p].held EXCEPT ![Head(deck)] = @ + 1] ELSE piles[p].held
    IN [G EXCEPT !.tp = PhaseBelow,
                 !.call = NoCall,
                 !.due = NobodyDue,
                 !.hid = NothingHidden,
                 !.bnk.DC = Counts(IF isSpent THEN Tail(deck) ELSE deck, DCT),
                 !.h = [p \in Players |->
                           [RC |-> TrueHand(p, x),
                            DC |-> [BC |-> AddRec(G.h[p].DC.BC, Private(piles[p].bought)),
                                    AC |-> AddRec(G.h[p].DC.AC, Private(held(p))),
                                    UC |-> G.h[p].DC.UC]]]]

Truth == TruthWithout(NoOwner)

OpenRules == [Rules EXCEPT !.Hands = "open", !.Chance = "actor", !.ChanceAhead = FALSE, !.SignedEnd = FALSE]

Game == INSTANCE Catan WITH G <- Truth, Rules <- OpenRules

Less(x) == INSTANCE Catan WITH G <- TruthWithout(x), Rules <- OpenRules

\* Steps that a game with open hands does not have.  A point is bought and lies hidden; it is shown.
PointIsBought ==
    \E p \in Players :
        /\ Truth.tp \in BuildPhases
        /\ Game!Builder = p
        /\ Covers(Truth.h[p].RC, DevCardCost)
        /\ Truth' = [Truth EXCEPT !.prop = NoProposals,
                                  !.bnk.RC = AddRec(@, DevCardCost),
                                  !.bnk.DC.VictoryPoint = @ - 1,
                                  !.h[p].RC = SubRec(@, DevCardCost)]
        /\ piles'[p].bought.VictoryPoint = piles[p].bought.VictoryPoint + 1
PointIsShown ==
    \E p \in Players :
        /\ Truth.ap = p
        /\ \E pile \in {"bought", "held"} : piles'[p][pile].VictoryPoint = piles[p][pile].VictoryPoint - 1
        /\ Truth' = Game!Won([Truth EXCEPT !.prop = NoProposals, !.h[p].DC.UC.VictoryPoint = @ + 1])

\* Everybody is asked who could pay, as far as the number of their sealed cards tells: for an offer, and before the next turn.
AsksInVain ==
    \/ /\ Truth.tp \in TradePhases
       /\ Covers(Truth.h[Truth.ap].RC, G'.offer.give)
       /\ Game!Takers(Truth.ap, G'.offer.receive) \subseteq {q \in Players : G'.ans[q] = "asked"}
       /\ Truth' = [Truth EXCEPT !.tp = "Offering", !.offer = G'.offer, !.made = G'.made, !.ans = G'.ans, !.prop = NoProposals]
    \/ /\ Truth.tp \in BuildPhases
       /\ NextBuilder(Builder) # NoOwner
       /\ Truth' = [Game!Rested(Game!Heard, Builder) EXCEPT !.tp = "SpecialBuilding", !.sb = NextBuilder(Builder)]

\* Who leaves takes what they have sealed out of play, also where the last other player claims the game while an answer or a share
\* is awaited, where the next is asked in vain to build, and before the end is signed.
Leaves ==
    \E x \in Players :
        LET without == Less(x)!Unasked(TruthWithout(x), x)
        IN /\ ~G.away[x] /\ G'.away[x]
           /\ \/ \E p \in Players : Less(x)!Excuse(p, x)
              \/ Cardinality(Present) = 2 /\ Truth' = [Less(x)!Skipped(without, x) EXCEPT !.tp = "top"]
              \/ /\ Truth.tp = "SpecialBuilding" /\ Builder = x /\ NextBuilder(x) # NoOwner
                 /\ Truth' = [Less(x)!Rested(without, x) EXCEPT !.sb = NextBuilder(x)]
              \/ Truth.tp = "top" /\ Truth' = without

\* Who comes back opens it again.
With(x) == INSTANCE Catan WITH G <- [Truth EXCEPT !.h[x].RC = AddRec(@, Inside(x))], Rules <- OpenRules
ComesBack == \E x \in Players : G.away[x] /\ ~G'.away[x] /\ \E p \in Players : With(x)!ComeBack(p, x, NoResources)

RefinesGame == [][Game!Next \/ PointIsBought \/ PointIsShown \/ AsksInVain \/ Leaves \/ ComesBack]_<<SU, Truth>>

-----------------------------------------------------------------------------
(* What is promised.                                                       *)

SealedCards == [card: RCT, opens: SUBSET Players]

HiddenTypeOK ==
    /\ \A p \in Players : \A i \in DOMAIN seals[p] : seals[p][i] \in SealedCards
    /\ theft.place \in Nat /\ theft.answered \in BOOLEAN /\ theft.bad \subseteq Nat
    /\ \A i \in DOMAIN deck : deck[i] \in DCT
    /\ shares \subseteq Players /\ proven \subseteq Players
    /\ \A p \in Players, pile \in {"bought", "held"}, card \in DCT : piles[p][pile][card] \in 0..DCP[card]
    /\ (theft # NoTheft) = IsTheftOn

\* There is as much inside as everybody has counted.
ContentsAgree ==
    /\ \A p \in Players : /\ Len(seals[p]) = G.hid.sealed[p]
                          /\ Sum(piles[p].bought, DCT) = G.hid.bought[p]
                          /\ Sum(piles[p].held, DCT) = G.hid.held[p]
    /\ G.hid.deck # "lost" => Len(deck) = DeckSize(G)

\* No card is made up and none is lost: bank, known and sealed cards are all there are.
CardsAreConserved ==
    /\ \A res \in RCT : Total([p \in Players |-> Inside(p)[res]]) = Unseen(res)
    /\ \A p \in Players, res \in RCT : G.h[p].RC[res] >= 0
    /\ \A card \in DCT :
          G.bnk.DC[card] = Counts(deck, DCT)[card] + Total([p \in Players |-> piles[p].bought[card] + piles[p].held[card]])

\* Whoever holds a sealed card can open it, and so can at most one other, who had it before.
HoldersCanOpen == \A p \in Players : \A i \in DOMAIN seals[p] : p \in seals[p][i].opens /\ Cardinality(seals[p][i].opens) <= 2

\* A theft can hit every card of the hand: once it is answered, the whole hand is sealed, and only the victim can open it.
WholeHandIsSealed ==
    theft.answered =>
        /\ Count(G.h[G.call.victim].RC) = 0
        /\ theft.place \in DOMAIN seals[G.call.victim]
        /\ \A i \in DOMAIN seals[G.call.victim] : seals[G.call.victim][i].opens = {G.call.victim}

\* Only liars are ever proven to lie.
ProofsAreTrue == proven \subseteq Liars

\* Nobody but a buyer, and that one only with everybody's share, gets to know a card of the deck: whatever was told for another is
\* of no use, for the rest is shuffled anew before the game goes on, or nothing is bought any more.
DeckIsUnseen ==
    shares # {} => (IsSale /\ Builder \notin shares) \/ G.tp \in {"Shuffling", "Signing", "top"} \/ G.hid.deck = "lost"
BuyersSeeTheirCard ==
    [][\A p \in Players : G'.hid.bought[p] > G.hid.bought[p] => Present \ {p} \subseteq shares]_hiddenVars

\* What is stolen is fixed before the victim answers: the card at the place that was chosen with the call, and no other.
FixedBeforeRevealed ==
    [][/\ IsTheftOn /\ theft' # NoTheft => theft'.place = theft.place
       /\ seals'[G.ap] # seals[G.ap] /\ theft.answered =>
              seals'[G.ap] = Append(seals[G.ap], [card |-> seals[G.call.victim][theft.place].card,
                                                  opens |-> {G.ap, G.call.victim}])]_hiddenVars

\* Whatever is called for, ends, if all are well but one.
OperationsEnd == (G.tp \in {"Drawing", "Surrendering"}) ~> (G.tp \notin {"Drawing", "Surrendering"})

\* After the end, everybody who is well has opened all.
AllIsOpened == (G.tp = "top") ~> \A p \in Well : ~G.due[p]

=============================================================================
