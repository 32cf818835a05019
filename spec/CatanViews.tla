----------------------------- MODULE CatanViews -----------------------------
(***************************************************************************)
(* Who is present: views, and the agreement on the next.                   *)
(*                                                                         *)
(* A view is who is present, from a commit of the line on.  It changes     *)
(* only by a decision of more than half of its parties: the view change of *)
(* viewstamped replication, with Paxos for its value.  A party is what one *)
(* machine plays.  The value is the head at which the next view begins,    *)
(* and who is left out.  Votes are Paxos's promises (1b), proposals its    *)
(* accept requests (2a), acceptances its 2b.                               *)
(*                                                                         *)
(* The line is a sequence of steps.  <<s, n, merged>> is the n-th action   *)
(* of seat s there, which merges replies; an honest party signs one.  A    *)
(* reply <<s, n>> is beside the line.  <<0, out, proven, merged>> is a     *)
(* decision that leaves out the parties of `out`, of whom those of         *)
(* `proven` have forked.  A value is a line that ends in a decision.  A    *)
(* view is named by its first steps, up to its decision, so whatever       *)
(* builds on another decision is another view.                             *)
(*                                                                         *)
(* Nobody has a clock.  Any message may be heard at any time, in any       *)
(* order, or never: a step takes any messages that were sent.  A liar      *)
(* signs what they like, and shows it to whom they like, but a commit      *)
(* names what it builds on: a proposal that its votes do not give is       *)
(* nobody's.  Two commits of one party that only a fork of their chain     *)
(* explains prove them a liar to all who see both.                         *)
(*                                                                         *)
(* Without names guards that are taken out, for the tests: each property   *)
(* below is violated without some guard.                                   *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, Sequences

CONSTANTS
    NParties,   \* how many parties play
    Twice,      \* which of them play a second seat, after everybody's first
    Asks,       \* after how many actions of the line everybody else owes a reply
    Owing(_), NextSeat(_),  \* which seats owe a reply to a head, and which acts after all replies
    Liars,      \* who of them lies: nobody or one
    Helps,      \* whether that one ever votes and accepts
    Height,     \* the most actions that a view has
    Rounds,     \* the most rounds that a change has
    Changes,    \* the most decisions that the line has
    Proofs,     \* whether a vote may carry a proof of a fork: a set of BOOLEAN
    MaxDown,    \* the most honest parties that are down at once
    MaxStops,   \* how often somebody goes down
    Quiet,      \* whether in the last round everybody hears everybody, and nobody goes down
    Without     \* tags of guards that are left out; {} in the specification

Parties == 1..NParties
Honest == Parties \ Liars

\* The seats, and the party at each.
Seats == 1..(NParties + Cardinality(Twice))
At(s) == IF s <= NParties THEN s ELSE CHOOSE p \in Twice : Cardinality({q \in Twice : q <= p}) = s - NParties

ASSUME Twice \subseteq Parties
ASSUME Liars \subseteq Parties /\ Cardinality(Liars) <= 1 /\ Helps \in BOOLEAN /\ Proofs \subseteq BOOLEAN

VARIABLES
    actions,    \* the heads of the line that an action has made
    line,       \* by honest party the head that they hold
    held,       \* by honest party the replies to it that they hold
    change,     \* by honest party the change that they take part in
    round,      \* by honest party the highest round in which they have promised something in it; 0 before
    votes,      \* the votes of honest parties
    proposals,  \* all proposals
    accepted,   \* the acceptances of honest parties
    decisions,  \* the decisions: a change, a round, a value
    up,         \* which of the honest are running
    stops       \* how often somebody has gone down

vars == <<actions, line, held, change, round, votes, proposals, accepted, decisions, up, stops>>

Keeps(tag, guard) == tag \in Without \/ guard

-----------------------------------------------------------------------------
(* The line. *)

IsPrefix(x, y) == Len(x) <= Len(y) /\ SubSeq(y, 1, Len(x)) = x
Compatible(x, y) == IsPrefix(x, y) \/ IsPrefix(y, x)
Above(x) == SubSeq(x, 1, Len(x) - 1)
IsDecision(step) == step[1] = 0
Largest(S) == CHOOSE i \in S : \A j \in S : j <= i
Smallest(S) == CHOOSE i \in S : \A j \in S : i <= j
Last(S) == IF S = {} THEN 0 ELSE Largest(S)

Decisions(x) == {i \in DOMAIN x : IsDecision(x[i])}
ViewOf(x) == SubSeq(x, 1, Last(Decisions(x)))
Present(x) == Parties \ UNION {x[i][2] : i \in Decisions(x)}

\* The seats of parties, the actions of a line, the last of them, and what it leads to before any decision after it.
SeatsOf(S) == {s \in Seats : At(s) \in S}
Actions(x) == DOMAIN x \ Decisions(x)
LastSeat(x) == IF Actions(x) = {} THEN 0 ELSE x[Largest(Actions(x))][1]
Question(x) == SubSeq(x, 1, Last(Actions(x)))

\* In place of a game: who owes a reply to a head, and who acts, after the seat that acted last.
AllOthers(x) == IF Cardinality(Actions(x)) \in Asks THEN SeatsOf(Present(x)) \ {LastSeat(x)} ELSE {}
Following(s, S) == Smallest(IF \E t \in S : t > s THEN {t \in S : t > s} ELSE S)
InTurn(x) == Following(LastSeat(x), SeatsOf(Present(x)))

\* Which parties are awaited by whoever holds these replies to a head: all who owe one, else who acts.
Awaited(x, replies) ==
    LET owing == Owing(x) \ {r[1] : r \in replies}
    IN {At(s) : s \in IF owing = {} THEN {NextSeat(x)} ELSE owing}

\* Who counts in the changes from a view: who is present, and, once two are, whoever was left out last.
Electorate(view) ==
    IF Cardinality(Present(view)) = 2 /\ Decisions(view) # {}
    THEN LET last == view[Largest({i \in Decisions(view) : view[i][2] # {}})]
         IN Present(view) \cup (last[2] \ last[3])
    ELSE Present(view)

\* Whose step one is; nobody's, if it is a decision.
PartyOf(step) == IF IsDecision(step) THEN 0 ELSE At(step[1])

\* The first head at which x and y part, for two that do.
Parting(x, y) == CHOOSE i \in 1..Len(x) : i <= Len(y) /\ x[i] # y[i] /\ \A j \in 1..(i - 1) : x[j] = y[j]

-----------------------------------------------------------------------------
(* Changes.  A change leads from a view to the next; a settlement, after two decisions of one change, does so among  *)
(* those who are not proven liars.                                                                                  *)

Change(view, without) == [from |-> view, without |-> without]
Members(c) == Electorate(c.from) \ c.without
Majority(S, c) == 2 * Cardinality(S) > Cardinality(Members(c))
Coordinator(c, r) ==
    LET k == Cardinality(Decisions(c.from)) + Cardinality(c.without)
        n == (k + r) % Cardinality(Members(c))
    IN CHOOSE p \in Members(c) : Cardinality({q \in Members(c) : q < p}) = n

Nothing == <<0, <<>>>>

\* What party p has accepted last in a change, before round r: the round and the value.
LastAccepted(p, c, r) ==
    LET mine == {a \in accepted : a.from = p /\ a.change = c /\ a.round < r}
    IN IF mine = {} THEN Nothing
       ELSE LET a == CHOOSE a \in mine : \A b \in mine : b.round <= a.round IN <<a.round, a.value>>

VoteOf(p, c, r, head, replies, last, waited, proof) ==
    [from |-> p, change |-> c, round |-> r, head |-> head, replies |-> replies, last |-> last, waited |-> waited,
     proof |-> proof]

\* The replies to a head that there are, and those of a liar that there may be.
RepliesTo(x) ==
    LET signed == UNION {held[p] : p \in {p \in Honest : Question(line[p]) = Question(x)}}
    IN IF Owing(x) = {} THEN {} ELSE {r \in signed \cup SeatsOf(Liars) \X (1..2) : r[1] \in Owing(x)}
OneASeat(replies) == \A r, t \in replies : r[1] = t[1] => r = t

\* The votes that liars can sign: any that one of their chains allows.
FreeVotes(c, r) ==
    UNION {{VoteOf(l, c, r, head, replies, last, Awaited(head, replies), FALSE) :
        l \in Liars \cap Members(c),
        replies \in {R \in SUBSET RepliesTo(head) : OneASeat(R)},
        last \in {Nothing} \cup {<<q.round, q.value>> : q \in {q \in proposals : q.change = c /\ q.round < r}}} :
            head \in {x \in actions \cup {c.from} : IsPrefix(c.from, x) /\ ViewOf(x) = c.from}}

\* What may be merged in a round: votes of the honest, and at most one of a liar, since two would prove a fork.
Heard(c, r) == SUBSET {v \in votes : v.change = c /\ v.round = r}
Merged(c, r) == Heard(c, r) \cup {Q \cup {v} : Q \in Heard(c, r), v \in FreeVotes(c, r)}

\* A liar is counted with everybody, or with nobody.
Helpers(c) == IF Helps THEN Liars \cap Members(c) ELSE {}

\* Whom the votes prove to have forked: they carry a proof, or hold two actions on one head or two replies to one, or name
\* two proposals of one round.
Proven(Q, c) ==
    c.without
    \cup {l \in Liars : \E v \in Q : v.proof}
    \cup {p \in Parties : \E v, w \in Q :
            ~Compatible(v.head, w.head) /\ {PartyOf(x[Parting(v.head, w.head)]) : x \in {v.head, w.head}} = {p}}
    \cup {At(r[1]) : r \in {r \in UNION {v.replies : v \in Q} : \E v, w \in Q : v.head = w.head /\
                                r \in v.replies /\ \E t \in w.replies : t[1] = r[1] /\ t # r}}
    \cup {p \in Parties : \E v, w \in Q :
            v.last[1] = w.last[1] /\ v.last[2] # w.last[2] /\ p = Coordinator(c, v.last[1])}

\* The first by the ids of commits, an order that means nothing.
Lowest(S) == CHOOSE x \in S : TRUE

Backing(Q, x) == Cardinality({v \in Q : IsPrefix(x, v.head)})

\* From the head x on, always the successor that more of the votes hold, then the lower one.
RECURSIVE Walk(_, _)
Walk(Q, x) ==
    LET next == {SubSeq(v.head, 1, Len(x) + 1) : v \in {v \in Q : IsPrefix(x, v.head) /\ Len(v.head) > Len(x)}}
    IN IF next = {} THEN x ELSE Walk(Q, Lowest({y \in next : \A z \in next : Backing(Q, z) <= Backing(Q, y)}))

Decided(c) == {d.value : d \in {d \in decisions : d.change = c}}
\* The lowest round in which a value was decided.
FirstIn(c, v) ==
    CHOOSE r \in 1..Rounds : \E d \in decisions : d.change = c /\ d.value = v /\ d.round = r
                                               /\ \A e \in decisions : e.change = c /\ e.value = v => r <= e.round

\* Where a change begins to count: a view's first head; in a settlement, the decision from which more have gone on, then
\* the one of the lower round, then the lower one.
Begin(Q, c) ==
    IF c.without = {} THEN c.from
    ELSE LET whole == Change(c.from, {})
             reached == {v \in Decided(whole) : \E w \in Q : IsPrefix(v, w.head)}
             most == {v \in reached : \A w \in reached : Backing(Q, w) <= Backing(Q, v)}
         IN Lowest({v \in most : \A w \in most : FirstIn(whole, v) <= FirstIn(whole, w)})

\* The values that these votes give: one, or none.
Values(Q, c) ==
    LET proven == Proven(Q, c)
        counted == {v \in Q : Keeps("VA2 counted", v.from \notin proven)}
        highest == Last({v.last[1] : v \in counted})
        locks == {v.last[2] : v \in {v \in counted : v.last[1] = highest}}
        holders(x) == {v.from : v \in {v \in counted : v.last = <<highest, x>>}}
        by(x) == Cardinality(holders(x))
        most == {x \in locks : \A y \in locks : by(y) <= by(x)}
        others == Members(c) \ {v.from : v \in counted}
        \* In a tie more votes are needed, if one of the values may have been decided and somebody else may say so.
        tied == Cardinality(most) > 1 /\ Majority(holders(Lowest(most)) \cup others, c) /\ ~(others \subseteq proven)
        head == Walk(counted, Begin(counted, c))
        there == {v \in counted : v.head = head}
        replies == {r \in UNION {v.replies : v \in there} : At(r[1]) \notin proven}
        missing == Awaited(head, replies) \ ({v.from : v \in counted} \cup proven)
        named(p) == Majority({v.from : v \in {v \in there : p \in v.waited}}, c)
        forkers == proven \cap Present(head)
    IN IF ~Keeps("VA1 majority", Majority(counted, c)) \/ counted = {} THEN {}
       ELSE IF highest > 0 /\ "VA3 locks" \notin Without
            THEN IF Keeps("VA5 tie", ~tied) THEN {Lowest(most)} ELSE {}
       ELSE IF Keeps("VA4 named", \A p \in missing : named(p))
            THEN {Append(head, <<0, forkers \cup missing, forkers, replies>>)} ELSE {}

-----------------------------------------------------------------------------
(* Steps. *)

Init ==
    /\ actions = {}
    /\ line = [p \in Honest |-> <<>>]
    /\ held = [p \in Honest |-> {}]
    /\ change = [p \in Honest |-> Change(<<>>, {})]
    /\ round = [p \in Honest |-> 0]
    /\ votes = {} /\ proposals = {} /\ accepted = {} /\ decisions = {}
    /\ up = Honest /\ stops = 0

\* Whether the model goes on from a head: in its last view nobody does anything.
GoesOn(x) == Cardinality(Decisions(x)) < Changes
HasRoom(x) == GoesOn(x) /\ Len(x) - Len(ViewOf(x)) < Height

\* Party p may sign something in the view: it has not promised not to, and is awaited.
MaySign(p) ==
    /\ Keeps("AC1 promise", round[p] = 0)
    /\ Keeps("AC4 settled", change[p].without = {})
    /\ p \in Present(line[p]) /\ p \in Awaited(line[p], held[p])
    /\ IF Owing(line[p]) \subseteq {r[1] : r \in held[p]} THEN HasRoom(line[p]) ELSE GoesOn(line[p])

\* The awaited party acts, with all replies, or replies.
Act(p) ==
    /\ p \in up
    /\ MaySign(p)
    /\ LET owing == {s \in SeatsOf({p}) \cap Owing(line[p]) : \A r \in held[p] : r[1] # s}
           x == Append(line[p], <<NextSeat(line[p]), 1, held[p]>>)
       IN IF owing # {} THEN /\ held' = [held EXCEPT ![p] = @ \cup {<<Smallest(owing), 1>>}]
                             /\ UNCHANGED <<actions, line>>
          ELSE /\ actions' = actions \cup {x}
               /\ line' = [line EXCEPT ![p] = x]
               /\ held' = [held EXCEPT ![p] = {}]
    /\ UNCHANGED <<change, round, votes, proposals, accepted, decisions, up, stops>>

\* A party takes in an action on what it holds, or a reply to it, even after a vote.
Take(p) ==
    /\ p \in up
    /\ "TA1 frozen" \in Without => round[p] = 0
    /\ \/ \E x \in actions : /\ Len(x) = Len(line[p]) + 1 /\ IsPrefix(line[p], x)
                            /\ line' = [line EXCEPT ![p] = x] /\ held' = [held EXCEPT ![p] = {}]
       \/ \E r \in RepliesTo(line[p]) \ held[p] : /\ OneASeat(held[p] \cup {r})
                                               /\ held' = [held EXCEPT ![p] = @ \cup {r}] /\ UNCHANGED line
    /\ UNCHANGED <<actions, change, round, votes, proposals, accepted, decisions, up, stops>>

\* In the last round of a quiet time a voter has heard all that the others hold, and whoever alone is awaited acts no more.
HasHeardAll(p) ==
    \A q \in (up \cap Members(change[p])) \ {p} :
        /\ ~(IsPrefix(line[p], line[q]) /\ line[p] # line[q])
        /\ line[p] = line[q] => held[q] \subseteq held[p]
        /\ \/ round[q] > 0
           \/ change[q] # change[p]
           \/ line[q] = line[p] /\ ~(MaySign(q) /\ Awaited(line[q], held[q]) = {q})

\* A party votes: it has waited for whoever is awaited, or votes for another reason.
Vote(p, r, waited, proof) ==
    /\ p \in up
    /\ Keeps("VO2 member", p \in Members(change[p]))
    /\ Keeps("VO1 rising", r > round[p])
    \* For progress where rounds do not end: one party alone leads nobody to a later round.
    /\ r = 1 \/ \E s \in {r - 1, r} :
            Majority({v.from : v \in {v \in votes : v.change = change[p] /\ v.round = s}}
                     \cup Helpers(change[p]), change[p])
    /\ GoesOn(line[p]) \/ change[p].without # {}
    /\ proof => Liars # {}
    /\ Quiet /\ r = Rounds => waited = Awaited(line[p], held[p]) /\ HasHeardAll(p) /\ Coordinator(change[p], r) \in up
    /\ votes' = votes \cup {VoteOf(p, change[p], r, line[p], held[p], LastAccepted(p, change[p], r), waited, proof)}
    /\ round' = [round EXCEPT ![p] = r]
    /\ UNCHANGED <<actions, line, held, change, proposals, accepted, decisions, up, stops>>

ProposalOf(p, c, r, v) == [from |-> p, change |-> c, round |-> r, value |-> v]

\* The coordinator of a round proposes what the votes give, once.
Propose(p, r) ==
    /\ p \in up
    /\ p \in Members(change[p])
    /\ Keeps("PR1 coordinator", p = Coordinator(change[p], r))
    /\ Keeps("PR2 once", ~\E q \in proposals : q.from = p /\ q.change = change[p] /\ q.round = r)
    /\ Keeps("PR3 rising", round[p] <= r)
    /\ \E Q \in IF Helps THEN Merged(change[p], r) ELSE Heard(change[p], r) : \E v \in Values(Q, change[p]) :
            proposals' = proposals \cup {ProposalOf(p, change[p], r, v)}
    /\ round' = [round EXCEPT ![p] = IF @ < r THEN r ELSE @]
    /\ UNCHANGED <<actions, line, held, change, votes, accepted, decisions, up, stops>>

\* A party accepts a proposal, unless it has promised a later round.
Accept(p) ==
    /\ p \in up
    /\ p \in Members(change[p])
    /\ \E q \in proposals :
        /\ q.change = change[p]
        /\ Keeps("AC2 promise", q.round >= round[p])
        /\ Keeps("AC3 once", ~\E a \in accepted : a.from = p /\ a.change = q.change /\ a.round = q.round)
        /\ accepted' = accepted \cup {[from |-> p, change |-> q.change, round |-> q.round, value |-> q.value]}
        /\ decisions' = decisions \cup
            IF Majority({p} \cup Helpers(q.change) \cup
                        {a.from : a \in {a \in accepted : [a EXCEPT !.from = q.from] = q}}, q.change)
            THEN {[change |-> q.change, round |-> q.round, value |-> q.value]} ELSE {}
        /\ round' = [round EXCEPT ![p] = q.round]
    /\ UNCHANGED <<actions, line, held, change, votes, proposals, up, stops>>

\* A party that hears of a decision is in the next view: what it held besides is undone.
Learn(p) ==
    /\ p \in up
    /\ \E d \in decisions : LET c == d.change  v == d.value IN
        /\ \/ c = Change(ViewOf(line[p]), {}) /\ change[p].without = {}
           \/ c.without # {} /\ IsPrefix(c.from, line[p]) /\ ~IsPrefix(v, line[p])
        /\ line' = [line EXCEPT ![p] = IF "LE1 undone" \in Without /\ IsPrefix(Above(v), line[p])
                                          THEN v \o SubSeq(line[p], Len(v), Len(line[p])) ELSE v]
        \* What p has replied to that head stays.
        /\ held' = [held EXCEPT ![p] = v[Len(v)][4] \cup (IF Question(line[p]) # Question(v) THEN {}
                                                      ELSE {r \in @ : r[1] \in SeatsOf({p}) \cap Owing(v)})]
        /\ change' = [change EXCEPT ![p] = Change(v, {})]
        /\ round' = [round EXCEPT ![p] = 0]
    /\ UNCHANGED <<actions, votes, proposals, accepted, decisions, up, stops>>

\* A party that hears of two decisions of one change takes part in the settlement.
Settle(p) ==
    /\ p \in up
    /\ change[p].without = {}
    /\ \E c \in {d.change : d \in decisions} :
        /\ c.without = {}
        /\ Cardinality(Decided(c)) > 1
        /\ \E v \in Decided(c) : IsPrefix(v, line[p])
        /\ ~\E d \in decisions : d.change.from = c.from /\ d.change.without # {} /\ IsPrefix(d.value, line[p])
        /\ change' = [change EXCEPT ![p] = Change(c.from, Liars)]
    /\ round' = [round EXCEPT ![p] = 0]
    /\ UNCHANGED <<actions, line, held, votes, proposals, accepted, decisions, up, stops>>

LiarActs ==
    /\ \E x \in actions \cup {<<>>} \cup {line[p] : p \in Honest}, n \in 1..2 :
        /\ HasRoom(x) /\ At(NextSeat(x)) \in Liars
        /\ \E merged \in {R \in SUBSET RepliesTo(x) : OneASeat(R) /\ Owing(x) \subseteq {r[1] : r \in R}} :
            LET y == Append(x, <<NextSeat(x), n, merged>>)
            IN y \notin actions /\ actions' = actions \cup {y}
    /\ UNCHANGED <<line, held, change, round, votes, proposals, accepted, decisions, up, stops>>

LiarProposes ==
    /\ \E p \in Honest, r \in 1..Rounds : \E l \in Liars \cap Members(change[p]) :
        /\ l = Coordinator(change[p], r)
        /\ \E Q \in Merged(change[p], r) : \E v \in Values(Q, change[p]) :
            /\ ProposalOf(l, change[p], r, v) \notin proposals
            /\ proposals' = proposals \cup {ProposalOf(l, change[p], r, v)}
    /\ UNCHANGED <<actions, line, held, change, round, votes, accepted, decisions, up, stops>>

\* In a quiet time nobody goes down or comes back from the first vote of a last round on.
LastRoundBegun == Quiet /\ \E v \in votes : v.round = Rounds /\ Decided(v.change) = {}

Stop(p) ==
    /\ p \in up /\ stops < MaxStops /\ Cardinality(Honest \ up) < MaxDown
    /\ ~LastRoundBegun
    /\ up' = up \ {p} /\ stops' = stops + 1
    /\ UNCHANGED <<actions, line, held, change, round, votes, proposals, accepted, decisions>>

Restart(p) ==
    /\ p \in Honest \ up
    /\ ~LastRoundBegun
    /\ up' = up \cup {p}
    /\ UNCHANGED <<actions, line, held, change, round, votes, proposals, accepted, decisions, stops>>

\* What a change consists of, and what happens to those who take part.
Agree ==
    \/ \E p \in Honest : Take(p) \/ Accept(p) \/ Learn(p) \/ Settle(p) \/ Stop(p) \/ Restart(p)
    \/ \E p \in Honest, r \in 1..Rounds : Propose(p, r)
    \/ \E p \in Honest, r \in 1..Rounds, proof \in Proofs :
            \E waited \in SUBSET Awaited(line[p], held[p]) : Vote(p, r, waited, proof)
    \/ LiarProposes

Next == Agree \/ LiarActs \/ \E p \in Honest : Act(p)

Spec == Init /\ [][Next]_vars

\* All who are running vote at some time, and do what they can.  Who is down may be so for ever, but for the coordinator
\* of the last round, which stands for the first round whose coordinator is there.
AwaitedInLastRound(p) == \E q \in up : GoesOn(line[q]) /\ Coordinator(change[q], Rounds) = p
Fairness ==
    \A p \in Honest :
        /\ WF_vars(Take(p)) /\ WF_vars(Accept(p)) /\ WF_vars(Learn(p)) /\ WF_vars(Settle(p))
        /\ WF_vars(AwaitedInLastRound(p) /\ Restart(p))
        /\ \A r \in 1..Rounds :
            /\ WF_vars(Propose(p, r))
            /\ WF_vars(\E proof \in Proofs : Vote(p, r, Awaited(line[p], held[p]), proof))

FairSpec == Spec /\ Fairness

-----------------------------------------------------------------------------
(* What is promised. *)

AllChanges == {d.change : d \in decisions}

\* Agreement: a change has one decision.
Agreement == \A c \in AllChanges : Cardinality(Decided(c)) <= 1

\* Where a liar is one of three or five, two are possible.  A settlement has one.
TwoAtMost == \A c \in AllChanges : Cardinality(Decided(c)) <= (IF c.without = {} /\ Liars # {} THEN 2 ELSE 1)

\* What more than half held before they voted is in every decision.
Held(p, c) ==
    LET mine == {v \in votes : v.from = p /\ v.change = c}
    IN IF mine = {} THEN [head |-> line[p], replies |-> held[p]]
       ELSE CHOOSE v \in mine : \A w \in mine : v.round <= w.round
Kept ==
    \A c \in AllChanges : c.without = {} =>
        \A v \in Decided(c) :
            /\ \A x \in actions :
                ViewOf(x) = c.from /\ Majority({p \in Honest \cap Members(c) : IsPrefix(x, Held(p, c).head)}, c)
                => IsPrefix(x, v)
            /\ \A r \in SeatsOf(Honest) \X {1} :
                Majority({p \in Honest \cap Members(c) : Held(p, c).head = Above(v) /\ r \in Held(p, c).replies}, c)
                => r \in v[Len(v)][4]

\* Nobody who was not waited for by more than half is left out.
LeftOutAfterWaiting ==
    \A c \in AllChanges : \A v \in Decided(c) : \A p \in v[Len(v)][2] \ Liars :
        LET waiting == {w.from : w \in {w \in votes : w.change = c /\ p \in w.waited /\ w.head = Above(v)}}
        IN Majority(Members(c) \cap (Liars \cup waiting), c)

\* Where nobody is left out and nobody lies, nothing is undone.
NothingUndone ==
    Liars = {} => \A c \in AllChanges : \A v \in Decided(c) : v[Len(v)][2] = {} =>
        \A p \in Honest : ViewOf(line[p]) = c.from => IsPrefix(line[p], v)

\* Nothing is built on what a decision has undone: each step that somebody holds was made there.
NothingBuiltOnUndone ==
    \A p \in Honest : \A i \in DOMAIN line[p] :
        \/ IsDecision(line[p][i])
        \/ SubSeq(line[p], 1, i) \in actions

\* Nobody honest forks their chain: one action on a head, neither action nor reply that a vote of the same view before it
\* does not hold, and one vote, proposal and acceptance a round.
OneEach(S) ==
    \A m, n \in {m \in S : m.from \in Honest} : <<m.from, m.change, m.round>> = <<n.from, n.change, n.round>> => m = n
NobodyHonestForks ==
    /\ OneEach(votes) /\ OneEach(proposals) /\ OneEach(accepted)
    /\ \A x \in actions : \A v \in votes :
            PartyOf(x[Len(x)]) = v.from /\ v.change = Change(ViewOf(x), {}) => IsPrefix(x, v.head)
    /\ \A p \in Honest : \A v \in votes : v.from = p /\ v.change = change[p] /\ v.head = line[p] =>
            \A r \in held[p] : At(r[1]) = p => r \in v.replies

\* Not a promise: a settlement is decided in some behaviour, as a test sees.
NothingSettled == \A d \in decisions : d.change.without = {}

\* The rounds in which a party signs something in a change do not fall.
RisingRounds ==
    [][\A m \in (votes' \ votes) \cup (proposals' \ proposals) \cup (accepted' \ accepted) :
            m.from \in Honest => m.round >= round[m.from]]_vars

\* No votes prove anybody honest a liar.
NobodyHonestIsProven == \A v, w \in votes : v.change = w.change => Proven({v, w}, v.change) \subseteq Liars

\* Progress: all who are running come to the last view.
PlayGoesOn == \A p \in Honest : []<>(p \notin up \/ ~GoesOn(line[p]))

=============================================================================
