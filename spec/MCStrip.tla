------------------------------ MODULE MCStrip ------------------------------
(***************************************************************************)
(* What small tables of peers share.  The island is a strip two tiles      *)
(* wide, of which only a few are land: so few choices are left that TLC    *)
(* can follow every interleaving of the peers.                             *)
(***************************************************************************)
EXTENDS Catan

ModelRules == [Thesis EXCEPT !.HandLimit = 1]
OfferRules == [ModelRules EXCEPT !.DomesticTrade = TRUE, !.OfferMax = 1]
TalkRules == [OfferRules EXCEPT !.TableTalk = TRUE]
CountedOfferRules == [OfferRules EXCEPT !.OffersPerTurn = 1]
CountedTalkRules == [TalkRules EXCEPT !.OffersPerTurn = 1, !.ProposalsPerTurn = 1]
JointRules == [ModelRules EXCEPT !.Chance = "joint"]
LossRules == [ModelRules EXCEPT !.HandLimit = 2]

LOCAL At(arr, col, terrain, n) == [arr |-> arr, row |-> 0, col |-> col, terrain |-> terrain, n |-> n]

\* Points 1 to 8 lie in a row between the upper and the lower tiles: 2, 1, 4, 3, 6, 5, 8, 7.
StripTiles == <<
    At(0, 1, "sea", 0), At(0, 2, "hills", 12), At(0, 3, "sea", 0), At(0, 4, "pasture", 2), At(0, 5, "sea", 0),
    At(1, 1, "desert", 0), At(1, 2, "sea", 0), At(1, 3, "sea", 0), At(1, 4, "sea", 0), At(1, 5, "sea", 0)
>>

\* The same with a third island for a third player.
LongStrip(third) == <<
    At(0, 1, "sea", 0), At(0, 2, "hills", 12), At(0, 3, "sea", 0), At(0, 4, "pasture", 2), At(0, 5, "sea", 0),
    At(0, 6, third, 2), At(0, 7, "sea", 0),
    At(1, 1, "desert", 0), At(1, 2, "sea", 0), At(1, 3, "sea", 0), At(1, 4, "sea", 0), At(1, 5, "sea", 0),
    At(1, 6, "sea", 0), At(1, 7, "sea", 0)
>>

LongStripTiles == LongStrip("mountains")
WoolStripTiles == LongStrip("pasture")

\* And with one more for a fourth.
LongestStripTiles == <<
    At(0, 1, "sea", 0), At(0, 2, "hills", 12), At(0, 3, "sea", 0), At(0, 4, "pasture", 2), At(0, 5, "sea", 0),
    At(0, 6, "pasture", 2), At(0, 7, "sea", 0), At(0, 8, "pasture", 2), At(0, 9, "sea", 0),
    At(1, 1, "desert", 0), At(1, 2, "sea", 0), At(1, 3, "sea", 0), At(1, 4, "sea", 0), At(1, 5, "sea", 0),
    At(1, 6, "sea", 0), At(1, 7, "sea", 0), At(1, 8, "sea", 0), At(1, 9, "sea", 0)
>>

NoWharfs == {}
SomeCards == [NoResources EXCEPT !.Brick = 2, !.Wool = 4]
FourWool == [NoResources EXCEPT !.Wool = 4]
TenWool == [NoResources EXCEPT !.Wool = 10]
TwoWoolTwoOre == [NoResources EXCEPT !.Wool = 2, !.Ore = 2]
SevenWool == [NoResources EXCEPT !.Wool = 7]
SevenCards == [NoResources EXCEPT !.Wool = 3, !.Ore = 4]
NoDevCards == [Monopoly |-> 0, YearOfPlenty |-> 0, RoadBuilding |-> 0, Knight |-> 0, VictoryPoint |-> 0]
FewPieces == [Road |-> 2, Village |-> 2, City |-> 0]

-----------------------------------------------------------------------------
(* The game begins after a round in which everybody rolled a two: the bank is empty, everybody has two cards or three,  *)
(* and as HandLimit is 1, a seven makes everybody discard.  Of three players, player 3 can choose what to discard.      *)

WoolForOre == [give |-> [NoResources EXCEPT !.Wool = 1], receive |-> [NoResources EXCEPT !.Ore = 1]]

WoolAndOre(wool, ore) == [p \in Players |-> [NoResources EXCEPT !.Wool = wool[p], !.Ore = ore[p]]]

