-------------------------------- MODULE Catan --------------------------------
(***************************************************************************)
(* The board game "Catan" as a state machine.                              *)
(*                                                                         *)
(* Names, numbering, guards and their tags are explained in docs/model.md; *)
(* catan_p2p/actions mirrors every action.  A guard is one conjunct on one *)
(* line with its tag; after the guards come the primes.  Chance (the dice, *)
(* a stolen card, a drawn card) and every player's choices are parameters  *)
(* of the actions; Next quantifies over them.                              *)
(*                                                                         *)
(* docs/errata.md says where this module departs from the specification    *)
(* that it continues, and why.                                             *)
(***************************************************************************)
EXTENDS Board

CONSTANTS
    NPlayers,           \* how many play
    RCP,                \* resource card pool (definition 5)
    DCP,                \* development card pool (definition 6)
    BP,                 \* building pool of each player (definition 14)
    Dice,               \* sums that the dice can show
    PointsToWin, HandLimit, LongestRoadMin, LargestArmyMin,
    BanditBlocksBuilding, BanditTargets, Shortage, CombinedTradeBuild, DevCardsPerTurn,
    DevCardBeforeDice, WinCheck, DomesticTrade, RoadBuildingNeeds

\* The rules of the thesis; the module states these and no others.
ASSUME ThesisRules ==
    /\ BanditBlocksBuilding = TRUE      \* nobody builds beside the bandit
    /\ BanditTargets = "adversary"      \* the bandit goes where an adversary has settled
    /\ Shortage = "nobody"              \* a roll that the bank cannot pay in full is not paid at all
    /\ CombinedTradeBuild = FALSE       \* first Trading, then Building
    /\ DevCardsPerTurn = 0              \* any number of development cards a turn
    /\ DevCardBeforeDice = FALSE        \* none before the dice are rolled
    /\ WinCheck = "turn_end"            \* points are counted when a turn ends
    /\ DomesticTrade = FALSE            \* nobody trades with other players
    /\ RoadBuildingNeeds = 2            \* the card asks for two roads in supply

VARIABLES
    SU,     \* set-up state (definition 18)
    G       \* game state (definition 19)

vars == <<SU, G>>

-----------------------------------------------------------------------------
(* Cards, pieces, players and phases: definitions 2 to 19. *)

PCT == {"Monopoly", "YearOfPlenty", "RoadBuilding"}
DCT == PCT \cup {"Knight", "VictoryPoint"}

BCT == [Monopoly: 0..DCP.Monopoly, YearOfPlenty: 0..DCP.YearOfPlenty,
        RoadBuilding: 0..DCP.RoadBuilding, Knight: 0..DCP.Knight]
UCT == [Knight: 0..DCP.Knight, VictoryPoint: 0..DCP.VictoryPoint]

ST == {"Village", "City"}
SUP == {"PhaseOne", "PhaseTwo"}
TP == {"bot", "DiceRoll", "Discarding", "MovingBandit", "Trading", "Building", "top"}

Players == 1..NPlayers
NoOwner == 0

RC == [Lumber: 0..RCP.Lumber, Brick: 0..RCP.Brick, Wool: 0..RCP.Wool, Grain: 0..RCP.Grain, Ore: 0..RCP.Ore]
BNK == [RC: RC,
        DC: [Monopoly: 0..DCP.Monopoly, YearOfPlenty: 0..DCP.YearOfPlenty, RoadBuilding: 0..DCP.RoadBuilding,
             Knight: 0..DCP.Knight, VictoryPoint: 0..DCP.VictoryPoint]]
DP == [Monopoly: 0..DCP.Monopoly, YearOfPlenty: 0..DCP.YearOfPlenty, RoadBuilding: 0..DCP.RoadBuilding]
PH == [RC: RC, DC: [BC: BCT, AC: BCT, UC: UCT]]
H == [Players -> PH]
PB == [Road: 0..BP.Road, Village: 0..BP.Village, City: 0..BP.City]
B == [Players -> PB]
S == [DOMAIN CT -> [own: Players, st: ST] \cup {[own |-> NoOwner, st |-> "none"]}]
R == [DOMAIN CD -> Players \cup {NoOwner}]

NoResources == [Lumber |-> 0, Brick |-> 0, Wool |-> 0, Grain |-> 0, Ore |-> 0]
NoProgressCards == [Monopoly |-> 0, YearOfPlenty |-> 0, RoadBuilding |-> 0]
NoCards == [Monopoly |-> 0, YearOfPlenty |-> 0, RoadBuilding |-> 0, Knight |-> 0]

RoadCost == [Lumber |-> 1, Brick |-> 1, Wool |-> 0, Grain |-> 0, Ore |-> 0]
VillageCost == [Lumber |-> 1, Brick |-> 1, Wool |-> 1, Grain |-> 1, Ore |-> 0]
CityCost == [Lumber |-> 0, Brick |-> 0, Wool |-> 0, Grain |-> 2, Ore |-> 3]
DevCardCost == [Lumber |-> 0, Brick |-> 0, Wool |-> 1, Grain |-> 1, Ore |-> 1]

DefaultRCP == [Lumber |-> 19, Brick |-> 19, Wool |-> 19, Grain |-> 19, Ore |-> 19]
DefaultDCP == [Monopoly |-> 2, YearOfPlenty |-> 2, RoadBuilding |-> 2, Knight |-> 14, VictoryPoint |-> 5]
DefaultBP == [Road |-> 15, Village |-> 5, City |-> 4]

Max(numbers) == CHOOSE n \in numbers : \A m \in numbers : n >= m

\* f[x] summed over all x in D.
RECURSIVE Sum(_, _)
Sum(f, D) ==
    IF D = {} THEN 0
    ELSE LET x == CHOOSE x \in D : TRUE
         IN f[x] + Sum(f, D \ {x})

Count(rc) == rc.Lumber + rc.Brick + rc.Wool + rc.Grain + rc.Ore

Covers(rc, cost) == \A res \in RCT : rc[res] >= cost[res]

AddRec(one, other) == [card \in DOMAIN one |-> one[card] + other[card]]
SubRec(one, other) == [card \in DOMAIN one |-> one[card] - other[card]]

-----------------------------------------------------------------------------
(* What the guards speak of. *)

SettlementsOf(p) == {sp \in DOMAIN CT : G.s[sp].own = p}
RoadsOf(p) == {rp \in DOMAIN CD : G.r[rp] = p}

\* No settlement on a neighbouring point.
KeepsDistance(sp) == \A near \in Neighbours[sp] : G.s[near].own = NoOwner

SettlementHasNoBandit(sp) == G.ba \notin TilesAt[sp]
RoadHasNoBandit(rp) == G.ba \notin TilesBeside[rp]

\* Where player p's network would take up a road on rp, the roads being r: at an own settlement, or where an own
\* road ends and no adversary has settled.
Links(p, rp, r) ==
    {sp \in EndsOf[rp] :
        \/ G.s[sp].own = p
        \/ G.s[sp].own = NoOwner /\ \E other \in RoadsAt[sp] : r[other] = p}

\* Player p still has to discard.
Owes(p) == G.lim[p] > 0 /\ Count(G.h[p].RC) > G.lim[p]

\* The adversaries of p with a settlement at tile t.
AdversariesAt(p, t) == {G.s[sp].own : sp \in Corners[t]} \ {NoOwner, p}

\* Player p may aim the bandit at tile t: an adversary has settled there, or at no tile that the bandit may go to.
IsTarget(p, t) == AdversariesAt(p, t) = {} => \A u \in Land \ {G.ba} : AdversariesAt(p, u) = {}

Victims(p, t) == IF AdversariesAt(p, t) = {} THEN {NoOwner} ELSE AdversariesAt(p, t)

\* The cards that can be stolen from a victim.
Loot(victim) ==
    IF victim = NoOwner \/ Count(G.h[victim].RC) = 0 THEN {"none"} ELSE {res \in RCT : G.h[victim].RC[res] > 0}

HasWharf(p, wt) == {sp \in SettlementsOf(p) : wt \in WharfsAt[sp]} # {}

-----------------------------------------------------------------------------
(* What the effects speak of. *)

\* Player p follows player p - 1, player 1 the last.
NextPlayer(p) == IF p = NPlayers THEN 1 ELSE p + 1

\* What a roll of d yields to player p: on every tile without the bandit 1 for each village and 2 for each city.
ResourceGainPlayer(p, d) ==
    LET settled(t) == {sp \in Corners[t] : G.s[sp].own = p}
        cities(t) == {sp \in settled(t) : G.s[sp].st = "City"}
        tiles == {t \in Numbered[d] \ {G.ba} : settled(t) # {}}
        gain(t, res) == IF Yield[Tiles[t].terrain] = res THEN Cardinality(settled(t)) + Cardinality(cities(t)) ELSE 0
    IN IF tiles = {} THEN NoResources ELSE [res \in RCT |-> Sum([t \in tiles |-> gain(t, res)], tiles)]

\* The hands h after player p stole a card of the victim.
Steal(h, p, victim, card) ==
    IF card = "none" THEN h ELSE [h EXCEPT ![victim].RC[card] = @ - 1, ![p].RC[card] = @ + 1]

\* The length of the longest trail that begins with the road rp, reached from the point `from`, and goes on over the
\* roads left; no road is used twice.  ways[rp] says over which point to which road a trail may go on after rp.
RECURSIVE Trail(_, _, _, _)
Trail(ways, rp, from, left) ==
    LET next == {way \in ways[rp] : way[1] # from /\ way[2] \in left}
    IN IF next = {} THEN 1
       ELSE 1 + Max({Trail(ways, way[2], way[1], left \ {way[2]}) : way \in next})

\* The length of player p's longest road with settlements s and roads r; 0 while they have too few roads anyway.  A point
\* with a settlement of another player ends a trail.  A longest trail begins at an end of the network or at a fork,
\* unless it is a ring, and a ring has six roads or more: so it is enough to begin there.
LongestTrail(p, s, r) ==
    LET own == {rp \in DOMAIN CD : r[rp] = p}
        ways == TLCEval([rp \in own |-> {way \in Onward[rp] : r[way[2]] = p /\ s[way[1]].own \in {p, NoOwner}}])
        passed == {rp \in own : Cardinality(ways[rp]) = 2 /\ Cardinality({way[1] : way \in ways[rp]}) = 2}
        starts == IF Cardinality(passed) < 6 THEN own \ passed ELSE own
    IN IF Cardinality(own) < LongestRoadMin THEN 0
       ELSE Max({Trail(ways, rp, NoOwner, own \ {rp}) : rp \in starts})

\* Who holds a bonus card: the holder while nobody has more and they still have enough; otherwise the one player who
\* has the most and enough; nobody if several share the most.
BonusHolder(holder, has, enough) ==
    LET most == Max({has[p] : p \in Players})
        leaders == {p \in Players : has[p] = most}
    IN IF most < enough THEN NoOwner
       ELSE IF holder \in leaders THEN holder
       ELSE IF Cardinality(leaders) > 1 THEN NoOwner
       ELSE CHOOSE p \in leaders : TRUE

LongestRoad(s, r) ==
    BonusHolder(G.lr, TLCEval([p \in Players |-> LongestTrail(p, s, r)]), LongestRoadMin)

LargestArmy(h) ==
    BonusHolder(G.la, [p \in Players |-> h[p].DC.UC.Knight], LargestArmyMin)

\* Victory points of player p.
PlayerPoints(p) ==
    LET built(st) == Cardinality({sp \in SettlementsOf(p) : G.s[sp].st = st})
    IN built("Village") + 2 * built("City") + G.h[p].DC.UC.VictoryPoint
       + (IF G.lr = p THEN 2 ELSE 0) + (IF G.la = p THEN 2 ELSE 0)

-----------------------------------------------------------------------------
(* The set-up. *)

\* Definition 20.
Init ==
    /\ SU = [sup |-> "PhaseOne", ap |-> 1]
    /\ G = [ap |-> 1,
            tp |-> "bot",
            dice |-> 0,
            ba |-> BanditStart,
            dp |-> NoProgressCards,
            lr |-> NoOwner,
            la |-> NoOwner,
            lim |-> [p \in Players |-> 0],
            s |-> [sp \in DOMAIN CT |-> [own |-> NoOwner, st |-> "none"]],
            r |-> [rp \in DOMAIN CD |-> NoOwner],
            bnk |-> [RC |-> RCP, DC |-> DCP],
            h |-> [p \in Players |-> [RC |-> NoResources, DC |-> [BC |-> NoCards, AC |-> NoCards,
                                                                  UC |-> [Knight |-> 0, VictoryPoint |-> 0]]]],
            b |-> [p \in Players |-> BP]]

\* Player p places the first village on the settlement point sp and a road on the road point rp.
SetupPhaseOne(p, sp, rp) ==
    /\ G.tp = "bot"                                         \* SO1 phase
    /\ SU.sup = "PhaseOne"                                  \* SO2 stage
    /\ SU.ap = p                                            \* SO3 turn
    /\ G.s[sp].own = NoOwner                                \* SO4 free
    /\ KeepsDistance(sp)                                    \* SO5 distance
    /\ SettlementHasNoBandit(sp)                            \* SO6 bandit
    /\ G.r[rp] = NoOwner                                    \* SO7 road_free
    /\ rp \in RoadsAt[sp]                                   \* SO8 touch
    /\ RoadHasNoBandit(rp)                                  \* SO9 road_bandit
    /\ SU' = IF p = NPlayers THEN [SU EXCEPT !.sup = "PhaseTwo"] ELSE [SU EXCEPT !.ap = p + 1]
    /\ G' = [G EXCEPT !.b[p].Road = @ - 1,
                      !.b[p].Village = @ - 1,
                      !.s[sp] = [own |-> p, st |-> "Village"],
                      !.r[rp] = p]

\* Player p places the second village and a road, in reverse order, and earns what lies around the village.
SetupPhaseTwo(p, sp, rp) ==
    /\ G.tp = "bot"                                         \* ST1 phase
    /\ SU.sup = "PhaseTwo"                                  \* ST2 stage
    /\ SU.ap = p                                            \* ST3 turn
    /\ G.s[sp].own = NoOwner                                \* ST4 free
    /\ KeepsDistance(sp)                                    \* ST5 distance
    /\ SettlementHasNoBandit(sp)                            \* ST6 bandit
    /\ G.r[rp] = NoOwner                                    \* ST7 road_free
    /\ rp \in RoadsAt[sp]                                   \* ST8 touch
    /\ RoadHasNoBandit(rp)                                  \* ST9 road_bandit
    /\ Covers(G.bnk.RC, Harvest[sp])                        \* ST10 stock
    /\ SU' = IF p = 1 THEN SU ELSE [SU EXCEPT !.ap = p - 1]
    /\ G' = [G EXCEPT !.tp = IF p = 1 THEN "DiceRoll" ELSE @,
                      !.bnk.RC = SubRec(@, Harvest[sp]),
                      !.h[p].RC = AddRec(@, Harvest[sp]),
                      !.b[p].Road = @ - 1,
                      !.b[p].Village = @ - 1,
                      !.s[sp] = [own |-> p, st |-> "Village"],
                      !.r[rp] = p]

-----------------------------------------------------------------------------
(* The dice. *)

\* The game state after a seven: every hand above the limit has to be halved.
Seven ==
    LET cards(p) == Count(G.h[p].RC)
        limit(p) == IF cards(p) > HandLimit THEN cards(p) - cards(p) \div 2 ELSE 0
    IN [G EXCEPT !.dice = 7,
                 !.lim = [p \in Players |-> limit(p)],
                 !.tp = IF \E p \in Players : limit(p) > 0 THEN "Discarding" ELSE "MovingBandit"]

\* The game state after any other roll: everybody gains what it yields, or nobody if the bank cannot pay all of it.
Harvested(d) ==
    LET gain == TLCEval([p \in Players |-> ResourceGainPlayer(p, d)])
        due == TLCEval([res \in RCT |-> Sum([p \in Players |-> gain[p][res]], Players)])
        rolled == [G EXCEPT !.dice = d, !.tp = "Trading"]
    IN IF Covers(G.bnk.RC, due)
       THEN [rolled EXCEPT !.bnk.RC = SubRec(@, due),
                           !.h = [p \in Players |-> [G.h[p] EXCEPT !.RC = AddRec(@, gain[p])]]]
       ELSE rolled

\* Player p rolls d.  Sevens and harvests concern everybody.
RollDice(p, d) ==
    /\ G.tp = "DiceRoll"                                    \* RD1 phase
    /\ G.ap = p                                             \* RD2 turn
    /\ d \in Dice                                           \* RD3 dice
    /\ G' = IF d = 7 THEN Seven ELSE Harvested(d)
    /\ UNCHANGED SU

\* Player p gives back what their hand holds above its limit; the choice of cards is theirs.
Discard(p, cards) ==
    /\ G.tp = "Discarding"                                  \* DI1 phase
    /\ Owes(p)                                              \* DI2 owes
    /\ Count(cards) = Count(G.h[p].RC) - G.lim[p]           \* DI3 amount
    /\ Covers(G.h[p].RC, cards)                             \* DI4 hand
    /\ G' = [G EXCEPT !.bnk.RC = AddRec(@, cards),
                      !.h[p].RC = SubRec(@, cards)]
    /\ UNCHANGED SU

