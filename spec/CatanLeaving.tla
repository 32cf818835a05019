---------------------------- MODULE CatanLeaving ---------------------------
(***************************************************************************)
(* One vote on going on without a player, with those who would bend it.    *)
(*                                                                         *)
(* The game waits for the player Absent after some commit.  What happens   *)
(* there is one of two things: the player's action is taken in by all, or  *)
(* the player is excused by all.  The others vote: yes promises to accept  *)
(* nothing of the player that continues the commit, no testifies that the  *)
(* voter has accepted the action.  When all of the others have said yes,   *)
(* one of them, the excuser, excuses the player, with all votes in the     *)
(* commit.  Until then the excuser's own yes promises nothing to itself:   *)
(* it may accept the action all the same, and take its yes back by a no,   *)
(* which promises not to excuse.  So a vote that lacks somebody's word for *)
(* ever does not bind those who have voted, as long as the excuser is      *)
(* there.                                                                  *)
(*                                                                         *)
(* Nobody has a clock.  The player may be slow, may have crashed, may come *)
(* back; any message may be heard at any time, in any order, or never by   *)
(* one who is cut off; who is down does nothing, and forgets nothing that  *)
(* they have sent or accepted.  Liars send what they like in their own     *)
(* name, to whom they like; a commit names its parents, so nobody can      *)
(* pretend to build on a testimony that there is not.                      *)
(*                                                                         *)
(* CatanTable refines this (OneVote of MCTable), where nobody lies in a    *)
(* vote and everybody hears of it at once.                                 *)
(*                                                                         *)
(* Without names guards that are taken out, for the tests: each property   *)
(* below is violated without some guard.                                   *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
    NPlayers,   \* how many play
    Liars,      \* who of them lie
    Absent,     \* whom the game waits for
    Successor,  \* who acts next without them: the excuser
    Gone,       \* who of the others is gone for ever, before anybody votes
    Early,      \* who may say yes before the excuser has
    MaxCrashes, \* how often somebody goes down
    AtOnce,     \* whether everybody hears a message as soon as it is sent, as at a table; else one by one, or never
    Without     \* tags of guards that are left out; {} in the specification

Players == 1..NPlayers
Honest == Players \ Liars
Voters == Players \ {Absent}

ASSUME Liars \subseteq Players /\ Absent \in Players /\ Successor \in Voters
ASSUME Gone \subseteq Voters

VARIABLES
    sent,       \* all messages there are
    heard,      \* by player what they have heard
    end,        \* by player how it ends for them: "open", "acted", "excused"
    up,         \* who is running
    crashes     \* how often somebody has gone down

vars == <<sent, heard, end, up, crashes>>

\* "act" is the player's action; "build" a commit on it, which merges a testimony of another's or does not.
Message == [type: {"act", "yes", "no", "excuse"}, from: Players, rests: {FALSE}]
           \cup [type: {"build"}, from: Voters, rests: BOOLEAN]

Keeps(tag, guard) == tag \in Without \/ guard

Says(type, p) == [type |-> type, from |-> p, rests |-> FALSE]
Builds(p, rests) == [type |-> "build", from |-> p, rests |-> rests]

\* What shows that another than p has accepted the action.
Testimonies(messages, p) ==
    {m \in messages : m.type \in {"no", "build"} /\ m.from \notin {p, Absent}}

\* Whether player p, who has heard these messages, can show what ends their promise: the excuser their own no.
Rests(messages, p) == Testimonies(messages, p) # {} \/ (p = Successor /\ Says("no", p) \in messages)

AllYes(messages) == \A v \in Voters : Says("yes", v) \in messages

\* Two commits of one player that cannot both be honest.
Contradicts(p) ==
    \/ Says("yes", p) \in sent /\ Builds(p, FALSE) \in sent
    \/ Says("yes", p) \in sent /\ Says("no", p) \in sent /\ p # Successor
    \/ Says("excuse", p) \in sent /\ Says("no", p) \in sent

Init ==
    /\ sent = {}
    /\ heard = [p \in Players |-> {}]
    /\ end = [p \in Players |-> "open"]
    /\ up = Players \ Gone
    /\ crashes = 0

\* Player p, who is running, sends a message, and has heard it.
Send(p, m) ==
    /\ sent' = sent \cup {m}
    /\ heard' = [q \in Players |-> IF q = p \/ AtOnce THEN heard[q] \cup {m} ELSE heard[q]]

\* The player acts after all.
Act ==
    /\ Absent \in Honest \cap up
    /\ end[Absent] = "open"
    /\ Send(Absent, Says("act", Absent))
    /\ end' = [end EXCEPT ![Absent] = "acted"]
    /\ UNCHANGED <<up, crashes>>

Hear(p, m) ==
    /\ p \in Honest \cap up
    /\ m \in sent \ heard[p]
    /\ heard' = [heard EXCEPT ![p] = @ \cup {m}]
    /\ UNCHANGED <<sent, end, up, crashes>>

\* Another accepts the action: not against their own promise, unless somebody else has testified; the excuser, as long
\* as they have not excused.
Accept(p) ==
    /\ p \in Honest \cap up \cap Voters
    /\ Says("act", Absent) \in heard[p]
    /\ end[p] = "open"
    /\ Keeps("AC1 promise", p = Successor \/ (Says("yes", p) \in sent => Testimonies(heard[p], p) # {}))
    /\ end' = [end EXCEPT ![p] = "acted"]
    /\ UNCHANGED <<sent, heard, up, crashes>>

\* Another says yes, whenever they like; who is not early, once the excuser has, so that somebody can take it back.
Yes(p) ==
    /\ p \in Honest \cap up \cap Voters
    /\ Says("yes", p) \notin sent
    /\ Keeps("YE2 first", p \in Early \cup {Successor} \/ Says("yes", Successor) \in heard[p])
    /\ Keeps("YE1 open", end[p] = "open")
    /\ Send(p, Says("yes", p))
    /\ UNCHANGED <<end, up, crashes>>

\* Another who has accepted the action says no: the excuser even after a yes.
No(p) ==
    /\ p \in Honest \cap up \cap Voters
    /\ end[p] = "acted" /\ Says("no", p) \notin sent
    /\ Keeps("NO1 once", p = Successor \/ Says("yes", p) \notin sent)
    /\ Send(p, Says("no", p))
    /\ UNCHANGED <<end, up, crashes>>

\* Another who has accepted the action plays on; who had said yes merges the testimony that made them accept it, the
\* excuser the own no, if there is no other.
Build(p) ==
    /\ p \in Honest \cap up \cap Voters
    /\ end[p] = "acted"
    /\ \A rests \in BOOLEAN : Builds(p, rests) \notin sent
    /\ Keeps("BU2 taken", Says("yes", p) \in sent => Rests(heard[p], p))
    /\ LET rests == IF "BU1 rests" \in Without THEN FALSE ELSE Rests(heard[p], p)
       IN Send(p, Builds(p, rests))
    /\ UNCHANGED <<end, up, crashes>>

\* The next player tells that all have said yes.
Excuse ==
    /\ Successor \in Honest \cap up
    /\ end[Successor] = "open"
    /\ Keeps("EX1 all", AllYes(heard[Successor]))
    /\ Send(Successor, Says("excuse", Successor))
    /\ end' = [end EXCEPT ![Successor] = "excused"]
    /\ UNCHANGED <<up, crashes>>

\* The others, the player among them, accept that, with all votes, as long as none of them is taken back.
Follow(p) ==
    /\ p \in Honest \cap up
    /\ Says("excuse", Successor) \in heard[p] /\ Says("no", Successor) \notin heard[p]
    /\ Keeps("FO1 votes", AllYes(heard[p]))
    /\ end[p] = "open" \/ p = Absent
    /\ end[p] # "excused"
    /\ end' = [end EXCEPT ![p] = "excused"]
    /\ UNCHANGED <<sent, heard, up, crashes>>

\* A liar sends anything in their own name.
Lie(p, m) ==
    /\ p \in Liars
    /\ m.from = p
    /\ m.type = "act" <=> p = Absent
    /\ m.type = "excuse" => p = Successor
    /\ m.rests => Rests(sent, p)
    /\ sent' = sent \cup {m}
    /\ UNCHANGED <<heard, end, up, crashes>>

Crash(p) ==
    /\ p \in up
    /\ crashes < MaxCrashes
    /\ up' = up \ {p}
    /\ crashes' = crashes + 1
    /\ UNCHANGED <<sent, heard, end>>

Restart(p) ==
    /\ p \notin up \cup Gone
    /\ up' = up \cup {p}
    /\ UNCHANGED <<sent, heard, end, crashes>>

Next ==
    \/ Act \/ Excuse
    \/ \E p \in Players : Accept(p) \/ Yes(p) \/ No(p) \/ Build(p) \/ Follow(p) \/ Crash(p) \/ Restart(p)
    \/ \E p \in Players, m \in sent : Hear(p, m)
    \/ \E p \in Liars, m \in Message : Lie(p, m)

\* All but the player and who is gone come back, hear everything in the end, say yes at some time or no, and do what they
\* can; the player may be gone for ever, too.
Spec ==
    /\ Init /\ [][Next]_vars
    /\ WF_vars(Excuse)
    /\ \A p \in Voters : WF_vars(Accept(p)) /\ WF_vars(Yes(p)) /\ WF_vars(No(p)) /\ WF_vars(Follow(p)) /\ WF_vars(Restart(p))
    /\ \A p \in Voters : WF_vars(\E m \in sent : Hear(p, m))

\* The same where the player comes back, and acts or is excused.
LateSpec == Spec /\ WF_vars(Act) /\ WF_vars(Restart(Absent))

\* The same where nobody has to do anything.
UnfairSpec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* What is promised. *)

TypeOK ==
    /\ sent \subseteq Message
    /\ \A p \in Players : heard[p] \subseteq sent
    /\ end \in [Players -> {"open", "acted", "excused"}]
    /\ up \subseteq Players

\* Agreement: no two honest players go on in different ways, unless somebody can be proven a liar by two commits.
Agreement ==
    (\E p, q \in Honest \cap Voters : end[p] = "acted" /\ end[q] = "excused") => \E w \in Liars : Contradicts(w)

\* Nobody honest can be proven a liar.
NobodyHonestContradicts == \A p \in Honest : ~Contradicts(p)

\* An action that an honest player has accepted besides its own is not lost where nobody lies.
NothingAcceptedIsLost ==
    Liars = {} /\ (\E p \in Voters : end[p] = "acted") => \A p \in Players : end[p] # "excused"

\* Who is excused has been voted on by all the honest.
ExcusedByAll == (\E p \in Honest : end[p] = "excused") => \A v \in Honest \cap Voters : Says("yes", v) \in sent

\* Progress: where nobody of the others lies, play goes on for all of them, whatever has become of the player.  Where one
\* of them is gone for ever, it goes on for the rest if the player comes back (LateSpec).
PlayGoesOn == \A p \in Voters \ Gone : <>(end[p] # "open")

=============================================================================
