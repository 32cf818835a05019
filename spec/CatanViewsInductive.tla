------------------------ MODULE CatanViewsInductive ------------------------
(***************************************************************************)
(* An inductive invariant of CatanViews, from which Agreement follows:     *)
(* every step from a state in which it holds, reachable or not, leads to   *)
(* another.  TLC begins in all states of one change in which it holds, and *)
(* finds no others.  Every party has one seat: second seats sign nothing   *)
(* that the invariant reads.  Where somebody may come back, the last party *)
(* has been left out before that change.                                   *)
(***************************************************************************)
EXTENDS CatanViews

CONSTANT AllWait    \* whether all voters have waited: Agreement does not read it, and more can be proposed if they have

ASSUME Twice = {}

\* The change with which all begin.
C == Change(IF Returns THEN <<<<0, {NParties}, {}, {}, {}>>>> ELSE <<>>, {})

Of(p, c, S) == {m \in S : m.from = p /\ m.change = c}

Later(v) == {w \in Of(v.from, v.change, votes) : v.round < w.round}

\* A vote tells what its voter held and had accepted, and those of one voter hold more and more, but where it goes over.
VotesTell ==
    \A v \in votes :
        /\ v.from \in Members(v.change) \cap Honest
        /\ v.last = LastAccepted(v.from, v.change, v.round)
        /\ ViewOf(v.head) = v.change.from
        /\ v.requests \in Asked(v.change)
        /\ \A w \in Later(v) : \E x \in {v.head} \cup UNION {Sides(v.change, r) : r \in (v.round + 1)..w.round} :
                IsPrefix(x, w.head)
\* Whoever has voted last in the change that comes next for them goes on from what that vote holds.
LinesGoOn == \A v \in votes : Later(v) = {} /\ change[v.from] = v.change => IsPrefix(v.head, line[v.from])

\* Whoever acts holds what they did, and votes there first.
Did(p, c) == {x \in actions : PartyOf(x[Len(x)]) = p /\ ViewOf(x) = c.from}
ActedIsHeld ==
    \A p \in Honest : \A c \in {change[p]} \cup {v.change : v \in votes} :
        c = change[p] \/ VotesOf(p, c) # {} => \A x \in Did(p, c) : IsPrefix(x, Held(p, c).head)

\* What is proposed follows from votes, what is accepted was proposed, and what more than half accept is decided.
ProposalsFollow ==
    \A q \in proposals :
        /\ q.from = Coordinator(q.change, q.round)
        /\ \E Q \in Merged(q.change, q.round) : q.value \in Values(Q, q.change)
AcceptedIsProposed ==
    \A a \in accepted :
        /\ a.from \in Members(a.change) \cap Honest
        /\ \E q \in proposals : [q EXCEPT !.from = a.from] = a
DecisionsThatFollow ==
    {[change |-> q.change, round |-> q.round, value |-> q.value] :
        q \in {q \in proposals : Majority({a.from : a \in {a \in accepted : [a EXCEPT !.from = q.from] = q}}
                                          \cup Helpers(q.change), q.change)}}

\* A party has promised the highest round that it has signed, and signs in no change to which it has not come.
Promised(p) == Last({m.round : m \in Of(p, change[p], votes \cup proposals \cup accepted)})
PromisesStand ==
    \A p \in Honest :
        /\ change[p] = Change(ViewOf(line[p]), {})
        /\ change[p].from \in {C.from} \cup {d.value : d \in decisions}
        /\ round[p] = Promised(p)
        /\ \A m \in votes \cup proposals \cup accepted : m.from = p => IsPrefix(m.change.from, line[p])
        /\ \A q \in requests : q.from = p => p \notin Present(q.view) /\ q.number = 1 /\ IsPrefix(q.view, line[p])

Inductive ==
    /\ VotesTell /\ LinesGoOn /\ ActedIsHeld /\ ProposalsFollow /\ AcceptedIsProposed /\ PromisesStand
    /\ decisions = DecisionsThatFollow
    /\ OneEach(votes) /\ OneEach(proposals) /\ OneEach(accepted)

-----------------------------------------------------------------------------
(* All such states of one change: choices, and what follows from them. *)

