----------------------------- MODULE CatanViews -----------------------------
(***************************************************************************)
(* Who is present: views, and the agreement on the next.                   *)
(*                                                                         *)
(* A view is who is present, from a commit of the line on.  It changes     *)
(* only by a decision of more than half of its parties: the view change of *)
(* viewstamped replication, with Paxos for its value.  A party is what one *)
(* machine plays.  The value is the head at which the next view begins,    *)
(* who is left out, and who comes back.  Votes are Paxos's promises (1b),  *)
(* proposals its accept requests (2a), acceptances its 2b.                 *)
(*                                                                         *)
(* The line is a sequence of steps.  <<s, n, merged>> is the n-th action   *)
(* of seat s there, which merges replies; an honest party signs one.  A    *)
(* reply <<s, n>> is beside the line.  <<0, out, proven, merged, back>> is *)
(* a decision that leaves out the parties of `out`, of whom those of       *)
(* `proven` have lied, and grants the requests of `back`.  A value is a    *)
(* line that ends in a decision.  A view is named by its first steps, up   *)
(* to its decision, so whatever builds on another decision is another      *)
(* view.                                                                   *)
(*                                                                         *)
(* A party that has been left out may request to come back, once a view.   *)
(* Votes merge requests of the view that they leave.  <<p, n>> is the n-th *)
(* request of party p in a view; two prove p a liar.  A value that leaves  *)
(* somebody out grants none.  Whoever comes back plays from the next       *)
(* action on, which stands for the commits that tell the game who has left *)
(* and who is back.                                                        *)
(*                                                                         *)
(* Whoever votes stays, but only once: if a view that leaves nobody out    *)
(* begins where the one before stood, whoever is awaited as it begins must *)
(* act, or is left out when more than half name them. Voters whom a liar   *)
(* has divided among several heads go over, in a later round, to what more *)
(* than half of the votes lead to. Nobody is left out where fewer than two *)
(* would stay.                                                             *)
(*                                                                         *)
(* Nobody has a clock.  Any message may be heard at any time, in any       *)
(* order, or never: a step takes any messages that were sent.  A liar      *)
(* signs what they like, and shows it to whom they like, but a commit      *)
(* names what it builds on: a proposal that its votes do not give is       *)
(* nobody's.  Two commits of one seat that only a fork of its chain        *)
(* explains prove its party a liar to all who see both.                    *)
(*                                                                         *)
(* Every seat of a party holds a line and a chain of its own; only the     *)
(* first votes, proposes, accepts and keeps promises.  A second seat may   *)
(* act or reply after its party's vote.  That is safe: Agreement needs     *)
(* promises only of those who accept, as in Paxos, and what a second seat  *)
(* signs is a commit that a vote may hold or not.  Whatever more than half *)
(* held when they voted is kept; what a second seat signs after that may   *)
(* be undone, even by a decision that leaves nobody out.                   *)
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
    Gone(_),    \* which parties have no seat left there: in the game itself they were proven to have lied
    Liars,      \* who of them lies: nobody or one
    Helps,      \* whether that one ever votes and accepts
    Returns,    \* whether anybody may come back
    Grants(_, _, _),    \* whether the game lets a party come back at a head with these replies
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
IsFirst(s) == s <= NParties
HonestSeats == {s \in Seats : At(s) \in Honest}

ASSUME Twice \subseteq Parties
ASSUME Liars \subseteq Parties /\ Cardinality(Liars) <= 1 /\ {Helps, Returns} \subseteq BOOLEAN /\ Proofs \subseteq BOOLEAN

VARIABLES
    actions,    \* the heads of the line that an action has made
    line,       \* by honest seat the head that it holds
    held,       \* by honest seat the replies to it that it holds
    change,     \* by honest party the change that they take part in
    round,      \* by honest party the highest round in which they have promised something in it; 0 before
    requests,   \* the requests of honest parties to come back: [from, view, number]
    votes,      \* the votes of honest parties
    proposals,  \* all proposals
    accepted,   \* the acceptances of honest parties
    decisions,  \* the decisions: a change, a round, a value
    up,         \* which of the honest are running
    stops       \* how often somebody has gone down

vars == <<actions, line, held, change, round, requests, votes, proposals, accepted, decisions, up, stops>>

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
\* Whether x is the first head of a view that leaves nobody out: who is awaited there at first was awaited before.
BeginsAgain(x) == x # <<>> /\ x = ViewOf(x) /\ x[Len(x)][2] = {}
Back(step) == {r[1] : r \in step[5]}
\* Who is present: whom no decision has left out, or one has brought back since.
Present(x) ==
    {p \in Parties : LET i == Last({i \in Decisions(x) : p \in x[i][2] \cup Back(x[i])}) IN i = 0 \/ p \in Back(x[i])}
\* Those who have forked, or have no seat left, as its decisions show.
KnownLiars(x) == UNION {x[i][3] : i \in Decisions(x)}

\* The seats of parties, the actions of a line, the last of them, and what it leads to before any decision after it.
SeatsOf(S) == {s \in Seats : At(s) \in S}
Actions(x) == DOMAIN x \ Decisions(x)
LastSeat(x) == IF Actions(x) = {} THEN 0 ELSE x[Largest(Actions(x))][1]
Question(x) == SubSeq(x, 1, Last(Actions(x)))
\* Whom the game knows to be present, and who still is.
Playing(x) == (Present(x) \cap Present(Question(x))) \ Gone(x)
\* In place of a game: somebody may come back once all replies are there, and who has left and who is back is told.
Recorded(p, x, replies) ==
    /\ Owing(x) \subseteq {r[1] : r \in replies}
    /\ \A i \in (Last(Actions(x)) + 1)..Len(x) : x[i][2] = {} /\ x[i][5] = {}
\* The same where the game always lets them.
Always(p, x, replies) == TRUE

\* In place of a game: who owes a reply to a head, and who acts, after the seat that acted last.
AllOthers(x) == IF Cardinality(Actions(x)) \in Asks THEN SeatsOf(Playing(x)) \ {LastSeat(x)} ELSE {}
\* The same where only the second party's seats owe one: who acts after that is awaited only then.
SecondAlone(x) == IF Cardinality(Actions(x)) \in Asks THEN SeatsOf(Playing(x) \cap {2}) ELSE {}
Following(s, S) == Smallest(IF \E t \in S : t > s THEN {t \in S : t > s} ELSE S)
InTurn(x) == Following(LastSeat(x), SeatsOf(Playing(x)))
\* The same where the last party's seats owe one, which acts next as well.
LastAlone(x) == IF Cardinality(Actions(x)) \in Asks THEN SeatsOf({Largest(Playing(x))}) ELSE {}

\* The same where the last seat begins.
SecondFirst(x) == IF Actions(x) = {} THEN Largest(SeatsOf(Playing(x))) ELSE InTurn(x)

\* In place of a game: nobody is gone, or the last party is from the beginning.
NobodyGone(x) == {}
LastGone(x) == {NParties}

\* Which seats, and which parties, are awaited by whoever holds these replies to a head: all who owe one, else who acts.
AwaitedSeats(x, replies) ==
    LET owing == Owing(x) \ {r[1] : r \in replies}
    IN IF owing = {} THEN {NextSeat(x)} ELSE owing
Awaited(x, replies) == {At(s) : s \in AwaitedSeats(x, replies)}

\* Who was awaited when a view began.
AwaitedAtFirst(view) == Awaited(view, view[Len(view)][4])

\* Whether a party has replied to a head since a view began there.
HasReplied(p, view, replies) == {r \in replies \ view[Len(view)][4] : At(r[1]) = p} # {}

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
Newest(S) ==
    IF S = {} THEN Nothing ELSE LET a == CHOOSE a \in S : \A b \in S : b.round <= a.round IN <<a.round, a.value>>
LastAccepted(p, c, r) == Newest({a \in accepted : a.from = p /\ a.change = c /\ a.round < r})

VoteOf(p, c, r, head, replies, last, waited, proof, asked) ==
    [from |-> p, change |-> c, round |-> r, head |-> head, replies |-> replies, last |-> last, waited |-> waited,
     proof |-> proof, requests |-> asked]

\* The replies to a head that there are, and those of a liar that there may be: none of who has been left out.
RepliesTo(x) ==
    LET signed == UNION {held[s] : s \in {s \in HonestSeats : Question(line[s]) = Question(x)}}
    IN IF Owing(x) = {} THEN {}
       ELSE {r \in signed \cup SeatsOf(Liars) \X (1..2) : Keeps("RE1 present", r[1] \in Owing(x))}
OneASeat(replies) == \A r, t \in replies : r[1] = t[1] => r = t

\* The requests that votes of a change may merge, with those of a liar that there may be: none in a settlement.
RequestsIn(c) ==
    {<<q.from, q.number>> : q \in {q \in requests : Keeps("VO5 view", q.view = c.from) /\ c.without = {}}}
    \cup IF Returns /\ c.without = {} THEN (Liars \ Present(c.from)) \X (1..2) ELSE {}
\* At most one of each party.
Asked(c) == {R \in SUBSET RequestsIn(c) : OneASeat(R)}

\* The votes that liars can sign once these are the proposals: any that one of their chains allows.
FreeVotes(c, r, proposed) ==
    UNION {{VoteOf(l, c, r, head, replies, last, Awaited(head, replies) \ {l}, FALSE, asked) :
        l \in Liars \cap Members(c), asked \in Asked(c),
        replies \in {R \in SUBSET RepliesTo(head) : OneASeat(R)},
        last \in {Nothing} \cup {<<q.round, q.value>> : q \in {q \in proposed : q.change = c /\ q.round < r}}} :
            head \in {x \in actions \cup {c.from} : IsPrefix(c.from, x) /\ ViewOf(x) = c.from}}

\* What may be merged in a round: votes of the honest, and at most one of a liar, since two would prove a fork.
VotesIn(c, r) == {v \in votes : v.change = c /\ v.round = r}
Heard(c, r) == SUBSET VotesIn(c, r)
MergedOf(heard, c, r, proposed) == heard \cup {Q \cup {v} : Q \in heard, v \in FreeVotes(c, r, proposed)}
Merged(c, r) == MergedOf(Heard(c, r), c, r, proposals)

\* A liar is counted with everybody, or with nobody.
Helpers(c) == IF Helps THEN Liars \cap Members(c) ELSE {}

\* Whom the votes prove to have forked: they carry a proof, or hold two actions on one head or two replies to one, or name
\* two proposals of one round, or merge two requests.
Proven(Q, c) ==
    c.without
    \cup {l \in Liars : \E v \in Q : v.proof}
    \cup {p \in Parties : \E v, w \in Q :
            ~Compatible(v.head, w.head) /\ {PartyOf(x[Parting(v.head, w.head)]) : x \in {v.head, w.head}} = {p}}
    \cup {At(r[1]) : r \in {r \in UNION {v.replies : v \in Q} : \E v, w \in Q : v.head = w.head /\
                                r \in v.replies /\ \E t \in w.replies : t[1] = r[1] /\ t # r}}
    \cup {p \in Parties : \E v, w \in Q :
            v.last[1] = w.last[1] /\ v.last[2] # w.last[2] /\ p = Coordinator(c, v.last[1])}
    \cup {p \in Parties : \E r, t \in UNION {v.requests : v \in Q} : r # t /\ r[1] = p /\ t[1] = p}

\* The first by the ids of commits, an order that means nothing.
Lowest(S) == CHOOSE x \in S : TRUE

Backing(Q, x) == Cardinality({v \in Q : IsPrefix(x, v.head)})

\* Whether a head is, of those that follow the one above it, what more of the votes hold; of several the lower one.
Leads(Q, y) ==
    LET beside == {SubSeq(v.head, 1, Len(y)) : v \in {v \in Q : Len(v.head) >= Len(y) /\ IsPrefix(Above(y), v.head)}}
    IN y = Lowest({z \in beside : \A w \in beside : Backing(Q, w) <= Backing(Q, z)})

\* From the head x on, always the successor that more of the votes hold, then the lower one.
Walk(Q, x) ==
    CHOOSE y \in {x} \cup {v.head : v \in Q} :
        /\ IsPrefix(x, y)
        /\ \A i \in (Len(x) + 1)..Len(y) : Leads(Q, SubSeq(y, 1, i))
        /\ ~\E v \in Q : v.head # y /\ IsPrefix(y, v.head)

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

\* The votes that count in a change: those of parties that are not proven to have forked.
Counted(Q, proven) == {v \in Q : Keeps("VA2 counted", v.from \notin proven)}
Voters(Q) == {v.from : v \in Q}

\* The heads to which votes of more than half lead, of the round before or of that round, with which a later one begins.
SidesOf(Q, c) ==
    UNION {IF Majority(Voters(counted), c) THEN {Walk(counted, Begin(counted, c))} ELSE {} :
            counted \in {Counted(Q, Proven(Q, c))}}
Sides(c, r) == UNION {SidesOf(Q, c) : Q \in UNION {(SUBSET VotesIn(c, s)) \ {{}} : s \in {r - 1, r}}}

\* The value that votes give if they name no proposal: at a head, without whoever has forked or is late there.
NewValues(counted, proven, c, head) ==
    LET there == {v \in counted : v.head = head}
        signed == UNION {v.replies : v \in there}
        replies == {r \in signed : \A t \in signed : t[1] = r[1] => t = r}
        lied == (proven \cup IF "VA12 gone" \in Without THEN {} ELSE Gone(head)) \cap Present(head)
        \* The requests that are granted where nobody is left out: never one of a liar.
        asked == {r \in UNION {v.requests : v \in counted} :
                    /\ Keeps("BA2 proven", r[1] \notin proven \cup KnownLiars(head))
                    /\ Keeps("BA3 game", Grants(r[1], head, replies))}
        value(out) ==
            {Append(head, <<0, out, out \cap lied, replies, IF Keeps("BA1 alone", out = {}) THEN asked ELSE {}>>)}
        \* Two, and one of them was there when the game was told last who is: whoever is due back tells nothing before.
        TwoStay(S) ==
            Cardinality(Present(head) \ S) >= 2 /\ Keeps("VA13 record", Playing(head) \ S # {})
        isNamed(p) == Majority(Voters({v \in there : p \in v.waited}), c)
    IN UNION {LET missing == awaited \ (Voters(counted) \cup proven)
                  named == {p \in awaited : isNamed(p)}
                  \* A vote keeps its voter in, but only once at one head, unless fewer than two would stay.
                  once == "VA6 once" \notin Without /\ Keeps("VA9 again", BeginsAgain(head))
                  \* Not who is awaited there only since somebody has replied, nor who has replied since.
                  before == IF BeginsAgain(head) /\ "VA10 before" \notin Without
                            THEN {p \in AwaitedAtFirst(head) : Keeps("VA11 since", ~HasReplied(p, head, replies))}
                            ELSE awaited
                  all == missing \cup (named \cap before)
                  late == IF once /\ Keeps("VA8 several", TwoStay(lied \cup all)) THEN all ELSE missing
              IN IF ~Keeps("VA4 named", missing \subseteq named) THEN {}
                 ELSE IF Keeps("VA7 two", TwoStay(lied \cup late)) THEN value(lied \cup late)
                 \* Nobody plays alone: a settlement leaves nobody out then, nor does a change that brings somebody back;
                 \* any other is not decided yet.
                 ELSE IF c.without # {} \/ (asked # {} /\ "BA4 company" \notin Without) THEN value({}) ELSE {} :
              awaited \in {Awaited(head, replies)}}

\* The value that votes give if some name proposals: that of the highest round.  In a tie more votes are needed, if one of
\* the values may have been decided and somebody else may say so.
LockedValues(counted, proven, c, highest) ==
    LET holders(x) == Voters({v \in counted : v.last = <<highest, x>>})
        by(x) == Cardinality(holders(x))
        locks == {v.last[2] : v \in {v \in counted : v.last[1] = highest}}
        others == Members(c) \ Voters(counted)
        mayBe(x) == Majority(holders(x) \cup others, c)
    IN UNION {LET tied == Cardinality(most) > 1 /\ mayBe(Lowest(most)) /\ ~(others \subseteq proven)
              IN IF Keeps("VA5 tie", ~tied) THEN {Lowest(most)} ELSE {} :
              most \in {{x \in locks : \A y \in locks : by(y) <= by(x)}}}

\* The values that these votes give: one, or none.  A set of one element stands for a definition where TLC would compute it
\* anew at each use.
Values(Q, c) ==
    UNION {LET highest == Last({v.last[1] : v \in Counted(Q, proven)})
           IN UNION {IF ~Keeps("VA1 majority", Majority(Voters(counted), c)) \/ counted = {} THEN {}
                     ELSE IF highest > 0 /\ "VA3 locks" \notin Without THEN LockedValues(counted, proven, c, highest)
                     ELSE UNION {NewValues(counted, proven, c, x) : x \in {Walk(counted, Begin(counted, c))}} :
                     counted \in {Counted(Q, proven)}} :
           proven \in {Proven(Q, c)}}

-----------------------------------------------------------------------------
(* Steps. *)

InitAt(running, x) ==
    /\ actions = {Question(x)} \ {<<>>}
    /\ line = [s \in HonestSeats |-> x]
    /\ held = [s \in HonestSeats |-> {}]
    /\ change = [p \in Honest |-> Change(ViewOf(x), {})]
    /\ round = [p \in Honest |-> 0]
    /\ requests = {} /\ votes = {} /\ proposals = {} /\ accepted = {} /\ decisions = {}
    /\ up = running /\ stops = 0

Init == InitAt(Honest, <<>>)

\* Whether the model goes on from a head: in its last view nobody does anything.
GoesOn(x) == Cardinality(Decisions(x)) < Changes
HasRoom(x) == GoesOn(x) /\ Len(x) - Len(ViewOf(x)) < Height

InLastRound(r) == Quiet /\ r = Rounds

\* Seat s may sign something in the view that it holds: it is awaited, and a first seat has not promised not to.  In a
\* quiet time a second seat has done what it does before its party votes in the last round.
MaySign(s) ==
    /\ IF IsFirst(s) THEN /\ Keeps("AC1 promise", round[s] = 0)
                          /\ Keeps("AC4 settled", change[s].without = {})
       ELSE ~InLastRound(round[At(s)])
    /\ At(s) \in Present(line[s]) /\ s \in AwaitedSeats(line[s], held[s])
    /\ IF Owing(line[s]) \subseteq {r[1] : r \in held[s]} THEN HasRoom(line[s]) ELSE GoesOn(line[s])

\* How many actions seat s will have signed on a head after the next one.
Count(s, x) == 1 + Cardinality({y \in actions : Above(y) = x /\ y[Len(y)][1] = s})

\* The awaited seat replies, or acts, with all replies.
Act(s) ==
    /\ At(s) \in up
    /\ MaySign(s)
    /\ LET x == Append(line[s], <<s, Count(s, line[s]), held[s]>>)
       IN IF s \in Owing(line[s]) \ {r[1] : r \in held[s]}
          THEN /\ held' = [held EXCEPT ![s] = @ \cup {<<s, 1>>}]
               /\ UNCHANGED <<actions, line>>
          ELSE /\ actions' = actions \cup {x}
               /\ line' = [line EXCEPT ![s] = x]
               /\ held' = [held EXCEPT ![s] = {}]
    /\ UNCHANGED <<change, round, requests, votes, proposals, accepted, decisions, up, stops>>

\* A seat takes in an action on what it holds, or a reply to it, even after a vote.
Take(s) ==
    /\ At(s) \in up
    /\ "TA1 frozen" \in Without => round[At(s)] = 0
    /\ \/ \E x \in actions : /\ Len(x) = Len(line[s]) + 1 /\ IsPrefix(line[s], x)
                            /\ line' = [line EXCEPT ![s] = x] /\ held' = [held EXCEPT ![s] = {}]
       \/ \E r \in RepliesTo(line[s]) \ held[s] : /\ OneASeat(held[s] \cup {r})
                                               /\ held' = [held EXCEPT ![s] = @ \cup {r}] /\ UNCHANGED line
    /\ UNCHANGED <<actions, change, round, requests, votes, proposals, accepted, decisions, up, stops>>

\* A party that is away requests to come back, once a view, whatever it has signed in the change from that view.
HasAsked(p, view) == \E q \in requests : q.from = p /\ q.view = view
Ask(p) ==
    /\ Returns /\ p \in up
    /\ GoesOn(line[p])
    /\ LET view == ViewOf(line[p]) IN
        /\ Keeps("RQ1 away", p \notin Present(view))
        /\ \E n \in 1..2 : /\ n = 1 \/ ("RQ2 once" \in Without /\ HasAsked(p, view))
                         /\ requests' = requests \cup {[from |-> p, view |-> view, number |-> n]}
    /\ UNCHANGED <<actions, line, held, change, round, votes, proposals, accepted, decisions, up, stops>>

\* In the last round of a quiet time a voter has heard all that the others hold, and whoever alone is awaited acts no more.
HasHeardAll(p) ==
    /\ Returns => \A q \in up \ Present(change[p].from) : HasAsked(q, change[p].from)
    /\ \A s \in SeatsOf(up \cap Members(change[p])) \ {p} :
          LET q == At(s) IN
          /\ ~(IsPrefix(line[p], line[s]) /\ line[p] # line[s])
          /\ line[p] = line[s] => held[s] \subseteq held[p]
          /\ \/ IF IsFirst(s) THEN round[q] > 0 ELSE q = p \/ InLastRound(round[q])
             \/ change[q] # change[p]
             \/ line[s] = line[p] /\ ~(MaySign(s) /\ Awaited(line[s], held[s]) = {q})

\* The heads to which a voter may go over in a round: voters whom a liar has divided all go to what more than half of the
\* votes lead to.  In the last round of a quiet time they do so by all votes of the round before.
Over(p, r) ==
    LET c == change[p]
        before == VotesIn(c, r - 1)
        sides == IF r = 1 \/ "VO4 over" \in Without THEN {}
                 ELSE IF ~InLastRound(r) THEN Sides(c, r)
                 ELSE IF before = {} THEN {} ELSE SidesOf(before, c)
    IN IF "VO3 side" \in Without THEN {x \in actions \cup {c.from} : ViewOf(x) = c.from}
       ELSE {x \in sides : ~Compatible(x, line[p])}

\* A party votes on a head and the replies to it, at what it holds or where it goes over to: it has waited for the parties
\* of `waited`, or votes for another reason.
VoteAt(p, r, x, replies, waited, proof, asked) ==
    /\ p \in up
    /\ Keeps("VO2 member", p \in Members(change[p]))
    /\ Keeps("VO1 rising", r > round[p])
    \* For progress where rounds do not end: one party alone leads nobody to a later round.
    /\ r = 1 \/ \E s \in {r - 1, r} :
            Majority({v.from : v \in VotesIn(change[p], s)} \cup Helpers(change[p]), change[p])
    /\ GoesOn(line[p]) \/ change[p].without # {}
    /\ proof => Liars # {}
    /\ InLastRound(r) =>
            /\ waited = Awaited(x, replies) \ {p} /\ {q \in RequestsIn(change[p]) : q[1] \in Honest} \subseteq asked
            /\ x = line[p] => Over(p, r) = {}
            /\ HasHeardAll(p) /\ Coordinator(change[p], r) \in up
    /\ votes' = votes \cup {VoteOf(p, change[p], r, x, replies, LastAccepted(p, change[p], r), waited, proof, asked)}
    /\ line' = [line EXCEPT ![p] = x]
    /\ held' = [held EXCEPT ![p] = replies]
    /\ round' = [round EXCEPT ![p] = r]
    /\ UNCHANGED <<actions, change, requests, proposals, accepted, decisions, up, stops>>

\* What a party may hold where it votes.
Places(p, r) ==
    {<<line[p], held[p]>>} \cup UNION {{<<x, R>> : R \in {R \in SUBSET RepliesTo(x) : OneASeat(R)}} : x \in Over(p, r)}

Vote(p, r, proof) ==
    \E at \in Places(p, r), asked \in Asked(change[p]) : \E waited \in SUBSET (Awaited(at[1], at[2]) \ {p}) :
        VoteAt(p, r, at[1], at[2], waited, proof, asked)

\* The vote of a party that has waited for all.
WaitedVote(p, r) ==
    \E at \in Places(p, r), proof \in Proofs, asked \in Asked(change[p]) :
        VoteAt(p, r, at[1], at[2], Awaited(at[1], at[2]) \ {p}, proof, asked)

ProposalOf(p, c, r, v) == [from |-> p, change |-> c, round |-> r, value |-> v]

\* In a quiet time a coordinator keeps in once more whoever is awaited only if everybody who is running has voted: one who
\* votes at once, and never acts, would stay for ever.
HasPatience(Q, c, r, v) ==
    InLastRound(r) /\ BeginsAgain(Above(v)) /\ v[Len(v)][2] = {} => up \cap Members(c) \subseteq {w.from : w \in Q}

\* The coordinator of a round proposes what the votes Q give, once.
ProposeBy(p, r, Q) ==
    /\ p \in up
    /\ p \in Members(change[p])
    /\ Keeps("PR1 coordinator", p = Coordinator(change[p], r))
    /\ Keeps("PR2 once", ~\E q \in proposals : q.from = p /\ q.change = change[p] /\ q.round = r)
    /\ Keeps("PR3 rising", round[p] <= r)
    /\ \E v \in Values(Q, change[p]) :
            /\ Keeps("PR4 patience", HasPatience(Q, change[p], r, v))
            /\ proposals' = proposals \cup {ProposalOf(p, change[p], r, v)}
    /\ round' = [round EXCEPT ![p] = IF @ < r THEN r ELSE @]
    /\ UNCHANGED <<actions, line, held, change, requests, votes, accepted, decisions, up, stops>>

Propose(p, r) == \E Q \in IF Helps THEN Merged(change[p], r) ELSE Heard(change[p], r) : ProposeBy(p, r, Q)

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
    /\ UNCHANGED <<actions, line, held, change, requests, votes, proposals, up, stops>>

\* A seat that hears of a decision is in the next view: what it held besides is undone.  Its party is there once its first
\* seat is.
Learn(s) ==
    /\ At(s) \in up
    /\ \E d \in decisions : LET c == d.change  v == d.value IN
        /\ \/ c = Change(ViewOf(line[s]), {}) /\ (IsFirst(s) => change[s].without = {})
           \/ c.without # {} /\ IsPrefix(c.from, line[s]) /\ ~IsPrefix(v, line[s])
        /\ line' = [line EXCEPT ![s] = IF "LE1 undone" \in Without /\ IsPrefix(Above(v), line[s])
                                          THEN v \o SubSeq(line[s], Len(v), Len(line[s])) ELSE v]
        \* What s has replied to that head stays.
        /\ held' = [held EXCEPT ![s] = v[Len(v)][4] \cup (IF Question(line[s]) # Question(v) THEN {}
                                                      ELSE {r \in @ : r[1] = s /\ s \in Owing(v)})]
        /\ change' = IF IsFirst(s) THEN [change EXCEPT ![s] = Change(v, {})] ELSE change
        /\ round' = IF IsFirst(s) THEN [round EXCEPT ![s] = 0] ELSE round
    /\ UNCHANGED <<actions, requests, votes, proposals, accepted, decisions, up, stops>>

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
    /\ UNCHANGED <<actions, line, held, requests, votes, proposals, accepted, decisions, up, stops>>

LiarActs ==
    /\ \E x \in actions \cup {<<>>} \cup {line[s] : s \in HonestSeats}, n \in 1..2 :
        /\ HasRoom(x) /\ At(NextSeat(x)) \in Liars
        /\ \E merged \in {R \in SUBSET RepliesTo(x) : OneASeat(R) /\ Owing(x) \subseteq {r[1] : r \in R}} :
            LET y == Append(x, <<NextSeat(x), n, merged>>)
            IN y \notin actions /\ actions' = actions \cup {y}
    /\ UNCHANGED <<line, held, change, round, requests, votes, proposals, accepted, decisions, up, stops>>

LiarProposes ==
    /\ \E p \in Honest, r \in 1..Rounds : \E l \in Liars \cap Members(change[p]) :
        /\ l = Coordinator(change[p], r)
        /\ \E Q \in Merged(change[p], r) : \E v \in Values(Q, change[p]) :
            /\ ProposalOf(l, change[p], r, v) \notin proposals
            /\ proposals' = proposals \cup {ProposalOf(l, change[p], r, v)}
    /\ UNCHANGED <<actions, line, held, change, round, requests, votes, accepted, decisions, up, stops>>

\* In a quiet time nobody goes down or comes back from the first vote of a last round on.
LastRoundBegun == Quiet /\ \E v \in votes : v.round = Rounds /\ Decided(v.change) = {}

Stop(p) ==
    /\ p \in up /\ stops < MaxStops /\ Cardinality(Honest \ up) < MaxDown
    /\ ~LastRoundBegun
    /\ up' = up \ {p} /\ stops' = stops + 1
    /\ UNCHANGED <<actions, line, held, change, round, requests, votes, proposals, accepted, decisions>>

Restart(p) ==
    /\ p \in Honest \ up
    /\ ~LastRoundBegun
    /\ up' = up \cup {p}
    /\ UNCHANGED <<actions, line, held, change, round, requests, votes, proposals, accepted, decisions, stops>>

\* What a change consists of, and what happens to those who take part.
Agree ==
    \/ \E s \in HonestSeats : Take(s) \/ Learn(s)
    \/ \E p \in Honest : Ask(p) \/ Accept(p) \/ Settle(p) \/ Stop(p) \/ Restart(p)
    \/ \E p \in Honest, r \in 1..Rounds : Propose(p, r)
    \/ \E p \in Honest, r \in 1..Rounds, proof \in Proofs : Vote(p, r, proof)
    \/ LiarProposes

Next == Agree \/ LiarActs \/ \E s \in HonestSeats : Act(s)

Spec == Init /\ [][Next]_vars

\* All who are running vote at some time, and do what they can.  Who is down may be so for ever, but for the coordinator
\* of the last round, which stands for the first round whose coordinator is there.
AwaitedInLastRound(p) == \E q \in up : GoesOn(line[q]) /\ Coordinator(change[q], Rounds) = p
\* Where any of this can be done, some of it is.  There is only so much to do, so this asks for no order.
GoOn ==
    \/ \E s \in HonestSeats : Take(s) \/ Learn(s)
    \/ \E p \in Honest : Ask(p) \/ Accept(p) \/ Settle(p) \/ (AwaitedInLastRound(p) /\ Restart(p))
    \/ \E p \in Honest, r \in 1..Rounds : WaitedVote(p, r) \/ Propose(p, r)
Fairness == WF_vars(GoOn)

FairSpec == Spec /\ Fairness

\* The same where all vote, and nobody acts.
IdleSpec == Init /\ [][Agree]_vars /\ Fairness

\* The same where as many as may be are down, at first and for ever, but not the coordinator of the last round.
DownInit ==
    \E S \in SUBSET (Honest \ {Coordinator(Change(<<>>, {}), Rounds)}) :
        Cardinality(S) = MaxDown /\ InitAt(Honest \ S, <<>>)
DownSpec == DownInit /\ [][Next /\ up' = up]_vars /\ Fairness

\* The same where the last party has been left out, a liar with a proof or without, and one of the others has told so.
AwayInit ==
    \E s \in 1..(NParties - 1), proven \in SUBSET ({NParties} \cap Liars) :
        LET x == <<<<0, {NParties}, proven, {}, {}>>, <<s, 1, {}>>>>
        IN \E S \in SUBSET (Honest \ {NParties, Coordinator(Change(ViewOf(x), {}), Rounds)}) :
            Cardinality(S) = MaxDown /\ InitAt(Honest \ S, x)
AwaySpec == AwayInit /\ [][Next /\ up' = up]_vars /\ Fairness

\* The same where the second party is there, and is down, and all others are due back.
BackInit ==
    LET others == Parties \ {2}
    IN InitAt(Honest \ {2}, <<<<0, others, {}, {}, {}>>, <<2, 1, {}>>, <<0, {}, {}, {}, {<<p, 1>> : p \in others}>>>>)
BackSpec == BackInit /\ [][Next /\ up' = up]_vars /\ Fairness

\* A smaller model: nobody acts before the first change, which leaves somebody out.
LeavesFirst ==
    /\ \A x \in actions : ViewOf(x) # <<>>
    /\ \A d \in decisions : d.change.from = <<>> => d.value[Len(d.value)][2] # {}

-----------------------------------------------------------------------------
(* What is promised. *)

AllChanges == {d.change : d \in decisions}

\* Agreement: a change has one decision.
Agreement == \A c \in AllChanges : Cardinality(Decided(c)) <= 1

\* Where a liar is one of three or five, two are possible.  A settlement has one.
TwoAtMost == \A c \in AllChanges : Cardinality(Decided(c)) <= (IF c.without = {} /\ Liars # {} THEN 2 ELSE 1)

\* What more than half held before they voted is in every decision.
VotesOf(p, c) == {v \in votes : v.from = p /\ v.change = c}
FirstVote(p, c) == CHOOSE v \in VotesOf(p, c) : \A w \in VotesOf(p, c) : v.round <= w.round
Held(p, c) == IF VotesOf(p, c) = {} THEN [head |-> line[p], replies |-> held[p]] ELSE FirstVote(p, c)
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

\* Whoever comes back was away, has asked for it in that very view, and is no liar who is known; the game lets them, and
\* nobody is left out at once.
OnlyWhoMayComesBack ==
    \A c \in AllChanges : \A v \in Decided(c) : \A r \in v[Len(v)][5] :
        /\ r[1] \notin Present(c.from) \cup KnownLiars(v)
        /\ r[1] \in Liars \/ [from |-> r[1], view |-> c.from, number |-> r[2]] \in requests
        /\ v[Len(v)][2] = {} /\ Grants(r[1], Above(v), v[Len(v)][4])

\* Whether a second seat has made the first step of x that a value of a change undoes, and its party's votes do not hold it.
IsOfSecond(x, c, v) ==
    LET i == Parting(x, v)
        s == x[i][1]
    IN ~IsFirst(s) /\ \A w \in votes : w.from = At(s) /\ w.change = c => ~IsPrefix(SubSeq(x, 1, i), w.head)

\* Where nobody is left out and nobody lies, nothing is undone but what a second seat did beside its party's votes, and what
\* builds on that.  Where two are present and a third comes back, what one of the two did without a vote may be undone.
NothingUndone ==
    Liars = {} => \A c \in AllChanges : \A v \in Decided(c) :
        v[Len(v)][2] = {} /\ (v[Len(v)][5] = {} \/ Cardinality(Present(c.from)) > 2) =>
        \A s \in HonestSeats : ViewOf(line[s]) = c.from => IsPrefix(line[s], v) \/ IsOfSecond(line[s], c, v)

\* Not a promise where somebody has two seats: nothing at all is undone then.
NothingUndoneAtAll ==
    \A c \in AllChanges : \A v \in Decided(c) : v[Len(v)][2] = {} =>
        \A s \in HonestSeats : ViewOf(line[s]) = c.from => IsPrefix(line[s], v)

\* Nobody who has been left out replies to what follows.
NobodyLeftOutReplies ==
    \A s \in HonestSeats : \A r \in held[s] :
        \/ At(r[1]) \in Present(line[s])
        \/ line[s] # <<>> /\ IsDecision(line[s][Len(line[s])]) /\ r \in line[s][Len(line[s])][4]

\* Nothing is built on what a decision has undone: each step that somebody holds was made there.
NothingBuiltOnUndone ==
    \A s \in HonestSeats : \A i \in DOMAIN line[s] :
        \/ IsDecision(line[s][i])
        \/ SubSeq(line[s], 1, i) \in actions

\* No honest seat forks its chain: its actions of one view are on one line, one on a head; and a first seat signs neither
\* action nor reply that its first vote of the same view does not hold, and one vote, proposal and acceptance a round.
OneEach(S) ==
    \A m, n \in {m \in S : m.from \in Honest} : <<m.from, m.change, m.round>> = <<n.from, n.change, n.round>> => m = n
NobodyHonestForks ==
    /\ OneEach(votes) /\ OneEach(proposals) /\ OneEach(accepted)
    /\ \A q, t \in requests : <<q.from, q.view>> = <<t.from, t.view>> => q = t
    /\ \A x, y \in actions : LET s == x[Len(x)][1] IN
            s \in HonestSeats /\ y[Len(y)][1] = s /\ ViewOf(x) = ViewOf(y) => Compatible(x, y)
    /\ \A x \in actions : \A v \in votes :
            x[Len(x)][1] = v.from /\ v.change = Change(ViewOf(x), {}) => IsPrefix(x, FirstVote(v.from, v.change).head)
    /\ \A p \in Honest : \A v \in votes : v.from = p /\ v.change = change[p] /\ v.head = line[p] =>
            \A r \in held[p] : r[1] = p => r \in v.replies

\* Not a promise: whoever has no seat left in the game is left out in some behaviour, as a test sees.
NobodyGoneIsLeftOut == \A d \in decisions : Gone(d.value) \subseteq Present(d.value)

\* Nobody plays alone.
TwoArePresent == \A d \in decisions : Cardinality(Present(d.value) \ Gone(d.value)) >= 2

\* Somebody is left who tells the game what was decided.
SomebodyRecords == \A d \in decisions : Playing(d.value) # {}

\* Whoever votes stays, unless they have forked, or were awaited there when a view began anew at this head, and have done
\* nothing since.
AVoteKeepsIn ==
    \A v \in votes : \A Q \in Heard(v.change, v.round) : v \in Q /\ (\A w \in Q : w.last = Nothing) =>
        \A x \in Values(Q, v.change) : v.from \in x[Len(x)][2] \ Liars =>
            BeginsAgain(Above(x)) /\ v.from \in AwaitedAtFirst(Above(x)) /\ ~HasReplied(v.from, Above(x), x[Len(x)][4])

\* Where nobody lies and all have voted, nobody has to wait for more votes.
AllVotesGiveAValue ==
    Liars = {} => \A v \in votes : LET all == VotesIn(v.change, v.round)
                                  IN Voters(all) = Members(v.change) => Values(all, v.change) # {}

\* Not a promise: a settlement is decided in some behaviour, as a test sees.
NothingSettled == \A d \in decisions : d.change.without = {}

\* Not promises: somebody comes back in some behaviour, also where one of the others is down, as tests see.
NobodyComesBack == \A d \in decisions : d.value[Len(d.value)][5] = {}
NobodyIsBackAmongFew == NobodyComesBack \/ Cardinality(up) = NParties

\* The rounds in which a party signs something in a change do not fall.
RisingRounds ==
    [][\A m \in (votes' \ votes) \cup (proposals' \ proposals) \cup (accepted' \ accepted) :
            m.from \in Honest => m.round >= round[m.from]]_vars

\* No votes prove anybody honest a liar.
NobodyHonestIsProven == \A v, w \in votes : v.change = w.change => Proven({v, w}, v.change) \subseteq Liars

\* Progress: all who are running come to the last view.
PlayGoesOn == \A s \in HonestSeats : []<>(At(s) \notin up \/ ~GoesOn(line[s]))

\* Where nobody acts, whoever alone is awaited is left out in the end, though they vote.
WhoeverNeverActsIsLeftOut == \A p \in Honest : []<>(p \notin up \/ Present(line[p]) # Parties)

\* Whoever has been left out, and asks, is present in the end.
TheLastComesBack == []<>(NParties \in Present(line[NParties]))

=============================================================================