\* Player p moves the bandit to tile `to` and steals a card of the victim.
MoveBandit(p, to, victim, card) ==
    /\ G.tp \in {"Discarding", "MovingBandit"}              \* MB1 phase
    /\ G.ap = p                                             \* MB2 turn
    /\ \A q \in Players : ~Owes(q)                          \* MB3 discards
    /\ to # G.ba                                            \* MB4 elsewhere
    /\ to \in Land                                          \* MB5 land
    /\ IsTarget(p, to)                                      \* MB6 target
    /\ victim \in Victims(p, to)                            \* MB7 victim
    /\ card \in Loot(victim)                                \* MB8 card
    /\ G' = [G EXCEPT !.tp = "Trading",
                      !.ba = to,
                      !.lim = [q \in Players |-> 0],
                      !.h = Steal(@, p, victim, card)]
    /\ UNCHANGED SU

-----------------------------------------------------------------------------
(* Trading with the bank. *)

\* Player p trades no more.
EmptyTrade(p) ==
    /\ G.tp = "Trading"                                     \* ET1 phase
    /\ G.ap = p                                             \* ET2 turn
    /\ G' = [G EXCEPT !.tp = "Building"]
    /\ UNCHANGED SU

\* The game state after player p gave n cards of one type to the bank and received one of another.
Traded(p, n, give, receive) ==
    [G EXCEPT !.bnk.RC[give] = @ + n,
              !.bnk.RC[receive] = @ - 1,
              !.h[p].RC[give] = @ - n,
              !.h[p].RC[receive] = @ + 1]

