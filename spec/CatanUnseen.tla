----------------------------- MODULE CatanUnseen -----------------------------
(***************************************************************************)
(* Pairs of runs: two tables with hidden hands that differ in hidden cards *)
(* only, and take the same public steps.  To everybody else they look the  *)
(* same.                                                                   *)
(*                                                                         *)
(* A step is one operation of CatanHidden.tla from its call to its end.    *)
(* Each table has its own hidden choices: the orders in which hands are    *)
(* sealed, the places that robbers choose, the cards of the deck.  Seen is *)
(* what the observer sees of a table: all that everybody reads, and what   *)
(* is inside of what the observer can open.                                *)
(*                                                                         *)
(* What the rules let the observer know of a step is Allowed: numbers of   *)
(* cards, what is paid in the open, the own hand, and as robber or victim  *)
(* the stolen card.  Whatever else may have happened on table two and is   *)
(* Allowed as on table one: some choice of orders and places there looks   *)
(* the same to the observer.  If there is none, the observer learns from   *)
(* the log what the rules hide: leaked.                                    *)
(*                                                                         *)
(* Without names guards that are taken out, for the tests: the property    *)
(* is violated without each of them.                                       *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
    NPlayers,
    Kinds,      \* kinds of cards, of resources as of the deck
    Observers,  \* who looks on: players, and 0 for somebody without a seat
    Tables,     \* what a table can be when a run begins
    MaxSteps,   \* how many steps a run has
    Without     \* tags of guards that are left out; {} in the specification

Players == 1..NPlayers

VARIABLES
    eye,        \* who looks on
    one, two,   \* the tables: [known, sealed, bought, deck, told]; by player known cards, sealed ones as [card, opens] in
                \* the order of places, and bought ones; the deck; and what the last step told everybody
    leaked,     \* whether a step told the observer what the rules hide
    steps

vars == <<eye, one, two, leaked, steps>>

Bag(cards) == [kind \in Kinds |-> Cardinality({i \in DOMAIN cards : cards[i] = kind})]
Inside(t, p) == [i \in DOMAIN t.sealed[p] |-> t.sealed[p][i].card]
Hand(t, p) == Bag(t.known[p] \o Inside(t, p))
Size(t, p) == Len(t.known[p]) + Len(t.sealed[p])

\* What these cards can be in when their order is drawn; always the same where it is not.
Orders(cards) ==
    LET orders == {order \in [1..Len(cards) -> Kinds] : Bag(order) = Bag(cards)}
    IN IF "SE1 order" \in Without THEN {CHOOSE order \in orders : TRUE} ELSE orders

Sealed(p, order) == [i \in DOMAIN order |-> [card |-> order[i], opens |-> {p}]]

\* A sequence without what is at a place.
Except(cards, place) == [i \in 1..(Len(cards) - 1) |-> cards[IF i < place THEN i ELSE i + 1]]
PlacesOf(cards, kind) == {i \in DOMAIN cards : cards[i] = kind}

-----------------------------------------------------------------------------
(* What a table can be after a step. *)

\* Player p pays a sealed card of a kind in the open and seals the rest anew.
Pay(t, p, kind) ==
    LET cards == Inside(t, p)
        at == PlacesOf(cards, kind)
    IN IF at = {} THEN {}
       ELSE IF "PA1 anew" \in Without THEN {[t EXCEPT !.sealed[p] = Except(@, i), !.told = <<i>>] : i \in at}
       ELSE {[t EXCEPT !.sealed[p] = Sealed(p, order), !.told = <<>>] : order \in Orders(Except(cards, CHOOSE i \in at : TRUE))}

\* Player p robs q: the place is chosen, q seals the whole hand, p tells the place.
Rob(t, p, q) ==
    LET cards == t.known[q] \o Inside(t, q)
        opens == IF "RO1 two" \in Without THEN Players \cup {0} ELSE {p, q}
        left(order, place) ==
            [i \in 1..(Len(order) - 1) |->
                [card |-> Except(order, place)[i], opens |-> IF "RO2 one" \in Without THEN {q, p} ELSE {q}]]
        after(order, place) ==
            [t EXCEPT !.known[q] = <<>>,
                      !.sealed = [@ EXCEPT ![q] = left(order, place),
                                           ![p] = Append(@, [card |-> order[place], opens |-> opens])],
                      !.told = <<place>>]
    IN IF p = q \/ cards = <<>> THEN {} ELSE {after(order, place) : order \in Orders(cards), place \in DOMAIN cards}

\* Player p says what a monopoly takes of their sealed cards: all of a kind, in the open.
Surrender(t, p, kind) ==
    LET cards == Inside(t, p)
        rest == SelectSeq(cards, LAMBDA card : card # kind)
    IN IF cards = <<>> THEN {}
       ELSE {[t EXCEPT !.sealed[p] = Sealed(p, order), !.told = <<Len(cards) - Len(rest)>>] : order \in Orders(rest)}

\* Player p buys the next card of the deck, which all others have helped to open, and nobody else sees.
Buy(t, p) ==
    IF t.deck = <<>> THEN {}
    ELSE {[t EXCEPT !.bought[p] = Append(@, Head(t.deck)),
                    !.deck = Tail(@),
                    !.told = IF "BU1 own" \in Without THEN <<Head(t.deck)>> ELSE <<>>]}

Steps == [do: {"pay", "surrender"}, p: Players, q: {0}, kind: Kinds]
         \cup [do: {"rob"}, p: Players, q: Players, kind: {"any"}]
         \cup [do: {"buy"}, p: Players, q: {0}, kind: {"any"}]

After(t, s) ==
    CASE s.do = "pay" -> Pay(t, s.p, s.kind)
      [] s.do = "rob" -> Rob(t, s.p, s.q)
      [] s.do = "surrender" -> Surrender(t, s.p, s.kind)
      [] s.do = "buy" -> Buy(t, s.p)

-----------------------------------------------------------------------------
(* What is seen, and what may be. *)

Seen(t) ==
    [known |-> [p \in Players |-> Bag(t.known[p])],
     sealed |-> [p \in Players |-> [i \in DOMAIN t.sealed[p] |->
                    IF eye \in t.sealed[p][i].opens THEN t.sealed[p][i].card ELSE "sealed"]],
     bought |-> [p \in Players |-> [i \in DOMAIN t.bought[p] |-> IF p = eye THEN t.bought[p][i] ELSE "sealed"]],
     deck |-> Len(t.deck),
     told |-> t.told]

\* Who holds what: the true game.
Holds(t) == [hands |-> [p \in Players |-> Hand(t, p)], bought |-> t.bought]

\* What the rules let the observer know of a step from one table to the next.
Allowed(t, next, s) ==
    [sizes |-> [p \in Players |-> Size(next, p)],
     own |-> IF eye \in Players THEN <<Hand(next, eye), next.bought[eye]>> ELSE <<>>,
     stolen |-> IF s.do = "rob" /\ eye \in {s.p, s.q} THEN [kind \in Kinds |-> Hand(t, s.q)[kind] - Hand(next, s.q)[kind]]
                ELSE <<>>]

-----------------------------------------------------------------------------

Init ==
    /\ eye \in Observers
    /\ one \in Tables
    /\ two \in {t \in Tables : Seen(t) = Seen(one)}
    /\ leaked = FALSE
    /\ steps = 0

\* Both tables take the step.  A pair that the rules tell apart ends here.
Next ==
    /\ ~leaked
    /\ steps < MaxSteps
    /\ steps' = steps + 1
    /\ UNCHANGED eye
    /\ \E s \in Steps :
           /\ one' \in After(one, s)
           /\ \E other \in {t \in After(two, s) : Allowed(two, t, s) = Allowed(one, one', s)} :
                  LET alike == {t \in After(two, s) : Holds(t) = Holds(other) /\ Seen(t) = Seen(one')}
                  IN IF alike = {} THEN leaked' = TRUE /\ two' = other ELSE leaked' = FALSE /\ two' \in alike

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* What is promised. *)

\* The log tells nobody what the rules hide.
NothingLeaks == ~leaked

\* Both tables look the same to the observer, all the time.
LookTheSame == leaked \/ Seen(one) = Seen(two)

=============================================================================
