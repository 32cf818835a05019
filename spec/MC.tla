---------------------------------- MODULE MC ----------------------------------
(***************************************************************************)
(* What the small models have in common: a map, states to begin with, the  *)
(* choices without any help, steps to check, and things to be reached.     *)
(***************************************************************************)
EXTENDS Catan

CONSTANT
    Start       \* [SU, G]: the state that the model begins with

(***************************************************************************)
(* Two islands of two tiles each and a bit of desert.                      *)
(*                                                                         *)
(*     u1 sea     u2 forest 3   u3 sea      u4 hills 4   u5 sea            *)
(*   l1 desert   l2 sea   l3 pasture 3   l4 sea   l5 fields 4   l6 sea     *)
(*                                                                         *)
(* The settlement points B C D E and F G H I lie in a row on each island   *)
(* with roads between them, and from every point one more road leads away; *)
(* A lies at the desert.                                                   *)
(***************************************************************************)
TwinIslands == <<
    [arr |-> 0, row |-> 0, col |-> 1, terrain |-> "sea", n |-> 0],
    [arr |-> 0, row |-> 0, col |-> 2, terrain |-> "forest", n |-> 3],
    [arr |-> 0, row |-> 0, col |-> 3, terrain |-> "sea", n |-> 0],
    [arr |-> 0, row |-> 0, col |-> 4, terrain |-> "hills", n |-> 4],
    [arr |-> 0, row |-> 0, col |-> 5, terrain |-> "sea", n |-> 0],
    [arr |-> 1, row |-> 0, col |-> 1, terrain |-> "desert", n |-> 0],
    [arr |-> 1, row |-> 0, col |-> 2, terrain |-> "sea", n |-> 0],
    [arr |-> 1, row |-> 0, col |-> 3, terrain |-> "pasture", n |-> 3],
    [arr |-> 1, row |-> 0, col |-> 4, terrain |-> "sea", n |-> 0],
    [arr |-> 1, row |-> 0, col |-> 5, terrain |-> "fields", n |-> 4],
    [arr |-> 1, row |-> 0, col |-> 6, terrain |-> "sea", n |-> 0]
>>

\* A wharf for anything at B, one for wool at E, one for grain at I.
TwinWharfs == {
    [between |-> {1, 2}, wt |-> "ThreeToOne"],
    [between |-> {8, 9}, wt |-> "Wool"],
    [between |-> {10, 11}, wt |-> "Grain"]
}

NoWharfs == {}

LOCAL PointAt(tiles) == CHOOSE sp \in DOMAIN CT : TilesAt[sp] = tiles
LOCAL RoadAt(tiles) == CHOOSE rp \in DOMAIN CD : TilesBeside[rp] = tiles

pA == PointAt({1, 6, 7})
pB == PointAt({1, 2, 7})
pC == PointAt({2, 7, 8})
pD == PointAt({2, 3, 8})
pE == PointAt({3, 8, 9})
pF == PointAt({3, 4, 9})
pG == PointAt({4, 9, 10})
pH == PointAt({4, 5, 10})
pI == PointAt({5, 10, 11})

rBC == RoadAt({2, 7})
rCD == RoadAt({2, 8})
rDE == RoadAt({3, 8})
rFG == RoadAt({4, 9})
rGH == RoadAt({4, 10})
rHI == RoadAt({5, 10})

Cards(lumber, brick, wool, grain, ore) ==
    [Lumber |-> lumber, Brick |-> brick, Wool |-> wool, Grain |-> grain, Ore |-> ore]

DevCards(monopoly, plenty, road, knight, point) ==
    [Monopoly |-> monopoly, YearOfPlenty |-> plenty, RoadBuilding |-> road, Knight |-> knight, VictoryPoint |-> point]

Pieces(road, village, city) == [Road |-> road, Village |-> village, City |-> city]

