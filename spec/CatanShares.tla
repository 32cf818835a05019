---------------------------- MODULE CatanShares ----------------------------
(***************************************************************************)
(* The shares of one honest player where a commit was continued on two     *)
(* sides, A and B: no share that was told is used for a decision that is   *)
(* made later.                                                             *)
(*                                                                         *)
(* The player is on side A, and everybody else lies: they call for draws   *)
(* there, and on B for others; they know every share that was ever told.   *)
(* A change of the view decides for B (CatanViews.tla has how), and what   *)
(* was done on A is undone.  A call may have been made on B before that.   *)
(* A share comes after all that the player has told, on whatever side:     *)
(* their next commit links to it.  On each side one call at a time waits   *)
(* for the player.                                                         *)
(*                                                                         *)
(* Shares are numbers: that of a draw leads back to all before it.  The    *)
(* numbers begin with 1 at the commit that both sides continue.            *)
(*                                                                         *)
(* Without names guards that are taken out, for the tests: each property   *)
(* below is violated without some guard.                                   *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
    MaxCalls,   \* how many calls a side has at most
    Without     \* tags of guards that are left out; {} in the specification

Sides == {"A", "B"}

ASSUME MaxCalls \in Nat \ {0}

VARIABLES
    calls,      \* by side, how many calls there were
    told,       \* all shares that the player has told: for which call of which side, and the share's number
    side        \* which side the player is on

vars == <<calls, told, side>>

On(s) == {t \in told : t.side = s}

Last(shares) == IF shares = {} THEN 0 ELSE CHOOSE n \in {t.number : t \in shares} : \A t \in shares : t.number <= n

\* Whether the newest call of a side waits for the player's share.
IsDue(s) == calls[s] > Cardinality(On(s))

\* The number of the share that is asked for next on a side.
Number(s) == 1 + Last(IF "SH1 chain" \in Without THEN On(s) ELSE told)

Init ==
    /\ calls = [s \in Sides |-> 0]
    /\ told = {}
    /\ side = "A"

\* Somebody calls for a draw.
Call(s) ==
    /\ ~IsDue(s)
    /\ calls[s] < MaxCalls
    /\ calls' = [calls EXCEPT ![s] = @ + 1]
    /\ UNCHANGED <<told, side>>

\* The player tells the share that the line asks for.
Tell ==
    /\ IsDue(side)
    /\ told' = told \cup {[side |-> side, call |-> calls[side], number |-> Number(side)]}
    /\ UNCHANGED <<calls, side>>

\* The decision comes, and the player goes on from B.
MoveOver ==
    /\ side = "A"
    /\ side' = "B"
    /\ UNCHANGED <<calls, told>>

Next ==
    \/ \E s \in Sides : Call(s)
    \/ Tell
    \/ MoveOver

Spec == Init /\ [][Next]_vars /\ WF_vars(Tell)

-----------------------------------------------------------------------------
(* What is promised. *)

TypeOK ==
    /\ calls \in [Sides -> 0..MaxCalls]
    /\ told \subseteq [side : Sides, call : 1..MaxCalls, number : 1..(2 * MaxCalls)]
    /\ side \in Sides

\* A told share is never used for a decision made later: every share was told for one call only.
NoShareOutlivesItsCall == \A t, other \in told : t.number = other.number => t = other

\* Nor is one told that leads back to it through a share that was not: what is told for a later call is a later share.
LaterCallsTakeLaterShares == \A t \in On("A"), other \in On("B") : other.number > t.number

\* Play goes on: the player tells a share for every call on B.
EveryCallIsAnswered == (side = "B" /\ IsDue("B")) ~> ~IsDue("B")

=============================================================================
