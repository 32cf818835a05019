------------------------------ MODULE MCUnseen ------------------------------
(***************************************************************************)
(* Small tables for CatanUnseen.tla.  Player 1 holds sealed cards, any;    *)
(* player 2 a known hand of two kinds, player 3 nothing or a sealed card   *)
(* that player 1 can open, having been robbed of it.                       *)
(***************************************************************************)
EXTENDS CatanUnseen

TwoKinds == {"Lumber", "Ore"}

LOCAL Table(first, third, deck) ==
    [known |-> <<<<>>, <<"Lumber", "Ore">>, <<>>>>,
     sealed |-> <<Sealed(1, first), <<>>, third>>,
     bought |-> <<<<>>, <<>>, <<>>>>,
     deck |-> deck,
     told |-> <<>>]

\* Player 1 has two sealed cards, any.
Mixed == {Table(first, <<>>, <<>>) : first \in [1..2 -> Kinds]}

\* Player 3 holds a card that was player 1's and one that nobody else knows.
Robbed ==
    {Table(<<>>, <<[card |-> "Lumber", opens |-> {1, 3}], [card |-> kind, opens |-> {3}]>>, <<>>) : kind \in Kinds}

\* A deck of two cards, in any order.
Shuffled == {Table(<<"Lumber">>, <<>>, deck) : deck \in [1..2 -> Kinds]}

=============================================================================
