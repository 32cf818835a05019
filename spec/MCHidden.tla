------------------------------ MODULE MCHidden ------------------------------
(***************************************************************************)
(* Games of hidden hands, one turn long: each land tile has one settlement *)
(* point; player 1 has two points and wins at the end of the turn.         *)
(***************************************************************************)
EXTENDS MC, CatanHidden

\* An island at row r: its land has one settlement point.
LOCAL Place(r, terrain, n) == <<
    [arr |-> 0, row |-> r, col |-> 1, terrain |-> "sea", n |-> 0],
    [arr |-> 1, row |-> r, col |-> 1, terrain |-> terrain, n |-> n],
    [arr |-> 1, row |-> r, col |-> 2, terrain |-> "sea", n |-> 0]
>>

SixTiles == Place(0, "desert", 0) \o Place(3, "forest", 3) \o Place(6, "hills", 3)
            \o Place(9, "pasture", 3) \o Place(12, "fields", 3) \o Place(15, "desert", 0)

\* These cards, sealed by player p.
LOCAL By(p, cards) == [i \in DOMAIN cards |-> [card |-> cards[i], opens |-> {p}]]

Short == [NoTrade EXCEPT !.PointsToWin = 2, !.HandLimit = 2, !.BanditTargets = "adversary", !.WinCheck = "turn_end"]
WinRules == [Short EXCEPT !.PointsToWin = 3, !.WinCheck = "at_once"]
LeavingRules == [Short EXCEPT !.Leaving = TRUE]
TalkRules == [Standard EXCEPT !.PointsToWin = 2, !.WinCheck = "turn_end", !.StartOrder = "seat"]

\* The game where the players hold these known cards, those sealed ones, and player 1 these development cards.
LOCAL Hidden(tp, known, sealed, held) ==
    LET begun == Begun(tp, [sp \in DOMAIN CT |-> (sp + 1) \div 2], <<>>, known, [p \in Players |-> NoDevCards])
        within(p, res) == Cardinality({i \in DOMAIN sealed[p] : sealed[p][i] = res})
    IN /\ SU = begun.SU
       /\ G = [begun.G EXCEPT !.bnk.RC = [res \in RCT |-> @[res] - Total([p \in Players |-> within(p, res)])]]
       /\ seals = [p \in Players |-> By(p, sealed[p])]
       /\ deck \in Decks(SubRec(DCP, held))
       /\ theft = NoTheft
       /\ shares = {}
       /\ piles = [p \in Players |-> [bought |-> NoneHeld, held |-> IF p = 1 THEN held ELSE NoneHeld]]
       /\ wanted = NoneWanted
       /\ proven = {}
       /\ opened = {}

\* A seven: player 2 has a sealed and a known card too many and discards; 3 has known cards only; 1 robs either and a knight
\* robs again.
SevenInit == Hidden("DiceRoll", <<NoResources, Cards(0, 1, 0, 0, 1), Cards(1, 0, 1, 0, 0)>>, <<<<>>, <<"Lumber", "Wool">>, <<>>>>,
                    NoDevCards)
SevenRCP == Cards(2, 1, 2, 0, 1)

\* A monopoly takes known and sealed cards, and what is left pays for trades.
MonopolyInit ==
    Hidden("TradingBuilding", <<NoResources, Cards(0, 1, 0, 0, 0), NoResources>>,
           <<<<>>, <<"Lumber", "Ore">>, <<"Lumber", "Lumber">>>>, DevCards(1, 0, 0, 0, 0))
MonopolyRCP == Cards(3, 1, 0, 0, 1)

\* Two cards of the deck, one of them a point, and a knight that robs.
DeckInit ==
    Hidden("TradingBuilding", <<Cards(0, 0, 1, 1, 1), NoResources, Cards(1, 1, 0, 0, 0)>>, <<<<"Wool">>, <<"Ore">>, <<>>>>,
           DevCards(0, 0, 0, 1, 0))
DeckRCP == Cards(1, 1, 2, 1, 2)

\* A theft from whom another may be silent or lie.
TheftInit == Hidden("MovingBandit", <<NoResources, Cards(0, 1, 0, 0, 0), Cards(1, 0, 0, 0, 0)>>, <<<<>>, <<"Lumber">>, <<>>>>, NoDevCards)
TheftSpec == TheftInit /\ [][HiddenNext]_hiddenVars /\ HiddenFair
TheftRCP == Cards(2, 1, 0, 0, 0)

\* A monopoly, and a card to buy: anybody may leave.
LeaveInit ==
    Hidden("TradingBuilding", <<Cards(0, 0, 1, 1, 1), Cards(0, 1, 0, 0, 0), NoResources>>, <<<<>>, <<"Lumber">>, <<"Lumber">>>>,
           DevCards(1, 0, 0, 0, 0))
LeaveRCP == Cards(2, 1, 1, 1, 1)

\* Trades between players: sealed cards pay for them.
TradeInit ==
    Hidden("TradingBuilding", <<Cards(0, 1, 0, 0, 0), NoResources, NoResources>>, <<<<"Wool">>, <<"Lumber">>, <<>>>>, NoDevCards)
TradeRCP == Cards(1, 1, 1, 0, 0)
FewOffers(p) ==
    [give: {Cards(1, 0, 0, 0, 0), Cards(0, 0, 1, 0, 0)}, receive: {Cards(1, 0, 0, 0, 0), Cards(0, 1, 0, 0, 0), Cards(0, 0, 1, 0, 0)}]

NoDCP == NoDevCards
OneKnight == DevCards(0, 0, 0, 1, 0)
OneMonopoly == DevCards(1, 0, 0, 0, 0)
MonopolyAndKnight == DevCards(1, 0, 0, 1, 0)
PointAndKnights == DevCards(0, 0, 0, 2, 1)
FewPieces == Pieces(0, 2, 0)

=============================================================================
