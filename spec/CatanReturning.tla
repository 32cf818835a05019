--------------------------- MODULE CatanReturning ---------------------------
(***************************************************************************)
(* The replication of CatanP2P with disks that go back: a repository comes *)
(* again as it was, from a backup, or is joined anew from another          *)
(* player's.  What its player did since is lost to the player, and others  *)
(* may have seen it.  So before its first own action a peer asks the       *)
(* others what they hold of its own log.  In games with Leaving, whose     *)
(* commits name their player's previous one, a peer does so, too; here it  *)
(* is a game without.  Not here: the peer on the machine on which it has   *)
(* played last, which acts after one answer.                               *)
(***************************************************************************)
EXTENDS CatanP2P

CONSTANT MaxReturns     \* how often a disk goes back

VARIABLES
    heard,      \* whom each peer has heard since its start: all that they hold of its own log it holds
    returns     \* how often a disk has gone back

returningVars == <<p2pVars, heard, returns>>

Others(p) == Players \ {p}

\* More than half of the others; of one or two these are all.
IsEnough(answered, p) == 2 * Cardinality(answered) > Cardinality(Others(p))

OwnIn(p, commits) == {c \in commits : book[c].by = p}

\* The repository of p, whose program does not run, is again what it was once.
GoBack(p) ==
    /\ p \notin up                                          \* GB1 down
    /\ returns < MaxReturns                                 \* GB2 bound
    /\ \E c \in {RootId} \cup {d \in Past(journal[p].log) : ~book[d].reply /\ book[d].by = p} :
        \E seen \in {d \in Past(journal[p].seen.head) : ~book[d].reply} :
            /\ c # journal[p].log \/ seen # journal[p].seen.head \/ journal[p].reply # NoCommit
            /\ journal' = [journal EXCEPT ![p] = [log |-> c, reply |-> NoCommit, seen |-> Knowing(seen, {})]]
            /\ shown' = [shown EXCEPT ![p] = [log |-> c, reply |-> NoCommit]]
    /\ returns' = returns + 1
    /\ UNCHANGED <<SU, G, book, view, up, cut, desk, proofs, faults, newest, heard>>

\* Player p has taken in everything that q holds of p's own log.
Hear(p, q) ==
    /\ p \in up                                             \* HR1 up
    /\ ~IsBusy(p)                                           \* HR2 free
    /\ {p, q} \notin cut                                    \* HR3 link
    /\ q \notin heard[p]                                    \* HR4 new
    /\ OwnIn(p, Visible(q)) \subseteq Held(p)               \* HR5 held
    /\ heard' = [heard EXCEPT ![p] = @ \cup {q}]
    /\ UNCHANGED <<p2pVars, returns>>

\* Nobody sits down before they have heard enough of the others.
SitAfterHearing(p) ==
    /\ IsEnough(heard[p], p)                                \* SH1 heard
    /\ Sit(p)

\* What comes back of p's own log is recorded as p's own.
KeepOwn(p) ==
    LET own == {c \in OwnIn(p, Commits(view[p])) : ~book[c].reply}
        newestOwn == CHOOSE c \in own \cup {RootId} : \A d \in own : Height(d) <= Height(c)
        reply == OwnIn(p, view[p].replies)
    IN /\ p \in up /\ ~IsBusy(p)
       /\ \/ journal[p].log # newestOwn
          \/ journal[p].reply = NoCommit /\ reply # {}
       /\ journal' = [journal EXCEPT ![p].log = newestOwn,
                                     ![p].reply = IF reply = {} THEN @ ELSE CHOOSE c \in reply : TRUE]
       /\ UNCHANGED <<SU, G, book, shown, view, up, cut, desk, proofs, faults, newest>>

ReturningInit == P2PInit /\ heard = [p \in Players |-> Others(p)] /\ returns = 0

\* As P2PNext, with sitting down after hearing, and a start that has heard nobody.
ReturningNext ==
    \/ \E p \in Players : InMidst(p) /\ GoOn(p) /\ UNCHANGED <<heard, returns>>
    \/ /\ \A p \in Players : ~InMidst(p)
       /\ \/ \E p \in Players : SitAfterHearing(p) /\ UNCHANGED <<heard, returns>>
          \/ \E p \in Players :
                /\ \/ \E ref \in Moved(p) : Publish(p, {ref})
                   \/ Remove(p)
                   \/ KeepOwn(p)
                   \/ \E q \in Others(p) : ReadFrom(p, q) \/ ProveFrom(p, q)
                   \/ Crash(p)
                /\ UNCHANGED <<heard, returns>>
          \/ \E p \in Players : Restart(p) /\ heard' = [heard EXCEPT ![p] = {}] /\ UNCHANGED returns
          \/ \E p \in Players : GoBack(p)
          \/ \E p \in Players : \E q \in Others(p) : Hear(p, q)
          \/ Rest /\ UNCHANGED <<heard, returns>>

ReturningSpec == ReturningInit /\ [][ReturningNext]_returningVars

-----------------------------------------------------------------------------
(* Properties: nobody is ever charged who is honest, and nobody could be.  ProofsAreTrue and NeverBoth say it of what    *)
(* peers hold; this says it of what anybody could find.                                                                  *)
NobodyHonestContradicts ==
    \A p, q \in Players : \A c \in Visible(p), d \in Visible(q) :
        Contradict(c, d) => book[c].by \in Liars

\* Rejoining is no way to roll again: what anybody has seen of a player's log stays in it.
NothingSeenIsTakenBack ==
    \A p \in up : desk.who = p =>
        \A q \in Others(p) : OwnIn(p, Visible(q)) \subseteq Commits(view[p])

=============================================================================
