------------------------------ MODULE CatanTold ------------------------------
(***************************************************************************)
(* The deck of hidden cards where a liar has shown two continuations, A    *)
(* and B, of one commit: a card whose share was told on A is not sold on B *)
(* as if nobody had seen it.                                               *)
(*                                                                         *)
(* One player is honest and on side A; everybody else lies and knows every *)
(* share that was ever told, so they can open each card whose share this   *)
(* player has told.  A change of the view decides for B, and leaves the    *)
(* liar out; no card is sold on B before the liar is excused there and     *)
(* everybody shuffles the rest anew.  A purchase that waits then is        *)
(* dropped, and its card is shuffled with it.                              *)
(*                                                                         *)
(* A card is a handle: <<shuffle, number>>.  Both sides begin with the     *)
(* deck as it lay at the commit that both continue.                        *)
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
    sold,       \* by side, the cards that were sold
    called,     \* by side, the card that a buyer has called for; NoCard if none
    told        \* by side, the cards whose share the player has told

vars == <<side, shuffles, sold, called, told>>

Keeps(tag, guard) == tag \in Without \/ guard

Init ==
    /\ side = "A"
    /\ shuffles = [s \in Sides |-> 0]
    /\ sold = [s \in Sides |-> {}]
    /\ called = [s \in Sides |-> NoCard]
    /\ told = [s \in Sides |-> {}]

\* Somebody calls for the next card.
Call(s) ==
    /\ called[s] = NoCard
    /\ Cardinality(sold[s]) < Cards
    /\ called' = [called EXCEPT ![s] = <<shuffles[s], Cardinality(sold[s]) + 1>>]
    /\ UNCHANGED <<side, shuffles, sold, told>>

\* The player tells their share.
Tell ==
    /\ called[side] \notin {NoCard} \cup told[side]
    /\ told' = [told EXCEPT ![side] = @ \cup {called[side]}]
    /\ UNCHANGED <<side, shuffles, sold, called>>

\* All shares are told, and the card is sold.
Sell ==
    /\ called[side] \in told[side]
    /\ Keeps("TD1 shuffled", side = "B" => shuffles["B"] > 0)
    /\ sold' = [sold EXCEPT ![side] = @ \cup {called[side]}]
    /\ called' = [called EXCEPT ![side] = NoCard]
    /\ UNCHANGED <<side, shuffles, told>>

\* The decision comes: B survives.
MoveOver ==
    /\ side = "A"
    /\ side' = "B"
    /\ UNCHANGED <<shuffles, sold, called, told>>

\* The liar is excused, and the rest of the deck is shuffled anew; a buyer who waits calls again.
Shuffle ==
    /\ "TD2 anew" \notin Without
    /\ side = "B"
    /\ shuffles["B"] = 0
    /\ shuffles' = [shuffles EXCEPT !["B"] = 1]
    /\ called' = [called EXCEPT !["B"] = IF "TD3 dropped" \in Without THEN @ ELSE NoCard]
    /\ UNCHANGED <<side, sold, told>>

Next == (\E s \in Sides : Call(s)) \/ Tell \/ Sell \/ MoveOver \/ Shuffle

Spec == Init /\ [][Next]_vars /\ WF_vars(Tell) /\ WF_vars(Sell) /\ WF_vars(Shuffle)

-----------------------------------------------------------------------------
(* What is promised. *)

TypeOK ==
    /\ side \in Sides
    /\ shuffles \in [Sides -> 0..1]
    /\ \A s \in Sides :
        /\ called[s] \in {NoCard} \cup ({0, 1} \X (1..Cards))
        /\ told[s] \subseteq {0, 1} \X (1..Cards) /\ sold[s] \subseteq told[s]

\* No card is sold on B whose share was told on A.
NoCardIsKnownBefore == told["A"] \cap sold["B"] = {}

\* Every buyer on B gets a card, or may call again.
EveryBuyerIsServed == (side = "B" /\ called["B"] # NoCard) ~> called["B"] = NoCard

=============================================================================
