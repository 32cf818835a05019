-------------------------------- MODULE Catan --------------------------------
(***************************************************************************)
(* The board game "Catan" as a state machine.                              *)
(*                                                                         *)
(* docs/reference/model.md explains names, numbering, guards and tags;     *)
(* catan_p2p/game/actions mirrors every action.  A guard is one conjunct on one *)
(* line with its tag; after the guards come the primes.  Chance (the dice, *)
(* a stolen card, a drawn card) and every player's choices are parameters  *)
(* of the actions; Next quantifies over them.                              *)
(*                                                                         *)
(* The rules are a constant: Catan.cfg plays by the thesis's, which are    *)
(* simpler, CatanStandard in models.toml by the rule book's.               *)
(*                                                                         *)
(* docs/research/errata.md says where this module departs from the         *)
(* specification that it continues, and why.                               *)
(***************************************************************************)
EXTENDS Board

CONSTANTS
    NPlayers,           \* how many play
    RCP,                \* resource card pool (definition 5)
    DCP,                \* development card pool (definition 6)
    BP,                 \* building pool of each player (definition 14)
    Dice,               \* sums that the dice can show
    Opening,            \* what lies on the board from the beginning: set of [p, sp, rp, earns]; {} for a set-up
    Rules               \* the other rules, as in RuleSets; a model takes one of those below, or changes some of their fields

RuleSets == [
    PointsToWin: Nat, HandLimit: Nat, LongestRoadMin: Nat, LargestArmyMin: Nat,
    BanditBlocksBuilding: BOOLEAN,      \* whether nobody builds beside the bandit
    BanditTargets: {"adversary", "any", "friendly"},
                                        \* where the bandit goes: "adversary": where one has settled; "any": to any
                                        \* other land; "friendly": to any other where no adversary has fewer than three points
    Shortage: {"nobody", "per_resource"},
                                        \* what is paid of a roll that the bank cannot pay: "nobody": nothing at all;
                                        \* "per_resource": all resources but those that are short
    CombinedTradeBuild: BOOLEAN,        \* whether trading and building are one phase, not first Trading, then Building
    DevCardsPerTurn: Nat,               \* how many development cards may be played in a turn; 0: any number
    DevCardBeforeDice: BOOLEAN,         \* whether they may be played before the dice are rolled
    WinCheck: {"turn_end", "at_once"},  \* when points are counted: "at_once": whenever the active player may have got some
    DomesticTrade: BOOLEAN,             \* whether players trade with each other
    RoadBuildingNeeds: {1, 2},          \* how many roads a road building card asks for
    OfferMax: Nat,                      \* how many cards there may be on either side of an offer; 0: any number
    TableTalk: BOOLEAN,                 \* whether the others make proposals and counter-offers, and nobody waits for answers
    OffersPerTurn: Nat,                 \* how many offers the active player may make in a turn; 0: any number
    ProposalsPerTurn: Nat,              \* how many proposals each of the others may make in a turn; 0: any number
    SpecialBuilding: BOOLEAN,           \* whether the others may build between two turns
    StartOrder: {"seat", "dice", "dice_then_seat"},
                                        \* who begins: "seat": player 1; "dice": who rolls most, and who ties rolls again;
                                        \* "dice_then_seat": the same, but where all who roll tie, the first of them begins
    Chance: {"actor", "joint"},         \* who draws: "actor": whoever acts; "joint": all players together
    Leaving: BOOLEAN,                   \* whether the others may go on without a player who is awaited and silent
    Returns: Nat,                       \* how often such a player may come back
    Hands: {"open", "hidden"},          \* what everybody sees of hands: "open": all; "hidden": what has come into the open
    SignedEnd: BOOLEAN,                 \* whether all who are there sign the end before hidden cards are opened
    ChanceAhead: BOOLEAN,               \* whether who ends a turn tells their shares of the rolls until their own next turn
    OffersToOne: BOOLEAN                \* whether an offer may be made to one other player alone
]

\* The rules as the thesis simplifies them.
Thesis ==
    [PointsToWin |-> 10, HandLimit |-> 7, LongestRoadMin |-> 5, LargestArmyMin |-> 3,
     BanditBlocksBuilding |-> TRUE, BanditTargets |-> "adversary", Shortage |-> "nobody", CombinedTradeBuild |-> FALSE,
     DevCardsPerTurn |-> 0, DevCardBeforeDice |-> FALSE, WinCheck |-> "turn_end", DomesticTrade |-> FALSE,
     RoadBuildingNeeds |-> 2, OfferMax |-> 0, TableTalk |-> FALSE, OffersPerTurn |-> 0, ProposalsPerTurn |-> 0,
     SpecialBuilding |-> FALSE, StartOrder |-> "seat", Chance |-> "actor", Leaving |-> FALSE, Returns |-> 0,
     Hands |-> "open", SignedEnd |-> FALSE, ChanceAhead |-> FALSE, OffersToOne |-> FALSE]

\* The rule book's with brief trades: small offers, to those who can pay, and no proposals.
Brief ==
    [Thesis EXCEPT !.BanditBlocksBuilding = FALSE, !.BanditTargets = "any", !.Shortage = "per_resource",
                   !.CombinedTradeBuild = TRUE, !.DevCardsPerTurn = 1, !.DevCardBeforeDice = TRUE, !.WinCheck = "at_once",
                   !.DomesticTrade = TRUE, !.RoadBuildingNeeds = 1, !.OfferMax = 4, !.StartOrder = "dice"]

\* The rules of the rule book, for up to four players.
Standard == [Brief EXCEPT !.OfferMax = 0, !.TableTalk = TRUE]

PointsToWin == Rules.PointsToWin
HandLimit == Rules.HandLimit
LongestRoadMin == Rules.LongestRoadMin
LargestArmyMin == Rules.LargestArmyMin
BanditBlocksBuilding == Rules.BanditBlocksBuilding
BanditTargets == Rules.BanditTargets
Shortage == Rules.Shortage
CombinedTradeBuild == Rules.CombinedTradeBuild
DevCardsPerTurn == Rules.DevCardsPerTurn
DevCardBeforeDice == Rules.DevCardBeforeDice
WinCheck == Rules.WinCheck
DomesticTrade == Rules.DomesticTrade
RoadBuildingNeeds == Rules.RoadBuildingNeeds
OfferMax == Rules.OfferMax
TableTalk == Rules.TableTalk
OffersPerTurn == Rules.OffersPerTurn
ProposalsPerTurn == Rules.ProposalsPerTurn
SpecialBuilding == Rules.SpecialBuilding
StartOrder == Rules.StartOrder
Chance == Rules.Chance
Leaving == Rules.Leaving
Returns == Rules.Returns
Hands == Rules.Hands
SignedEnd == Rules.SignedEnd
ChanceAhead == Rules.ChanceAhead
OffersToOne == Rules.OffersToOne

ASSUME RulesAreKnown ==
    /\ Rules \in RuleSets
    /\ TableTalk => DomesticTrade
    /\ Hands = "hidden" => Chance = "joint"
    /\ SignedEnd <=> Hands = "hidden" /\ Leaving
    /\ Returns > 0 => Leaving
    /\ ChanceAhead => Chance = "joint" /\ ~SpecialBuilding

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
SUP == {"Rolling", "PhaseOne", "PhaseTwo"}
TP == {"Pledging", "bot", "DiceRoll", "Discarding", "MovingBandit", "Trading", "Building", "TradingBuilding", "Offering",
       "SpecialBuilding", "Drawing", "Shuffling", "Surrendering", "Signing", "top"}

\* The actions with an outcome of chance, and those of them that rob.
Draws == {"RollForStart", "RollDice", "MoveBandit", "BuyDevCard", "PlayKnight"}
Robberies == {"MoveBandit", "PlayKnight"}

\* The phases in which players trade, build, and play development cards.
TradePhases == {"Trading", "TradingBuilding"}
BuildPhases == {"Building", "TradingBuilding", "SpecialBuilding"}
PlayPhases == {"Trading", "Building", "TradingBuilding"} \cup (IF DevCardBeforeDice THEN {"DiceRoll"} ELSE {})

\* The phase after a roll, after the bandit was moved, and after an offer.
AfterDice == IF CombinedTradeBuild THEN "TradingBuilding" ELSE "Trading"

Players == 1..NPlayers
NoOwner == 0

\* In place of a card that only some players see.
Sealed == "sealed"

\* In place of the tile, where a call names none.
NoTile == 0

\* In place of the second road point of a road building card: there is only one.
NoRoad == 0
SecondRoads == DOMAIN CD \cup (IF RoadBuildingNeeds = 1 THEN {NoRoad} ELSE {})

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
SideMax(res) == IF DomesticTrade /\ OfferMax = 0 THEN RCP[res] ELSE OfferMax
OfferSide == [Lumber: 0..SideMax("Lumber"), Brick: 0..SideMax("Brick"), Wool: 0..SideMax("Wool"),
              Grain: 0..SideMax("Grain"), Ore: 0..SideMax("Ore")]
Offer == [give: OfferSide, receive: OfferSide]
Answers == [Players -> {"none", "asked", "accept", "reject"}]
\* What everybody knows of cards that only their holders see: by player how many resource cards are sealed, beside the known
\* ones, and how many development cards were bought this turn, or are held; how many players have shuffled the deck, or told
\* their keys for it, in this round; what a monopoly asks of sealed cards; the phase to go back to; what is shuffled, or was
\* last: "keys": nothing before all have told their keys; "first": all of the deck; "rest": what is left of it after a player
\* has left; "back": the same with the keys of who is back, and as it was before if somebody leaves; "lost": nothing any more,
\* for two have left at once; and whose keys do not seal what is left of it, for they have left.
HID == [sealed: [Players -> Nat], bought: [Players -> Nat], held: [Players -> Nat], shuffles: 0..NPlayers,
        wanted: RCT \cup {"none"}, back: TP, deck: {"keys", "first", "rest", "back", "lost"}, keyless: [Players -> BOOLEAN]]
Calls == [what: Draws \cup {"none"}, tp: TP \ {"Shuffling", "Surrendering", "Signing"}, to: M \cup {NoTile}, victim: Players \cup {NoOwner}]

NoResources == [Lumber |-> 0, Brick |-> 0, Wool |-> 0, Grain |-> 0, Ore |-> 0]
NoProgressCards == [Monopoly |-> 0, YearOfPlenty |-> 0, RoadBuilding |-> 0]
NoCards == [Monopoly |-> 0, YearOfPlenty |-> 0, RoadBuilding |-> 0, Knight |-> 0]
NoOffer == [give |-> NoResources, receive |-> NoResources]
NoAnswers == [p \in Players |-> "none"]
NoProposals == [p \in Players |-> NoOffer]
NoneMade == [p \in Players |-> 0]
NobodyDue == [p \in Players |-> FALSE]
NobodyAway == [p \in Players |-> FALSE]
NobodyAhead == [p \in Players |-> FALSE]
WaysBack == [p \in Players |-> [left |-> Returns, missed |-> FALSE]]
NoCall == [what |-> "none", tp |-> "bot", to |-> NoTile, victim |-> NoOwner]
NoRolls == [p \in Players |-> 0]
NothingHidden == [sealed |-> [p \in Players |-> 0], bought |-> [p \in Players |-> 0], held |-> [p \in Players |-> 0],
                  shuffles |-> 0, wanted |-> "none", back |-> "bot", deck |-> "first", keyless |-> [p \in Players |-> FALSE]]

RoadCost == [Lumber |-> 1, Brick |-> 1, Wool |-> 0, Grain |-> 0, Ore |-> 0]
VillageCost == [Lumber |-> 1, Brick |-> 1, Wool |-> 1, Grain |-> 1, Ore |-> 0]
CityCost == [Lumber |-> 0, Brick |-> 0, Wool |-> 0, Grain |-> 2, Ore |-> 3]
DevCardCost == [Lumber |-> 0, Brick |-> 0, Wool |-> 1, Grain |-> 1, Ore |-> 1]

DefaultRCP == [Lumber |-> 19, Brick |-> 19, Wool |-> 19, Grain |-> 19, Ore |-> 19]
DefaultDCP == [Monopoly |-> 2, YearOfPlenty |-> 2, RoadBuilding |-> 2, Knight |-> 14, VictoryPoint |-> 5]
DefaultBP == [Road |-> 15, Village |-> 5, City |-> 4]

Max(numbers) == CHOOSE n \in numbers : \A m \in numbers : n >= m
Min(numbers) == CHOOSE n \in numbers : \A m \in numbers : n <= m

\* f[x] summed over all x in D.
RECURSIVE Sum(_, _)
Sum(f, D) ==
    IF D = {} THEN 0
    ELSE LET x == CHOOSE x \in D : TRUE
         IN f[x] + Sum(f, D \ {x})

\* f[p] summed over all players.
RECURSIVE UpTo(_, _)
UpTo(f, n) == IF n = 0 THEN 0 ELSE f[n] + UpTo(f, n - 1)
Total(f) == UpTo(f, NPlayers)

Count(rc) == rc.Lumber + rc.Brick + rc.Wool + rc.Grain + rc.Ore

Covers(rc, cost) == \A res \in RCT : rc[res] >= cost[res]

AddRec(one, other) == [card \in DOMAIN one |-> one[card] + other[card]]
SubRec(one, other) == [card \in DOMAIN one |-> one[card] - other[card]]

\* What some cards lack for a cost.
Shortfall(rc, cost) == [res \in RCT |-> IF cost[res] > rc[res] THEN cost[res] - rc[res] ELSE 0]

\* n cards of one resource.
Only(res, n) == [NoResources EXCEPT ![res] = n]

\* An opening gives everybody two villages with a road each, where a set-up could have placed them.
ASSUME OpeningIsWellFormed ==
    /\ \A o \in Opening : o \in [p: Players, sp: DOMAIN CT, rp: DOMAIN CD, earns: BOOLEAN] /\ o.rp \in RoadsAt[o.sp]
    /\ \A o, other \in Opening :
        o # other => o.sp # other.sp /\ o.sp \notin Neighbours[other.sp] /\ o.rp # other.rp
    /\ Opening # {} => \A p \in Players : Cardinality({o \in Opening : o.p = p}) = 2
    /\ Opening # {} => BP.Road >= 2 /\ BP.Village >= 2 /\ PointsToWin > 2
    /\ \A res \in RCT : Sum([o \in Opening |-> IF o.earns THEN Harvest[o.sp][res] ELSE 0], Opening) <= RCP[res]

-----------------------------------------------------------------------------
(* What the guards speak of. *)

SettlementsOf(p) == {sp \in DOMAIN CT : G.s[sp].own = p}
RoadsOf(p) == {rp \in DOMAIN CD : G.r[rp] = p}

\* Where anybody has settled, and where anybody has a road.
SettledPoints == {sp \in DOMAIN CT : G.s[sp].own # NoOwner}
RoadsBuilt == {rp \in DOMAIN CD : G.r[rp] # NoOwner}

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

\* How many resource cards player p holds, known and sealed; what was sealed by who is away is out of play.
HandSize(p) == Count(G.h[p].RC) + (IF G.away[p] THEN 0 ELSE G.hid.sealed[p])

\* Player p still has to discard.
Owes(p) == G.lim[p] > 0 /\ HandSize(p) > G.lim[p]

\* How many cards of a resource are sealed, all players together.
Unseen(res) == RCP[res] - G.bnk.RC[res] - Total([p \in Players |-> G.h[p].RC[res]])

\* Player p can pay a cost, as far as the number of their sealed cards tells.
CouldPay(p, cost) ==
    IF Covers(G.h[p].RC, cost) THEN TRUE
    ELSE Hands = "hidden" /\ Count(Shortfall(G.h[p].RC, cost)) <= G.hid.sealed[p]

\* The same, where what comes into the open by it can be what it is said to be.
Affords(p, cost) ==
    IF Covers(G.h[p].RC, cost) THEN TRUE
    ELSE CouldPay(p, cost) /\ \A res \in RCT : Shortfall(G.h[p].RC, cost)[res] <= Unseen(res)

\* How many development cards can still be bought in the game g, where nobody knows which.
DeckSize(g) == IF g.hid.deck = "lost" THEN 0 ELSE Sum(g.bnk.DC, DCT) - Total(g.hid.bought) - Total(g.hid.held)

\* Player p can play a development card of a kind, as far as everybody knows.
CanPlay(p, card) == IF G.h[p].DC.AC[card] > 0 THEN TRUE ELSE G.hid.held[p] > 0 /\ G.bnk.DC[card] > 0

\* The players who have not been left out.
Present == {p \in Players : ~G.away[p]}

\* Player p follows player p - 1, player 1 the last; who has been excused is skipped.
SeatAfter(p) == IF p = NPlayers THEN 1 ELSE p + 1
SeatBefore(p) == IF p = 1 THEN NPlayers ELSE p - 1

RECURSIVE NextPresent(_, _), PreviousPresent(_, _)
NextPresent(away, p) ==
    IF away[SeatAfter(p)] /\ \E q \in Players : ~away[q] THEN NextPresent(away, SeatAfter(p)) ELSE SeatAfter(p)
PreviousPresent(away, p) ==
    IF away[SeatBefore(p)] /\ \E q \in Players : ~away[q] THEN PreviousPresent(away, SeatBefore(p)) ELSE SeatBefore(p)
NextPlayer(p) == NextPresent(G.away, p)
PreviousPlayer(p) == PreviousPresent(G.away, p)

\* The adversaries of p with a settlement at tile t.
AdversariesAt(p, t) == {G.s[sp].own : sp \in Corners[t]} \ {NoOwner, p}

\* Player p may aim the bandit at tile t: an adversary has settled there, or at no tile that the bandit may go to.
IsTarget(p, t) == AdversariesAt(p, t) = {} => \A u \in Land \ {G.ba} : AdversariesAt(p, u) = {}

Victims(p, t) == IF AdversariesAt(p, t) = {} THEN {NoOwner} ELSE AdversariesAt(p, t)

\* Whether a victim holds sealed cards: then only robber and victim see which card is stolen.
HasSealed(victim) == IF victim = NoOwner \/ G.hid.sealed[victim] = 0 THEN FALSE ELSE ~G.away[victim]

\* The cards that can be stolen from a victim.
Loot(victim) ==
    IF HasSealed(victim) THEN {Sealed}
    ELSE IF victim = NoOwner \/ Count(G.h[victim].RC) = 0 THEN {"none"}
    ELSE {res \in RCT : G.h[victim].RC[res] > 0}

HasWharf(p, wt) == {sp \in SettlementsOf(p) : wt \in WharfsAt[sp]} # {}

\* The types of some cards, and the adversaries of p who could give them.
Types(rc) == {res \in RCT : rc[res] > 0}
Takers(p, rc) == {q \in Present \ {p} : CouldPay(q, rc)}

\* What can be one side of an offer: some cards, and not too many.
IsSide(rc) == Count(rc) >= 1 /\ (OfferMax > 0 => Count(rc) <= OfferMax)
\* Sides of at most two cards: CatanStandard in models.toml puts them in OfferSide's place, which has millions if OfferMax = 0.
SmallSide == {rc \in [Lumber: 0..2, Brick: 0..2, Wool: 0..2, Grain: 0..2, Ore: 0..2] : Count(rc) <= 2}

\* The phases in which the others may make proposals to the active player.
TalkPhases == IF TableTalk THEN TradePhases \cup {"Offering"} ELSE {}

\* What the active player can trade with a partner: the offer that they have accepted, or what they have proposed; as the
\* active player gives and receives it.
Terms(partner) ==
    IF G.ans[partner] = "accept" THEN G.offer
    ELSE [give |-> G.prop[partner].receive, receive |-> G.prop[partner].give]

\* The phase that the game begins with, once everybody has pledged.
FirstPhase == IF StartOrder = "seat" /\ Opening # {} THEN "DiceRoll" ELSE "bot"

\* The phase of the turn in the game g: while something is drawn, or taken by a monopoly, the one that this began in.
PhaseIn(g) == IF g.tp = "Drawing" THEN g.call.tp ELSE IF g.tp = "Surrendering" THEN g.hid.back ELSE g.tp
Phase == PhaseIn(G)

\* Whose turn it is to build.
BuilderIn(g) == IF PhaseIn(g) = "SpecialBuilding" THEN g.sb ELSE g.ap
Builder == BuilderIn(G)

\* Who may do what needs a draw, and in which phases.
CallerIn(g, what) == IF what = "RollForStart" THEN SU.ap ELSE IF what = "BuyDevCard" THEN BuilderIn(g) ELSE g.ap
Caller(what) == CallerIn(G, what)
CallPhases(what) ==
    CASE what = "RollForStart" -> {"bot"}
      [] what = "RollDice" -> {"DiceRoll"}
      [] what = "MoveBandit" -> {"Discarding", "MovingBandit"}
      [] what = "BuyDevCard" -> BuildPhases
      [] what = "PlayKnight" -> PlayPhases

\* Who acts next in the game g, once all replies are there.
ToActIn(g) ==
    IF g.tp \in {"bot", "Pledging"} THEN SU.ap
    ELSE IF g.tp = "Shuffling" THEN CHOOSE p \in Present : Cardinality({q \in Present : q < p}) = g.hid.shuffles
    ELSE IF g.tp = "Drawing" THEN CallerIn(g, g.call.what)
    ELSE IF g.tp = "Signing" /\ g.away[g.ap] THEN NextPresent(g.away, g.ap)
    ELSE BuilderIn(g)
ToAct == ToActIn(G)

\* What can come of a decision.
Outcomes(what, victim) ==
    CASE what \in {"RollForStart", "RollDice"} -> Dice
      [] what \in Robberies -> Loot(victim)
      [] what = "BuyDevCard" /\ Hands = "open" -> {card \in DCT : G.bnk.DC[card] > 0}
      [] what = "BuyDevCard" /\ Hands = "hidden" -> IF DeckSize(G) > 0 THEN {Sealed} ELSE {}

\* Whether more than one thing can come of it: a sealed card may be any.  Who is away seals nothing any more, so a robber
\* names a known card of theirs.
IsUncertain(what, victim) ==
    IF what \in Robberies /\ HasSealed(victim) THEN TRUE
    ELSE IF what \in Robberies /\ Hands = "hidden" /\ victim # NoOwner /\ victim \notin Present THEN FALSE
    ELSE IF what = "BuyDevCard" /\ Hands = "hidden" THEN DeckSize(G) > 0
    ELSE Cardinality(Outcomes(what, victim)) > 1

\* Whether all shares of the next roll but the active player's were told ahead, and nothing is left to decide before it.
IsAhead == \A p \in Present : G.ahead[p]

\* Player p can play or show a development card before the dice.
HasCardsBeforeDice(p) == G.hid.held[p] > 0 \/ (DevCardBeforeDice /\ G.h[p].DC.AC # NoCards)

\* Whether the outcome of this decision may be told now: everybody has revealed their share for it, or it is left to the
\* actor, or only one is possible and nothing has to be drawn, or all shares of a roll were told ahead.
IsDrawn(what, to, victim) ==
    IF Chance = "actor" \/ ~IsUncertain(what, victim) \/ (what = "RollDice" /\ IsAhead)
    THEN G.tp \notin {"Drawing", "Surrendering"}
    ELSE G.call = [what |-> what, tp |-> Phase, to |-> to, victim |-> victim] /\ G.due = NobodyDue

\* A road building card is good for one road of player p only: there is one left, or after `first` no place for another.
IsGoodForOne(p, first) ==
    LET canFollow(rp) ==
            /\ first # rp
            /\ G.r[rp] = NoOwner
            /\ Links(p, rp, [G.r EXCEPT ![first] = p]) # {}
            /\ BanditBlocksBuilding => RoadHasNoBandit(rp)
    IN G.b[p].Road = 1 \/ ~\E rp \in DOMAIN CD : canFollow(rp)

-----------------------------------------------------------------------------
(* What the effects speak of. *)

\* The game state once the active player goes on: proposals are for the moment in which they are made.
Heard == [G EXCEPT !.prop = NoProposals]

\* The game state once what was drawn is told.
Settled == [Heard EXCEPT !.tp = Phase, !.call = NoCall]

\* The game g once sealed cards of player p have come into the open, as far as the known ones lack them for a cost.
InTheOpen(g, p, cost) ==
    IF Covers(g.h[p].RC, cost) THEN g
    ELSE LET shown == Shortfall(g.h[p].RC, cost)
         IN [g EXCEPT !.h[p].RC = AddRec(@, shown), !.hid.sealed[p] = @ - Count(shown)]

\* The game g once player p has shown a development card that they play, unless it is known already.
Shown(g, p, card) ==
    IF g.h[p].DC.AC[card] > 0 THEN g
    ELSE [g EXCEPT !.h[p].DC.AC[card] = @ + 1, !.bnk.DC[card] = @ - 1, !.hid.held[p] = @ - 1]

\* The game g in which all who are there owe the openings of their hidden cards, or nothing where there are none.
Closed(g) == IF Hands = "open" THEN [g EXCEPT !.tp = "top"] ELSE [g EXCEPT !.tp = "top", !.due = [p \in Players |-> ~g.away[p]]]

\* The end of the game g, won by the active player: where that is agreed on, all others who are there sign it first.
Ended(g) ==
    LET signing == [p \in Players |-> SignedEnd /\ ~g.away[p] /\ p # g.ap]
    IN IF signing = NobodyDue THEN Closed(g) ELSE [g EXCEPT !.tp = "Signing", !.due = signing]

\* The game g in which those who are there begin with the deck before play does: they tell their keys, then shuffle it.
BegunAnew(g) == [g EXCEPT !.tp = "Shuffling", !.hid.shuffles = 0, !.hid.back = g.tp, !.hid.deck = "keys"]

\* The game g in which those who are there shuffle what is left of the deck before play goes on.
ShuffledAnew(g, stage) ==
    IF g.tp \in {"Signing", "top"} \/ DeckSize(g) = 0 THEN g
    ELSE [g EXCEPT !.tp = "Shuffling", !.hid.shuffles = 0, !.hid.back = g.tp, !.hid.deck = stage]

\* The game g in which they do so with the keys of who is back, if anybody is.
ShuffledBack(g) == IF \E p \in Players : ~g.away[p] /\ g.hid.keyless[p] THEN ShuffledAnew(g, "back") ELSE g

\* The game g once shuffles, or what a monopoly asks for, are over.
Resumed(g) ==
    IF g.tp \notin {"Shuffling", "Surrendering"} THEN g
    ELSE [g EXCEPT !.tp = g.hid.back, !.hid.wanted = "none", !.hid.back = "bot"]

\* Who has told shares of the next roll ahead once player p, whose turn it is, tells theirs and ends it.  Who rolls next counts
\* as one of them as long as there is nothing to decide before the roll: they know its outcome.
AheadAfter(p) ==
    [q \in Players |->
        IF ~ChanceAhead THEN FALSE
        ELSE IF q = p THEN TRUE
        ELSE G.ahead[q] /\ (q = NextPlayer(p) => ~HasCardsBeforeDice(q))]

\* What a roll of d yields to player p: on every tile without the bandit 1 for each village and 2 for each city.
ResourceGainPlayer(p, d) ==
    LET settled(t) == {sp \in Corners[t] : G.s[sp].own = p}
        cities(t) == {sp \in settled(t) : G.s[sp].st = "City"}
        cards(t) == IF t = G.ba THEN 0 ELSE Cardinality(settled(t)) + Cardinality(cities(t))
    IN [res \in RCT |-> Sum([t \in Producing[d][res] |-> cards(t)], Producing[d][res])]

\* The hands h after player p stole a card of the victim.
Steal(h, p, victim, card) ==
    IF card \in {"none", Sealed} THEN h ELSE [h EXCEPT ![victim].RC[card] = @ - 1, ![p].RC[card] = @ + 1]

\* The numbers of sealed cards after that.
StealSealed(sealed, p, victim, card) ==
    IF card # Sealed THEN sealed ELSE [sealed EXCEPT ![victim] = @ - 1, ![p] = @ + 1]

\* A trail of player p over rp goes on over its end sp to another of some roads of theirs, unless another player has
\* settled there.
GoesOn(p, s, roads, rp, sp) ==
    /\ s[sp].own = p \/ s[sp].own = NoOwner
    /\ \E other \in RoadsAt[sp] : other # rp /\ other \in roads

\* Some roads of player p in layers: those with a loose end, those that have one when the first are taken away, and so
\* on.  What never gets a loose end lies on a ring or between rings.
RECURSIVE Layers(_, _, _, _)
Layers(p, s, roads, layers) ==
    LET isLoose(rp) == \/ Cardinality(EndsOf[rp]) < 2       \* it leads off the map
                       \/ \E sp \in EndsOf[rp] : ~GoesOn(p, s, roads, rp, sp)
        loose == TLCEval({rp \in roads : isLoose(rp)})
    IN IF loose = {} THEN [layers |-> layers, rings |-> roads]
       ELSE Layers(p, s, roads \ loose, Append(layers, loose))

\* The length of the longest trail over layers without a ring: each has a road at both its ends; the last one has two
\* roads of it that meet, or one.
OverLayers(p, s, layers) ==
    LET last == layers[Len(layers)]
        meet == \E rp \in last : \E sp \in EndsOf[rp] : GoesOn(p, s, last, rp, sp)
    IN IF layers = <<>> THEN 0 ELSE 2 * Len(layers) - (IF meet THEN 0 ELSE 1)

\* The roads that do not hang together with any of the given points.
RECURSIVE Apart(_, _)
Apart(points, roads) ==
    LET reached == TLCEval({rp \in roads : EndsOf[rp] \cap points # {}})
    IN IF reached = {} THEN roads
       ELSE Apart(UNION {EndsOf[rp] : rp \in reached}, roads \ reached)

\* The length of the longest trail that goes from a point over rings to sp and on over the roads left, then over what
\* hangs on the point where it leaves them, unless it began there.
RECURSIVE OverRings(_, _, _, _)
OverRings(hanging, from, sp, left) ==
    Max({IF sp = from THEN 0 ELSE hanging[sp]}
        \cup UNION {{1 + OverRings(hanging, from, to, left \ {rp}) : to \in EndsOf[rp] \ {sp}} : rp \in RoadsAt[sp] \cap left})

\* The length of player p's longest road with settlements s and roads r: of the longest trail, on which no road is used
\* twice and no settlement of another player is passed.  One over rings begins where three roads meet, for elsewhere it could
\* begin a road before; it begins anywhere on a ring without such a point.  0 while they have too few roads anyway.  MCTrails compares it
\* with a plain search, HasTrail, which takes too long to show that there is no trail.
LongestTrail(p, s, r) ==
    LET own == TLCEval({rp \in DOMAIN CD : r[rp] = p})
        split == Layers(p, s, own, <<>>)
        points == UNION {EndsOf[rp] : rp \in split.rings}
        crossings == TLCEval({sp \in points : Cardinality(RoadsAt[sp] \cap own) > 2})
        starts == crossings \cup UNION {EndsOf[rp] : rp \in Apart(crossings, split.rings)}
        hanging == TLCEval([sp \in points |->
                       Max({0} \cup {n \in DOMAIN split.layers : RoadsAt[sp] \cap split.layers[n] # {}})])
    IN IF Cardinality(own) < LongestRoadMin THEN 0
       ELSE IF split.rings = {} THEN OverLayers(p, s, split.layers)
       ELSE Max({OverLayers(p, s, Layers(p, s, own \ split.rings, <<>>).layers)}
                \cup {hanging[sp] + OverRings(hanging, sp, sp, split.rings) : sp \in starts})

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

\* Victory points of player p in the game state g.
PointsIn(g, p) ==
    LET built(st) == Cardinality({sp \in DOMAIN CT : g.s[sp].own = p /\ g.s[sp].st = st})
    IN built("Village") + 2 * built("City") + g.h[p].DC.UC.VictoryPoint
       + (IF g.lr = p THEN 2 ELSE 0) + (IF g.la = p THEN 2 ELSE 0)

PlayerPoints(p) == PointsIn(G, p)

\* The friendly bandit leaves a tile to whoever has settled there with fewer than three points, if there is another.
IsSpared(p, t) == {q \in AdversariesAt(p, t) : PointsIn(G, q) < 3} # {}
IsFriendlyTarget(p, t) == IsSpared(p, t) => \A u \in Land \ {G.ba} : IsSpared(p, u)

CanAim(p, t) ==
    /\ BanditTargets = "adversary" => IsTarget(p, t)
    /\ BanditTargets = "friendly" => IsFriendlyTarget(p, t)

\* The game state g, or the end if the active player has won with it: in their own turn, whenever that is counted.
Won(g) ==
    IF WinCheck = "at_once" /\ g.tp \notin {"bot", "SpecialBuilding", "top"} /\ PointsIn(g, g.ap) >= PointsToWin
    THEN Ended(g)
    ELSE g

\* The number of development cards played this turn with one more, where it is counted.
PlayedOneMore == IF DevCardsPerTurn = 0 THEN 0 ELSE G.pd + 1

\* The number of offers or proposals of a player this turn with one more, where there is a limit.
OneMore(made, limit) == IF limit = 0 THEN 0 ELSE made + 1

\* Player p could pay for something to build.
CanPay(p) == \E cost \in {RoadCost, VillageCost, CityCost, DevCardCost} : CouldPay(p, cost)

\* Who is the next to build after player p before the turn passes on; nobody if there is none.
NextBuilder(p) ==
    LET place(q) == (q - G.ap + NPlayers) % NPlayers
        waiting == {q \in Present : place(q) > place(p) /\ CanPay(q)}
    IN IF ~SpecialBuilding \/ waiting = {} THEN NoOwner
       ELSE CHOOSE q \in waiting : \A other \in waiting : place(q) <= place(other)

-----------------------------------------------------------------------------
(* Chance that all players make together: their secrets are fixed when the *)
(* game begins, whoever acts calls for a draw, everybody else reveals, and *)
(* the action with its outcome settles it.  Which outcome the shares make  *)
(* is not said here, only that all of them are there: see CatanChance.tla  *)
(* and docs/how-it-works/chance.md.                                        *)

\* Player p pledges the secrets that all their shares will come from.
Pledge(p) ==
    /\ G.tp = "Pledging"                                    \* PL1 phase
    /\ G.due[p]                                             \* PL2 due
    /\ G' = LET due == [G.due EXCEPT ![p] = FALSE]
                told == [G EXCEPT !.due = due, !.tp = FirstPhase]
            IN IF due # NobodyDue THEN [G EXCEPT !.due = due]
               ELSE IF Hands = "open" THEN told
               ELSE IF Leaving THEN BegunAnew(told)
               ELSE [told EXCEPT !.tp = "Shuffling"]
    /\ UNCHANGED SU

\* Player p decides on what has an outcome of chance, and calls on everybody to reveal their share of it.
Call(p, what, to, victim) ==
    /\ Chance = "joint"                                     \* CA1 rule
    /\ G.tp \in CallPhases(what)                            \* CA2 phase
    /\ what = "RollForStart" => SU.sup = "Rolling"          \* CA3 stage
    /\ p = Caller(what)                                     \* CA4 turn
    /\ what = "MoveBandit" => \A q \in Players : ~Owes(q)   \* CA5 discards
    /\ what = "BuyDevCard" => Affords(p, DevCardCost)       \* CA6 cost
    /\ what = "PlayKnight" => CanPlay(p, "Knight")          \* CA7 available
    /\ what = "PlayKnight" /\ DevCardsPerTurn > 0 => G.pd < DevCardsPerTurn            \* CA8 limit
    /\ what \notin Robberies => to = NoTile /\ victim = NoOwner                        \* CA9 plain
    /\ what \in Robberies => to # G.ba                      \* CA10 elsewhere
    /\ what \in Robberies => to \in Land                    \* CA11 land
    /\ what \in Robberies => CanAim(p, to)                  \* CA12 target
    /\ what \in Robberies => victim \in Victims(p, to)      \* CA13 victim
    /\ IsUncertain(what, victim)                            \* CA14 open
    /\ what = "RollDice" => ~IsAhead                        \* CA15 ahead
    /\ G' = LET heard == Heard
                paid == IF what = "BuyDevCard" THEN InTheOpen(heard, p, DevCardCost)
                        ELSE IF what = "PlayKnight" THEN Shown(heard, p, "Knight")
                        ELSE heard
                asked == IF Hands = "hidden" /\ what \in Robberies THEN {victim} ELSE Present \ {p}
            IN [paid EXCEPT !.tp = "Drawing",
                            !.call = [what |-> what, tp |-> G.tp, to |-> to, victim |-> victim],
                            !.due = [q \in Players |-> q \in asked]]
    /\ UNCHANGED SU

\* Player p reveals their share of the draw that was called for.  The victim of a theft seals the whole hand instead, where
\* hands are hidden.
Reveal(p) ==
    /\ G.tp = "Drawing"                                     \* RV1 phase
    /\ G.due[p]                                             \* RV2 due
    /\ G' = IF Hands = "open" \/ G.call.victim # p THEN [G EXCEPT !.due[p] = FALSE]
            ELSE [G EXCEPT !.due[p] = FALSE, !.h[p].RC = NoResources, !.hid.sealed[p] = @ + Count(G.h[p].RC)]
    /\ UNCHANGED SU

-----------------------------------------------------------------------------
(* Hands that only their holders see.  What a hand has gained in the open  *)
(* is known; what was stolen from a hand of several kinds, and development *)
(* cards until they are played, is sealed: this module has the number of   *)
(* such cards only.  What pays for something, or is played, comes into the *)
(* open.  That it was held is proven in the log: see CatanHidden.tla and   *)
(* docs/how-it-works/sealing.md.                                           *)

\* Player p tells their key for the deck, or shuffles it.
Shuffle(p) ==
    /\ G.tp = "Shuffling"                                   \* SH1 phase
    /\ p = ToAct                                            \* SH2 turn
    /\ G' = LET shuffled == [G EXCEPT !.hid.shuffles = @ + 1]
            IN IF G.hid.shuffles + 1 < Cardinality(Present) THEN shuffled
               ELSE IF G.hid.deck = "keys" THEN [G EXCEPT !.hid.shuffles = 0, !.hid.deck = "first"]
               ELSE IF G.hid.deck = "back" THEN Resumed([shuffled EXCEPT !.hid.keyless = G.away])
               ELSE IF Leaving THEN ShuffledBack(Resumed(shuffled))
               ELSE [shuffled EXCEPT !.tp = FirstPhase]
    /\ UNCHANGED SU

\* Player p says what a monopoly takes of their sealed cards.
Surrender(p, cards) ==
    /\ G.tp = "Surrendering"                                \* SU1 phase
    /\ G.due[p]                                             \* SU2 due
    /\ G.hid.wanted # "none" /\ cards = Only(G.hid.wanted, Count(cards))               \* SU3 resource
    /\ Affords(p, cards)                                    \* SU4 hand
    /\ G' = LET due == [G.due EXCEPT ![p] = FALSE]
                given == [InTheOpen(G, p, cards) EXCEPT !.due = due,
                                                        !.h[p].RC = SubRec(@, cards),
                                                        !.h[G.ap].RC = AddRec(@, cards)]
            IN IF due = NobodyDue THEN Resumed(given) ELSE given
    /\ UNCHANGED SU

\* Player p shows a victory point card, bought this turn or before; before that it counts for nobody.
ShowPoint(p, pile) ==
    /\ Hands = "hidden"                                     \* SP1 rule
    /\ G.tp \in PlayPhases \cup {"DiceRoll"}                \* SP2 phase
    /\ G.ap = p                                             \* SP3 turn
    /\ G.hid[pile][p] > 0 /\ G.bnk.DC.VictoryPoint > 0      \* SP4 card
    /\ G' = Won([Heard EXCEPT !.hid[pile][p] = @ - 1,
                              !.bnk.DC.VictoryPoint = @ - 1,
                              !.h[p].DC.UC.VictoryPoint = @ + 1])
    /\ UNCHANGED SU

\* Player p has seen that the game is over.
SignEnd(p) ==
    /\ G.tp = "Signing"                                     \* SE1 phase
    /\ G.due[p]                                             \* SE2 due
    /\ G' = [G EXCEPT !.due[p] = FALSE]
    /\ UNCHANGED SU

\* Player p, who has won, closes the game that all others who are there have signed; without the winner, the next does.
CloseGame(p) ==
    /\ G.tp = "Signing"                                     \* CG1 phase
    /\ G.due = NobodyDue                                    \* CG2 signed
    /\ p = ToAct                                            \* CG3 turn
    /\ G' = Closed(G)
    /\ UNCHANGED SU

\* Player p opens all cards of theirs that the game has hidden, once it is over.
OpenAll(p) ==
    /\ G.tp = "top"                                         \* OA1 phase
    /\ G.due[p]                                             \* OA2 due
    /\ G' = [G EXCEPT !.due[p] = FALSE]
    /\ UNCHANGED SU

-----------------------------------------------------------------------------
(* The set-up. *)

\* The game state g with the opening on the board.
Opened(g) ==
    LET of(p) == {o \in Opening : o.p = p}
        earned(p) == [res \in RCT |-> Sum([o \in of(p) |-> IF o.earns THEN Harvest[o.sp][res] ELSE 0], of(p))]
        there(sp) == {o \in Opening : o.sp = sp}
        along(rp) == {o \in Opening : o.rp = rp}
    IN [g EXCEPT !.s = [sp \in DOMAIN CT |->
                            IF there(sp) = {} THEN @[sp] ELSE [own |-> (CHOOSE o \in there(sp) : TRUE).p, st |-> "Village"]],
                 !.r = [rp \in DOMAIN CD |-> IF along(rp) = {} THEN @[rp] ELSE (CHOOSE o \in along(rp) : TRUE).p],
                 !.bnk.RC = [res \in RCT |-> @[res] - Total([p \in Players |-> earned(p)[res]])],
                 !.h = [p \in Players |-> [@[p] EXCEPT !.RC = AddRec(@, earned(p))]],
                 !.b = [p \in Players |-> [@[p] EXCEPT !.Road = @ - Cardinality(of(p)), !.Village = @ - Cardinality(of(p))]]]

\* Definition 20.
Init ==
    LET begun == [ap |-> 1,
                  tp |-> IF Chance = "joint" THEN "Pledging" ELSE FirstPhase,
                  dice |-> 0,
                  pd |-> 0,
                  sb |-> NoOwner,
                  ba |-> BanditStart,
                  dp |-> NoProgressCards,
                  lr |-> NoOwner,
                  la |-> NoOwner,
                  lim |-> [p \in Players |-> 0],
                  offer |-> NoOffer,
                  ans |-> NoAnswers,
                  prop |-> NoProposals,
                  made |-> NoneMade,
                  due |-> [p \in Players |-> Chance = "joint"],
                  call |-> NoCall,
                  away |-> NobodyAway,
                  ret |-> WaysBack,
                  ahead |-> NobodyAhead,
                  s |-> [sp \in DOMAIN CT |-> [own |-> NoOwner, st |-> "none"]],
                  r |-> [rp \in DOMAIN CD |-> NoOwner],
                  bnk |-> [RC |-> RCP, DC |-> DCP],
                  h |-> [p \in Players |-> [RC |-> NoResources, DC |-> [BC |-> NoCards, AC |-> NoCards,
                                                                        UC |-> [Knight |-> 0, VictoryPoint |-> 0]]]],
                  b |-> [p \in Players |-> BP],
                  hid |-> [NothingHidden EXCEPT !.deck = IF Hands = "hidden" /\ Leaving THEN "keys" ELSE "first"]]
        setup == IF Opening = {} THEN "PhaseOne" ELSE "PhaseTwo"
    IN /\ SU = [sup |-> IF StartOrder # "seat" THEN "Rolling" ELSE setup, ap |-> 1, first |-> 1, rolls |-> NoRolls]
       /\ G = Opened(begun)

\* Rolls for the start: who has not rolled yet, who is to roll next, and who begins.  Several with the most roll again.
Waiting(rolls) == {q \in Players : rolls[q] = 0}
Leaders(rolls) == {q \in Players : rolls[q] = Max({rolls[other] : other \in Players})}
HasLeader(rolls) ==
    /\ Waiting(rolls) = {}
    /\ \/ Cardinality(Leaders(rolls)) = 1
       \/ StartOrder = "dice_then_seat" /\ Leaders(rolls) = {q \in Players : rolls[q] # 1}

RolledSetup(rolls) ==
    LET leader == Min(Leaders(rolls))
    IN IF Waiting(rolls) # {} THEN [SU EXCEPT !.rolls = rolls, !.ap = Min(Waiting(rolls))]
       ELSE IF ~HasLeader(rolls)
       THEN [SU EXCEPT !.rolls = [q \in Players |-> IF q \in Leaders(rolls) THEN 0 ELSE 1], !.ap = leader]
       ELSE [sup |-> IF Opening = {} THEN "PhaseOne" ELSE "PhaseTwo", ap |-> leader, first |-> leader, rolls |-> NoRolls]

\* The game g after these rolls.
RolledGame(g, rolls) ==
    LET leader == Min(Leaders(rolls))
    IN IF ~HasLeader(rolls) THEN g
       ELSE IF Opening = {} THEN [g EXCEPT !.ap = leader]
       ELSE [g EXCEPT !.ap = leader, !.tp = "DiceRoll"]

\* Player p rolls for the start.  When everybody has, the player with the highest roll begins; several of them roll again.
RollForStart(p, dice) ==
    /\ SU.sup = "Rolling" /\ Phase = "bot"                  \* RS1 phase
    /\ SU.ap = p                                            \* RS2 turn
    /\ dice \in Dice                                        \* RS3 dice
    /\ IsDrawn("RollForStart", NoTile, NoOwner)             \* RS4 drawn
    /\ LET rolls == [SU.rolls EXCEPT ![p] = dice]
       IN /\ SU' = RolledSetup(rolls)
          /\ G' = RolledGame(Settled, rolls)

\* Player p places the first village on the settlement point sp and a road on the road point rp.
SetupPhaseOne(p, sp, rp) ==
    /\ G.tp = "bot"                                         \* SO1 phase
    /\ SU.sup = "PhaseOne"                                  \* SO2 stage
    /\ SU.ap = p                                            \* SO3 turn
    /\ G.s[sp].own = NoOwner                                \* SO4 free
    /\ KeepsDistance(sp)                                    \* SO5 distance
    /\ BanditBlocksBuilding => SettlementHasNoBandit(sp)    \* SO6 bandit
    /\ G.r[rp] = NoOwner                                    \* SO7 road_free
    /\ rp \in RoadsAt[sp]                                   \* SO8 touch
    /\ BanditBlocksBuilding => RoadHasNoBandit(rp)          \* SO9 road_bandit
    /\ SU' = IF NextPlayer(p) = SU.first THEN [SU EXCEPT !.sup = "PhaseTwo"] ELSE [SU EXCEPT !.ap = NextPlayer(p)]
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
    /\ BanditBlocksBuilding => SettlementHasNoBandit(sp)    \* ST6 bandit
    /\ G.r[rp] = NoOwner                                    \* ST7 road_free
    /\ rp \in RoadsAt[sp]                                   \* ST8 touch
    /\ BanditBlocksBuilding => RoadHasNoBandit(rp)          \* ST9 road_bandit
    /\ Covers(G.bnk.RC, Harvest[sp])                        \* ST10 stock
    /\ SU' = IF p = SU.first THEN SU ELSE [SU EXCEPT !.ap = PreviousPlayer(p)]
    /\ G' = Won([G EXCEPT !.tp = IF p = SU.first THEN "DiceRoll" ELSE @,
                          !.bnk.RC = SubRec(@, Harvest[sp]),
                          !.h[p].RC = AddRec(@, Harvest[sp]),
                          !.b[p].Road = @ - 1,
                          !.b[p].Village = @ - 1,
                          !.s[sp] = [own |-> p, st |-> "Village"],
                          !.r[rp] = p])

-----------------------------------------------------------------------------
(* The dice. *)

\* The first n cards of a hand, in the order of resources: what is taken where nobody chooses.
FirstCards(rc, n) ==
    LET lumber == Min({n, rc.Lumber})
        brick == Min({n - lumber, rc.Brick})
        wool == Min({n - lumber - brick, rc.Wool})
        grain == Min({n - lumber - brick - wool, rc.Grain})
    IN [Lumber |-> lumber, Brick |-> brick, Wool |-> wool, Grain |-> grain, Ore |-> n - lumber - brick - wool - grain]

\* The game g after these cards, by player, went back to the bank.
Returned(g, cards) ==
    [g EXCEPT !.bnk.RC = [res \in RCT |-> @[res] + Total([p \in Players |-> cards[p][res]])],
              !.h = [p \in Players |-> [@[p] EXCEPT !.RC = SubRec(@, cards[p])]]]

\* The game state after a seven: every hand above the limit has to be halved; who is away has no choice.
Seven ==
    LET cards(p) == HandSize(p)
        limit(p) == IF cards(p) > HandLimit THEN cards(p) - cards(p) \div 2 ELSE 0
        taken(p) == IF G.away[p] /\ limit(p) > 0 THEN FirstCards(G.h[p].RC, cards(p) - limit(p)) ELSE NoResources
        rolled == [Settled EXCEPT
                     !.dice = 7,
                     !.ahead[G.ap] = FALSE,
                     !.lim = [p \in Players |-> IF G.away[p] THEN 0 ELSE limit(p)],
                     !.tp = IF \E p \in Present : limit(p) > 0 THEN "Discarding" ELSE "MovingBandit"]
    IN IF Present = Players THEN rolled ELSE Returned(rolled, [p \in Players |-> taken(p)])

\* The game state after any other roll: everybody gains what it yields.  If the bank cannot pay all of it, nobody gains
\* anything, or each resource is looked at by itself: one that is short is paid to nobody, unless it is due to one
\* player only, who gets what is left.
Harvested(d) ==
    LET gain == TLCEval([p \in Players |-> ResourceGainPlayer(p, d)])
        due == TLCEval([res \in RCT |-> Total([p \in Players |-> gain[p][res]])])
        rolled == [Settled EXCEPT !.dice = d, !.ahead[G.ap] = FALSE, !.tp = AfterDice]
        earners(res) == {p \in Players : gain[p][res] > 0}
        partly == TLCEval([p \in Players |-> [res \in RCT |->
                      IF due[res] <= G.bnk.RC[res] THEN gain[p][res]
                      ELSE IF earners(res) = {p} THEN G.bnk.RC[res]
                      ELSE 0]])
        pay(gained, all) == [rolled EXCEPT !.bnk.RC = SubRec(@, all),
                                           !.h = [p \in Players |-> [G.h[p] EXCEPT !.RC = AddRec(@, gained[p])]]]
    IN IF Covers(G.bnk.RC, due) THEN pay(gain, due)
       ELSE IF Shortage = "nobody" THEN rolled
       ELSE pay(partly, [res \in RCT |-> Total([p \in Players |-> partly[p][res]])])

\* Player p rolls d.  Sevens and harvests concern everybody.
RollDice(p, d) ==
    /\ Phase = "DiceRoll"                                   \* RD1 phase
    /\ G.ap = p                                             \* RD2 turn
    /\ d \in Dice                                           \* RD3 dice
    /\ IsDrawn("RollDice", NoTile, NoOwner)                 \* RD4 drawn
    /\ G' = IF d = 7 THEN Seven ELSE Harvested(d)
    /\ UNCHANGED SU

\* Player p gives back what their hand holds above its limit; the choice of cards is theirs.
Discard(p, cards) ==
    /\ G.tp = "Discarding"                                  \* DI1 phase
    /\ Owes(p)                                              \* DI2 owes
    /\ Count(cards) = HandSize(p) - G.lim[p]                \* DI3 amount
    /\ Affords(p, cards)                                    \* DI4 hand
    /\ G' = [InTheOpen(G, p, cards) EXCEPT !.bnk.RC = AddRec(@, cards),
                                           !.h[p].RC = SubRec(@, cards)]
    /\ UNCHANGED SU

\* Player p moves the bandit to tile `to` and steals a card of the victim.
MoveBandit(p, to, victim, card) ==
    /\ Phase \in {"Discarding", "MovingBandit"}             \* MB1 phase
    /\ G.ap = p                                             \* MB2 turn
    /\ \A q \in Players : ~Owes(q)                          \* MB3 discards
    /\ to # G.ba                                            \* MB4 elsewhere
    /\ to \in Land                                          \* MB5 land
    /\ CanAim(p, to)                                        \* MB6 target
    /\ victim \in Victims(p, to)                            \* MB7 victim
    /\ card \in Loot(victim)                                \* MB8 card
    /\ IsDrawn("MoveBandit", to, victim)                    \* MB9 drawn
    /\ G' = [Settled EXCEPT
                      !.tp = AfterDice,
                      !.ba = to,
                      !.lim = [q \in Players |-> 0],
                      !.h = Steal(@, p, victim, card),
                      !.hid.sealed = StealSealed(@, p, victim, card)]
    /\ UNCHANGED SU

-----------------------------------------------------------------------------
(* Trading with the bank. *)

\* Player p trades no more.
EmptyTrade(p) ==
    /\ G.tp = "Trading"                                     \* ET1 phase
    /\ G.ap = p                                             \* ET2 turn
    /\ G' = [Heard EXCEPT !.tp = "Building"]
    /\ UNCHANGED SU

\* The game state after player p gave n cards of one type to the bank and received one of another.
Traded(p, n, give, receive) ==
    [InTheOpen(Heard, p, Only(give, n)) EXCEPT !.bnk.RC[give] = @ + n,
                                               !.bnk.RC[receive] = @ - 1,
                                               !.h[p].RC[give] = @ - n,
                                               !.h[p].RC[receive] = @ + 1]

\* Player p trades four cards of a type for one of another.
TradeFourToOne(p, give, receive) ==
    /\ G.tp \in TradePhases                                 \* TF1 phase
    /\ G.ap = p                                             \* TF2 turn
    /\ Affords(p, Only(give, 4))                            \* TF3 hand
    /\ G.bnk.RC[receive] > 0                                \* TF4 bank
    /\ give # receive                                       \* TF5 differ
    /\ G' = Traded(p, 4, give, receive)
    /\ UNCHANGED SU

\* Player p trades three cards of a type for one of another, at a wharf for anything.
TradeThreeToOne(p, give, receive) ==
    /\ G.tp \in TradePhases                                 \* TT1 phase
    /\ G.ap = p                                             \* TT2 turn
    /\ Affords(p, Only(give, 3))                            \* TT3 hand
    /\ G.bnk.RC[receive] > 0                                \* TT4 bank
    /\ give # receive                                       \* TT5 differ
    /\ HasWharf(p, "ThreeToOne")                            \* TT6 wharf
    /\ G' = Traded(p, 3, give, receive)
    /\ UNCHANGED SU

\* Player p trades two cards of a type for one of another, at the wharf for that type.
TradeTwoToOne(p, give, receive) ==
    /\ G.tp \in TradePhases                                 \* TW1 phase
    /\ G.ap = p                                             \* TW2 turn
    /\ Affords(p, Only(give, 2))                            \* TW3 hand
    /\ G.bnk.RC[receive] > 0                                \* TW4 bank
    /\ give # receive                                       \* TW5 differ
    /\ HasWharf(p, give)                                    \* TW6 wharf
    /\ G' = Traded(p, 2, give, receive)
    /\ UNCHANGED SU

-----------------------------------------------------------------------------
(* Trading with other players. *)

\* Player p offers to give some cards and to receive others; everybody is asked, or everybody who could pay.
OfferTrade(p, give, receive) ==
    /\ DomesticTrade                                        \* OT1 rule
    /\ G.tp \in TradePhases                                 \* OT2 phase
    /\ G.ap = p                                             \* OT3 turn
    /\ IsSide(give)                                         \* OT4 give
    /\ IsSide(receive)                                      \* OT5 receive
    /\ Types(give) \cap Types(receive) = {}                 \* OT6 differ
    /\ Affords(p, give)                                     \* OT7 hand
    /\ ~TableTalk => Takers(p, receive) # {}                \* OT8 taker
    /\ OffersPerTurn > 0 => G.made[p] < OffersPerTurn       \* OT9 limit
    /\ G' = [InTheOpen(Heard, p, give) EXCEPT
                      !.tp = "Offering",
                      !.offer = [give |-> give, receive |-> receive],
                      !.made[p] = OneMore(@, OffersPerTurn),
                      !.ans = LET asked == IF TableTalk THEN Present \ {p} ELSE Takers(p, receive)
                              IN [q \in Players |-> IF q \in asked THEN "asked" ELSE "none"]]
    /\ UNCHANGED SU

\* Player p offers to give some cards and to receive others; the partner alone is asked.
OfferTradeTo(p, partner, give, receive) ==
    /\ OffersToOne                                          \* OO1 rule
    /\ G.tp \in TradePhases                                 \* OO2 phase
    /\ G.ap = p                                             \* OO3 turn
    /\ partner # p                                          \* OO4 other
    /\ ~G.away[partner]                                     \* OO5 seat
    /\ IsSide(give)                                         \* OO6 give
    /\ IsSide(receive)                                      \* OO7 receive
    /\ Types(give) \cap Types(receive) = {}                 \* OO8 differ
    /\ Affords(p, give)                                     \* OO9 hand
    /\ ~TableTalk => CouldPay(partner, receive)             \* OO10 taker
    /\ OffersPerTurn > 0 => G.made[p] < OffersPerTurn       \* OO11 limit
    /\ G' = [InTheOpen(Heard, p, give) EXCEPT
                      !.tp = "Offering",
                      !.offer = [give |-> give, receive |-> receive],
                      !.made[p] = OneMore(@, OffersPerTurn),
                      !.ans[partner] = "asked"]
    /\ UNCHANGED SU

\* Player p, who was asked, accepts or rejects the offer.
AnswerTrade(p, answer) ==
    /\ G.tp = "Offering"                                    \* AT1 phase
    /\ G.ans[p] = "asked"                                   \* AT2 asked
    /\ (TableTalk \/ Hands = "hidden") /\ answer = "accept" => Affords(p, G.offer.receive)    \* AT3 hand
    /\ G' = [(IF answer = "accept" THEN InTheOpen(G, p, G.offer.receive) ELSE G) EXCEPT !.ans[p] = answer]
    /\ UNCHANGED SU

\* Player p, whose turn it is not, proposes to give some cards to the active player and to receive others: unasked, or as a
\* counter-offer in place of an answer.
ProposeTrade(p, give, receive) ==
    /\ TableTalk                                            \* PT1 rule
    /\ G.tp \in TalkPhases                                  \* PT2 phase
    /\ G.ap # p                                             \* PT3 other
    /\ IsSide(give)                                         \* PT4 give
    /\ IsSide(receive)                                      \* PT5 receive
    /\ Types(give) \cap Types(receive) = {}                 \* PT6 differ
    /\ Affords(p, give)                                     \* PT7 hand
    /\ G.prop[p] = NoOffer                                  \* PT8 once
    /\ G.tp = "Offering" => G.ans[p] = "asked"              \* PT9 asked
    /\ ~G.away[p]                                           \* PT10 seat
    /\ ProposalsPerTurn > 0 => G.made[p] < ProposalsPerTurn \* PT11 limit
    /\ G' = [InTheOpen(G, p, give) EXCEPT !.prop[p] = [give |-> give, receive |-> receive],
                                          !.made[p] = OneMore(@, ProposalsPerTurn),
                                          !.ans[p] = IF G.tp = "Offering" THEN "reject" ELSE @]
    /\ UNCHANGED SU

\* Player p trades with one of those who accepted the offer, or made a proposal.
ConcludeTrade(p, partner) ==
    /\ G.tp \in {"Offering"} \cup TalkPhases                \* CT1 phase
    /\ G.ap = p                                             \* CT2 turn
    /\ ~TableTalk => \A q \in Players : G.ans[q] # "asked"  \* CT3 answers
    /\ Terms(partner) # NoOffer                             \* CT4 accepted
    /\ Affords(p, Terms(partner).give)                      \* CT5 hand
    /\ G' = LET terms == Terms(partner)
            IN [InTheOpen(Heard, p, terms.give) EXCEPT
                             !.tp = AfterDice,
                             !.offer = NoOffer,
                             !.ans = NoAnswers,
                             !.h[p].RC = SubRec(AddRec(@, terms.receive), terms.give),
                             !.h[partner].RC = SubRec(AddRec(@, terms.give), terms.receive)]
    /\ UNCHANGED SU

\* Player p trades with none of them.
WithdrawTrade(p) ==
    /\ G.tp = "Offering"                                    \* WT1 phase
    /\ G.ap = p                                             \* WT2 turn
    /\ ~TableTalk => \A q \in Players : G.ans[q] # "asked"  \* WT3 answers
    /\ G' = [Heard EXCEPT !.tp = AfterDice, !.offer = NoOffer, !.ans = NoAnswers]
    /\ UNCHANGED SU

-----------------------------------------------------------------------------
(* Building. *)

\* The game g in which the cards that player p has bought can be played.
Rested(g, p) ==
    [g EXCEPT !.h[p].DC.AC = AddRec(@, g.h[p].DC.BC),
              !.h[p].DC.BC = NoCards,
              !.hid.held[p] = @ + g.hid.bought[p],
              !.hid.bought[p] = 0]

\* The way back of a player who misses a turn, if they may come back.
Missed(way) == [way EXCEPT !.missed = way.left > 0]

\* The game g when the turn passes on: whoever is away and would have come next has missed a turn.
TurnPassed(g) ==
    LET next == NextPresent(g.away, g.ap)
        place(q) == (q - g.ap - 1 + NPlayers) % NPlayers
    IN [g EXCEPT !.ap = next, !.ret = [q \in Players |-> IF place(q) < place(next) THEN Missed(@[q]) ELSE @[q]]]

\* Player p builds no more: that ends the game if points are counted now and there are enough, or somebody else may
\* build, or the turn passes to the next player, who may have won with it.
EmptyBuild(p) ==
    /\ G.tp \in BuildPhases                                 \* EB1 phase
    /\ Builder = p                                          \* EB2 turn
    /\ G' = LET rested == Rested(Heard, p)
                next == NextBuilder(p)
            IN IF WinCheck = "turn_end" /\ G.tp # "SpecialBuilding" /\ PlayerPoints(p) >= PointsToWin
               THEN Ended(Heard)
               ELSE IF next # NoOwner
               THEN [rested EXCEPT !.tp = "SpecialBuilding", !.sb = next]
               ELSE Won([TurnPassed(rested) EXCEPT !.tp = "DiceRoll",
                                                   !.ahead = AheadAfter(p),
                                                   !.dice = 0,
                                                   !.pd = 0,
                                                   !.made = NoneMade,
                                                   !.sb = NoOwner])
    /\ UNCHANGED SU

\* Player p pays for a road and places it on the free road point rp.
BuildRoad(p, rp) ==
    /\ G.tp \in BuildPhases                                 \* BR1 phase
    /\ Builder = p                                          \* BR2 turn
    /\ Affords(p, RoadCost)                                 \* BR3 cost
    /\ G.b[p].Road > 0                                      \* BR4 supply
    /\ G.r[rp] = NoOwner                                    \* BR5 free
    /\ Links(p, rp, G.r) # {}                               \* BR6 network
    /\ BanditBlocksBuilding => RoadHasNoBandit(rp)          \* BR7 bandit
    /\ G' = LET r == [G.r EXCEPT ![rp] = p]
            IN Won([InTheOpen(Heard, p, RoadCost) EXCEPT
                             !.bnk.RC = AddRec(@, RoadCost),
                             !.h[p].RC = SubRec(@, RoadCost),
                             !.b[p].Road = @ - 1,
                             !.r = r,
                             !.lr = LongestRoad(G.s, r)])
    /\ UNCHANGED SU

\* Player p pays for a village and places it on the free settlement point sp.
BuildVillage(p, sp) ==
    /\ G.tp \in BuildPhases                                 \* BV1 phase
    /\ Builder = p                                          \* BV2 turn
    /\ Affords(p, VillageCost)                              \* BV3 cost
    /\ G.b[p].Village > 0                                   \* BV4 supply
    /\ G.s[sp].own = NoOwner                                \* BV5 free
    /\ KeepsDistance(sp)                                    \* BV6 distance
    /\ {rp \in RoadsAt[sp] : G.r[rp] = p} # {}              \* BV7 network
    /\ BanditBlocksBuilding => SettlementHasNoBandit(sp)    \* BV8 bandit
    /\ G' = LET s == [G.s EXCEPT ![sp] = [own |-> p, st |-> "Village"]]
            IN Won([InTheOpen(Heard, p, VillageCost) EXCEPT
                             !.bnk.RC = AddRec(@, VillageCost),
                             !.h[p].RC = SubRec(@, VillageCost),
                             !.b[p].Village = @ - 1,
                             !.s = s,
                             !.lr = LongestRoad(s, G.r)])
    /\ UNCHANGED SU

\* Player p pays for a city, which takes the place of the own village on sp; the village returns to the supply.
BuildCity(p, sp) ==
    /\ G.tp \in BuildPhases                                 \* BC1 phase
    /\ Builder = p                                          \* BC2 turn
    /\ Affords(p, CityCost)                                 \* BC3 cost
    /\ G.b[p].City > 0                                      \* BC4 supply
    /\ G.s[sp] = [own |-> p, st |-> "Village"]              \* BC5 village
    /\ BanditBlocksBuilding => SettlementHasNoBandit(sp)    \* BC6 bandit
    /\ G' = Won([InTheOpen(Heard, p, CityCost) EXCEPT
                          !.bnk.RC = AddRec(@, CityCost),
                          !.h[p].RC = SubRec(@, CityCost),
                          !.b[p].Village = @ + 1,
                          !.b[p].City = @ - 1,
                          !.s[sp].st = "City"])
    /\ UNCHANGED SU

\* Player p pays for a development card and draws this one; a victory point is unveiled at once, if everybody sees it.
BuyDevCard(p, card) ==
    /\ Phase \in BuildPhases                                \* BD1 phase
    /\ Builder = p                                          \* BD2 turn
    /\ Affords(p, DevCardCost)                              \* BD3 cost
    /\ card \in Outcomes("BuyDevCard", NoOwner)             \* BD4 stock
    /\ IsDrawn("BuyDevCard", NoTile, NoOwner)               \* BD5 drawn
    /\ G' = LET paid == [InTheOpen(Settled, p, DevCardCost) EXCEPT
                                  !.bnk.RC = AddRec(@, DevCardCost),
                                  !.h[p].RC = SubRec(@, DevCardCost)]
                drawn == [paid EXCEPT !.bnk.DC[card] = @ - 1]
            IN IF card = Sealed
               THEN [paid EXCEPT !.hid.bought[p] = @ + 1]
               ELSE IF card = "VictoryPoint"
               THEN Won([drawn EXCEPT !.h[p].DC.UC.VictoryPoint = @ + 1])
               ELSE [drawn EXCEPT !.h[p].DC.BC[card] = @ + 1]
    /\ UNCHANGED SU

-----------------------------------------------------------------------------
(* Development cards. *)

\* Player p takes all cards of a resource from all others: the known ones at once, then they say how many of the sealed ones.
PlayMonopoly(p, res) ==
    /\ G.tp \in PlayPhases                                  \* PM1 phase
    /\ G.ap = p                                             \* PM2 turn
    /\ CanPlay(p, "Monopoly")                               \* PM3 available
    /\ DevCardsPerTurn > 0 => G.pd < DevCardsPerTurn        \* PM4 limit
    /\ G' = LET shown == Shown(Heard, p, "Monopoly")
                all == Total([q \in Players |-> G.h[q].RC[res]])
                hands == [q \in Players |-> [shown.h[q] EXCEPT !.RC[res] = IF q = p THEN all ELSE 0]]
                due == [q \in Players |-> q # p /\ HasSealed(q)]
                taken == [shown EXCEPT !.pd = PlayedOneMore,
                                       !.dp.Monopoly = @ + 1,
                                       !.h = [hands EXCEPT ![p].DC.AC.Monopoly = @ - 1]]
            IN IF due = NobodyDue THEN taken
               ELSE [taken EXCEPT !.tp = "Surrendering", !.due = due, !.hid.wanted = res, !.hid.back = G.tp]
    /\ UNCHANGED SU

\* Player p takes two cards from the bank.
PlayYearOfPlenty(p, first, second) ==
    /\ G.tp \in PlayPhases                                  \* PY1 phase
    /\ G.ap = p                                             \* PY2 turn
    /\ CanPlay(p, "YearOfPlenty")                           \* PY3 available
    /\ G.bnk.RC[first] > 0 /\ G.bnk.RC[second] > (IF first = second THEN 1 ELSE 0)  \* PY4 stock
    /\ DevCardsPerTurn > 0 => G.pd < DevCardsPerTurn        \* PY5 limit
    /\ G' = [Shown(Heard, p, "YearOfPlenty") EXCEPT
                      !.pd = PlayedOneMore,
                      !.dp.YearOfPlenty = @ + 1,
                      !.bnk.RC[first] = @ - 1,
                      !.bnk.RC[second] = @ - 1,
                      !.h[p].RC[first] = @ + 1,
                      !.h[p].RC[second] = @ + 1,
                      !.h[p].DC.AC.YearOfPlenty = @ - 1]
    /\ UNCHANGED SU

\* Player p places two roads without paying; the second may continue the first.  If only one is left or has a place, the
\* card may be good for one.
PlayRoadBuilding(p, first, second) ==
    /\ G.tp \in PlayPhases                                  \* PR1 phase
    /\ G.ap = p                                             \* PR2 turn
    /\ CanPlay(p, "RoadBuilding")                           \* PR3 available
    /\ G.b[p].Road >= RoadBuildingNeeds                     \* PR4 supply
    /\ G.r[first] = NoOwner                                 \* PR5 free
    /\ Links(p, first, G.r) # {}                            \* PR6 network
    /\ BanditBlocksBuilding => RoadHasNoBandit(first)       \* PR7 bandit
    /\ first # second                                       \* PR8 differ
    /\ second # NoRoad => G.r[second] = NoOwner             \* PR9 second_free
    /\ second # NoRoad => Links(p, second, [G.r EXCEPT ![first] = p]) # {}              \* PR10 second_network
    /\ second # NoRoad /\ BanditBlocksBuilding => RoadHasNoBandit(second)               \* PR11 second_bandit
    /\ second # NoRoad => G.b[p].Road >= 2                  \* PR12 second_supply
    /\ second = NoRoad => RoadBuildingNeeds = 1 /\ IsGoodForOne(p, first)               \* PR13 single
    /\ DevCardsPerTurn > 0 => G.pd < DevCardsPerTurn        \* PR14 limit
    /\ G' = LET r == IF second = NoRoad THEN [G.r EXCEPT ![first] = p] ELSE [G.r EXCEPT ![first] = p, ![second] = p]
            IN Won([Shown(Heard, p, "RoadBuilding") EXCEPT
                             !.pd = PlayedOneMore,
                             !.dp.RoadBuilding = @ + 1,
                             !.h[p].DC.AC.RoadBuilding = @ - 1,
                             !.b[p].Road = @ - (IF second = NoRoad THEN 1 ELSE 2),
                             !.r = r,
                             !.lr = LongestRoad(G.s, r)])
    /\ UNCHANGED SU

\* Player p unveils a knight, moves the bandit to tile `to` and steals a card of the victim.
PlayKnight(p, to, victim, card) ==
    /\ Phase \in PlayPhases                                 \* PK1 phase
    /\ G.ap = p                                             \* PK2 turn
    /\ CanPlay(p, "Knight")                                 \* PK3 available
    /\ to # G.ba                                            \* PK4 elsewhere
    /\ to \in Land                                          \* PK5 land
    /\ CanAim(p, to)                                        \* PK6 target
    /\ victim \in Victims(p, to)                            \* PK7 victim
    /\ card \in Loot(victim)                                \* PK8 card
    /\ DevCardsPerTurn > 0 => G.pd < DevCardsPerTurn        \* PK9 limit
    /\ IsDrawn("PlayKnight", to, victim)                    \* PK10 drawn
    /\ G' = LET shown == Shown(Settled, p, "Knight")
                h == [Steal(shown.h, p, victim, card) EXCEPT ![p].DC.AC.Knight = @ - 1, ![p].DC.UC.Knight = @ + 1]
            IN Won([shown EXCEPT
                             !.pd = PlayedOneMore,
                             !.ba = to,
                             !.h = h,
                             !.hid.sealed = StealSealed(@, p, victim, card),
                             !.la = LargestArmy(h)])
    /\ UNCHANGED SU

-----------------------------------------------------------------------------
(* A player who leaves: the others go on without one who is awaited and    *)
(* silent.  More than half of them decide that, as CatanViews.tla says and *)
(* docs/how-it-works/replication.md; then the next of them excuses the     *)
(* player, who is skipped from then on.  The pieces stay where they are    *)
(* and count for both bonus cards; the cards can be robbed.                *)

\* A reply of player p is missing: a pledge, a share, a discard, or an answer.
LacksReply(p) == G.due[p] \/ Owes(p) \/ (G.ans[p] = "asked" /\ ~TableTalk)

\* The game waits for a reply of player p: not while the deck is shuffled, for then it comes afterwards.
OwesReply(p) == G.tp # "Shuffling" /\ LacksReply(p)

\* Who would get sealed cards by the reply that player p owes: a robber, or who plays a monopoly.
AskerOfCards(p) ==
    IF Hands = "hidden" /\ G.due[p] /\ (G.tp = "Surrendering" \/ G.call.what \in Robberies) THEN G.ap ELSE NoOwner

\* The game waits for player p.
IsAwaited(p) == OwesReply(p) \/ (ToAct = p /\ \A q \in Players : ~OwesReply(q))

\* Player x holds back a share of a draw that was called for, or rolls the dice no more although nothing else is lacking.
Withholds(x) ==
    IF Chance = "actor" THEN FALSE
    ELSE IF G.tp = "Drawing" THEN G.due[x] \/ CallerIn(G, G.call.what) = x
    ELSE G.tp = "DiceRoll" /\ G.ap = x /\ IsAhead

\* Not all have pledged, and told their keys for the deck, with which it is shuffled: who leaves has no part in draws or the deck.
IsPreparing == G.tp = "Pledging" \/ (G.tp = "Shuffling" /\ G.hid.deck \in {"keys", "first"})

\* Nothing is asked of player x any more in the game g; shares that were told ahead are for no roll.
Unasked(g, x) ==
    LET excess == Max({0, Count(g.h[x].RC) - g.lim[x]})
        taken == IF Owes(x) THEN FirstCards(g.h[x].RC, excess) ELSE NoResources
        due == [g.due EXCEPT ![x] = FALSE]
    IN [g EXCEPT !.away[x] = TRUE,
                 !.hid.keyless[x] = Hands = "hidden",
                 !.ret[x].left = IF IsPreparing THEN 0 ELSE IF Withholds(x) THEN Min({@, 1}) ELSE @,
                 !.ahead = NobodyAhead,
                 !.due = due,
                 !.tp = IF @ = "Pledging" /\ due = NobodyDue THEN FirstPhase ELSE @,
                 !.ans[x] = IF @ \in {"asked", "accept"} THEN "reject" ELSE @,
                 !.prop[x] = NoOffer,
                 !.bnk.RC = AddRec(@, taken),
                 !.h[x].RC = SubRec(@, taken)]

\* The game g where it was the turn of player x, who leaves: what they began is dropped, and the next player's turn begins.
Skipped(g, x) ==
    LET missed == IF g.ap = x THEN [g EXCEPT !.ret[x] = Missed(@)] ELSE g
    IN Won([TurnPassed(Rested(missed, x)) EXCEPT !.tp = "DiceRoll",
                                                 !.dice = 0,
                                                 !.pd = 0,
                                                 !.sb = NoOwner,
                                                 !.lim = [p \in Players |-> 0],
                                                 !.offer = NoOffer,
                                                 !.ans = NoAnswers,
                                                 !.prop = NoProposals,
                                                 !.made = NoneMade,
                                                 !.call = NoCall,
                                                 !.due = NobodyDue])

\* The game g where player x was building between two turns.
SkippedBuilder(g, x) ==
    IF NextBuilder(x) = NoOwner THEN Skipped(g, x)
    ELSE [Rested(g, x) EXCEPT !.tp = "SpecialBuilding", !.sb = NextBuilder(x), !.call = NoCall, !.due = NobodyDue]

\* Players tell the pieces of their keys that leavers gave.  If too many have left once, whoever is back or not, one player
\* alone would know the key of another.
ArePiecesTold == Cardinality({p \in Players : G.away[p] \/ G.ret[p].left < Returns}) <= NPlayers - 3

\* Nobody can open what is left of the deck without player x: another has left before, and x has not shuffled it since, or
\* a piece of a key that the other gave is not told.
IsDeckLost(x) ==
    LET isRest == G.tp = "Shuffling" /\ G.hid.deck = "rest"
    IN IF G.hid.keyless[x] THEN isRest /\ ~ArePiecesTold
       ELSE (isRest /\ x >= ToAct) \/ (Present # Players /\ ~ArePiecesTold)

\* The game in which nothing hidden is under way that needs player x.  A card that they have called for leaves with them, for
\* they may have seen it.  A theft from them is dropped, and a purchase to which shares are missing, or whose deck is lost.
\* Shuffles end, and what a monopoly asks for.
Dropped(x) ==
    LET resumed == Resumed(IF G.tp = "Surrendering" THEN [G EXCEPT !.due = NobodyDue] ELSE G)
        isBuying == G.call.what = "BuyDevCard"
    IN IF Hands = "open" THEN G
       ELSE IF isBuying /\ CallerIn(resumed, "BuyDevCard") = x
       THEN [resumed EXCEPT !.hid.held[x] = @ + 1]
       ELSE IF (G.call.what \in Robberies /\ G.call.victim = x) \/ (isBuying /\ (G.due # NobodyDue \/ IsDeckLost(x)))
       THEN [resumed EXCEPT !.tp = G.call.tp, !.call = NoCall, !.due = NobodyDue]
       ELSE resumed

\* How the deck is gone on with in the game g once player x has left: all of it anew before the game, once all others have
\* pledged, else what is left of it.  Nobody can open that if two have left before all have shuffled it.
ShuffledWithout(g, x) ==
    IF Hands = "open" \/ g.tp = "Pledging" THEN g
    ELSE IF IsPreparing THEN BegunAnew(g)
    ELSE IF IsDeckLost(x) THEN [g EXCEPT !.hid.deck = "lost"]
    ELSE IF G.hid.keyless[x] /\ ~(G.tp = "Shuffling" /\ G.hid.deck = "rest") THEN ShuffledBack(g)
    ELSE ShuffledAnew(g, "rest")

\* The rolls for the start without player x.  If nobody who is there is left to begin, all who are there roll again.
RollsWithout(x) ==
    LET rolls == [SU.rolls EXCEPT ![x] = 1]
    IN IF \E q \in Players : rolls[q] # 1 THEN rolls
       ELSE [q \in Players |-> IF q \in Present \ {x} THEN 0 ELSE 1]

\* The set-up without player x.  Who begins is the next player, if x would have.
SetupWithout(x) ==
    LET begun == [SU EXCEPT !.first = IF @ = x THEN NextPlayer(x) ELSE @]
        isLast == IF SU.sup = "PhaseOne" THEN SU.first # x /\ NextPlayer(x) = SU.first ELSE FALSE
    IN IF SU.sup = "Rolling" THEN RolledSetup(RollsWithout(x))
       ELSE IF SU.ap # x THEN begun
       ELSE IF isLast THEN [begun EXCEPT !.sup = "PhaseTwo", !.ap = PreviousPlayer(x)]
       ELSE IF SU.sup = "PhaseOne" \/ SU.first = x THEN [begun EXCEPT !.ap = NextPlayer(x)]
       ELSE [begun EXCEPT !.ap = PreviousPlayer(x)]

\* The game g, in the set-up, without player x: if x was the last to place a village, the turns begin.
GameWithout(g, x) ==
    LET called == IF g.tp = "Drawing" /\ SU.ap = x THEN [g EXCEPT !.tp = PhaseIn(g), !.call = NoCall, !.due = NobodyDue] ELSE g
        told == [called EXCEPT !.ap = IF @ = x THEN NextPlayer(x) ELSE @]
        isLast == SU.sup = "PhaseTwo" /\ SU.first = x /\ SU.ap = x /\ g.tp = "bot"
    IN IF SU.sup = "Rolling" THEN RolledGame([told EXCEPT !.ap = 1], RollsWithout(x))
       ELSE IF isLast THEN Won([told EXCEPT !.tp = "DiceRoll"])
       ELSE told

\* Player p tells that player x is excused.  Several may be, one after the other, and while the first is, the others may still
\* owe replies.  So p has given those that are asked of everybody; what tells something to one player, who called for a draw
\* or plays a monopoly, may be missing, for that may be who leaves next.
Excuse(p, x) ==
    /\ Leaving                                              \* EX1 rule
    /\ G.tp # "top"                                         \* EX2 phase
    /\ ~G.away[x]                                           \* EX3 seat
    /\ Cardinality(Present) > 2                             \* EX4 players
    /\ p \in Present \ {x}                                  \* EX5 other
    /\ OwesReply(p) => G.tp \in {"Drawing", "Surrendering"} \* EX6 replies
    /\ LET dropped == Dropped(x)
           g == Unasked(dropped, x)
           isSetup == PhaseIn(dropped) = "bot" \/ G.tp = "Pledging"
       IN /\ SU' = IF isSetup THEN SetupWithout(x) ELSE SU
          /\ G' = ShuffledWithout(IF isSetup THEN GameWithout(g, x)
                                  ELSE IF G.tp = "Signing" THEN IF g.due = NobodyDue THEN Closed(g) ELSE g
                                  ELSE IF BuilderIn(dropped) # x THEN g
                                  ELSE IF PhaseIn(dropped) = "SpecialBuilding" THEN SkippedBuilder(g, x)
                                  ELSE Skipped(g, x), x)

\* Player p tells that player x, who was left out, is there again.  It must not pay to be away: x has missed a turn, opens all
\* that they had sealed, and loses half of a hand above the limit.  Only who may come back misses turns: as often as the rules
\* say, once who held back a share.  It must not pay to bring somebody back: no roll can be foreseen, for x would have a share of
\* it.
ComeBack(p, x, shown) ==
    /\ G.tp \in {"DiceRoll"} \cup TradePhases \cup BuildPhases                          \* CB1 phase
    /\ p \in Present                                       \* CB2 other
    /\ G.ret[x].missed                                     \* CB3 missed
    /\ G.tp = "DiceRoll" => ~IsAhead                       \* CB4 foreseen
    /\ Cardinality(SettlementsOf(x)) >= 2                  \* CB5 settled
    /\ Count(shown) = G.hid.sealed[x] /\ \A res \in RCT : shown[res] <= Unseen(res)      \* CB6 shown
    /\ G' = LET hand == AddRec(G.h[x].RC, shown)
                lost == IF Count(hand) > HandLimit THEN FirstCards(hand, Count(hand) \div 2) ELSE NoResources
                back == [G EXCEPT !.away[x] = FALSE,
                                  !.ret[x] = [left |-> @.left - 1, missed |-> FALSE],
                                  !.ahead = NobodyAhead,
                                  !.h[x].RC = hand,
                                  !.hid.sealed[x] = 0]
            IN ShuffledBack(Returned(back, [q \in Players |-> IF q = x THEN lost ELSE NoResources]))
    /\ UNCHANGED SU

\* Player x was robbed by player p, who may show that the answer was false: the log says that it was.
IsAccusable(x, p) == Hands = "hidden" /\ G.call.what \in Robberies /\ G.ap = p /\ G.call.victim = x

\* Player p claims the game: only player x is left besides, and the game waits for x.  The next who is there is p.
Claim(p, x) ==
    /\ Leaving                                              \* CL1 rule
    /\ G.tp # "top"                                         \* CL2 phase
    /\ Present = {p, x} /\ p # x                            \* CL3 players
    /\ ~IsAwaited(x) => IsAccusable(x, p)                   \* CL4 awaited
    /\ ~OwesReply(p)                                        \* CL5 replies
    /\ G' = LET g == Unasked(Dropped(x), x)
            IN IF G.tp = "Signing" THEN Closed(g) ELSE Ended(Skipped(g, x))
    /\ UNCHANGED SU

-----------------------------------------------------------------------------
(* The state machine.                                                      *)
(*                                                                         *)
(* Offered keeps TLC from trying what cannot be: it hands out the choices  *)
(* under a condition that the action asks for anyway.  Replacing it by all *)
(* choices (the models do, see MC.tla) changes nothing but the time.       *)

Offered(condition, choices) == IF condition THEN choices ELSE {}

\* All ways to choose n of these cards.
Choices(rc, n) ==
    LET pick(x) == [Lumber |-> x[1], Brick |-> x[2], Wool |-> x[3], Grain |-> x[4], Ore |-> n - x[1] - x[2] - x[3] - x[4]]
        picks == (0..rc.Lumber) \X (0..rc.Brick) \X (0..rc.Wool) \X (0..rc.Grain)
    IN {pick(x) : x \in {y \in picks : pick(y).Ore \in 0..rc.Ore}}

\* All ways to discard exactly what player p owes.
DiscardChoices(p) ==
    LET rc == [res \in RCT |-> G.h[p].RC[res] + (IF HasSealed(p) THEN Min({G.hid.sealed[p], Unseen(res)}) ELSE 0)]
    IN Choices(rc, HandSize(p) - G.lim[p])

\* All that the sealed cards of player x can be, who opens them.
Openings(x) == Choices([res \in RCT |-> Unseen(res)], G.hid.sealed[x])

\* All offers that player p could make, and somebody could take, if that is asked for; all proposals just so.
OfferChoices(p) ==
    LET sides == {rc \in OfferSide : IsSide(rc)}
        gives == {rc \in sides : Affords(p, rc)}
        receives == {rc \in sides : ~TableTalk => Takers(p, rc) # {}}
    IN [give: gives, receive: receives]

\* All that player p can do next.
Acts(p) ==
    LET isTurn(tps) == Phase \in tps /\ G.ap = p
        builds == Phase \in BuildPhases /\ Builder = p
        holds(card) == isTurn(PlayPhases) /\ CanPlay(p, card)
        surrenders == G.tp = "Surrendering" /\ G.due[p]
        isSetup == G.tp = "bot" /\ SU.ap = p
    IN
    \/ Pledge(p)
    \/ \E what \in Offered(Chance = "joint" /\ G.tp # "Drawing", Draws) :
           \E to \in IF what \in Robberies THEN DOMAIN Tiles ELSE {NoTile} \cup Offered(FALSE, DOMAIN Tiles) :
               \E victim \in {NoOwner} \cup Offered(what \in Robberies, Players) : Call(p, what, to, victim)
    \/ Reveal(p)
    \/ \E dice \in Offered(SU.sup = "Rolling", 2..12) : RollForStart(p, dice)
    \/ \E sp \in Offered(isSetup, DOMAIN G.s) :
           \E rp \in Offered(G.s[sp].own = NoOwner, DOMAIN G.r) : SetupPhaseOne(p, sp, rp)
    \/ \E sp \in Offered(isSetup, DOMAIN G.s) :
           \E rp \in Offered(G.s[sp].own = NoOwner, DOMAIN G.r) : SetupPhaseTwo(p, sp, rp)
    \/ \E d \in Offered(isTurn({"DiceRoll"}), 2..12) : RollDice(p, d)
    \/ \E cards \in Offered(Owes(p), DiscardChoices(p)) : Discard(p, cards)
    \/ \E to \in Offered(isTurn({"Discarding", "MovingBandit"}), DOMAIN Tiles) :
           \E victim \in Players \cup {NoOwner} :
               \E card \in Offered(victim \in Victims(p, to), RCT \cup {"none", Sealed}) : MoveBandit(p, to, victim, card)
    \/ EmptyTrade(p)
    \/ \E give, receive \in Offered(isTurn(TradePhases), RCT) : TradeFourToOne(p, give, receive)
    \/ \E give, receive \in Offered(isTurn(TradePhases), RCT) : TradeThreeToOne(p, give, receive)
    \/ \E give, receive \in Offered(isTurn(TradePhases), RCT) : TradeTwoToOne(p, give, receive)
    \/ \E offer \in Offered(DomesticTrade /\ isTurn(TradePhases), OfferChoices(p)) : OfferTrade(p, offer.give, offer.receive)
    \/ \E offer \in Offered(OffersToOne /\ isTurn(TradePhases), OfferChoices(p)) :
           \E partner \in Players : OfferTradeTo(p, partner, offer.give, offer.receive)
    \/ \E answer \in Offered(G.tp = "Offering", {"accept", "reject"}) : AnswerTrade(p, answer)
    \/ \E proposal \in Offered(G.tp \in TalkPhases /\ G.ap # p, OfferChoices(p)) :
           ProposeTrade(p, proposal.give, proposal.receive)
    \/ \E partner \in Offered(isTurn({"Offering"} \cup TalkPhases), Players) : ConcludeTrade(p, partner)
    \/ WithdrawTrade(p)
    \/ EmptyBuild(p)
    \/ \E rp \in Offered(builds, DOMAIN G.r) : BuildRoad(p, rp)
    \/ \E sp \in Offered(builds, DOMAIN G.s) : BuildVillage(p, sp)
    \/ \E sp \in Offered(builds, DOMAIN G.s) : BuildCity(p, sp)
    \/ \E card \in Offered(builds, DCT \cup {Sealed}) : BuyDevCard(p, card)
    \/ \E res \in Offered(holds("Monopoly"), RCT) : PlayMonopoly(p, res)
    \/ \E first, second \in Offered(holds("YearOfPlenty"), RCT) : PlayYearOfPlenty(p, first, second)
    \/ \E first \in Offered(holds("RoadBuilding"), DOMAIN G.r) :
           \E second \in Offered(G.r[first] = NoOwner /\ Links(p, first, G.r) # {}, SecondRoads) :
               PlayRoadBuilding(p, first, second)
    \/ \E to \in Offered(holds("Knight"), DOMAIN Tiles) :
           \E victim \in Players \cup {NoOwner} :
               \E card \in Offered(victim \in Victims(p, to), RCT \cup {"none", Sealed}) : PlayKnight(p, to, victim, card)
    \/ \E x \in Offered(Leaving, Players) : Excuse(p, x)
    \/ \E x \in Offered(Leaving, Players) : Claim(p, x)
    \/ \E x \in Offered(Returns > 0, Players) : \E shown \in Openings(x) : ComeBack(p, x, shown)
    \/ Shuffle(p)
    \/ \E cards \in Offered(surrenders, {Only(res, n) : res \in RCT, n \in 0..G.hid.sealed[p]}) : Surrender(p, cards)
    \/ \E pile \in Offered(Hands = "hidden", {"bought", "held"}) : ShowPoint(p, pile)
    \/ SignEnd(p)
    \/ CloseGame(p)
    \/ OpenAll(p)

Next == \E p \in Players : Acts(p)

\* A game that is won stands still; said as a step, for TLC calls a state without any a deadlock.
Spec == Init /\ [][Next \/ (G.tp = "top" /\ UNCHANGED vars)]_vars

-----------------------------------------------------------------------------
(* Invariants. *)

\* Every component has its type (definitions 17 to 19); no count is negative or above its pool.
TypeOK ==
    /\ SU \in [sup: SUP, ap: Players, first: Players, rolls: [Players -> {0, 1} \cup Dice]]
    /\ G \in [ap: Players, tp: TP, dice: {0} \cup Dice, pd: 0..DevCardsPerTurn, sb: Players \cup {NoOwner}, ba: M, dp: DP,
              lr: Players \cup {NoOwner}, la: Players \cup {NoOwner}, lim: [Players -> 0..Count(RCP)],
              offer: Offer, ans: Answers, prop: [Players -> Offer], made: [Players -> 0..Max({OffersPerTurn, ProposalsPerTurn})],
              due: [Players -> BOOLEAN], call: Calls, away: [Players -> BOOLEAN],
              ret: [Players -> [left: 0..Returns, missed: BOOLEAN]], ahead: [Players -> BOOLEAN], s: S, r: R, bnk: BNK, h: H,
              b: B, hid: HID]
    /\ Hands = "open" => G.hid = NothingHidden /\ G.tp \notin {"Shuffling", "Surrendering", "Signing"}
    /\ (G.tp = "Surrendering") = (G.hid.wanted # "none")
    /\ G.tp = "Shuffling" => G.hid.shuffles < Cardinality(Present) /\ G.hid.deck # "lost"
    /\ G.hid.back \notin {"Shuffling", "Surrendering", "Signing"}
    /\ Hands = "hidden" /\ ~Leaving => (G.hid.shuffles = NPlayers) = (G.tp \notin {"Pledging", "Shuffling"})
    /\ Hands = "hidden" /\ ~Leaving => G.hid.deck = "first"
    /\ G.hid.deck = "lost" /\ Returns = 0 => Present # Players
    /\ \A p \in Players : G.away[p] /\ SignedEnd => G.hid.keyless[p]
    /\ (\E p \in Present : G.hid.keyless[p]) => G.tp \in {"Shuffling", "Signing", "top"} \/ DeckSize(G) = 0
    /\ Sum(G.bnk.DC, DCT) >= Total(G.hid.bought) + Total(G.hid.held)
    /\ G.tp = "Signing" => SignedEnd /\ \A p \in Players : G.due[p] => p \in Present \ {G.ap}

\* Invariant 1.
ConservationOfResourceCards ==
    IF Hands = "open" THEN \A res \in RCT : Unseen(res) = 0
    ELSE /\ \A res \in RCT : Unseen(res) >= 0
         /\ Total(G.hid.sealed) = Count([res \in RCT |-> Unseen(res)])

\* Invariant 2.
ConservationOfDevelopmentCards ==
    LET hidden(card) == Total([p \in Players |-> G.h[p].DC.BC[card] + G.h[p].DC.AC[card]])
        unveiled(card) == Total([p \in Players |-> G.h[p].DC.UC[card]])
    IN /\ \A card \in PCT : G.bnk.DC[card] + hidden(card) + G.dp[card] = DCP[card]
       /\ G.bnk.DC.Knight + hidden("Knight") + unveiled("Knight") = DCP.Knight
       /\ G.bnk.DC.VictoryPoint + unveiled("VictoryPoint") = DCP.VictoryPoint

\* Invariant 3.
ConservationOfBuildings ==
    LET settled == TLCEval(SettledPoints)
        roads == TLCEval(RoadsBuilt)
        built(p, st) == Cardinality({sp \in settled : G.s[sp].own = p /\ G.s[sp].st = st})
    IN \A p \in Players :
        /\ G.b[p].Road + Cardinality({rp \in roads : G.r[rp] = p}) = BP.Road
        /\ G.b[p].Village + built(p, "Village") = BP.Village
        /\ G.b[p].City + built(p, "City") = BP.City

\* No two settlements on neighbouring points.
DistanceRule ==
    LET settled == TLCEval(SettledPoints)
    IN \A sp \in settled : Neighbours[sp] \cap settled = {}

\* Every road hangs together with a settlement of its owner, through roads of its owner.
RoadsConnected ==
    LET settled == TLCEval(SettledPoints)
        roads == TLCEval(RoadsBuilt)
    IN \A p \in Players :
        Apart(TLCEval({sp \in settled : G.s[sp].own = p}), TLCEval({rp \in roads : G.r[rp] = p})) = {}

\* The bandit never leaves the land.
BanditOnLand == G.ba \in Land

\* Player p can go on from the point sp over n of the roads left, none of them twice.
RECURSIVE GoesFar(_, _, _, _)
GoesFar(p, sp, left, n) ==
    /\ G.s[sp].own \in {p, NoOwner}
    /\ \E rp \in RoadsAt[sp] \cap left :
           IF n = 1 THEN TRUE ELSE \E to \in EndsOf[rp] \ {sp} : GoesFar(p, to, left \ {rp}, n - 1)

\* Player p has a trail of n roads: a plain search for one, which ends with the first.
HasTrail(p, n) ==
    LET own == TLCEval(RoadsOf(p))
    IN IF n > Cardinality(own) THEN FALSE
       ELSE \E rp \in own : IF n = 1 THEN TRUE ELSE \E sp \in EndsOf[rp] : GoesFar(p, sp, own \ {rp}, n - 1)

\* Whoever holds a bonus card has enough, and nobody has more; while nobody holds it, no single player has the most
\* and enough.
BonusHolders ==
    LET trails(players) == TLCEval([p \in players |-> LongestTrail(p, G.s, G.r)])
        knights == [p \in Players |-> G.h[p].DC.UC.Knight]
        most(has, enough) == Max({enough} \cup {has[p] : p \in DOMAIN has})
        isShared(has, enough) == \A p \in Players : has[p] >= enough => \E q \in Players \ {p} : has[q] >= has[p]
    IN /\ IF G.lr = NoOwner THEN isShared(trails(Players), LongestRoadMin)
          ELSE HasTrail(G.lr, TLCEval(most(trails(Players \ {G.lr}), LongestRoadMin)))
       /\ IF G.la = NoOwner THEN isShared(knights, LargestArmyMin)
          ELSE knights[G.la] = most(knights, LargestArmyMin)

\* The game as if shuffles that can come anywhere were over, and the end were signed; its phase, as if the pledges and the
\* shuffles before the game were over, too.
Below == IF G.tp = "Signing" THEN [G EXCEPT !.tp = "top"] ELSE IF G.tp = "Shuffling" /\ Leaving THEN Resumed(G) ELSE G
PhaseBelow == IF Below.tp \in {"Pledging", "Shuffling"} THEN FirstPhase ELSE PhaseIn(Below)

\* Only who builds has bought cards.
BoughtByActive ==
    \A p \in Players :
        G.h[p].DC.BC # NoCards \/ G.hid.bought[p] > 0 =>
            p = BuilderIn(Below) /\ PhaseBelow \in {"Trading", "Offering", "top"} \cup BuildPhases

\* Set-up and game agree about whose turn it may be, and the dice and the counters of a turn about the phase.
TurnOrder ==
    LET placed == Cardinality(SettledPoints)
        following(n) == ((SU.first - 1 + n) % NPlayers) + 1       \* the player n turns after the first
        rolling == SU.sup = "Rolling"
        phase == PhaseBelow
    IN /\ IF rolling
          THEN /\ StartOrder # "seat" /\ SU.first = 1
               /\ placed = Cardinality(Opening)
               /\ SU.rolls[SU.ap] = 0 /\ \A p \in Players : SU.rolls[p] = 0 => SU.ap <= p
          ELSE /\ Present = Players =>
                      /\ SU.sup = IF placed < NPlayers THEN "PhaseOne" ELSE "PhaseTwo"
                      /\ SU.ap = IF placed < NPlayers THEN following(placed)
                                 ELSE IF placed < 2 * NPlayers THEN following(2 * NPlayers - 1 - placed)
                                 ELSE SU.first
               /\ SU.rolls = NoRolls
       /\ StartOrder = "seat" => SU.first = 1 \/ G.away[1]
       /\ Present = Players => (phase = "bot") = (rolling \/ placed < 2 * NPlayers)
       /\ phase = "bot" => G.ap = SU.first /\ G.pd = 0
       /\ phase \in {"bot", "DiceRoll", "Discarding", "MovingBandit"} => G.made = NoneMade
       /\ phase # "top" => (G.dice = 0) = (phase \in {"bot", "DiceRoll"})
       /\ phase = "top" /\ WinCheck = "turn_end" /\ Cardinality(Present) > 1 => G.dice # 0
       /\ phase \in {"Discarding", "MovingBandit"} => G.dice = 7
       /\ (phase = "Discarding") = (\E p \in Players : G.lim[p] > 0)
       /\ (phase = "SpecialBuilding") = (G.sb # NoOwner)
       /\ G.sb # G.ap

\* An offer of some cards for some stands while it is answered; the active player can give, and whoever accepts, or has to be
\* waited for, can give in return.  Proposals are made where they may be, by others, who can give what they propose; who makes
\* one while an offer stands has not accepted that.  Where there is a limit, both are counted.
OfferIsCovered ==
    /\ IF Below.tp = "Offering"
       THEN /\ IsSide(G.offer.give)
            /\ IsSide(G.offer.receive)
            /\ Covers(G.h[G.ap].RC, G.offer.give)
            /\ G.ans[G.ap] = "none"
            /\ \A p \in Players :
                  /\ G.ans[p] = "accept" => Covers(G.h[p].RC, G.offer.receive)
                  /\ ~TableTalk /\ G.ans[p] = "asked" => CouldPay(p, G.offer.receive)
       ELSE G.offer = NoOffer /\ G.ans = NoAnswers
    /\ \A p \in {q \in Players : G.prop[q] # NoOffer} :
          /\ Below.tp \in TalkPhases
          /\ p # G.ap
          /\ IsSide(G.prop[p].give)
          /\ IsSide(G.prop[p].receive)
          /\ Types(G.prop[p].give) \cap Types(G.prop[p].receive) = {}
          /\ Covers(G.h[p].RC, G.prop[p].give)
          /\ Below.tp = "Offering" => G.ans[p] = "reject"
          /\ ProposalsPerTurn > 0 => G.made[p] > 0
    /\ Below.tp = "Offering" /\ OffersPerTurn > 0 => G.made[G.ap] > 0
    /\ \A p \in Players : G.made[p] <= IF p = G.ap THEN OffersPerTurn ELSE ProposalsPerTurn

\* Shares are due only where all players draw together: of everybody's secrets while they are pledged, of everybody but the
\* caller for the draw that was called for, whose decision can still be carried out with every outcome.  Shares are told ahead
\* only where the rules say so; the active player counts as one of those who have until they roll, if they have no card to
\* play before.
SharesAreDue ==
    /\ G.ahead # NobodyAhead => ChanceAhead
    /\ \A p \in Players : G.ahead[p] => p \in Present
    /\ G.ahead[G.ap] => G.dice = 0 /\ ~HasCardsBeforeDice(G.ap)
    /\ Chance = "actor" => Below.tp \notin {"Pledging", "Drawing"}
    /\ Below.tp \notin {"Pledging", "Drawing", "Surrendering", "Signing"} /\ (Hands = "open" \/ Below.tp # "top") => G.due = NobodyDue
    /\ Below.tp = "Surrendering" => G.due # NobodyDue
    /\ Below.tp = "Pledging" =>
           G.due # NobodyDue /\ Cardinality(SettledPoints) = Cardinality(Opening)
    /\ IF Below.tp # "Drawing" THEN G.call = NoCall
       ELSE /\ G.call.what \in Draws /\ G.call.tp \in CallPhases(G.call.what)
            /\ Caller(G.call.what) \in {p \in Players : ~G.due[p]}
            /\ IsUncertain(G.call.what, G.call.victim)
            /\ ~IsAhead
            /\ G.call.what \in Robberies => G.call.to \in Land \ {G.ba} /\ G.call.victim \in AdversariesAt(G.ap, G.call.to)

\* Nobody is away where nobody may leave.  The game waits for nobody who is away, and goes on while two are left; in the
\* set-up, everybody else has placed what they would have in this order.  Only who is away, and may come back, has missed turns.
AwayAreSkipped ==
    LET phase == PhaseBelow
        acting == IF Below.tp = "top" THEN G.ap ELSE ToActIn(Below)
        settled(p) == Cardinality(SettlementsOf(p))
        place(p) == (p - SU.first + NPlayers) % NPlayers
        expected(p) == CASE SU.sup = "PhaseOne" -> IF place(p) < place(SU.ap) THEN 1 ELSE 0
                         [] SU.sup = "PhaseTwo" -> IF place(p) <= place(SU.ap) THEN 1 ELSE 2
    IN /\ Present # Players =>
           /\ Leaving
           /\ (Below.tp = "top" /\ SignedEnd) \/ acting \in Present  \* a winner can leave before the end is signed
           /\ \A p \in Players : G.away[p] => ~LacksReply(p)
           /\ Cardinality(Present) = 1 => Below.tp = "top"
           /\ phase = "bot" /\ SU.sup # "Rolling" => ~G.away[SU.first] /\ \A p \in Present : settled(p) = expected(p)
           /\ phase \notin {"bot", "top"} => \A p \in Present : settled(p) >= 2
       /\ \A p \in Players : G.ret[p].missed => G.away[p] /\ G.ret[p].left > 0

\* Where points are counted at once, no turn goes on with enough of them.
WinAtOnce ==
    WinCheck = "at_once" /\ PhaseBelow \notin {"bot", "SpecialBuilding", "top"} => PlayerPoints(G.ap) < PointsToWin

=============================================================================
