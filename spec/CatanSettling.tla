---------------------------- MODULE CatanSettling --------------------------
(***************************************************************************)
(* A proven liar, who has continued one commit in two ways and shown them  *)
(* to different players: how the others come together again.               *)
(*                                                                         *)
(* The liar has signed two commits A and B on one commit.  Honest players  *)
(* hold A or B, never both, and go on from what they hold as far as they   *)
(* can.  Whoever has both, as a proof, votes: a vote names the one of the  *)
(* two that the voter holds, and the newest commit that the voter holds.   *)
(* When all others have voted, the votes say which of the two survives;    *)
(* who is on the other one moves over, and drops what was built there.     *)
(* Then whoever acts next excuses the liar (settles), with all votes in    *)
(* the commit.                                                             *)
(*                                                                         *)
(* The line on each side has at most three commits: A or B itself (1), an  *)
(* action of the player First (2), and another one by the liar (3), which  *)
(* is what may race the votes; players 1 to NPlayers, the liar is 1.  If A *)
(* and B are replies, First is who merges them: the commits 2 of the two   *)
(* sides continue the same commit, and nobody may write both.              *)
(*                                                                         *)
(* Nothing says when a message is heard: every step may be taken late, or  *)
(* never by who has crashed.  CatanTable refines this (OneLie of MCTable), *)
(* where nobody lies in a vote and everybody hears of it at once.          *)
(*                                                                         *)
(* Without names guards that are taken out, for the tests: each property   *)
(* below is violated without some guard.                                   *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
    NPlayers,   \* how many play
    Liars,      \* who of them lie besides player 1
    AreReplies, \* whether A and B are replies, which First merges
    AtOnce,     \* whether everybody hears a vote as soon as it is cast, as at a table; else at some time, or never
    Without     \* tags of guards that are left out; {} in the specification

Liar == 1
First == 2
Last == 3       \* who acts next after the liar's second commit, or instead of it
Sides == {"A", "B"}
Others == 2..NPlayers
Honest == Others \ Liars
Places == 1..3

ASSUME NPlayers >= 3 /\ Liars \subseteq Others

VARIABLES
    written,    \* by side how many commits of its line there are
    votes,      \* all votes that were cast
    settles,    \* all commits that settle
    side,       \* by player which side they hold: "none", "A", "B"
    at,         \* by player how many commits of it they hold
    knows,      \* who has heard all votes
    end         \* by player the commit that settles which they hold, as a set of at most one

vars == <<written, votes, settles, side, at, knows, end>>

VoteOf == [from : Others, side : Sides, newest : Places]
SettleOf == [from : Others, side : Sides, on : Places]

Keeps(tag, guard) == tag \in Without \/ guard

Author(k) == IF k = 2 THEN First ELSE Liar

\* Who acts next on a line of k commits, the liar left out.
Settler(k) == IF k = 1 THEN First ELSE Last

HasVoted(p) == \E v \in votes : v.from = p

\* Liars vote as often as they like; what each voter is believed to have said is then one of it.
Choices == {f \in [Others -> votes] : \A p \in Others : HasVoted(p) => f[p].from = p}

AllVoted == \A p \in Others : HasVoted(p)

Holders(f, s) == Cardinality({p \in Others : f[p].side = s})

\* The newest commit of a side that a voter names; 0 if nobody holds it.
Newest(f, s) ==
    LET named == {f[p].newest : p \in {q \in Others : f[q].side = s}}
    IN IF named = {} THEN 0 ELSE CHOOSE k \in named : \A other \in named : other <= k

\* How far all of a side's voters have come, by their own word: no voter alone makes that more; 0 if nobody holds it.
Reached(f, s) ==
    LET named == {f[p].newest : p \in {q \in Others : f[q].side = s}}
    IN IF "SU1 all" \in Without \/ named = {} THEN Newest(f, s)
       ELSE CHOOSE k \in named : \A other \in named : k <= other

\* Which side survives: that of who merges replies, or that of more players, or of more commits, or A.
Survivor(f) ==
    IF AreReplies /\ "OU1 merger" \notin Without THEN f[First].side
    ELSE IF Holders(f, "A") # Holders(f, "B") THEN (IF Holders(f, "A") > Holders(f, "B") THEN "A" ELSE "B")
    ELSE IF Reached(f, "B") > Reached(f, "A") THEN "B" ELSE "A"

\* Two commits of one player that cannot both be honest.
Contradicts(p) ==
    \/ \E v, w \in votes : v # w /\ v.from = p /\ w.from = p
    \/ AreReplies /\ p = First /\ \A s \in Sides : written[s] >= 2

Init ==
    /\ written = [s \in Sides |-> 1]
    /\ votes = {} /\ settles = {}
    /\ side = [p \in Others |-> "none"]
    /\ at = [p \in Others |-> 0]
    /\ knows = [p \in Others |-> {}]
    /\ end = [p \in Others |-> {}]

\* Somebody else than the liar, and than p, tells that they have accepted commit k of side s.
Testified(p, s, k) ==
    \/ k < written[s] /\ \E j \in (k + 1)..written[s] : Author(j) \notin {p, Liar}
    \/ \E v \in votes : v.from # p /\ v.side = s /\ v.newest >= k

\* Player p accepts the next commit of a side.
Accept(p, s) ==
    /\ p \in Honest /\ end[p] = {}
    /\ side[p] \in {"none", s}
    /\ at[p] < written[s]
    /\ Keeps("AC1 bound", Author(at[p] + 1) = Liar /\ HasVoted(p) => Testified(p, s, at[p] + 1))
    /\ Keeps("AC2 survivor", \A f \in knows[p] : Survivor(f) = s)
    /\ side' = [side EXCEPT ![p] = s]
    /\ at' = [at EXCEPT ![p] = @ + 1]
    /\ UNCHANGED <<written, votes, settles, knows, end>>

\* The player First acts.
Act(s) ==
    /\ First \in Honest /\ end[First] = {}
    /\ side[First] = s /\ at[First] = 1 /\ written[s] = 1
    /\ written' = [written EXCEPT ![s] = 2]
    /\ at' = [at EXCEPT ![First] = 2]
    /\ UNCHANGED <<votes, settles, side, knows, end>>

\* The liar acts once more on a side.
ActAgain(s) ==
    /\ written[s] = 2
    /\ written' = [written EXCEPT ![s] = 3]
    /\ UNCHANGED <<votes, settles, side, at, knows, end>>

\* These players have heard all votes: who of them is on the other side goes back to before the lie.
MovedOver(f, heard) ==
    LET moves(p) == p \in heard /\ side[p] # Survivor(f)
    IN /\ knows' = [p \in Others |-> IF p \in heard THEN {f} ELSE knows[p]]
       /\ side' = [p \in Others |-> IF moves(p) THEN "none" ELSE side[p]]
       /\ at' = [p \in Others |-> IF moves(p) THEN 0 ELSE at[p]]

\* Player p, who has the proof, says what they hold.  Who holds neither commit waits until they take one in.  The program has one
\* more vote, of who holds neither because play has gone on without a reply (`holds = None`, in the log `Holds: none`).  That
\* needs table talk, which this module leaves out: here every reply has to be heard before play goes on.
Vote(p) ==
    /\ p \in Honest /\ end[p] = {}
    /\ side[p] # "none"
    /\ ~HasVoted(p)
    /\ votes' = votes \cup {[from |-> p, side |-> side[p],
                             newest |-> IF "VT1 newest" \in Without THEN 1 ELSE at[p]]}
    /\ IF AtOnce /\ AllVoted' THEN \E f \in Choices' : MovedOver(f, Others) ELSE UNCHANGED <<side, at, knows>>
    /\ UNCHANGED <<written, settles, end>>

