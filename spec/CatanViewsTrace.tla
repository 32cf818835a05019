-------------------------- MODULE CatanViewsTrace --------------------------
(***************************************************************************)
(* Whether what the parties of a recorded game have signed about who is    *)
(* present is a behaviour of CatanViews.                                   *)
(*                                                                         *)
(* Trace is what was recorded: for every event its kind and what it is     *)
(* about.  Heads of the line are numbered as they appear, 1 is the first.  *)
(* Of what was played between two changes only the last action before the  *)
(* heads of votes is here.  TLC takes one event after the other; a trace   *)
(* is accepted if, and only if, its end is reached.                        *)
(*                                                                         *)
(*   act s info              seat s acts on what it holds                  *)
(*   lie s i info merged     a liar's seat does, on head i                 *)
(*   reply s                 seat s replies                                *)
(*   jump s i info           s is the last of those who acted after head i *)
(*   take s i, hear s r n    seat s takes in head i; the reply <<r, n>>    *)
(*   ask p                   party p requests to come back                 *)
(*   vote p r i replies waits proof requests                               *)
(*   value i out proven replies back                                       *)
(*                           no step: the head that a decision at i makes  *)
(*   propose p r i votes isProven                                          *)
(*                           p proposes head i: parties, or whole votes of *)
(*                           a liar; whether they prove a fork             *)
(*   plot l r i j without votes isProven                                   *)
(*                           a liar proposes head i, in the change from j  *)
(*   accept p r i, learn s i, settle p                                     *)
(*                                                                         *)
(* The info of an action is what its game says: a number that tells a      *)
(* liar's actions apart, who owes a reply, to whom sealed cards are owed   *)
(* (0: nobody), who acts after all replies, who is away, which parties may *)
(* come back then, and which have no seat left.                            *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, Sequences, TLC

CONSTANTS
    NParties, Twice, Liars, Rounds,
    First,      \* the info of the action, or root, with which the trace begins
    Order,      \* the seats in the order of players
    Trace

VARIABLES
    actions, line, held, change, round, requests, votes, proposals, accepted, decisions, up, stops,
    at,         \* the event that comes next
    heads       \* the heads of the line by number

views == <<actions, line, held, change, round, requests, votes, proposals, accepted, decisions, up, stops>>

SetOf(list) == {list[i] : i \in DOMAIN list}
IsAction(step) == step[1] # 0
InfoOf(x) == x[CHOOSE i \in DOMAIN x : IsAction(x[i]) /\ \A j \in DOMAIN x : IsAction(x[j]) => j <= i][2]
PartyAt(s) == IF s <= NParties THEN s ELSE CHOOSE p \in Twice : Cardinality({q \in Twice : q <= p}) = s - NParties
Back(step) == {r[1] : r \in step[5]}
\* Who has been left out, or is away in the game still.
LeftOut(x) ==
    LET saysOf(p) == {i \in DOMAIN x : ~IsAction(x[i]) /\ p \in x[i][2] \cup Back(x[i])}
        isOut(p) == \E i \in saysOf(p) : p \in x[i][2] /\ \A j \in saysOf(p) : j <= i
    IN {s \in SetOf(Order) : isOut(PartyAt(s))} \cup SetOf(InfoOf(x)[5])

\* Who has no seat left in the game: such a party was proven to have lied about cards.
GoneIn(x) == SetOf(InfoOf(x)[7])

OwingIn(x) == IF InfoOf(x)[3] \in LeftOut(x) THEN {} ELSE SetOf(InfoOf(x)[2]) \ LeftOut(x)
PlaceOf(s) == CHOOSE i \in DOMAIN Order : Order[i] = s
\* Whoever is there acts, in the order of players from the one on who would.
ActingIn(x) ==
    LET first == PlaceOf(InfoOf(x)[4])
        n == Len(Order)
        after(k) == Order[((first + k - 1) % n) + 1]
    IN after(CHOOSE k \in 0..(n - 1) : after(k) \notin LeftOut(x) /\ \A j \in 0..(k - 1) : after(j) \in LeftOut(x))
\* The game lets party p come back: all replies are there, and no decision since is to be told.
GrantsIn(p, x, replies) ==
    /\ p \in SetOf(InfoOf(x)[6]) /\ OwingIn(x) \subseteq {r[1] : r \in replies}
    /\ \A i \in DOMAIN x : (\A j \in i..Len(x) : ~IsAction(x[j])) => x[i][2] = {} /\ x[i][5] = {}

V == INSTANCE CatanViews WITH
        Asks <- {}, Owing <- OwingIn, NextSeat <- ActingIn, Gone <- GoneIn, Returns <- TRUE, Grants <- GrantsIn,
        Helps <- Liars # {}, Height <- 1000000, Changes <- 1000000,
        Proofs <- BOOLEAN, MaxDown <- 0, MaxStops <- 0, Quiet <- FALSE, Without <- {}

\* What the instance needs before it is there is spelled twice.
ASSUME \A s \in V!Seats : PartyAt(s) = V!At(s)

Root == <<<<Order[1], First, {}>>>>

TraceInit ==
    /\ actions = {Root}
    /\ line = [s \in V!HonestSeats |-> Root]
    /\ held = [s \in V!HonestSeats |-> {}]
    /\ change = [p \in V!Honest |-> V!Change(<<>>, {})]
    /\ round = [p \in V!Honest |-> 0]
    /\ requests = {} /\ votes = {} /\ proposals = {} /\ accepted = {} /\ decisions = {}
    /\ up = V!Honest /\ stops = 0
    /\ at = 1
    /\ heads = <<Root>>

Event == Trace[at]
New(x) == heads' = Append(heads, x)

Acts(s, info) ==
    LET x == Append(line[s], <<s, info, held[s]>>)
    IN /\ V!MaySign(s)
       /\ s \notin OwingIn(line[s]) \ {r[1] : r \in held[s]}
       /\ actions' = actions \cup {x}
       /\ line' = [line EXCEPT ![s] = x] /\ held' = [held EXCEPT ![s] = {}]
       /\ New(x)
       /\ UNCHANGED <<change, round, requests, votes, proposals, accepted, decisions, up, stops>>

Lies(s, x, info, merged) ==
    LET y == Append(x, <<s, info, merged>>)
    IN /\ PartyAt(s) \in Liars /\ s = ActingIn(x) /\ OwingIn(x) \subseteq {r[1] : r \in merged}
       /\ y \notin actions
       /\ actions' = actions \cup {y}
       /\ New(y)
       /\ UNCHANGED <<line, held, change, round, requests, votes, proposals, accepted, decisions, up, stops>>

\* What was played in a view before anybody voted in it.
Jumps(s, x, info) ==
    LET y == Append(x, <<s, info, {}>>)
        there == {t \in V!HonestSeats : PartyAt(t) \in V!Present(x)}
    IN /\ ~\E v \in votes : v.change.from = V!ViewOf(x)
       /\ PartyAt(s) \in V!Present(x)
       /\ \A t \in there : line[t] = x
       /\ actions' = actions \cup {y}
       /\ line' = [t \in V!HonestSeats |-> IF t \in there THEN y ELSE line[t]]
       /\ held' = [t \in V!HonestSeats |-> IF t \in there THEN {} ELSE held[t]]
       /\ New(y)
       /\ UNCHANGED <<change, round, requests, votes, proposals, accepted, decisions, up, stops>>

\* The vote of a liar, as another's proposal merges it: <<party, head, replies, round and head that was accepted last, waits, requests>>.
FreeVote(v, c, r) ==
    V!VoteOf(v[1], c, r, heads[v[2]], SetOf(v[3]), IF v[4] = 0 THEN V!Nothing ELSE <<v[4], heads[v[5]]>>, SetOf(v[6]), FALSE,
             SetOf(v[7]))
IsFree(v) ==
    /\ v.from \in Liars
    /\ \/ v.last = V!Nothing
       \/ /\ v.last[1] < v.round
          /\ \E q \in proposals : <<q.change, q.round, q.value>> = <<v.change, v.last[1], v.last[2]>>
    /\ v.waited \subseteq V!Awaited(v.head, v.replies) \ {v.from} /\ v.requests \in V!Asked(v.change)
Merged(list, c, r) ==
    {v \in V!VotesIn(c, r) : \E i \in DOMAIN list : list[i] = <<v.from>>}
    \cup {FreeVote(list[i], c, r) : i \in {i \in DOMAIN list : Len(list[i]) > 1}}

\* Votes may prove a fork together by what they link to; in CatanViews only by what they hold.
Showing(Q, isProven) == IF isProven THEN {[v EXCEPT !.proof = TRUE] : v \in Q} ELSE Q

Proposes(p, r, x, list, isProven) ==
    LET Q == Merged(list, change[p], r)
    IN /\ Cardinality(Q) = Len(list)
       /\ \A v \in Q \ votes : IsFree(v)
       /\ V!ProposeBy(p, r, Showing(Q, isProven))
       /\ proposals' = proposals \cup {V!ProposalOf(p, change[p], r, x)}

\* A liar's proposal follows from the votes that it merges like any other.
Plots(l, r, x, c, list, isProven) ==
    LET Q == Merged(list, c, r)
    IN /\ l \in Liars /\ l = V!Coordinator(c, r)
       /\ Cardinality(Q) = Len(list) /\ \A v \in Q \ votes : IsFree(v)
       /\ x \in V!Values(Showing(Q, isProven), c)
       /\ proposals' = proposals \cup {V!ProposalOf(l, c, r, x)}
       /\ UNCHANGED <<actions, line, held, change, round, requests, votes, accepted, decisions, up, stops>>

Votes(p, r, x, replies, waits, proof, asked) ==
    /\ V!Vote(p, r, proof)
    /\ votes' = votes \cup {V!VoteOf(p, change[p], r, x, replies, V!LastAccepted(p, change[p], r), waits, proof, asked)}

Accepts(p, r, x) ==
    /\ V!Accept(p)
    /\ accepted' = accepted \cup {[from |-> p, change |-> change[p], round |-> r, value |-> x]}

Step(e) ==
    \/ e[1] = "act" /\ Acts(e[2], e[3])
    \/ e[1] = "lie" /\ Lies(e[2], heads[e[3]], e[4], SetOf(e[5]))
    \/ e[1] = "jump" /\ Jumps(e[2], heads[e[3]], e[4])
    \/ /\ e[1] = "value" /\ UNCHANGED views
       /\ New(Append(heads[e[2]], <<0, SetOf(e[3]), SetOf(e[4]), SetOf(e[5]), SetOf(e[6])>>))
    \/ /\ UNCHANGED heads
       /\ \/ e[1] = "reply" /\ V!Act(e[2]) /\ UNCHANGED line
          \/ e[1] = "take" /\ V!Take(e[2]) /\ line' = [line EXCEPT ![e[2]] = heads[e[3]]]
          \/ e[1] = "hear" /\ V!Take(e[2]) /\ held' = [held EXCEPT ![e[2]] = @ \cup {<<e[3], e[4]>>}]
          \/ e[1] = "ask" /\ V!Ask(e[2])
          \/ e[1] = "vote" /\ Votes(e[2], e[3], heads[e[4]], SetOf(e[5]), SetOf(e[6]), e[7], SetOf(e[8]))
          \/ e[1] = "propose" /\ Proposes(e[2], e[3], heads[e[4]], e[5], e[6])
          \/ e[1] = "plot" /\ Plots(e[2], e[3], heads[e[4]], V!Change(V!ViewOf(heads[e[5]]), SetOf(e[6])), e[7], e[8])
          \/ e[1] = "accept" /\ Accepts(e[2], e[3], heads[e[4]])
          \/ e[1] = "learn" /\ V!Learn(e[2]) /\ line' = [line EXCEPT ![e[2]] = heads[e[3]]]
          \/ e[1] = "settle" /\ V!Settle(e[2])

TraceNext ==
    \/ at <= Len(Trace) /\ at' = at + 1 /\ Step(Event)
    \/ at > Len(Trace) /\ UNCHANGED <<views, at, heads>>

TraceSpec == TraceInit /\ [][TraceNext]_<<views, at, heads>>

\* True; tells how far the trace was taken.
Arrived == PrintT(IF at > Len(Trace) THEN "accepted" ELSE <<"reached", at>>)

=============================================================================