\* Player p trades four cards of a type for one of another.
TradeFourToOne(p, give, receive) ==
    /\ G.tp = "Trading"                                     \* TF1 phase
    /\ G.ap = p                                             \* TF2 turn
    /\ G.h[p].RC[give] >= 4                                 \* TF3 hand
    /\ G.bnk.RC[receive] > 0                                \* TF4 bank
    /\ give # receive                                       \* TF5 differ
    /\ G' = Traded(p, 4, give, receive)
    /\ UNCHANGED SU

\* Player p trades three cards of a type for one of another, at a wharf for anything.
TradeThreeToOne(p, give, receive) ==
    /\ G.tp = "Trading"                                     \* TT1 phase
    /\ G.ap = p                                             \* TT2 turn
    /\ G.h[p].RC[give] >= 3                                 \* TT3 hand
    /\ G.bnk.RC[receive] > 0                                \* TT4 bank
    /\ give # receive                                       \* TT5 differ
    /\ HasWharf(p, "ThreeToOne")                            \* TT6 wharf
    /\ G' = Traded(p, 3, give, receive)
    /\ UNCHANGED SU

\* Player p trades two cards of a type for one of another, at the wharf for that type.
TradeTwoToOne(p, give, receive) ==
    /\ G.tp = "Trading"                                     \* TW1 phase
    /\ G.ap = p                                             \* TW2 turn
    /\ G.h[p].RC[give] >= 2                                 \* TW3 hand
    /\ G.bnk.RC[receive] > 0                                \* TW4 bank
    /\ give # receive                                       \* TW5 differ
    /\ HasWharf(p, give)                                    \* TW6 wharf
    /\ G' = Traded(p, 2, give, receive)
    /\ UNCHANGED SU