\* Player p has heard all votes, and goes back to before the lie if another side survives than theirs.
MoveOver(p) ==
    /\ p \in Honest /\ knows[p] = {}
    /\ Keeps("MO1 all", AllVoted)
    /\ \E f \in Choices : MovedOver(f, {p})
    /\ UNCHANGED <<written, votes, settles, end>>

\* The next player settles, once they hold all that a voter on the side that survives holds.
Settle(p) ==
    /\ p \in Honest /\ end[p] = {} /\ at[p] > 0
    /\ \E f \in knows[p] :
         /\ side[p] = Survivor(f)
         /\ Keeps("SE1 newest", at[p] >= Newest(f, side[p]))
    /\ Keeps("SE2 next", p = Settler(at[p]))
    /\ LET s == [from |-> p, side |-> side[p], on |-> at[p]]
       IN /\ settles' = settles \cup {s}
          /\ end' = [end EXCEPT ![p] = {s}]
    /\ UNCHANGED <<written, votes, side, at, knows>>

\* The others accept that, where they hold what it continues.
Follow(p, s) ==
    /\ p \in Honest /\ end[p] = {}
    /\ side[p] = s.side /\ at[p] = s.on
    /\ \E f \in knows[p] :
         /\ side[p] = Survivor(f)
         /\ Keeps("FO1 newest", at[p] >= Newest(f, side[p]))
    /\ Keeps("FO2 next", s.from = Settler(s.on))
    /\ end' = [end EXCEPT ![p] = {s}]
    /\ UNCHANGED <<written, votes, settles, side, at, knows>>

