----------------------------- MODULE CatanEnding -----------------------------
(***************************************************************************)
(* The end of a game of hidden hands that players may leave: a key is told *)
(* only after everybody who is there has signed this end.                  *)
(*                                                                         *)
(* The winner lies: some players are shown the end, and some another       *)
(* commit instead, on which play goes on.  A change of the view decides:   *)
(* whoever has seen both votes, and names the one that they hold, and once *)
(* more than half have voted one of these survives; whoever holds the      *)
(* other moves over.  The liar, whose votes do not count, signs and closes *)
(* as it suits them, and knows every key that is told.  What anybody has   *)
(* said is known to all at once here; CatanViews.tla has how it spreads.   *)
(*                                                                         *)
(* A player may fall silent for ever.  Who is there is not taken for       *)
(* silent: that is what the table's patience is for, and it rests on links *)
(* that are faster (ED2 without its guard shows what comes of others).     *)
(*                                                                         *)
(* Without names guards that are taken out, for the tests.                 *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
    NPlayers,   \* how many players there are; player 1 is the liar
    MaxSilent,  \* how many of the others fall silent
    Without     \* tags of guards that are left out; {} in the specification

Liar == 1
Players == 1..NPlayers
Honest == Players \ {Liar}
Sides == {"end", "other"}

VARIABLES
    side,       \* by honest player, the commit of the liar's that they hold
    silent,     \* the honest players who have fallen silent
    away,       \* who has been excused from the game, on the side of the end
    signed,     \* the honest players who have signed the end
    closed,     \* whether the game is closed
    said,       \* by honest player, the commit that their vote names; "none" before
    kept,       \* the commit that survives; "none" before the decision
    told        \* the honest players who have told their keys

vars == <<side, silent, away, signed, closed, said, kept, told>>

Keeps(tag, guard) == tag \in Without \/ guard
There == Honest \ silent
Present == Players \ away
IsHere(p) == p \in There /\ p \in Present /\ side[p] = "end"

Init ==
    /\ side \in [Honest -> Sides]
    /\ silent = {} /\ away = {} /\ signed = {} /\ told = {}
    /\ closed = FALSE
    /\ said = [p \in Honest |-> "none"]
    /\ kept = "none"

FallSilent(p) ==
    /\ p \in There
    /\ Cardinality(silent) < MaxSilent
    /\ silent' = silent \cup {p}
    /\ UNCHANGED <<side, away, signed, closed, said, kept, told>>

Sign(p) ==
    /\ Keeps("ED7 here", IsHere(p))
    /\ ~closed
    /\ signed' = signed \cup {p}
    /\ UNCHANGED <<side, silent, away, closed, said, kept, told>>

\* The winner merges the signatures.
Close ==
    /\ Liar \in Present
    /\ Keeps("ED1 signed", Present \ {Liar} \subseteq signed)
    /\ closed' = TRUE
    /\ UNCHANGED <<side, silent, away, signed, said, kept, told>>

\* All others, who have signed, and the liar go on without a player, and close the game by that; nobody does so who has
\* to move over.
Excuse(x) ==
    /\ x = Liar => "ED5 winner" \notin Without
    /\ x \in Present /\ ~closed
    /\ x # Liar => Keeps("ED2 silent", x \in silent)
    /\ Keeps("ED6 stands", kept # "other")
    /\ Cardinality(Present) > 2
    /\ Keeps("ED8 others", Present \ {x, Liar} \subseteq signed)
    /\ away' = away \cup {x}
    /\ closed' = TRUE
    /\ UNCHANGED <<side, silent, signed, said, kept, told>>

Tell(p) ==
    /\ IsHere(p)
    /\ Keeps("ED3 closed", closed)
    /\ told' = told \cup {p}
    /\ UNCHANGED <<side, silent, away, signed, closed, said, kept>>

\* A player who has seen both commits votes by the proof, and names the one that they hold.
Vote(p) ==
    /\ p \in There
    /\ said[p] = "none"
    /\ \E s \in Sides : Keeps("ED4 held", s = side[p]) /\ said' = [said EXCEPT ![p] = s]
    /\ UNCHANGED <<side, silent, away, signed, closed, kept, told>>

\* More than half of those who are present have voted: one of the commits that they hold survives.
Decide ==
    /\ Keeps("ED9 once", kept = "none")
    /\ \E voters \in SUBSET {p \in Honest \ away : said[p] # "none"} :
          /\ 2 * Cardinality(voters) > Cardinality(Present)
          /\ kept' \in {said[p] : p \in voters}
    /\ UNCHANGED <<side, silent, away, signed, closed, said, told>>

MoveOver(p) ==
    /\ p \in There
    /\ kept # "none"
    /\ side' = [side EXCEPT ![p] = kept]
    /\ UNCHANGED <<silent, away, signed, closed, said, kept, told>>

Next ==
    \/ \E p \in Honest : FallSilent(p) \/ Sign(p) \/ Tell(p) \/ Vote(p) \/ MoveOver(p)
    \/ \E x \in Players : Excuse(x)
    \/ Close \/ Decide

Spec ==
    /\ Init /\ [][Next]_vars
    /\ \A p \in Honest : WF_vars(Sign(p)) /\ WF_vars(Tell(p)) /\ WF_vars(Vote(p)) /\ WF_vars(MoveOver(p))
    /\ \A x \in Players : WF_vars(Excuse(x))
    /\ WF_vars(Decide)

-----------------------------------------------------------------------------
(* What is promised. *)

TypeOK ==
    /\ side \in [Honest -> Sides]
    /\ silent \subseteq Honest /\ signed \subseteq Honest /\ told \subseteq Honest
    /\ away \subseteq Players
    /\ closed \in BOOLEAN
    /\ said \in [Honest -> Sides \cup {"none"}]
    /\ kept \in Sides \cup {"none"}

\* A key is told only where everybody who is there holds this end, and the end stands for ever.
KeysFollowTheEnd == told # {} => kept # "other" /\ \A p \in There : side[p] = "end"

\* If nobody falls silent, either all see the other commit, or all tell their keys.
CardsAreOpened == [](silent = {}) => <>[](told = Honest \/ \A p \in Honest : side[p] = "other")

=============================================================================