-----------------------------------------------------------------------------
(* Building. *)

\* Player p ends the turn, and the game if they have the points.
EmptyBuild(p) ==
    /\ G.tp = "Building"                                    \* EB1 phase
    /\ G.ap = p                                             \* EB2 turn
    /\ G' = IF PlayerPoints(p) >= PointsToWin
            THEN [G EXCEPT !.tp = "top"]
            ELSE [G EXCEPT !.tp = "DiceRoll",
                           !.ap = NextPlayer(p),
                           !.dice = 0,
                           !.h[p].DC.AC = AddRec(@, G.h[p].DC.BC),
                           !.h[p].DC.BC = NoCards]
    /\ UNCHANGED SU

\* Player p pays for a road and places it on the free road point rp.
BuildRoad(p, rp) ==
    /\ G.tp = "Building"                                    \* BR1 phase
    /\ G.ap = p                                             \* BR2 turn
    /\ Covers(G.h[p].RC, RoadCost)                          \* BR3 cost
    /\ G.b[p].Road > 0                                      \* BR4 supply
    /\ G.r[rp] = NoOwner                                    \* BR5 free
    /\ Links(p, rp, G.r) # {}                               \* BR6 network
    /\ RoadHasNoBandit(rp)                                  \* BR7 bandit
    /\ G' = LET r == [G.r EXCEPT ![rp] = p]
             IN [G EXCEPT !.bnk.RC = AddRec(@, RoadCost),
                         !.h[p].RC = SubRec(@, RoadCost),
                         !.b[p].Road = @ - 1,
                         !.r = r,
                         !.lr = LongestRoad(G.s, r)]
    /\ UNCHANGED SU

