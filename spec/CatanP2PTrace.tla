--------------------------- MODULE CatanP2PTrace ----------------------------
(***************************************************************************)
(* Whether what the peers of a real or simulated game have done is a       *)
(* behaviour of CatanP2P.                                                  *)
(*                                                                         *)
(* Trace is what was recorded: for every event its kind, the peer, and     *)
(* what it was about.  Commits are numbered in the order in which they     *)
(* were recorded, 0 is the root.  TLC takes one event after the other; a   *)
(* trace is accepted if, and only if, its end is reached.                  *)
(*                                                                         *)
(*   Act p n on merges action seen                                         *)
(*                               records commit n; seen: what its tree has *)
(*                               that the tree of on has not; <<>>: nobody *)
(*                               has these trees                           *)
(*   TakeIn p n                  judges commit n right, and takes it in    *)
(*   Keep p                      moves its copies of others' branches      *)
(*   Publish p refs              shows where its branches are              *)
(*   Remove p                    removes its temporary branch              *)
(*   Crash p, Restart p                                                    *)
(*   Stands p head replies log reply shown                                 *)
(*                               no step: what the program said it held,   *)
(*                               had recorded, and had shown               *)
(***************************************************************************)
EXTENDS CatanP2P, CatanTrace

VARIABLES
    ids,        \* the commits by number
    pasts       \* Past of every commit, which would take long to find each time

peersVars == <<p2pVars, tvars, ids, pasts>>

KnownPast(c) == pasts[c]

Event == Trace[at]
Last == Len(Trace)

Is(kind) == at <= Last /\ Event[1] = kind

Done == at' = at + 1 /\ UNCHANGED <<left, base>>

\* A number that no commit has yet is none.
IdOf(n) == IF n = 0 THEN RootId ELSE IF n \in DOMAIN ids THEN ids[n] ELSE NoCommit
IdsOf(numbers) == {IdOf(numbers[i]) : i \in DOMAIN numbers}
BranchOf(n) == IF n = 0 THEN NoCommit ELSE IdOf(n)

\* In place of IsKnown: two commits of a real game differ by their dates, if by nothing else.
DiffersByDate == FALSE

\* The tree of the commit on the desk holds what the action has led to, as a change of the game in the tree before it.  Who has
\* yet to reply is in no tree.
AgreesWith(seen) ==
    \A i \in DOMAIN seen :
        /\ G' = [AllRecorded(book[desk.on].G, seen[i], Len(seen[i])) EXCEPT !.due = G'.due]
        /\ SU' = RecordedSetup(seen[i])

\* Play and Record; together with sitting down, what a peer does in its own memory is one event.
PlaysAndRecords(p, action, seen) ==
    \/ /\ IsBusy(p) /\ ~desk.wrote
       /\ action[2] = p
       /\ RepliesIn(G, p) <=> action[1] \in Replies
       /\ Act(action)
       /\ AgreesWith(seen)
       /\ desk' = [desk EXCEPT !.wrote = TRUE]
       /\ UNCHANGED <<copies, up, cut, faults, at, left, base, ids, pasts>>
    \/ /\ Record(p)
       /\ LET c == CHOOSE c \in DOMAIN book' \ DOMAIN book : TRUE
          IN /\ ids' = Append(ids, c)
             /\ pasts' = pasts @@ (c :> {c} \cup book'[c].merges \cup pasts[book'[c].on])
       /\ Done

ActsNow(p, on, merges, action, seen) ==
    \/ /\ Sit(p)
       /\ desk'.on = IdOf(on) /\ desk'.merges = IdsOf(merges)
       /\ UNCHANGED <<at, left, base, ids, pasts>>
    \/ PlaysAndRecords(p, action, seen)

StandsSo(p, head, replies, log, reply, show) ==
    /\ view[p] = Knowing(IdOf(head), IdsOf(replies))
    /\ journal[p].log = IdOf(log) /\ journal[p].reply = BranchOf(reply)
    /\ shown[p] = [log |-> IdOf(show[1]), reply |-> BranchOf(show[2])]
    /\ p \in up
    /\ UNCHANGED p2pVars

PeersInit == P2PInit /\ at = 1 /\ left = {} /\ base = G /\ ids = <<>> /\ pasts = (RootId :> {RootId})

PeersNext ==
    \/ /\ at <= Last
       /\ LET p == Event[2]
          IN \/ Is("Act") /\ Event[3] = Len(ids) + 1 /\ ActsNow(p, Event[4], Event[5], Event[6], Event[7])
             \/ /\ UNCHANGED <<ids, pasts>> /\ Done
                /\ \/ /\ Is("TakeIn") /\ Event[3] \in DOMAIN ids
                      /\ \E q \in Players \ {p} : ids[Event[3]] \in Visible(q) /\ TakeIn(p, q, ids[Event[3]])
                   \/ Is("Keep") /\ Keep(p)
                   \/ Is("Publish") /\ Event[3] # <<>> /\ Publish(p, {Event[3][i] : i \in DOMAIN Event[3]})
                   \/ Is("Remove") /\ Remove(p)
                   \/ Is("Crash") /\ Crash(p)
                   \/ Is("Restart") /\ Restart(p)
                   \/ Is("Stands") /\ StandsSo(p, Event[3], Event[4], Event[5], Event[6], Event[7])
    \/ at > Last /\ UNCHANGED peersVars

PeersSpec == PeersInit /\ [][PeersNext]_peersVars

\* What tells two states of one trace apart.
Telling == <<at, desk.who, desk.wrote, view>>

\* Nobody comes to hold less: what everybody holds is compared now and then, and at the end.
NeverBothNowAndThen == at % 25 = 0 \/ at > Last => NeverBoth

\* True; tells how far the trace was taken.
Arrived == PrintT(IF at > Last THEN "accepted" ELSE <<"reached", at>>)

=============================================================================
