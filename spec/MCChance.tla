------------------------------- MODULE MCChance -----------------------------
(***************************************************************************)
(* Chance that three players make together: the dice, thefts by the bandit *)
(* and by a knight, development cards bought in a turn and between two.    *)
(* Everybody but the caller reveals, in every order.  Player 1 has two     *)
(* knights and cards of three types, player 2 of two, player 3 of one: a   *)
(* theft from player 3 needs no draw.                                      *)
(***************************************************************************)
EXTENDS MC

\* An island at row r: its land has one settlement point.
LOCAL Place(r, terrain, n) == <<
    [arr |-> 0, row |-> r, col |-> 1, terrain |-> "sea", n |-> 0],
    [arr |-> 1, row |-> r, col |-> 1, terrain |-> terrain, n |-> n],
    [arr |-> 1, row |-> r, col |-> 2, terrain |-> "sea", n |-> 0]
>>

SixTiles == Place(0, "desert", 0) \o Place(3, "forest", 3) \o Place(6, "hills", 3)
            \o Place(9, "pasture", 3) \o Place(12, "fields", 3) \o Place(15, "desert", 0)

ModelRCP == Cards(1, 0, 2, 1, 1)
ModelDCP == DevCards(0, 0, 0, 3, 1)
ModelBP == Pieces(0, 2, 0)

ModelStart ==
    Begun("DiceRoll", [sp \in DOMAIN CT |-> (sp + 1) \div 2], <<>>,
          <<Cards(0, 0, 1, 1, 1), Cards(1, 0, 1, 0, 0), NoResources>>,
          <<DevCards(0, 0, 0, 2, 0), NoDevCards, NoDevCards>>)

=============================================================================
