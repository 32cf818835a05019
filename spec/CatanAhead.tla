----------------------------- MODULE CatanAhead -----------------------------
(***************************************************************************)
(* Shares of rolls that are told ahead (ChanceAhead in Catan.tla): who can *)
(* foresee which roll, and that nobody can choose one.                     *)
(*                                                                         *)
(* Shares are numbers on a chain of rolls: whoever has told number n has   *)
(* told all before it.  A roll is made of the shares of one number, of all *)
(* who are there, or called for, with shares that nobody has told (see     *)
(* CatanChance.tla).  Players in league know each other's shares, and so   *)
(* foresee a roll once all the others have told theirs.                    *)
(*                                                                         *)
(* A turn begins with a roll.  Then its player calls for other draws, and  *)
(* buys or plays cards, as they like.  They end it, and tell their shares  *)
(* of the rolls until their own next turn.  Whoever is silent is excused.  *)
(*                                                                         *)
(* Without names guards that are taken out, for the tests: each property   *)
(* below is violated without some guard, and without each guard some is.   *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
    NPlayers,   \* how many play
    MaxTurns,   \* how many turns there are at most
    MaxCalls,   \* how many other draws are called for in a turn at most
    Jump,       \* how many rolls an excuse counts as
    Without     \* tags of guards that are left out; {} in the specification

Players == 1..NPlayers

ASSUME NPlayers > 1 /\ MaxTurns \in Nat \ {0} /\ MaxCalls \in Nat /\ Jump >= NPlayers

VARIABLES
    present,    \* who has not been excused
    turn,       \* which turn it is
    at,         \* whose
    number,     \* the number of its roll
    rolled,     \* whether they have rolled
    calls,      \* how many draws they have called for since
    holds,      \* by player whether they hold a card that can be played before the dice
    told,       \* by player the number of the last share of theirs that was told
    ahead,      \* who has told ahead, and, if the roll is still to be made, has nothing to decide before it
    known,      \* the rolls that somebody could have foreseen since the last excuse: of which turn, and of which shares
    made        \* by turn its roll: of which shares; Called, or none yet

vars == <<present, turn, at, number, rolled, calls, holds, told, ahead, known, made>>

Keeps(tag, guard) == tag \in Without \/ guard

None == {<<0, 0>>}
Called == {}

\* The player n turns after p, of those who are there.
Seat(p) == IF p = NPlayers THEN 1 ELSE p + 1
RECURSIVE NextOf(_), After(_, _)
NextOf(p) == IF Seat(p) \in present THEN Seat(p) ELSE NextOf(Seat(p))
After(p, n) == IF n = 0 THEN p ELSE After(NextOf(p), n - 1)

\* The number of the roll of turn u, who makes it, and of which shares.
Number(u) == number + (u - turn) + (IF "AH1 by turns" \in Without THEN calls ELSE 0)
Roller(u) == After(at, u - turn)
Roll(u) == {<<p, Number(u)>> : p \in present}

\* The turns whose roll is still to be made, as far as anybody can have told shares of it.
Coming == {u \in turn..(turn + NPlayers) : u <= MaxTurns /\ (u = turn => ~rolled)}

\* Who of those who are there has not told their share of the roll of turn u.
Untold(u) == {p \in present : told[p] < Number(u)}

\* The roll of turn u will need no call, as it stands: who rolls could play no card before it, and all have told ahead, or will.
PlayersBefore(u) == {Roller(v) : v \in turn..(u - 1)}
IsComing(u) == /\ present \subseteq ahead \cup PlayersBefore(u)
               /\ Roller(u) \in {at} \cup PlayersBefore(u) \/ Keeps("AH4 card", ~holds[Roller(u)])

\* What those can foresee now who are in league, if somebody else has told a share of it.
Foreseen == {<<u, Roll(u)>> : u \in {v \in Coming : IsComing(v) /\ Untold(v) # present}}

IsAhead == present \subseteq ahead

Init ==
    /\ present = Players
    /\ turn = 1 /\ at = 1 /\ number = 1
    /\ rolled = FALSE /\ calls = 0
    /\ holds = [p \in Players |-> FALSE]
    /\ told = [p \in Players |-> 0]
    /\ ahead = {}
    /\ known = {}
    /\ made = [u \in 1..MaxTurns |-> None]

\* Who is at turn rolls, with the share of theirs that is still missing.
RollAhead ==
    /\ ~rolled /\ IsAhead
    /\ rolled' = TRUE
    /\ made' = [made EXCEPT ![turn] = Roll(turn)]
    /\ told' = [told EXCEPT ![at] = Number(turn)]
    /\ ahead' = ahead \ {at}
    /\ UNCHANGED <<present, turn, at, number, calls, holds>>

\* Who is at turn calls for their roll, which takes other shares of everybody.
RollWithCall ==
    /\ ~rolled
    /\ Keeps("AH2 forced", ~IsAhead)
    /\ rolled' = TRUE
    /\ made' = [made EXCEPT ![turn] = Called]
    /\ ahead' = ahead \ {at}
    /\ UNCHANGED <<present, turn, at, number, calls, holds, told>>

\* Who is at turn calls for something else.
CallMore ==
    /\ rolled
    /\ calls < MaxCalls
    /\ calls' = calls + 1
    /\ UNCHANGED <<present, turn, at, number, rolled, holds, told, ahead, made>>

\* A player buys a card, in their turn, or plays it, then or before the dice.
BuyOrPlay(p) ==
    /\ Keeps("AH3 in turn", p = at)
    /\ rolled \/ holds[p]
    /\ holds' = [holds EXCEPT ![p] = ~@]
    /\ UNCHANGED <<present, turn, at, number, rolled, calls, told, ahead, made>>

\* Who is at turn ends it and tells their shares until their next turn.
EndTurn ==
    /\ rolled
    /\ turn < MaxTurns
    /\ turn' = turn + 1
    /\ at' = NextOf(at)
    /\ number' = Number(turn + 1)
    /\ told' = [told EXCEPT ![at] = Number(turn) + Cardinality(present) - (IF "AH7 until" \in Without THEN 0 ELSE 1)]
    /\ ahead' = IF Keeps("AH4 card", ~holds[NextOf(at)]) THEN ahead \cup {at} ELSE (ahead \cup {at}) \ {NextOf(at)}
    /\ rolled' = FALSE /\ calls' = 0
    /\ UNCHANGED <<present, holds, made>>

\* All others excuse a player, whose turn is over if it was theirs.
Excuse(x) ==
    /\ x \in present /\ Cardinality(present) > 2
    /\ at = x => turn < MaxTurns
    /\ present' = present \ {x}
    /\ turn' = IF at = x THEN turn + 1 ELSE turn
    /\ at' = IF at = x THEN NextOf(x) ELSE at
    /\ number' = LET next == IF at = x THEN Number(turn + 1) ELSE number
                 IN IF {"AH5 void", "AH6 anew"} \cap Without # {} THEN next ELSE next + Jump
    /\ rolled' = IF at = x THEN FALSE ELSE rolled
    /\ calls' = IF at = x THEN 0 ELSE calls
    /\ ahead' = IF "AH5 void" \in Without THEN ahead \ {x} ELSE {}
    /\ UNCHANGED <<holds, told, made>>

Next ==
    /\ \/ RollAhead
       \/ RollWithCall
       \/ CallMore
       \/ \E p \in present : BuyOrPlay(p)
       \/ EndTurn
       \/ \E x \in Players : Excuse(x)
    /\ known' = IF present' = present THEN known \cup Foreseen ELSE {}

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* What is promised. *)

TypeOK ==
    /\ present \subseteq Players /\ at \in present
    /\ turn \in 1..MaxTurns /\ number \in Nat /\ rolled \in BOOLEAN /\ calls \in 0..MaxCalls
    /\ holds \in [Players -> BOOLEAN] /\ told \in [Players -> Nat] /\ ahead \subseteq present
    /\ \A one \in known : one[1] \in 1..MaxTurns

\* Nobody can choose: a roll that anybody could have foreseen is made, unless somebody leaves the game before it.
KnownIsMade == \A one \in known : made[one[1]] \in {None, one[2]}

\* Nobody knows two rolls of a turn, whatever is called for.
NoTwoKnown == \A one, other \in known \cup Foreseen : one[1] = other[1] => one = other

\* Nor does who excuses choose between two rolls that they know: any that they knew is for nothing, and they know no other.
ExcusesMakeAnew == [][present' # present => Foreseen' = {}]_vars

\* Who foresees a roll are at least all those together whose turns come until it is made: for the next one, who is at turn and
\* who rolls next.
WhoForesees == \A one \in Foreseen : {Roller(v) : v \in turn..one[1]} \subseteq Untold(one[1])

\* So one player alone foresees their own roll only, once it is their turn, and there is nothing left to decide before it.
AloneNothingIsLeft ==
    \A one \in Foreseen : Cardinality(Untold(one[1])) = 1 => one[1] = turn /\ Untold(turn) = {at} /\ ~holds[at]

\* Of two players nobody foresees a roll before the turn before it has ended.
OfTwoNobodyForesees == NPlayers = 2 => \A one \in Foreseen : one[1] = turn

=============================================================================