\* Player p pays for a village and places it on the free settlement point sp.
BuildVillage(p, sp) ==
    /\ G.tp = "Building"                                    \* BV1 phase
    /\ G.ap = p                                             \* BV2 turn
    /\ Covers(G.h[p].RC, VillageCost)                       \* BV3 cost
    /\ G.b[p].Village > 0                                   \* BV4 supply
    /\ G.s[sp].own = NoOwner                                \* BV5 free
    /\ KeepsDistance(sp)                                    \* BV6 distance
    /\ {rp \in RoadsAt[sp] : G.r[rp] = p} # {}              \* BV7 network
    /\ SettlementHasNoBandit(sp)                            \* BV8 bandit
    /\ G' = LET s == [G.s EXCEPT ![sp] = [own |-> p, st |-> "Village"]]
             IN [G EXCEPT !.bnk.RC = AddRec(@, VillageCost),
                         !.h[p].RC = SubRec(@, VillageCost),
                         !.b[p].Village = @ - 1,
                         !.s = s,
                         !.lr = LongestRoad(s, G.r)]
    /\ UNCHANGED SU

\* Player p pays for a city, which takes the place of the own village on sp; the village returns to the supply.
BuildCity(p, sp) ==
    /\ G.tp = "Building"                                    \* BC1 phase
    /\ G.ap = p                                             \* BC2 turn
    /\ Covers(G.h[p].RC, CityCost)                          \* BC3 cost
    /\ G.b[p].City > 0                                      \* BC4 supply
    /\ G.s[sp] = [own |-> p, st |-> "Village"]              \* BC5 village
    /\ SettlementHasNoBandit(sp)                            \* BC6 bandit
    /\ G' = [G EXCEPT !.bnk.RC = AddRec(@, CityCost),
                      !.h[p].RC = SubRec(@, CityCost),
                      !.b[p].Village = @ + 1,
                      !.b[p].City = @ - 1,
                      !.s[sp].st = "City"]
    /\ UNCHANGED SU

