----------------------------- MODULE CatanPower -----------------------------
(***************************************************************************)
(* The replication of CatanP2P where the power fails, and not only a       *)
(* program.  What a program has written survives its end; what its medium  *)
(* holds survives a loss of power: every record of the journal up to the   *)
(* last sync, and of those after it the first few, or none.  A record that *)
(* is torn is none: the next start removes it.  Refs may be lost as well,  *)
(* which is as if others read them later: the next start moves them to     *)
(* where the journal has them.                                             *)
(*                                                                         *)
(* So nothing may be shown before the journal is synced: who has shown an  *)
(* action and loses it acts again, and the others hold the proof of two.   *)
(***************************************************************************)
EXTENDS CatanP2P

CONSTANT MaxLosses      \* how often the power fails

VARIABLES
    synced,     \* by player, the journal as the medium surely has it
    tail,       \* by player, the journal after each record since then, in their order
    losses      \* how often the power has failed

powerVars == <<p2pVars, synced, tail, losses>>

\* In place of Visible: copies of others' logs are shown like the own log, once the medium has them.
VisibleSynced(p) == Reached(shown[p]) \cup Commits(synced[p].seen)

\* What a step recorded, if anything, is at the end of the journal.
Recorded ==
    /\ tail' = [p \in Players |-> IF journal'[p] = journal[p] THEN tail[p] ELSE Append(tail[p], journal'[p])]
    /\ UNCHANGED <<synced, losses>>

\* The program of player p waits until the medium has the whole journal.
Sync(p) ==
    /\ p \in up                                             \* SY1 up
    /\ ~IsBusy(p)                                           \* SY2 free
    /\ tail[p] # <<>>                                       \* SY3 more
    /\ synced' = [synced EXCEPT ![p] = journal[p]]
    /\ tail' = [tail EXCEPT ![p] = <<>>]
    /\ UNCHANGED <<p2pVars, losses>>

\* Player p shows only what a loss of power leaves.
PublishSynced(p, refs) ==
    /\ tail[p] = <<>>                                       \* PS1 synced
    /\ Publish(p, refs)

\* The next start shows what the journal holds; it syncs that first, too.
RestartSynced(p) ==
    /\ Restart(p)
    /\ synced' = [synced EXCEPT ![p] = journal[p]]
    /\ tail' = [tail EXCEPT ![p] = <<>>]
    /\ UNCHANGED losses

\* The power of player p fails: the last records since the last sync are gone, or all of them.
LosePower(p) ==
    /\ losses < MaxLosses                                   \* LP1 bound
    /\ losses' = losses + 1
    /\ up' = up \ {p}
    /\ view' = [view EXCEPT ![p] = Knowing(RootId, {})]
    /\ \E left \in 0..Len(tail[p]) :
          /\ journal' = [journal EXCEPT ![p] = IF left = 0 THEN synced[p] ELSE tail[p][left]]
          /\ synced' = [synced EXCEPT ![p] = journal'[p]]
    /\ tail' = [tail EXCEPT ![p] = <<>>]
    /\ IF IsBusy(p) THEN ClearDesk ELSE UNCHANGED <<SU, G, desk>>
    /\ UNCHANGED <<book, shown, cut, proofs, faults, newest>>

PowerInit ==
    /\ P2PInit
    /\ synced = journal
    /\ tail = [p \in Players |-> <<>>]
    /\ losses = 0

PowerNext ==
    \/ \E p \in Players : InMidst(p) /\ ((GoOn(p) /\ Recorded) \/ LosePower(p))
    \/ /\ \A p \in Players : ~InMidst(p)
       /\ \E p \in Players :
           \/ /\ \/ Sit(p)
                 \/ \E ref \in Moved(p) : PublishSynced(p, {ref})
                 \/ Remove(p)
                 \/ \E q \in Players \ {p} : ReadFrom(p, q) \/ ProveFrom(p, q)
                 \/ Crash(p)
              /\ Recorded
           \/ RestartSynced(p)
           \/ Sync(p)
           \/ LosePower(p)
    \/ Rest /\ UNCHANGED <<synced, tail, losses>>

PowerSpec == PowerInit /\ [][PowerNext]_powerVars

-----------------------------------------------------------------------------
(* Properties. *)

PowerTypeOK ==
    /\ P2PTypeOK
    /\ losses \in 0..MaxLosses
    /\ \A p \in Players : journal[p] = IF tail[p] = <<>> THEN synced[p] ELSE tail[p][Len(tail[p])]

\* Whatever others can find of a player's own log survives a loss of power.
ShownIsDurable == \A p \in Players : Reached(shown[p]) \ {NoCommit} \subseteq Reached(synced[p]) \cup Commits(synced[p].seen)

\* What anybody has seen of a player's log stays in it, whatever the power does.
NothingSeenIsUndone ==
    \A p, q \in Players : \A c \in Held(q) : book[c].by = p => c \in Kept(p) \/ IsOvertaken(c)

\* So nobody honest ever continues a commit in two ways that others can find.
NobodyHonestContradicts ==
    \A p, q \in Players : \A c \in Visible(p), d \in Visible(q) : Contradict(c, d) => book[c].by \in Liars

=============================================================================
