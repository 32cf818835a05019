----------------------------- MODULE MCVoteTrace ----------------------------
(***************************************************************************)
(* Behaviours of CatanLeaving for the test that drives real repositories:  *)
(* TLC chooses them at random and prints, for every step, its name and     *)
(* where every player stands after it.                                     *)
(*                                                                         *)
(* The game is at the end of player 1's turn, who is Absent; the others    *)
(* build in their order.  A commit brings what it merges and continues, so *)
(* that is heard before it; who hears what makes them accept or follow     *)
(* does so at once; and a program says no only where it has heard a yes    *)
(* and nobody who has accepted the action.  Two votes of a liar are never  *)
(* both heard: the second one is refused; a no by which the excuser takes  *)
(* a yes back builds on it, so the yes is heard before.                    *)
(* Every behaviour here is one of CatanLeaving.                            *)
(***************************************************************************)
EXTENDS CatanLeaving, Sequences, TLC

CONSTANT Length     \* of a behaviour, in steps

ASSUME Absent = 1 /\ Successor = 2

VARIABLES
    merged,     \* by player the messages that their action or their commit on it merges
    told        \* the steps so far, as tuples of tuples

traceVars == <<vars, merged, told>>

Flag(holds) == IF holds THEN 1 ELSE 0

Votes(messages) == {m \in messages : m.type \in {"yes", "no"}}

HasBuilt(messages, p) == \E rests \in BOOLEAN : Builds(p, rests) \in messages

\* The voters before p in turn have built on the action, as far as these messages tell.
IsNextBuilder(messages, p) == \A v \in Voters : v < p => HasBuilt(messages, v)

\* Everything that player p's hearing of m needs is heard.
IsReady(p, m) ==
    CASE m.type = "act" -> merged[Absent] \subseteq heard[p]
      [] m.type = "build" -> /\ Says("act", Absent) \in heard[p]
                             /\ merged[m.from] \subseteq heard[p]
                             /\ IsNextBuilder(heard[p], m.from)
      [] m.type = "excuse" -> AllYes(heard[p])
      [] m.from = Successor /\ Successor \in Honest -> m.type = "no" /\ Says("yes", Successor) \in sent => Says("yes", Successor) \in heard[p]
      [] OTHER -> \A other \in heard[p] : other.from = m.from => other.type \notin {"yes", "no"}

\* A program testifies where somebody doubts, and nobody else has testified.
IsDoubted(p) ==
    /\ p \in Voters /\ end[p] = "acted"
    /\ \E m \in heard[p] : m.type = "yes"
    /\ \A m \in heard[p] : m.type \notin {"no", "build"}

MayExcuse(p) == p = Successor /\ end[p] = "open" /\ AllYes(heard[p])

\* Where a player stands: whether they run, how it ends for them, what they have heard, what they have to do.
Stands(p) ==
    <<Flag(p \in up), end[p], Flag(Says("act", Absent) \in heard[p]),
      [q \in Players |-> Flag(Says("yes", q) \in heard[p])],
      [q \in Players |-> Flag(Says("no", q) \in heard[p])],
      [q \in Players |-> Flag(HasBuilt(heard[p], q))],
      Flag(Says("excuse", Successor) \in heard[p]),
      Flag(IsDoubted(p)), Flag(MayExcuse(p))>>

Note(step) == told' = Append(told, step \o <<[p \in Players |-> Stands(p)]'>>)

Told(m) == <<m.type, m.from>>

MustGoOn(p) == ENABLED Accept(p) \/ ENABLED Follow(p)

GoOn(p) ==
    /\ UNCHANGED merged
    /\ \/ Accept(p) /\ Note(<<"Accept", p>>)
       \/ Follow(p) /\ Note(<<"Follow", p>>)

Begin(p) ==
    \/ p = Absent /\ Act /\ merged' = [merged EXCEPT ![p] = Votes(heard[p])] /\ Note(<<"Act", p>>)
    \/ Yes(p) /\ UNCHANGED merged /\ Note(<<"Yes", p>>)
    \/ IsDoubted(p) /\ No(p) /\ UNCHANGED merged /\ Note(<<"No", p>>)
    \/ /\ IsNextBuilder(heard[p], p) /\ Build(p)
       /\ merged' = [merged EXCEPT ![p] = Votes(heard[p])]
       /\ Note(<<"Build", p>>)
    \/ p = Successor /\ Excuse /\ UNCHANGED merged /\ Note(<<"Excuse", p>>)
    \/ Crash(p) /\ UNCHANGED merged /\ Note(<<"Crash", p>>)
    \/ Restart(p) /\ UNCHANGED merged /\ Note(<<"Restart", p>>)
    \/ \E m \in sent : IsReady(p, m) /\ Hear(p, m) /\ UNCHANGED merged /\ Note(<<"Hear", p, Told(m)>>)
    \/ \E says \in {"yes", "no"} :
           /\ Says(says, p) \notin sent
           /\ Lie(p, Says(says, p)) /\ p \in Voters /\ UNCHANGED merged /\ Note(<<"Lie", p, <<says, p>> >>)

TraceStep ==
    LET midst == {p \in up : MustGoOn(p)}
    IN \/ \E p \in midst : GoOn(p)
       \/ midst = {} /\ \E p \in Players : Begin(p)

TraceNext == Len(told) < Length /\ TraceStep

Tell ==
    /\ Len(told) <= Length /\ (Len(told) = Length \/ ~ENABLED TraceStep)
    /\ PrintT("BEHAVIOUR " \o ToString(told))
    /\ told' = [i \in 1..Length + 1 |-> <<"Told", 0>>]
    /\ UNCHANGED <<vars, merged>>

TraceSpec == Init /\ merged = [p \in Players |-> {}] /\ told = <<>> /\ [][TraceNext \/ Tell]_traceVars

=============================================================================