AtMostOne(S) == {{}} \cup {{x} : x \in S}
First == CHOOSE p \in Awaited(C.from, {}) : TRUE
Heads == {C.from} \cup actions
Named ==
    UNION {{<<x, waited, asked>> : waited \in {W \in SUBSET Awaited(x, {}) : W # {} \/ ~AllWait}, asked \in Asked(C)} :
        x \in Heads}

\* What can be signed in a round after s: votes at what their voters have done or more, proposals that follow from them, and
\* acceptances of these.
VotesAfter(s, r) ==
    {UNION {{VoteOf(p, C, r, x[1], {}, Newest(Of(p, C, s.accepted)), x[2], FALSE, x[3]) : x \in f[p]} : p \in Honest} :
        f \in {f \in [Honest -> AtMostOne(Named)] :
                \A p \in Honest : \A x \in f[p] : \A y \in Did(p, C) \cup {v.head : v \in Of(p, C, s.votes)} :
                    IsPrefix(y, x[1])}}
ProposalsAfter(s, r) ==
    LET p == Coordinator(C, r)
        heard == SUBSET {v \in s.votes : v.round = r}
        all == {ProposalOf(p, C, r, x) : x \in UNION {Values(Q, C) : Q \in MergedOf(heard, C, r, s.proposals)}}
    IN {P \in SUBSET all : Cardinality(P) <= IF p \in Liars THEN 2 ELSE 1}
AcceptancesOf(P) ==
    {UNION {{[q EXCEPT !.from = p] : q \in f[p]} : p \in Honest} : f \in [Honest -> AtMostOne(P)]}

RECURSIVE SignedUntil(_)
SignedUntil(r) ==
    IF r = 0 THEN {[votes |-> {}, proposals |-> {}, accepted |-> {}]}
    ELSE LET before == SignedUntil(r - 1)
             voted == UNION {{[s EXCEPT !.votes = @ \cup V] : V \in VotesAfter(s, r)} : s \in before}
             proposed == UNION {{<<s, P>> : P \in ProposalsAfter(s, r)} : s \in voted}
         IN UNION {{[x[1] EXCEPT !.proposals = @ \cup x[2], !.accepted = @ \cup A] : A \in AcceptancesOf(x[2])} :
                    x \in proposed}

\* What party p holds at least, after its last vote or else its action.  A step reads the line of one party: nobody else
\* holds more.
Least(p) == LET mine == Of(p, C, votes)
            IN IF mine # {} THEN (CHOOSE v \in mine : Later(v) = {}).head
               ELSE CHOOSE x \in {C.from} \cup Did(p, C) : \A y \in Did(p, C) : IsPrefix(y, x)
OneHoldsMore == \E p \in Honest : \A q \in Honest \ {p} : line[q] = Least(q)

AllInductive ==
    /\ up = Honest /\ stops = 0
    /\ actions \in SUBSET {Append(C.from, <<First, n, {}>>) : n \in {n \in 1..2 : Height > 0 /\ (n = 1 \/ First \in Liars)}}
    /\ requests \in SUBSET {[from |-> p, view |-> C.from, number |-> 1] : p \in Honest \ Present(C.from)}
    /\ \E s \in SignedUntil(Rounds) : votes = s.votes /\ proposals = s.proposals /\ accepted = s.accepted
    /\ decisions = DecisionsThatFollow
    /\ \E p \in Honest : \E x \in Heads \cup Decided(C) : line = [q \in Honest |-> IF q = p THEN x ELSE Least(q)]
    /\ held = [p \in Honest |-> {}]
    /\ change = [p \in Honest |-> Change(ViewOf(line[p]), {})]
    /\ LinesGoOn /\ ActedIsHeld
    /\ round = [p \in Honest |-> Promised(p)]

\* The states of the model: a step may lead to others, which TLC checks, and looks no further.
InModel == (AllWait => \A v \in votes : v.waited # {}) /\ OneHoldsMore

InductiveSpec == AllInductive /\ [][Next]_vars

-----------------------------------------------------------------------------
(* A state to begin with: all have voted, the first coordinator lies and has proposed that party 1 stays and that it does not *)
(* stay, and either has been accepted by half of the others, but for one if they are odd.                                   *)

TieInit ==
    LET half == Cardinality(Honest) \div 2
        side(p) == 1 + (Cardinality({q \in Honest : q < p}) \div half)
        values == <<{}, {1}>>
        proposed(i) == ProposalOf(Coordinator(C, 1), C, 1, <<<<0, values[i], {}, {}, {}>>>>)
        accepts == {p \in Honest : side(p) <= 2}
    IN /\ up = Honest /\ stops = 0 /\ actions = {} /\ requests = {}
       /\ line = [p \in Honest |-> <<>>] /\ held = [p \in Honest |-> {}]
       /\ change = [p \in Honest |-> C] /\ round = [p \in Honest |-> 1]
       /\ votes = {VoteOf(p, C, 1, <<>>, {}, Nothing, Awaited(<<>>, {}), FALSE, {}) : p \in Honest}
       /\ proposals = {proposed(i) : i \in 1..2}
       /\ accepted = {[proposed(side(p)) EXCEPT !.from = p] : p \in accepts}
       /\ decisions = DecisionsThatFollow

TieSpec == TieInit /\ [][Next]_vars /\ Fairness

-----------------------------------------------------------------------------
(* Another: party 1 has acted twice, and its two actions have divided the others; all have voted, but party 2, which is     *)
(* awaited at either head, is down where anybody may be.                                                                   *)

DividedInit ==
    LET x(n) == <<<<1, n, {}>>>>
        down == IF MaxDown = 0 THEN {} ELSE {2}
        voters == Honest \ down
        at(p) == IF p = Smallest(voters) THEN x(1) ELSE x(2)
    IN /\ up = voters /\ stops = Cardinality(down) /\ actions = {x(1), x(2)}
       /\ line = [p \in Honest |-> IF p \in down THEN <<>> ELSE at(p)] /\ held = [p \in Honest |-> {}]
       /\ change = [p \in Honest |-> C] /\ round = [p \in Honest |-> IF p \in down THEN 0 ELSE 1]
       /\ votes = {VoteOf(p, C, 1, at(p), {}, Nothing, {2} \ {p}, FALSE, {}) : p \in voters}
       /\ requests = {} /\ proposals = {} /\ accepted = {} /\ decisions = {}

\* Whoever is down stays so.
DividedSpec == DividedInit /\ [][Next /\ up' = up]_vars /\ Fairness
=============================================================================
