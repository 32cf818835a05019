---------------------------- MODULE CatanShares ----------------------------
(***************************************************************************)
(* The shares of one honest player where a liar has shown two              *)
(* continuations, A and B, of one commit: no share that was told is used   *)
(* for a decision that is made later.                                      *)
(*                                                                         *)
(* The player is on side A, and everybody else lies: they call for draws   *)
(* there, and on B for others; they know every share that was ever told.   *)
(* B survives.  The player's vote says that all shares up to number Spent  *)
(* may have been told on A (CatanSettling.tla has the rest of votes).      *)
(* Callers merge the vote or leave it out, as they like; a reveal can      *)
(* bring it.  On each side one call at a time waits for the player.        *)
(*                                                                         *)
(* Shares are numbers: that of a draw leads back to all before it.  The    *)
(* numbers begin with 1 at the commit that both sides continue.            *)
(*                                                                         *)
(* CatanTable refines this (SharesAreTold of MCTable); here callers may    *)
(* leave the vote out, and more shares be told than the vote counts.       *)
(*                                                                         *)
(* Without names guards that are taken out, for the tests: each property   *)
(* below is violated without some guard.                                   *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
    Spent,      \* up to which number a vote says that shares may have been told
    MaxCalls,   \* how many calls a side has at most
    Without     \* tags of guards that are left out; {} in the specification

Sides == {"A", "B"}

ASSUME Spent \in Nat \ {0} /\ MaxCalls \in Nat \ {0}

VARIABLES
    calls,      \* by side, how many calls there were
    told,       \* all shares that the player has told: for which call of which side, and the share's number
    side,       \* which side the player is on
    voted,      \* whether the player has voted
    merged      \* whether the line of side B has the vote

vars == <<calls, told, side, voted, merged>>

Keeps(tag, guard) == tag \in Without \/ guard

On(s) == {t \in told : t.side = s}

Last(shares) == IF shares = {} THEN 0 ELSE CHOOSE n \in {t.number : t \in shares} : \A t \in shares : t.number <= n

\* Whether the newest call of a side waits for the player's share.
IsDue(s) == calls[s] > Cardinality(On(s))

Max(a, b) == IF a > b THEN a ELSE b

\* The number of the share that the line of a side asks for next, if it has the vote or not.
Number(s, has) == 1 + IF s = "B" /\ has THEN Max(Last(On(s)), Spent) ELSE Last(On(s))

Init ==
    /\ calls = [s \in Sides |-> 0]
    /\ told = {}
    /\ side = "A"
    /\ voted = FALSE
    /\ merged = FALSE

\* Somebody calls for a draw, and merges the vote if they like.
Call(s, merges) ==
    /\ ~IsDue(s)
    /\ calls[s] < MaxCalls
    /\ merges => s = "B" /\ voted
    /\ calls' = [calls EXCEPT ![s] = @ + 1]
    /\ merged' = (merged \/ merges)
    /\ UNCHANGED <<told, side, voted>>

\* The player tells the share that the line asks for; brings says whether the reveal merges the vote.
Tell(brings) ==
    LET has == "SH1 spent" \notin Without /\ (merged \/ brings)
        number == Number(side, has)
    IN  /\ IsDue(side)
        /\ brings <=> side = "B" /\ voted /\ ~merged /\ "SH2 late" \notin Without
        /\ Keeps("SH3 once", number > Last(told))
        /\ told' = told \cup {[side |-> side, call |-> calls[side], number |-> number]}
        /\ merged' = (merged \/ brings)
        /\ UNCHANGED <<calls, side, voted>>

\* The player has the proof of the lie.
Vote ==
    /\ ~voted
    /\ voted' = TRUE
    /\ UNCHANGED <<calls, told, side, merged>>

\* All votes are there: B survives.
MoveOver ==
    /\ voted
    /\ side = "A"
    /\ side' = "B"
    /\ UNCHANGED <<calls, told, voted, merged>>

Next ==
    \/ \E s \in Sides, merges \in BOOLEAN : Call(s, merges)
    \/ \E brings \in BOOLEAN : Tell(brings)
    \/ Vote
    \/ MoveOver

Spec == Init /\ [][Next]_vars /\ WF_vars(\E brings \in BOOLEAN : Tell(brings))

-----------------------------------------------------------------------------
(* What is promised. *)

TypeOK ==
    /\ calls \in [Sides -> 0..MaxCalls]
    /\ told \subseteq [side : Sides, call : 1..MaxCalls, number : 1..(MaxCalls + Spent)]
    /\ side \in Sides
    /\ voted \in BOOLEAN /\ merged \in BOOLEAN

\* A told share is never used for a decision made later: every share was told for one call only.
NoShareOutlivesItsCall == \A t, other \in told : t.number = other.number => t = other

\* Nor is one told that leads back to it through a share that was not: what is told for a later call is a later share.
LaterCallsTakeLaterShares == \A t \in On("A"), other \in On("B") : other.number > t.number

\* Play goes on: who has told no more on A than the vote says tells a share for every call on B.
EveryCallIsAnswered == (side = "B" /\ IsDue("B") /\ Last(On("A")) <= Spent) ~> ~IsDue("B")

=============================================================================