\* The game when the set-up is over and player 1 is in phase tp, all villages on their points, the roads on theirs, and
\* these resources and available cards in the hands; what is not in a hand is in the bank.
Begun(tp, villages, roads, resources, available) ==
    LET placed(on, p) == Cardinality({x \in DOMAIN on : on[x] = p})
        hidden(p) == [card \in PCT \cup {"Knight"} |-> available[p][card]]
    IN [SU |-> [sup |-> "PhaseTwo", ap |-> 1],
        G |-> [ap |-> 1, tp |-> tp, dice |-> IF tp = "DiceRoll" THEN 0 ELSE 2, ba |-> BanditStart,
               dp |-> NoProgressCards, lr |-> NoOwner, la |-> NoOwner, lim |-> [p \in Players |-> 0],
               s |-> [sp \in DOMAIN CT |-> IF sp \in DOMAIN villages THEN [own |-> villages[sp], st |-> "Village"]
                                           ELSE [own |-> NoOwner, st |-> "none"]],
               r |-> [rp \in DOMAIN CD |-> IF rp \in DOMAIN roads THEN roads[rp] ELSE NoOwner],
               bnk |-> [RC |-> [res \in RCT |-> RCP[res] - Sum([p \in Players |-> resources[p][res]], Players)],
                        DC |-> [card \in DCT |-> DCP[card] - Sum([p \in Players |-> available[p][card]], Players)]],
               h |-> [p \in Players |-> [RC |-> resources[p],
                                         DC |-> [BC |-> NoCards, AC |-> hidden(p),
                                                 UC |-> [Knight |-> 0, VictoryPoint |-> available[p].VictoryPoint]]]],
               b |-> [p \in Players |-> [BP EXCEPT !.Road = @ - placed(roads, p), !.Village = @ - placed(villages, p)]]]]

MCInit == SU = Start.SU /\ G = Start.G

\* What the model is made of, for the Python engine to begin with the same.
ASSUME PrintT(<<"model", [Tiles |-> Tiles, Wharfs |-> Wharfs, NPlayers |-> NPlayers, RCP |-> RCP, DCP |-> DCP, BP |-> BP,
                          Dice |-> Dice, PointsToWin |-> PointsToWin, HandLimit |-> HandLimit,
                          LongestRoadMin |-> LongestRoadMin, LargestArmyMin |-> LargestArmyMin, Start |-> Start]>>)

-----------------------------------------------------------------------------
(* Steps: what an action may change, said a second time and in another way. *)

