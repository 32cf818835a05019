------------------------------- MODULE MCChance -----------------------------
(***************************************************************************)
(* Chance that three players make together: a card bought between two      *)
(* turns, then a turn with the dice, thefts by the bandit and by a knight, *)
(* before the dice and after them.  Everybody but the caller reveals, in   *)
(* every order.  Player 2, whose turn it will be, has two knights, player  *)
(* 1 cards of two types; player 3, who may buy a card, of three.  A theft  *)
(* of one among cards of one type needs no draw.                           *)
(***************************************************************************)
EXTENDS MC

ModelRules == [NoTrade EXCEPT !.PointsToWin = 2, !.HandLimit = 2, !.BanditTargets = "adversary",
                              !.WinCheck = "turn_end", !.SpecialBuilding = TRUE, !.Chance = "joint"]
LastKnightRules == [ModelRules EXCEPT !.DevCardsPerTurn = 2]
LeavingRules == [ModelRules EXCEPT !.Leaving = TRUE]
AheadRules == [ModelRules EXCEPT !.PointsToWin = 3, !.SpecialBuilding = FALSE, !.ChanceAhead = TRUE]
LeavingAheadRules == [AheadRules EXCEPT !.Leaving = TRUE]
ReturnRules == [LeavingRules EXCEPT !.HandLimit = 1, !.PointsToWin = 3, !.Returns = 2]
ReturnAheadRules == [LeavingAheadRules EXCEPT !.Returns = 1]

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
    LET begun == Begun("SpecialBuilding", [sp \in DOMAIN CT |-> (sp + 1) \div 2], <<>>,
                       <<Cards(1, 0, 1, 0, 0), NoResources, Cards(0, 0, 1, 1, 1)>>,
                       <<NoDevCards, DevCards(0, 0, 0, 2, 0), NoDevCards>>)
    IN [begun EXCEPT !.G.sb = 3]

NoDCP == DevCards(0, 0, 0, 0, 0)

\* Nobody holds a development card, and player 3 alone may come back, twice if they hold back nothing.
OneReturns ==
    LET begun == Begun("SpecialBuilding", [sp \in DOMAIN CT |-> (sp + 1) \div 2], <<>>,
                       <<NoResources, NoResources, Cards(0, 0, 1, 1, 1)>>, <<NoDevCards, NoDevCards, NoDevCards>>)
    IN [begun EXCEPT !.G.sb = 3, !.G.ret[1].left = 0, !.G.ret[2].left = 0]

\* Player 3 has left with one village, and has missed a turn.
OneUnsettled ==
    [OneReturns EXCEPT !.G.away[3] = TRUE, !.G.sb = NoOwner, !.G.tp = "DiceRoll", !.G.b[3].Village = @ + 1,
                       !.G.ret[3].missed = TRUE,
                       !.G.s[CHOOSE sp \in DOMAIN CT : OneReturns.G.s[sp].own = 3] = [own |-> NoOwner, st |-> "none"]]

StaysAway == G.away[3]

\* The same with one knight only, where two cards may be played in a turn.
OneKnight ==
    [ModelStart EXCEPT !.G.h[2].DC.AC.Knight = 1, !.G.bnk.DC.Knight = @ + 1]

\* Player 1 ends a turn; player 2 has a knight to play before the dice.
AheadStart ==
    Begun("TradingBuilding", [sp \in DOMAIN CT |-> (sp + 1) \div 2], <<>>,
          <<NoResources, NoResources, Cards(1, 0, 1, 0, 0)>>, <<NoDevCards, DevCards(0, 0, 0, 1, 0), NoDevCards>>)

\* Player 3 has left, and player 2 may not come back.
OneReturnsAhead ==
    [AheadStart EXCEPT !.G.away[3] = TRUE, !.G.ret[1].left = 0, !.G.ret[2].left = 0]

\* Shares are told ahead by who ends a turn, and are for no roll any more once the player has rolled or anybody has left.
\* Who can play a card before the dice rolls with a call.
AheadIsTold ==
    [][/\ \A p \in Players :
             ~G.ahead[p] /\ G'.ahead[p] => p = G.ap /\ G'.ap # p /\ G'.away = G.away /\ G.tp = "TradingBuilding"
       /\ G'.ap # G.ap /\ G'.tp = "DiceRoll" /\ G'.away = G.away => G'.ahead[G.ap]
       /\ G'.away # G.away \/ ~ChanceAhead => \A p \in Players : ~G'.ahead[p]
       /\ G.dice = 0 /\ G'.dice # 0 => ~G'.ahead[G.ap]
       /\ G.tp = "DiceRoll" /\ G.h[G.ap].DC.AC.Knight > 0 => G'.dice = 0
       /\ G.tp = "DiceRoll" /\ (\A p \in Players : G.ahead[p] \/ G.away[p]) =>
             G'.tp # "Drawing" /\ G'.h[G.ap].DC = G.h[G.ap].DC]_vars

=============================================================================