\* Player p pays for a development card and draws this one; a victory point is unveiled at once.
BuyDevCard(p, card) ==
    /\ G.tp = "Building"                                    \* BD1 phase
    /\ G.ap = p                                             \* BD2 turn
    /\ Covers(G.h[p].RC, DevCardCost)                       \* BD3 cost
    /\ G.bnk.DC[card] > 0                                   \* BD4 stock
    /\ G' = LET paid == [G EXCEPT !.bnk.RC = AddRec(@, DevCardCost),
                                   !.bnk.DC[card] = @ - 1,
                                   !.h[p].RC = SubRec(@, DevCardCost)]
             IN IF card = "VictoryPoint"
               THEN [paid EXCEPT !.h[p].DC.UC.VictoryPoint = @ + 1]
               ELSE [paid EXCEPT !.h[p].DC.BC[card] = @ + 1]
    /\ UNCHANGED SU

-----------------------------------------------------------------------------
(* Development cards. *)

\* Player p takes all cards of a resource from all others.
PlayMonopoly(p, res) ==
    /\ G.tp \in {"Trading", "Building"}                     \* PM1 phase
    /\ G.ap = p                                             \* PM2 turn
    /\ G.h[p].DC.AC.Monopoly > 0                            \* PM3 available
    /\ G' = LET all == Sum([q \in Players |-> G.h[q].RC[res]], Players)
                 hands == [q \in Players |-> [G.h[q] EXCEPT !.RC[res] = IF q = p THEN all ELSE 0]]
             IN [G EXCEPT !.dp.Monopoly = @ + 1,
                         !.h = [hands EXCEPT ![p].DC.AC.Monopoly = @ - 1]]
    /\ UNCHANGED SU

\* Player p takes two cards from the bank.
PlayYearOfPlenty(p, first, second) ==
    /\ G.tp \in {"Trading", "Building"}                     \* PY1 phase
    /\ G.ap = p                                             \* PY2 turn
    /\ G.h[p].DC.AC.YearOfPlenty > 0                        \* PY3 available
    /\ G.bnk.RC[first] > 0 /\ G.bnk.RC[second] > (IF first = second THEN 1 ELSE 0)  \* PY4 stock
    /\ G' = [G EXCEPT !.dp.YearOfPlenty = @ + 1,
                      !.bnk.RC[first] = @ - 1,
                      !.bnk.RC[second] = @ - 1,
                      !.h[p].RC[first] = @ + 1,
                      !.h[p].RC[second] = @ + 1,
                      !.h[p].DC.AC.YearOfPlenty = @ - 1]
    /\ UNCHANGED SU

\* Player p places two roads without paying; the second may continue the first.
PlayRoadBuilding(p, first, second) ==
    /\ G.tp \in {"Trading", "Building"}                     \* PR1 phase
    /\ G.ap = p                                             \* PR2 turn
    /\ G.h[p].DC.AC.RoadBuilding > 0                        \* PR3 available
    /\ G.b[p].Road >= 2                                     \* PR4 supply
    /\ G.r[first] = NoOwner                                 \* PR5 free
    /\ Links(p, first, G.r) # {}                            \* PR6 network
    /\ RoadHasNoBandit(first)                               \* PR7 bandit
    /\ first # second                                       \* PR8 differ
    /\ G.r[second] = NoOwner                                \* PR9 second_free
    /\ Links(p, second, [G.r EXCEPT ![first] = p]) # {}     \* PR10 second_network
    /\ RoadHasNoBandit(second)                              \* PR11 second_bandit
    /\ G' = LET r == [G.r EXCEPT ![first] = p, ![second] = p]
             IN [G EXCEPT !.dp.RoadBuilding = @ + 1,
                         !.h[p].DC.AC.RoadBuilding = @ - 1,
                         !.b[p].Road = @ - 2,
                         !.r = r,
                         !.lr = LongestRoad(G.s, r)]
    /\ UNCHANGED SU

