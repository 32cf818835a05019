---------------------------- MODULE MCSettleTrace ---------------------------
(***************************************************************************)
(* Behaviours of CatanSettling for the test that drives real repositories: *)
(* TLC chooses them at random and prints, for every step, its name and     *)
(* where every player but the liar stands after it.                        *)
(*                                                                         *)
(* Here players are shown commits and hear votes one at a time.  Whoever   *)
(* is shown one that they may accept does so; whoever holds one side and   *)
(* is shown the other has the proof of the lie.  A commit brings the votes *)
(* that its player had heard, so those are heard before it; to be bound is *)
(* ended by votes that were heard, not by any that there are.  Whoever has *)
(* heard all votes moves over at once, and accepts what survives, for the  *)
(* votes hold it.  Every behaviour here is one of CatanSettling.           *)
(***************************************************************************)
EXTENDS CatanSettling, Sequences, TLC

CONSTANT Length     \* of a behaviour, in steps

ASSUME Liars = {}

VARIABLES
    shown,      \* by whom, of which side and which commit of it was shown and not accepted
    heard,      \* by player the votes that they have heard, their own among them
    merged,     \* by side the votes that the commit of the player First on it merges
    told        \* the steps so far, as tuples of tuples

traceVars == <<vars, shown, heard, merged, told>>

Flag(holds) == IF holds THEN 1 ELSE 0

OtherSide(s) == IF s = "A" THEN "B" ELSE "A"

HasHeardAll(p) == \A q \in Others : \E v \in heard[p] : v.from = q

\* What survives, as far as a player knows.
Surviving(p) == IF knows[p] = {} THEN "none" ELSE Survivor(CHOOSE f \in knows[p] : TRUE)

MaySettle(p) ==
    /\ end[p] = {} /\ at[p] > 0 /\ p = Settler(at[p])
    /\ \E f \in knows[p] : side[p] = Survivor(f) /\ at[p] >= Newest(f, side[p])

\* Where a player stands: what they hold, whom they have heard, what survives, whether they settle next or have followed.
Stands(p) ==
    <<side[p], at[p], [q \in 1..NPlayers |-> Flag(\E v \in heard[p] : v.from = q)], Surviving(p),
      Flag(MaySettle(p)), Flag(end[p] # {})>>

Note(step) == told' = Append(told, step \o <<[i \in 1..(NPlayers - 1) |-> Stands(i + 1)]'>>)

\* What the votes that were heard allow who has voted to accept of the liar.
IsFree(p, s, k) ==
    Author(k) = Liar /\ HasVoted(p) => \E v \in heard[p] : v.from # p /\ v.side = s /\ v.newest >= k

\* Player p is shown the next commit of the side that they hold, or the first one of any if they hold none.
SeeNext(p, s) ==
    /\ end[p] = {} /\ side[p] \in {"none", s} /\ at[p] < written[s] /\ Author(at[p] + 1) # p
    /\ at[p] = 1 => merged[s] \subseteq heard[p]
    /\ LET k == at[p] + 1
       IN IF IsFree(p, s, k)
          THEN Accept(p, s) /\ UNCHANGED shown
          ELSE <<p, s, k>> \notin shown /\ shown' = shown \cup {<<p, s, k>>} /\ UNCHANGED vars
    /\ UNCHANGED <<heard, merged>>
    /\ Note(<<"See", p, s, at[p] + 1>>)

\* Player p, who holds one side, is shown the liar's commit of the other.
SeeOther(p) ==
    /\ end[p] = {} /\ side[p] # "none"
    /\ LET seen == <<p, OtherSide(side[p]), 1>>
       IN seen \notin shown /\ shown' = shown \cup {seen}
    /\ UNCHANGED <<vars, heard, merged>>
    /\ Note(<<"See", p, OtherSide(side[p]), 1>>)

Hear(p, v) ==
    /\ v \in votes \ heard[p] /\ end[p] = {}
    /\ heard' = [heard EXCEPT ![p] = @ \cup {v}]
    /\ UNCHANGED <<vars, shown, merged>>
    /\ Note(<<"Hear", p, v.from>>)

\* Who has the proof, from the liar or from another's vote, votes.
VoteNow(p) ==
    /\ heard[p] # {} \/ \E s \in Sides : <<p, s, 1>> \in shown
    /\ Vote(p)
    /\ heard' = [heard EXCEPT ![p] = @ \cup (votes' \ votes)]
    /\ UNCHANGED <<shown, merged>>
    /\ Note(<<"Vote", p>>)

ActNow(s) ==
    /\ Act(s)
    /\ merged' = [merged EXCEPT ![s] = heard[First]]
    /\ UNCHANGED <<shown, heard>>
    /\ Note(<<"Act", First, s>>)

ActAgainNow(s) ==
    /\ ActAgain(s) /\ UNCHANGED <<shown, heard, merged>> /\ Note(<<"ActAgain", Liar, s>>)

SettleNow(p) == Settle(p) /\ UNCHANGED <<shown, heard, merged>> /\ Note(<<"Settle", p>>)

FollowNow(p, s) == Follow(p, s) /\ UNCHANGED <<shown, heard, merged>> /\ Note(<<"Follow", p, s.from>>)

\* Player p goes over to what survives as soon as they have heard all votes.
MustMove(p) == HasHeardAll(p) /\ knows[p] = {}
MustAccept(p) == knows[p] # {} /\ side[p] = "none"

GoOn(p) ==
    /\ UNCHANGED <<shown, heard, merged>>
    /\ \/ MustMove(p) /\ MoveOver(p) /\ Note(<<"MoveOver", p>>)
       \/ MustAccept(p) /\ Accept(p, Surviving(p)) /\ Note(<<"TakeOver", p>>)

Begin ==
    \/ \E p \in Others : SeeOther(p) \/ VoteNow(p) \/ SettleNow(p)
    \/ \E p \in Others, s \in Sides : SeeNext(p, s)
    \/ \E p \in Others, v \in votes : Hear(p, v)
    \/ \E s \in Sides : ActNow(s) \/ ActAgainNow(s)
    \/ \E p \in Others, s \in settles : FollowNow(p, s)

TraceStep ==
    LET midst == {p \in Others : MustMove(p) \/ MustAccept(p)}
    IN IF midst # {} THEN \E p \in midst : GoOn(p) ELSE Begin

TraceNext == Len(told) < Length /\ TraceStep

Tell ==
    /\ Len(told) <= Length /\ (Len(told) = Length \/ ~ENABLED TraceStep)
    /\ PrintT("BEHAVIOUR " \o ToString(told))
    /\ told' = [i \in 1..Length + 1 |-> <<"Told", 0>>]
    /\ UNCHANGED <<vars, shown, heard, merged>>

TraceSpec ==
    /\ Init /\ shown = {} /\ heard = [p \in Others |-> {}] /\ merged = [s \in Sides |-> {}] /\ told = <<>>
    /\ [][TraceNext \/ Tell]_traceVars

=============================================================================
