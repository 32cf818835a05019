------------------------------ MODULE CatanTold ------------------------------
(***************************************************************************)
(* The deck of hidden cards where a liar has shown two continuations, A    *)
(* and B, of one commit: a card whose share was told on A is not sold on B *)
(* as if nobody had seen it.                                               *)
(*                                                                         *)
(* One player is honest and on side A; everybody else lies and knows every *)
(* share that was ever told, so they can open each card whose share this   *)
(* player has told.  B survives.  Votes are CatanSettling.tla's.           *)
(*                                                                         *)
(* A card is a handle: <<shuffle, number>>.  Both sides begin with the     *)
(* deck as it lay at the commit that both continue; on B it is shuffled    *)
(* once more by everybody, the honest player among them.                   *)
(*                                                                         *)
(* Without names guards that are taken out, for the tests.                 *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
    Cards,      \* how many cards the deck has
    Without     \* tags of guards that are left out; {} in the specification

Sides == {"A", "B"}
NoCard == <<0, 0>>

VARIABLES
    side,       \* which side the player is on
    shuffles,   \* by side, how often the deck was shuffled after the commit that both continue
    sold,       \* by side, how many cards were sold
    called,     \* by side, the card that a buyer has called for; NoCard if none
    told        \* by side, the cards whose share the player has told

vars == <<side, shuffles, sold, called, told>>

Keeps(tag, guard) == tag \in Without \/ guard

Init ==
    /\ side = "A"
    /\ shuffles = [s \in Sides |-> 0]
    /\ sold = [s \in Sides |-> 0]
    /\ called = [s \in Sides |-> NoCard]
    /\ told = [s \in Sides |-> {}]

\* Somebody calls for the next card.
Call(s) ==
    /\ called[s] = NoCard
    /\ sold[s] < Cards
    /\ called' = [called EXCEPT ![s] = <<shuffles[s], sold[s] + 1>>]
    /\ UNCHANGED <<side, shuffles, sold, told>>

\* The player tells their share, and the card is sold.
Tell ==
    /\ called[side] # NoCard
    /\ Keeps("TD1 shuffled", side = "B" => shuffles["B"] > 0)
    /\ told' = [told EXCEPT ![side] = @ \cup {called[side]}]
    /\ sold' = [sold EXCEPT ![side] = @ + 1]
    /\ called' = [called EXCEPT ![side] = NoCard]
    /\ UNCHANGED <<side, shuffles>>

\* All votes are there: B survives.
MoveOver ==
    /\ side = "A"
    /\ side' = "B"
    /\ UNCHANGED <<shuffles, sold, called, told>>

\* The rest of the deck is shuffled anew; a buyer who waits gets a card of the new deck.
Shuffle ==
    /\ "TD2 anew" \notin Without
    /\ side = "B"
    /\ shuffles["B"] = 0
    /\ shuffles' = [shuffles EXCEPT !["B"] = 1]
    /\ called' = [called EXCEPT !["B"] = IF @ = NoCard THEN NoCard ELSE <<1, @[2]>>]
    /\ UNCHANGED <<side, sold, told>>

Next == (\E s \in Sides : Call(s)) \/ Tell \/ MoveOver \/ Shuffle

Spec == Init /\ [][Next]_vars /\ WF_vars(Tell) /\ WF_vars(Shuffle)

-----------------------------------------------------------------------------
(* What is promised. *)

TypeOK ==
    /\ side \in Sides
    /\ shuffles \in [Sides -> 0..1]
    /\ sold \in [Sides -> 0..Cards]
    /\ \A s \in Sides : called[s] \in {NoCard} \cup ({0, 1} \X (1..Cards)) /\ told[s] \subseteq {0, 1} \X (1..Cards)

\* No card is sold on B whose share was told on A.
NoCardIsKnownBefore == told["A"] \cap told["B"] = {}

\* Every buyer on B gets a card.
EveryBuyerIsServed == (side = "B" /\ called["B"] # NoCard) ~> called["B"] = NoCard

=============================================================================
