---------------------------- MODULE CatanPatience ---------------------------
(***************************************************************************)
(* How long one voter waits for one player in one turn of theirs.  Catan   *)
(* and CatanViews have no time; here it passes in ticks.                   *)
(*                                                                         *)
(* The voter has two clocks: of silence, since the newest commit, and of   *)
(* the turn, all the time in which the player was waited for, no single    *)
(* wait counting for more than one patience.  It votes as soon as the      *)
(* first shows one patience, or the second shows Patiences of them.  A     *)
(* commit sets the first to 0, and only the end of the turn the second.    *)
(*                                                                         *)
(* The player commits when they like, at most MaxActs times without ending *)
(* the turn: what Catan bounds by OffersPerTurn and ProposalsPerTurn.      *)
(***************************************************************************)
EXTENDS Naturals

CONSTANTS
    Patience,   \* ticks of silence after which the voter votes
    Patiences,  \* how many of them a turn may take
    MaxActs,    \* how often the player can commit without ending the turn; 0: any number
    Without     \* tags of guards that are left out; {} in the specification

ASSUME Patience \in Nat \ {0} /\ Patiences \in Nat \ {0} /\ MaxActs \in Nat

VARIABLES
    silent,     \* ticks since the newest commit
    before,     \* ticks that the player was waited for in this turn before that, as the voter counts them
    acts,       \* how many commits of the turn there are; 0 where any number is allowed
    turn        \* "open", "ended" by the player, "voted" on

vars == <<silent, before, acts, turn>>

Keeps(tag, guard) == tag \in Without \/ guard

Capped(wait) == IF wait > Patience THEN Patience ELSE wait

\* What the clock of the turn shows.
Taken == before + Capped(silent)

IsOver ==
    \/ "OV1 silence" \notin Without /\ silent >= Patience
    \/ "OV2 turn" \notin Without /\ Taken >= Patiences * Patience

Init == silent = 0 /\ before = 0 /\ acts = 0 /\ turn = "open"

\* Time passes; not while the voter, who votes at once, has something to do.
Tick ==
    /\ turn = "open"
    /\ ~IsOver
    /\ silent' = Capped(silent + 1)
    /\ UNCHANGED <<before, acts, turn>>

\* The player commits something, and the turn goes on.
Act ==
    /\ turn = "open"
    /\ ~IsOver
    /\ MaxActs > 0 => acts < MaxActs
    /\ acts' = IF MaxActs = 0 THEN 0 ELSE acts + 1
    /\ before' = Taken
    /\ silent' = 0
    /\ UNCHANGED turn

End ==
    /\ turn = "open"
    /\ turn' = "ended"
    /\ UNCHANGED <<silent, before, acts>>

Vote ==
    /\ turn = "open"
    /\ Keeps("VT1 over", IsOver)
    /\ turn' = "voted"
    /\ UNCHANGED <<silent, before, acts>>

Next == Tick \/ Act \/ End \/ Vote

\* Time passes, and the voter votes when it is time.  The player need do nothing.
Spec == Init /\ [][Next]_vars /\ WF_vars(Tick) /\ WF_vars(Vote)

-----------------------------------------------------------------------------
(* What is promised. *)

TypeOK ==
    /\ silent \in 0..Patience
    /\ before \in 0..(Patiences * Patience)
    /\ acts \in 0..MaxActs
    /\ turn \in {"open", "ended", "voted"}

\* Nobody is voted on who commits something within each patience, and takes fewer than Patiences of them for the turn.
NobodyEarly == turn = "voted" => silent >= Patience \/ Taken >= Patiences * Patience

\* Every turn ends, or is voted on: by the bound of its commits and the clock of the turn, also one that is dragged on.
TurnsEnd == <>(turn # "open")

\* It takes no longer than its patiences.
NoLonger == Taken <= Patiences * Patience

=============================================================================
