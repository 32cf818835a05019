------------------------------ MODULE MCSealed ------------------------------
(***************************************************************************)
(* Hidden hands as everybody sees them: numbers of sealed cards.  Each     *)
(* land tile has one settlement point; player 1's turn is the last, or     *)
(* three points win at once.                                               *)
(***************************************************************************)
EXTENDS MC

\* An island at row r: its land has one settlement point.
LOCAL Place(r, terrain, n) == <<
    [arr |-> 0, row |-> r, col |-> 1, terrain |-> "sea", n |-> 0],
    [arr |-> 1, row |-> r, col |-> 1, terrain |-> terrain, n |-> n],
    [arr |-> 1, row |-> r, col |-> 2, terrain |-> "sea", n |-> 0]
>>

ThreePlaces == Place(0, "desert", 0) \o Place(3, "forest", 3) \o Place(6, "hills", 3)
SixPlaces == ThreePlaces \o Place(9, "pasture", 3) \o Place(12, "fields", 3) \o Place(15, "desert", 0)
EightPlaces == SixPlaces \o Place(18, "desert", 0) \o Place(21, "desert", 0)

ModelRules ==
    [NoTrade EXCEPT !.PointsToWin = 2, !.HandLimit = 2, !.BanditTargets = "adversary", !.WinCheck = "turn_end",
                    !.Chance = "joint", !.Hands = "hidden"]
WinRules == [ModelRules EXCEPT !.PointsToWin = 3, !.WinCheck = "at_once"]
LeavingRules == [ModelRules EXCEPT !.Leaving = TRUE, !.SignedEnd = TRUE]
BackRules == [LeavingRules EXCEPT !.Returns = 1]
StartRules == [LeavingRules EXCEPT !.StartOrder = "dice"]
TalkRules ==
    [Standard EXCEPT !.PointsToWin = 2, !.WinCheck = "turn_end", !.StartOrder = "seat", !.Chance = "joint", !.Hands = "hidden"]
OfferRules == [TalkRules EXCEPT !.TableTalk = FALSE, !.OfferMax = 1]
SpecialRules == [ModelRules EXCEPT !.SpecialBuilding = TRUE, !.PointsToWin = 5]

ModelBP == Pieces(0, 2, 0)
RoadBP == Pieces(1, 2, 0)
StartBP == Pieces(2, 2, 0)

\* The game in phase tp, where the players hold these known cards, so many sealed ones, which are of these kinds together, and
\* so many development cards that nobody else has seen.
LOCAL Sealing(tp, known, sealed, within, held) ==
    LET begun == Begun(tp, [sp \in DOMAIN CT |-> (sp + 1) \div 2], <<>>, known, [p \in Players |-> NoDevCards])
    IN [begun EXCEPT !.G.bnk.RC = SubRec(@, within), !.G.hid.sealed = sealed, !.G.hid.held = held, !.G.hid.shuffles = NPlayers]

\* A seven: player 2 has sealed and known cards too many; 1 robs either of the others.
SevenStart ==
    Sealing("DiceRoll", <<NoResources, Cards(0, 1, 0, 0, 1), Cards(1, 0, 1, 0, 0)>>, <<0, 2, 0>>, Cards(1, 0, 1, 0, 0), <<0, 0, 0>>)
SevenRCP == Cards(2, 1, 2, 0, 1)

\* A monopoly takes known and sealed cards, and what is left pays for trades.
MonopolyStart ==
    Sealing("TradingBuilding", <<NoResources, Cards(0, 1, 0, 0, 0), NoResources>>, <<0, 2, 2>>, Cards(3, 0, 0, 0, 1), <<1, 0, 0>>)
MonopolyRCP == Cards(3, 1, 0, 0, 1)

\* Two cards of the deck may be bought, one held may be played, a knight robs, and a point wins.
DeckStart ==
    Sealing("TradingBuilding", <<Cards(0, 0, 1, 1, 1), NoResources, Cards(1, 1, 0, 0, 0)>>, <<1, 1, 0>>, Cards(0, 0, 1, 0, 1), <<1, 0, 0>>)
DeckRCP == Cards(1, 1, 2, 1, 2)

\* Trades between players: sealed cards pay for them.
TradeStart ==
    Sealing("TradingBuilding", <<Cards(0, 1, 0, 0, 0), NoResources, NoResources>>, <<1, 1, 0>>, Cards(1, 0, 1, 0, 0), <<0, 0, 0>>)
TradeRCP == Cards(1, 1, 1, 0, 0)

\* A monopoly, a card to buy, and a knight: anybody may leave.
LeaveStart ==
    Sealing("TradingBuilding", <<Cards(0, 0, 1, 1, 1), Cards(0, 1, 0, 0, 0), NoResources>>, <<0, 1, 1>>, Cards(2, 0, 0, 0, 0), <<1, 0, 0>>)
LeaveRCP == Cards(2, 1, 1, 1, 1)

\* The same of four, of whom two may leave, one after the other.
LeaveFourStart ==
    Sealing("TradingBuilding", <<Cards(0, 0, 1, 1, 1), Cards(0, 1, 0, 0, 0), NoResources, NoResources>>, <<0, 1, 1, 0>>,
            Cards(2, 0, 0, 0, 0), <<1, 0, 0, 0>>)

\* A card may be bought, and player 3, who is away, comes back.
LOCAL Away(state) ==
    [state EXCEPT !.G.away[3] = TRUE, !.G.ret[3].missed = TRUE, !.G.hid.keyless[3] = TRUE, !.G.hid.deck = "rest"]
BackStart ==
    Away(Sealing("TradingBuilding", <<Cards(0, 0, 1, 1, 1), NoResources, NoResources>>, <<0, 1, 1>>, Cards(1, 1, 0, 0, 0), <<0, 0, 0>>))
BackRCP == Cards(1, 1, 1, 1, 1)

\* A seven where anybody may leave.
LeaveSevenStart == [SevenStart EXCEPT !.G.hid.deck = "rest"]

\* Pledges and shuffles, before anything is placed.
BeforeStart ==
    LET begun == Begun("bot", <<>>, <<>>, [p \in Players |-> NoResources], [p \in Players |-> NoDevCards])
    IN [begun EXCEPT !.SU.sup = "Rolling", !.G.tp = "Pledging", !.G.due = [p \in Players |-> TRUE], !.G.hid.deck = IF Leaving THEN "keys" ELSE "first"]

\* The others may build before the next turn, if their sealed cards are the right ones.
SpecialStart ==
    Sealing("TradingBuilding", <<NoResources, NoResources, Cards(1, 0, 0, 0, 0)>>, <<0, 2, 1>>, Cards(1, 2, 0, 0, 0), <<0, 0, 0>>)
SpecialRCP == Cards(2, 2, 0, 0, 0)

OneKnight == DevCards(0, 0, 0, 1, 0)
OneMonopoly == DevCards(1, 0, 0, 0, 0)
MonopolyAndKnight == DevCards(1, 0, 0, 1, 0)
PointAndKnights == DevCards(0, 0, 0, 2, 1)

\* The step hides nothing but the hand that a robber has called for, the stolen card, and a card that is bought; what was
\* hidden comes into the open as a card that was missing there.
OnlyThisIsHidden ==
    [][/\ \A p \in Players :
             G'.hid.sealed[p] > G.hid.sealed[p] =>
                 \/ G.tp = "Drawing" /\ G.call.victim = p /\ G'.h[p].RC = NoResources
                    /\ G'.hid.sealed[p] = G.hid.sealed[p] + Count(G.h[p].RC)
                 \/ G.tp = "Drawing" /\ G.ap = p /\ G'.h = [G.h EXCEPT ![p].DC = G'.h[p].DC]
                    /\ G'.hid.sealed = [G.hid.sealed EXCEPT ![p] = @ + 1, ![G.call.victim] = @ - 1]
       /\ \A res \in RCT :
             LET known == G.bnk.RC[res] + Total([p \in Players |-> G.h[p].RC[res]])
                 after == G'.bnk.RC[res] + Total([p \in Players |-> G'.h[p].RC[res]])
             IN IF G.tp = "Drawing" /\ G'.tp = "Drawing" THEN after <= known ELSE after >= known
       /\ Total(G'.hid.bought) + Total(G'.hid.held) > Total(G.hid.bought) + Total(G.hid.held) =>
             /\ G.call.what = "BuyDevCard" /\ G'.bnk.DC = G.bnk.DC
             /\ G.due = NobodyDue \/ G'.away # G.away]_vars

\* Who has won stays the winner, and nobody opens anything before all who are there have signed, or have left.
EndStands ==
    [][/\ G.tp \in {"Signing", "top"} => G'.ap = G.ap /\ G'.tp \in {G.tp, "top"}
       /\ G'.tp = "top" /\ G.tp # "top" /\ SignedEnd =>
             \/ Cardinality({p \in Players : ~G'.away[p]}) = 1
             \/ G.tp = "Signing" /\ \A p \in Players : G.due[p] => G'.away[p]]_vars

=============================================================================