\* Another liar votes and settles as they like, in their own name.
LieInVote(p, v) ==
    /\ p \in Liars /\ v.from = p
    /\ votes' = votes \cup {v}
    /\ UNCHANGED <<written, settles, side, at, knows, end>>

LieInSettling(p, s) ==
    /\ p \in Liars /\ s.from = p
    /\ s.on <= written[s.side]
    /\ settles' = settles \cup {s}
    /\ UNCHANGED <<written, votes, side, at, knows, end>>

Next ==
    \/ \E p \in Others, s \in Sides : Accept(p, s)
    \/ \E s \in Sides : Act(s) \/ ActAgain(s)
    \/ \E p \in Others : Vote(p) \/ MoveOver(p) \/ Settle(p)
    \/ \E p \in Others, s \in settles : Follow(p, s)
    \/ \E p \in Liars, v \in VoteOf : LieInVote(p, v)
    \/ \E p \in Liars, s \in SettleOf : LieInSettling(p, s)

\* All but the liar are well in the end, and do what they can.
Spec ==
    /\ Init /\ [][Next]_vars
    /\ \A p \in Others : /\ WF_vars(Vote(p)) /\ WF_vars(MoveOver(p)) /\ WF_vars(Settle(p))
                         /\ WF_vars(\E s \in Sides : Accept(p, s))
                         /\ WF_vars(\E s \in settles : Follow(p, s))

-----------------------------------------------------------------------------
(* What is promised. *)

TypeOK ==
    /\ written \in [Sides -> Places]
    /\ votes \subseteq VoteOf /\ settles \subseteq SettleOf
    /\ side \in [Others -> Sides \cup {"none"}]
    /\ at \in [Others -> 0..3]
    /\ \A p \in Others : Cardinality(end[p]) <= 1 /\ end[p] \subseteq settles

\* Another liar can be proven.
Proven == \E p \in Liars : Contradicts(p)

\* What happens after that promises nothing.
NotProven == ~Proven

\* Nobody has drawn a conclusion from the votes yet, for models of what the votes say.
VotesOnly == NotProven /\ settles = {} /\ \A p \in Others : knows[p] = {}

\* No two honest players go on from different commits, unless another liar can be proven.
Agreement == Proven \/ \A p, q \in Honest : end[p] # {} /\ end[q] # {} => end[p] = end[q]

\* What an honest player holds of the side that survives is not lost.
NothingOnItIsLost ==
    Proven \/ \A p, q \in Honest : \A s \in end[p] : side[q] = s.side => at[q] <= s.on

\* Nobody honest can be proven a liar.
NobodyHonestContradicts == \A p \in Honest : ~Contradicts(p)

\* Nobody is ever on a side that the votes they have heard do not say.
OnTheSideThatSurvives == \A p \in Honest : \A f \in knows[p] : side[p] \in {"none", Survivor(f)}

\* A voter who says to have come farther than they have makes no side survive that another voter holds as well.
NobodyWinsByAWord ==
    \A f \in Choices : \A p, q \in Others :
        AllVoted /\ p # q /\ f[p].side = f[q].side /\ q \in Honest
            => Survivor(f) = Survivor([f EXCEPT ![p].newest = IF @ > f[q].newest THEN f[q].newest ELSE @])

\* Progress: play goes on for all others.
PlayGoesOn == \A p \in Others : <>(end[p] # {})

=============================================================================