\* Player p unveils a knight, moves the bandit to tile `to` and steals a card of the victim.
PlayKnight(p, to, victim, card) ==
    /\ G.tp \in {"Trading", "Building"}                     \* PK1 phase
    /\ G.ap = p                                             \* PK2 turn
    /\ G.h[p].DC.AC.Knight > 0                              \* PK3 available
    /\ to # G.ba                                            \* PK4 elsewhere
    /\ to \in Land                                          \* PK5 land
    /\ IsTarget(p, to)                                      \* PK6 target
    /\ victim \in Victims(p, to)                            \* PK7 victim
    /\ card \in Loot(victim)                                \* PK8 card
    /\ G' = LET h == [Steal(G.h, p, victim, card) EXCEPT ![p].DC.AC.Knight = @ - 1, ![p].DC.UC.Knight = @ + 1]
             IN [G EXCEPT !.ba = to,
                         !.h = h,
                         !.la = LargestArmy(h)]
    /\ UNCHANGED SU

-----------------------------------------------------------------------------
(* The state machine.                                                      *)
(*                                                                         *)
(* Offered keeps TLC from trying what cannot be: it hands out the choices  *)
(* under a condition that the action asks for anyway.  Replacing it by all *)
(* choices (the models do, see MC.tla) changes nothing but the time.       *)

Offered(condition, choices) == IF condition THEN choices ELSE {}

\* All ways to discard exactly what player p owes.
DiscardChoices(p) ==
    LET rc == G.h[p].RC
        owed == Count(rc) - G.lim[p]
        pick(x) == [Lumber |-> x[1], Brick |-> x[2], Wool |-> x[3], Grain |-> x[4],
                    Ore |-> owed - x[1] - x[2] - x[3] - x[4]]
        picks == (0..rc.Lumber) \X (0..rc.Brick) \X (0..rc.Wool) \X (0..rc.Grain)
    IN {pick(x) : x \in {y \in picks : pick(y).Ore \in 0..rc.Ore}}