\* Only an ended turn changes whose turn it is, and it is the next player's.
TurnPasses ==
    [][/\ (G'.ap # G.ap \/ (G'.tp = "DiceRoll" /\ G.tp # "bot")) =>
              /\ G.tp = "Building" /\ G'.tp = "DiceRoll"
              /\ G'.ap = (G.ap % NPlayers) + 1
       /\ (G.tp = "bot" /\ G'.tp = "DiceRoll") => G'.ap = 1
       /\ G'.tp = "top" => G.tp = "Building" /\ G'.ap = G.ap]_vars

\* What player p gets of a resource by a roll of d, counted settlement by settlement.
LOCAL Earns(p, d, res) ==
    LET worth(sp) == IF G.s[sp].own # p THEN 0 ELSE IF G.s[sp].st = "City" THEN 2 ELSE 1
        hit(sp) == Cardinality({t \in TilesAt[sp] : /\ t # G.ba
                                                    /\ Tiles[t].n = d
                                                    /\ Tiles[t].terrain \in DOMAIN Yield
                                                    /\ Yield[Tiles[t].terrain] = res})
    IN Sum([sp \in DOMAIN CT |-> worth(sp) * hit(sp)], DOMAIN CT)

\* A roll pays everybody exactly what the board yields, or nobody anything if the bank is short.
ProductionEqualsBoard ==
    [][(G.tp = "DiceRoll" /\ G'.tp = "Trading") =>
          LET short == \E res \in RCT : G.bnk.RC[res] < Sum([p \in Players |-> Earns(p, G'.dice, res)], Players)
          IN \A p \in Players, res \in RCT :
                G'.h[p].RC[res] = G.h[p].RC[res] + (IF short THEN 0 ELSE Earns(p, G'.dice, res))]_vars

\* After a seven a hand above the limit loses half, rounded down, and no other hand loses anything but a stolen card.
DiscardIsHalf ==
    [][/\ (G.tp = "DiceRoll" /\ G'.dice = 7) =>
              \A p \in Players : LET n == Count(G.h[p].RC)
                                 IN /\ G'.h[p] = G.h[p]
                                    /\ G'.lim[p] = IF n > HandLimit THEN n - (n \div 2) ELSE 0
       /\ (G.tp = "Discarding" /\ G'.tp = "Discarding") =>
              \E p \in Players : /\ Count(G'.h[p].RC) = G.lim[p] /\ Count(G.h[p].RC) > G.lim[p]
                                 /\ G'.bnk.RC = AddRec(G.bnk.RC, SubRec(G.h[p].RC, G'.h[p].RC))
                                 /\ \A q \in Players \ {p} : G'.h[q] = G.h[q]
       /\ (G.tp \in {"Discarding", "MovingBandit"} /\ G'.tp = "Trading") =>
              /\ \A p \in Players : G.lim[p] > 0 => Count(G.h[p].RC) = G.lim[p]
              /\ G'.bnk = G.bnk /\ G'.ba # G.ba
              /\ \A p \in Players \ {G.ap} : Count(G'.h[p].RC) \in {Count(G.h[p].RC), Count(G.h[p].RC) - 1}
              /\ \/ Count(G'.h[G.ap].RC) = Count(G.h[G.ap].RC) + 1
                 \/ \A sp \in Corners[G'.ba] : G.s[sp].own \in {NoOwner, G.ap}
                 \/ \E sp \in Corners[G'.ba] : /\ G.s[sp].own \notin {NoOwner, G.ap}
                                               /\ Count(G.h[G.s[sp].own].RC) = 0]_vars

\* A trade changes the active player's and the bank's cards, by the rate of a wharf that the player has settled at.
TradeIsBetweenTwo ==
    [][(G.tp = "Trading" /\ G'.tp = "Trading" /\ G'.dp = G.dp /\ G'.la = G.la /\ G'.ba = G.ba) =>
          LET given == {res \in RCT : G'.h[G.ap].RC[res] < G.h[G.ap].RC[res]}
              taken == {res \in RCT : G'.h[G.ap].RC[res] > G.h[G.ap].RC[res]}
          IN /\ Cardinality(given) = 1 /\ Cardinality(taken) = 1
             /\ \A give \in given, take \in taken :
                    /\ G'.h[G.ap].RC[take] = G.h[G.ap].RC[take] + 1
                    /\ LET n == G.h[G.ap].RC[give] - G'.h[G.ap].RC[give]
                       IN \/ n = 4
                          \/ n = 3 /\ HasWharf(G.ap, "ThreeToOne")
                          \/ n = 2 /\ HasWharf(G.ap, give)
             /\ \A p \in Players \ {G.ap} : G'.h[p] = G.h[p]
             /\ G'.bnk.RC = AddRec(G.bnk.RC, SubRec(G.h[G.ap].RC, G'.h[G.ap].RC))]_vars

-----------------------------------------------------------------------------
(* Choices without help: here the guards alone say what is enabled. *)

Always(condition, choices) == choices
AnyCards(p) == [Lumber: 0..RCP.Lumber, Brick: 0..RCP.Brick, Wool: 0..RCP.Wool, Grain: 0..RCP.Grain, Ore: 0..RCP.Ore]

-----------------------------------------------------------------------------
(* Things to be reached: each of these has to be violated in some model. *)

DebugSetupPhaseOne == [][~\E p \in Players, sp \in DOMAIN CT, rp \in DOMAIN CD : SetupPhaseOne(p, sp, rp)]_vars
DebugSetupPhaseTwo == [][~\E p \in Players, sp \in DOMAIN CT, rp \in DOMAIN CD : SetupPhaseTwo(p, sp, rp)]_vars
DebugRollDice == [][~\E p \in Players, d \in Dice : RollDice(p, d)]_vars
DebugDiscard == [][~\E p \in Players : \E cards \in AnyCards(p) : Discard(p, cards)]_vars
DebugMoveBandit ==
    [][~\E p \in Players, to \in M, victim \in {NoOwner} \cup Players, card \in {"none"} \cup RCT :
           MoveBandit(p, to, victim, card)]_vars
DebugEmptyTrade == [][~\E p \in Players : EmptyTrade(p)]_vars
DebugTradeFourToOne == [][~\E p \in Players, give, receive \in RCT : TradeFourToOne(p, give, receive)]_vars
DebugTradeThreeToOne == [][~\E p \in Players, give, receive \in RCT : TradeThreeToOne(p, give, receive)]_vars
DebugTradeTwoToOne == [][~\E p \in Players, give, receive \in RCT : TradeTwoToOne(p, give, receive)]_vars
DebugEmptyBuild == [][~\E p \in Players : EmptyBuild(p)]_vars
DebugBuildRoad == [][~\E p \in Players, rp \in DOMAIN CD : BuildRoad(p, rp)]_vars
DebugBuildVillage == [][~\E p \in Players, sp \in DOMAIN CT : BuildVillage(p, sp)]_vars
DebugBuildCity == [][~\E p \in Players, sp \in DOMAIN CT : BuildCity(p, sp)]_vars
DebugBuyDevCard == [][~\E p \in Players, card \in DCT : BuyDevCard(p, card)]_vars
DebugPlayMonopoly == [][~\E p \in Players, res \in RCT : PlayMonopoly(p, res)]_vars
DebugPlayYearOfPlenty == [][~\E p \in Players, first, second \in RCT : PlayYearOfPlenty(p, first, second)]_vars
DebugPlayRoadBuilding == [][~\E p \in Players, first, second \in DOMAIN CD : PlayRoadBuilding(p, first, second)]_vars
DebugPlayKnight ==
    [][~\E p \in Players, to \in M, victim \in {NoOwner} \cup Players, card \in {"none"} \cup RCT :
           PlayKnight(p, to, victim, card)]_vars

\* A bonus card changes hands, or is lost to nobody.
DebugLongestRoadMoves == [][G.lr = NoOwner \/ G'.lr \in {NoOwner, G.lr}]_vars
DebugLargestArmyMoves == [][G.la = NoOwner \/ G'.la \in {NoOwner, G.la}]_vars

\* Everybody has to discard after the same seven.
DebugEverybodyDiscards == ~\A p \in Players : Owes(p)

\* The bank cannot pay a roll.
DebugShortage ==
    [][~(/\ G.tp = "DiceRoll" /\ G'.tp = "Trading"
         /\ \E res \in RCT : Sum([p \in Players |-> ResourceGainPlayer(p, G'.dice)[res]], Players) > G.bnk.RC[res])]_vars

\* The bandit is moved without a victim, to a victim without cards, and back to the desert.
DebugNoVictim == [][~(G.tp = "MovingBandit" /\ G'.tp = "Trading" /\ AdversariesAt(G.ap, G'.ba) = {})]_vars
DebugNothingStolen == [][~(G.tp = "MovingBandit" /\ G'.tp = "Trading" /\ AdversariesAt(G.ap, G'.ba) # {} /\ G'.h = G.h)]_vars
DebugBackToTheDesert == [][~(G'.ba # G.ba /\ G'.ba = BanditStart)]_vars

\* Wins that would not be wins without the longest road, the largest army, a city, or a victory point card.
LOCAL Short(points) == G.tp = "top" /\ PlayerPoints(G.ap) - points < PointsToWin
DebugWinByRoad == ~(Short(2) /\ G.lr = G.ap)
DebugWinByArmy == ~(Short(2) /\ G.la = G.ap)
DebugWinByCity == ~(Short(1) /\ {sp \in SettlementsOf(G.ap) : G.s[sp].st = "City"} # {})
DebugWinByVictoryPoint == ~(Short(1) /\ G.h[G.ap].DC.UC.VictoryPoint > 0)

=============================================================================