BegunWithout(away, settled, roads, cards, phase) ==
    LET count(p) == Count(cards[p])
        hand(p) == [RC |-> cards[p],
                    DC |-> [BC |-> NoCards, AC |-> NoCards, UC |-> [Knight |-> 0, VictoryPoint |-> 0]]]
    IN /\ SU = [sup |-> "PhaseTwo", ap |-> 1, first |-> 1, rolls |-> NoRolls]
       /\ G = [ap |-> 1, tp |-> phase, dice |-> IF phase = "DiceRoll" THEN 0 ELSE 7,
               pd |-> 0, sb |-> NoOwner,
               offer |-> IF phase = "Offering" THEN WoolForOre ELSE NoOffer,
               ans |-> [p \in Players |-> IF phase = "Offering" /\ p # 1 THEN "asked" ELSE "none"],
               prop |-> NoProposals, made |-> NoneMade, due |-> NobodyDue, call |-> NoCall, away |-> away, ahead |-> NobodyAhead,
               ret |-> [p \in Players |-> IF away[p] THEN Missed(WaysBack[p]) ELSE WaysBack[p]],
               hid |-> NothingHidden,
               ba |-> BanditStart, dp |-> NoProgressCards, lr |-> NoOwner, la |-> NoOwner,
               lim |-> [p \in Players |-> IF phase = "Discarding" /\ count(p) > HandLimit THEN count(p) - count(p) \div 2 ELSE 0],
               s |-> [sp \in DOMAIN CT |-> IF sp \in DOMAIN settled THEN [own |-> settled[sp], st |-> "Village"]
                                           ELSE [own |-> NoOwner, st |-> "none"]],
               r |-> [rp \in DOMAIN CD |-> IF rp \in DOMAIN roads THEN roads[rp] ELSE NoOwner],
               bnk |-> [RC |-> NoResources, DC |-> DCP],
               h |-> [p \in Players |-> hand(p)],
               b |-> [p \in Players |-> [BP EXCEPT !.Road = 0, !.Village = 0]]]

Begun(settled, roads, cards, phase) == BegunWithout(NobodyAway, settled, roads, cards, phase)

Two(wool, ore, phase) ==
    Begun((1 :> 1) @@ (5 :> 1) @@ (3 :> 2) @@ (6 :> 2), (1 :> 1) @@ (6 :> 1) @@ (3 :> 2) @@ (7 :> 2),
          WoolAndOre(wool, ore), phase)

TwoBegun == Two(<<2, 2>>, <<0, 0>>, "DiceRoll")

\* Player 1 may trade, and has Wool only; player 2 has Ore only.
TwoTrading == Two(<<2, 0>>, <<0, 2>>, "Trading")

ThreeWith(cards, phase) ==
    Begun((1 :> 1) @@ (5 :> 1) @@ (3 :> 2) @@ (8 :> 2) @@ (6 :> 3) @@ (9 :> 3),
          (1 :> 1) @@ (6 :> 1) @@ (3 :> 2) @@ (10 :> 2) @@ (7 :> 3) @@ (11 :> 3), cards, phase)

Three(wool, ore, phase) == ThreeWith(WoolAndOre(wool, ore), phase)

ThreeBegun == Three(<<2, 0, 1>>, <<0, 2, 2>>, "DiceRoll")

\* The same, and player 1 has already rolled a seven; on the island of wool nobody has a choice.
ThreeRolled == Three(<<2, 0, 1>>, <<0, 2, 2>>, "Discarding")
ThreeRolledWool == Three(<<2, 2, 3>>, <<0, 0, 0>>, "Discarding")

\* Player 1 may trade, and has Wool only; both others have Ore.
ThreeTrading == Three(<<2, 0, 1>>, <<0, 2, 2>>, "Trading")

\* Player 1 has offered a Wool for an Ore.
TwoOffering == Two(<<2, 0>>, <<0, 2>>, "Offering")

\* Of all offers, one Wool for one Ore, or the other way round.
OneForOne(p) ==
    LET card(res) == [NoResources EXCEPT ![res] = 1]
    IN {[give |-> card(x[1]), receive |-> card(x[2])] : x \in {y \in {<<"Wool", "Ore">>, <<"Ore", "Wool">>} : G.h[p].RC[y[1]] > 0}}

FourAt(away, phase) ==
    BegunWithout(away, (1 :> 1) @@ (5 :> 1) @@ (3 :> 2) @@ (8 :> 2) @@ (6 :> 3) @@ (11 :> 3) @@ (9 :> 4) @@ (12 :> 4),
          (1 :> 1) @@ (6 :> 1) @@ (3 :> 2) @@ (10 :> 2) @@ (7 :> 3) @@ (14 :> 3) @@ (11 :> 4) @@ (15 :> 4),
          WoolAndOre(<<2, 2, 3, 3>>, <<0, 0, 0, 0>>), phase)

FourBegun == FourAt(NobodyAway, "DiceRoll")

=============================================================================