Next ==
    \E p \in Players :
        LET isTurn(tps) == G.tp \in tps /\ G.ap = p
            holds(card) == isTurn({"Trading", "Building"}) /\ G.h[p].DC.AC[card] > 0
            isSetup == G.tp = "bot" /\ SU.ap = p
        IN
        \/ \E sp \in Offered(isSetup, DOMAIN G.s) :
               \E rp \in Offered(G.s[sp].own = NoOwner, DOMAIN G.r) : SetupPhaseOne(p, sp, rp)
        \/ \E sp \in Offered(isSetup, DOMAIN G.s) :
               \E rp \in Offered(G.s[sp].own = NoOwner, DOMAIN G.r) : SetupPhaseTwo(p, sp, rp)
        \/ \E d \in Offered(isTurn({"DiceRoll"}), 2..12) : RollDice(p, d)
        \/ \E cards \in Offered(Owes(p), DiscardChoices(p)) : Discard(p, cards)
        \/ \E to \in Offered(isTurn({"Discarding", "MovingBandit"}), DOMAIN Tiles) :
               \E victim \in Players \cup {NoOwner} :
                   \E card \in Offered(victim \in Victims(p, to), RCT \cup {"none"}) : MoveBandit(p, to, victim, card)
        \/ EmptyTrade(p)
        \/ \E give, receive \in Offered(isTurn({"Trading"}), RCT) : TradeFourToOne(p, give, receive)
        \/ \E give, receive \in Offered(isTurn({"Trading"}), RCT) : TradeThreeToOne(p, give, receive)
        \/ \E give, receive \in Offered(isTurn({"Trading"}), RCT) : TradeTwoToOne(p, give, receive)
        \/ EmptyBuild(p)
        \/ \E rp \in Offered(isTurn({"Building"}), DOMAIN G.r) : BuildRoad(p, rp)
        \/ \E sp \in Offered(isTurn({"Building"}), DOMAIN G.s) : BuildVillage(p, sp)
        \/ \E sp \in Offered(isTurn({"Building"}), DOMAIN G.s) : BuildCity(p, sp)
        \/ \E card \in Offered(isTurn({"Building"}), DCT) : BuyDevCard(p, card)
        \/ \E res \in Offered(holds("Monopoly"), RCT) : PlayMonopoly(p, res)
        \/ \E first, second \in Offered(holds("YearOfPlenty"), RCT) : PlayYearOfPlenty(p, first, second)
        \/ \E first \in Offered(holds("RoadBuilding"), DOMAIN G.r) :
               \E second \in Offered(G.r[first] = NoOwner /\ Links(p, first, G.r) # {}, DOMAIN G.r) :
                   PlayRoadBuilding(p, first, second)
        \/ \E to \in Offered(holds("Knight"), DOMAIN Tiles) :
               \E victim \in Players \cup {NoOwner} :
                   \E card \in Offered(victim \in Victims(p, to), RCT \cup {"none"}) : PlayKnight(p, to, victim, card)

Spec == Init /\ [][Next]_vars

FairSpec == Spec /\ WF_vars(Next)

-----------------------------------------------------------------------------
(* Invariants. *)

\* Every component has its type (definitions 17 to 19); no count is negative or above its pool.
TypeOK ==
    /\ SU \in [sup: SUP, ap: Players]
    /\ G \in [ap: Players, tp: TP, dice: {0} \cup Dice, ba: M, dp: DP,
              lr: Players \cup {NoOwner}, la: Players \cup {NoOwner}, lim: [Players -> 0..Count(RCP)],
              s: S, r: R, bnk: BNK, h: H, b: B]

\* Invariant 1.
ConservationOfResourceCards ==
    \A res \in RCT : G.bnk.RC[res] + Sum([p \in Players |-> G.h[p].RC[res]], Players) = RCP[res]

\* Invariant 2.
ConservationOfDevelopmentCards ==
    LET held(p) == G.h[p].DC
        hidden(card) == Sum([p \in Players |-> held(p).BC[card] + held(p).AC[card]], Players)
        unveiled(card) == Sum([p \in Players |-> held(p).UC[card]], Players)
    IN /\ \A card \in PCT : G.bnk.DC[card] + hidden(card) + G.dp[card] = DCP[card]
       /\ G.bnk.DC.Knight + hidden("Knight") + unveiled("Knight") = DCP.Knight
       /\ G.bnk.DC.VictoryPoint + unveiled("VictoryPoint") = DCP.VictoryPoint

\* Invariant 3.
ConservationOfBuildings ==
    \A p \in Players :
        LET settlements == SettlementsOf(p)
            built(st) == Cardinality({sp \in settlements : G.s[sp].st = st})
        IN /\ G.b[p].Road + Cardinality(RoadsOf(p)) = BP.Road
           /\ G.b[p].Village + built("Village") = BP.Village
           /\ G.b[p].City + built("City") = BP.City

\* No two settlements on neighbouring points.
DistanceRule ==
    \A sp \in DOMAIN CT : G.s[sp].own # NoOwner => KeepsDistance(sp)

\* The roads that hang together with the given points.
RECURSIVE Connected(_, _)
Connected(points, roads) ==
    LET reached == {rp \in roads : EndsOf[rp] \cap points # {}}
    IN IF reached = {} THEN {}
       ELSE reached \cup Connected(UNION {EndsOf[rp] : rp \in reached}, roads \ reached)

\* Every road hangs together with a settlement of its owner, through roads of its owner.
RoadsConnected ==
    \A p \in Players : Connected(SettlementsOf(p), RoadsOf(p)) = RoadsOf(p)

\* The bandit never leaves the land.
BanditOnLand == G.ba \in Land

\* Whoever holds a bonus card has enough, and nobody has more; while nobody holds it, no single player has the most
\* and enough.
BonusHolders ==
    LET deserved(holder, has, enough) ==
            IF holder # NoOwner
            THEN has[holder] >= enough /\ \A p \in Players : has[p] <= has[holder]
            ELSE \A p \in Players : has[p] >= enough => \E q \in Players \ {p} : has[q] >= has[p]
    IN /\ deserved(G.lr, TLCEval([p \in Players |-> LongestTrail(p, G.s, G.r)]), LongestRoadMin)
       /\ deserved(G.la, [p \in Players |-> G.h[p].DC.UC.Knight], LargestArmyMin)

\* Only the active player has bought cards.
BoughtByActive ==
    \A p \in Players : G.h[p].DC.BC # NoCards => p = G.ap /\ G.tp \in {"Trading", "Building", "top"}

\* Set-up and game agree about whose turn it may be, and the dice about the phase.
TurnOrder ==
    LET placed == Cardinality({sp \in DOMAIN CT : G.s[sp].own # NoOwner})
    IN /\ SU = IF placed < NPlayers THEN [sup |-> "PhaseOne", ap |-> placed + 1]
               ELSE IF placed < 2 * NPlayers THEN [sup |-> "PhaseTwo", ap |-> 2 * NPlayers - placed]
               ELSE [sup |-> "PhaseTwo", ap |-> 1]
       /\ (G.tp = "bot") = (placed < 2 * NPlayers)
       /\ G.tp = "bot" => G.ap = 1
       /\ (G.dice = 0) = (G.tp \in {"bot", "DiceRoll"})
       /\ G.tp \in {"Discarding", "MovingBandit"} => G.dice = 7
       /\ (G.tp = "Discarding") = (\E p \in Players : G.lim[p] > 0)

=============================================================================
