"""Mistakes in the effects of the specification, each as another text in one of its definitions.

To add a row: the definition that it changes, a text that is there exactly once, what stands there instead, and what the
game is like then. Updates that are left out need no row: effect_mutations.py finds them in the text by itself.
"""

from typing import NamedTuple


class Mistake(NamedTuple):
    """One text of a definition replaced by another."""

    definition: str
    old: str
    new: str
    what: str
    model: str = ""
    """The model that notices; without one, the chosen steps of the actions that the definition is for."""


_LEAVING = (
    Mistake("Vote", "UNCHANGED vars", "G' = [G EXCEPT !.away[x] = TRUE] /\\ UNCHANGED SU", "one vote excuses"),
    Mistake("Vote", "UNCHANGED vars", "G' = [G EXCEPT !.ap = p] /\\ UNCHANGED SU", "who votes is at turn"),
    Mistake("Excuse", "SU' = IF isSetup THEN SetupWithout(x) ELSE SU", "SU' = SU", "the set-up goes on as it was"),
    Mistake("Excuse", "IF isSetup THEN GameWithout(g, x)", "IF isSetup THEN g", "nobody is away in the set-up"),
    Mistake(
        "Excuse", "ELSE IF BuilderIn(dropped) # x THEN g", "ELSE IF TRUE THEN g", "the turn of who is excused goes on"
    ),
)

_START = (
    Mistake(
        "RollForStart", "SU' = RolledSetup(rolls)", "SU' = [SU EXCEPT !.rolls = rolls]", "the same player rolls again"
    ),
    Mistake("Init", "ap |-> 1,\n                  tp", "ap |-> 2,\n                  tp", "player 2 begins"),
    Mistake("FirstPhase", 'StartOrder = "seat" /\\ Opening # {}', "Opening # {}", "who begins is not rolled for"),
    Mistake("FirstPhase", 'StartOrder = "seat" /\\ Opening # {}', "FALSE", "an opening is set up again"),
    Mistake("Init", 'Chance = "joint" THEN "Pledging"', "FALSE THEN 0", "nobody pledges"),
    Mistake("Init", 'due |-> [p \\in Players |-> Chance = "joint"]', "due |-> NobodyDue", "nobody's pledge is due"),
    Mistake(
        "Init", "call |-> NoCall", 'call |-> [NoCall EXCEPT !.what = "RollDice"]', "the dice are called for already"
    ),
    Mistake("Init", "dice |-> 0", "dice |-> 2", "the dice lie on the table"),
    Mistake("Init", "pd |-> 0", "pd |-> 1", "a card is played already"),
    Mistake("Init", "made |-> NoneMade", "made |-> [NoneMade EXCEPT ![1] = 1]", "an offer is made already"),
    Mistake("Init", "sb |-> NoOwner", "sb |-> 1", "somebody builds between turns"),
    Mistake("Init", "ba |-> BanditStart", "ba |-> Min(Land)", "the bandit begins on the first land"),
    Mistake("Init", "dp |-> NoProgressCards", "dp |-> [NoProgressCards EXCEPT !.Monopoly = 1]", "a card is discarded"),
    Mistake("Init", "lr |-> NoOwner", "lr |-> 1", "somebody has the longest road"),
    Mistake("Init", "la |-> NoOwner", "la |-> 1", "somebody has the largest army"),
    Mistake("Init", "lim |-> [p \\in Players |-> 0]", "lim |-> [p \\in Players |-> 7]", "everybody has a limit"),
    Mistake("Init", "bnk |-> [RC |-> RCP,", "bnk |-> [RC |-> NoResources,", "the bank has no resource cards"),
    Mistake("Init", "DC |-> DCP]", "DC |-> [DCP EXCEPT !.Knight = 0]]", "the bank has no knights"),
    Mistake("Init", "[RC |-> NoResources, DC", "[RC |-> RoadCost, DC", "everybody begins with a road's price"),
    Mistake("Init", "b |-> [p \\in Players |-> BP]", "b |-> [p \\in Players |-> [BP EXCEPT !.Road = 2]]", "few roads"),
    Mistake("Init", 'IF Opening = {} THEN "PhaseOne"', 'IF TRUE THEN "PhaseOne"', "after an opening comes the set-up"),
    Mistake("Init", 'IF StartOrder # "seat" THEN', 'IF StartOrder = "seat" THEN', "rolled for where seats decide"),
    Mistake("Init", "setup, ap |-> 1, first |-> 1", "setup, ap |-> 2, first |-> 1", "player 2 sets up first"),
    Mistake("Init", "first |-> 1, rolls", "first |-> 2, rolls", "player 2 is the first"),
    Mistake("Opened", "IF o.earns THEN Harvest", "IF TRUE THEN Harvest", "every village of an opening earns"),
    Mistake("Opened", 'st |-> "Village"', 'st |-> "City"', "an opening of cities"),
)

_ROLLS_FOR_START = (
    Mistake("Leaders", "Max({", "Min({", "the lowest roll begins"),
    Mistake("RolledSetup", "THEN 0 ELSE 1]", "THEN 0 ELSE 0]", "after a tie all roll again"),
    Mistake("RolledSetup", "!.ap = Min(Waiting(rolls))", "!.ap = NextPlayer(SU.ap)", "who is out rolls again"),
    Mistake("HasLeader", "Cardinality(Leaders(rolls)) = 1", "TRUE", "of a tie the lowest seat begins"),
    Mistake(
        "HasLeader",
        "Leaders(rolls) = {q \\in Players : rolls[q] # 1}",
        "FALSE",
        "of a tie of all nobody begins",
        "MCTies",
    ),
    Mistake(
        "RolledSetup",
        "leader == Min(Leaders(rolls))",
        "leader == Max(Leaders(rolls))",
        "of a tie the highest seat rolls first",
    ),
    Mistake("Waiting", "rolls[q] = 0", "FALSE", "one roll decides"),
    Mistake("RolledSetup", "first |-> leader", "first |-> 1", "player 1 is the first all the same"),
    Mistake("RolledSetup", "ap |-> leader, first", "ap |-> 1, first", "player 1 places first all the same"),
    Mistake("RolledSetup", "rolls |-> NoRolls]", "rolls |-> rolls]", "the rolls stay on the table"),
    Mistake(
        "RolledSetup", '[sup |-> IF Opening = {} THEN "PhaseOne"', '[sup |-> IF TRUE THEN "PhaseOne"', "set up twice"
    ),
    Mistake("RolledSetup", 'THEN "PhaseOne" ELSE "PhaseTwo"', 'THEN "PhaseTwo" ELSE "PhaseTwo"', "one village each"),
    Mistake(
        "RolledGame",
        "IF Opening = {} THEN",
        "IF TRUE THEN",
        "after an opening the first turn does not begin",
    ),
)

_CHANCE = (
    Mistake("Pledge", "IF due # NobodyDue THEN", "IF FALSE THEN", "one pledge is enough"),
    Mistake("Pledge", "!.tp = FirstPhase", '!.tp = "bot"', "after the pledges comes the set-up"),
    Mistake("Call", "what |-> what", 'what |-> "RollDice"', "the dice are always called for"),
    Mistake("Call", "tp |-> G.tp", 'tp |-> "DiceRoll"', "always called for before the dice"),
    Mistake("Call", "to |-> to", "to |-> NoTile", "the call names no tile"),
    Mistake("Call", "victim |-> victim", "victim |-> NoOwner", "the call names no victim"),
    Mistake("Call", "ELSE Present \\ {p}", "ELSE Present", "the caller owes a share"),
    Mistake("Call", "ELSE Present \\ {p}", "ELSE Present \\ {G.ap}", "between turns the caller owes a share"),
    Mistake("Call", "ELSE Present \\ {p}", "ELSE {NextPlayer(p)}", "one share is enough"),
    Mistake("Reveal", "!.due[p] = FALSE]", "!.due = NobodyDue]", "one reveals for all"),
    Mistake("Reveal", "!.due[p] = FALSE]", "!.due[NextPlayer(p)] = FALSE]", "one reveals for the next"),
    Mistake("Settled", "!.tp = Phase", "!.tp = AfterDice", "after every draw trading"),
)

_SETUP = (
    Mistake("SetupPhaseOne", "IF NextPlayer(p) = SU.first", "IF p = NPlayers", "the last seat ends the first round"),
    Mistake("SetupPhaseOne", "!.ap = NextPlayer(p)", "!.ap = PreviousPlayer(p)", "the first round goes backwards"),
    Mistake("SetupPhaseOne", '[own |-> p, st |-> "Village"]', '[own |-> p, st |-> "City"]', "a city to begin with"),
    Mistake("SetupPhaseTwo", "SU' = IF p = SU.first THEN SU", "SU' = IF FALSE THEN SU", "the set-up goes on"),
    Mistake("SetupPhaseTwo", "!.ap = PreviousPlayer(p)", "!.ap = NextPlayer(p)", "the second round goes forwards"),
    Mistake("SetupPhaseTwo", "!.tp = IF p = SU.first", "!.tp = IF p = 1", "player 1 ends the set-up"),
    Mistake("SetupPhaseTwo", '[own |-> p, st |-> "Village"]', '[own |-> p, st |-> "City"]', "the second is a city"),
    Mistake(
        "Harvest",
        "Cardinality({t \\in TilesAt[sp] : Tiles[t].terrain = terrain})",
        "IF {t \\in TilesAt[sp] : Tiles[t].terrain = terrain} = {} THEN 0 ELSE 1",
        "the first harvest gives one card per type",
    ),
    Mistake("Harvest", 'Ore |-> count(sp, "mountains")', "Ore |-> 0", "the first harvest has no ore"),
    Mistake("SeatAfter", "IF p = NPlayers THEN 1 ELSE p + 1", "IF p = 1 THEN NPlayers ELSE p - 1", "counterclockwise"),
    Mistake("SeatAfter", "THEN 1 ELSE", "THEN NPlayers ELSE", "nobody follows the last seat"),
    Mistake("SeatBefore", "THEN NPlayers ELSE p - 1", "THEN 1 ELSE p - 1", "player 1 follows themselves"),
)

_DICE = (
    Mistake("Seven", "cards(p) > HandLimit", "cards(p) >= HandLimit", "seven cards are too many"),
    Mistake("Seven", "THEN cards(p) - cards(p) \\div 2", "THEN cards(p) \\div 2", "half is rounded up"),
    Mistake("Seven", "\\E p \\in Present : limit(p) > 0", "limit(G.ap) > 0", "others' hands are not looked at"),
    Mistake("Harvested", "IF Covers(G.bnk.RC, due) THEN", "IF d = 2 THEN rolled ELSE IF Covers(G.bnk.RC, due) THEN",
            "dice sum 2 never yields"),
    Mistake("Harvested", "IF Covers(G.bnk.RC, due) THEN", "IF d = 12 THEN rolled ELSE IF Covers(G.bnk.RC, due) THEN",
            "dice sum 12 never yields"),
    Mistake("Harvested", "Covers(G.bnk.RC, due) THEN",
            "(\\A res \\in RCT : due[res] = 0 \\/ due[res] < G.bnk.RC[res]) THEN",
            "a shortage when the bank has exactly enough"),
    Mistake("Harvested", "IF due[res] <= G.bnk.RC[res]", "IF due[res] = 0 \\/ due[res] < G.bnk.RC[res]",
            "of one resource a shortage when the bank has exactly enough"),
    Mistake("Harvested", "ELSE IF earners(res) = {p} THEN G.bnk.RC[res]", "", "who alone is due more gets nothing"),
    Mistake("Harvested", "earners(res) = {p} THEN G.bnk.RC[res]", "earners(res) # {} THEN G.bnk.RC[res]",
            "several share what is short"),
    Mistake("Harvested", 'Shortage = "nobody" THEN rolled', 'FALSE THEN rolled', "always by resource"),
    Mistake("Harvested", 'ELSE IF Shortage = "nobody" THEN rolled', "ELSE IF TRUE THEN rolled", "all or nothing"),
    Mistake("Harvested", "|-> ResourceGainPlayer(p, d)]",
            "|-> IF p = G.ap THEN ResourceGainPlayer(p, d) ELSE NoResources]",
            "only who rolls earns"),
    Mistake("ResourceGainPlayer", " + Cardinality(cities(t))", "", "a city earns like a village"),
    Mistake("ResourceGainPlayer", "IF t = G.ba THEN 0 ELSE ", "", "the bandit robs no harvest"),
    Mistake("ResourceGainPlayer", "ELSE Cardinality(settled(t))", "ELSE (IF settled(t) = {} THEN 0 ELSE 1)",
            "a tile yields once to a player", "MCHarvest"),
    Mistake("RollDice", "IF d = 7 THEN", "IF d \\in {6, 7} THEN", "six is like seven"),
    Mistake("RollDice", "IF d = 7 THEN", "IF FALSE THEN", "seven is like six"),
    Mistake("MoveBandit", "!.tp = AfterDice", '!.tp = "Trading"', "after the bandit trading only"),
    Mistake("MoveBandit", "!.lim = [q \\in Players |-> 0]", "!.lim = [@ EXCEPT ![p] = 0]", "others' limits stay"),
    Mistake("Steal", "EXCEPT ![victim].RC[card] = @ - 1, ![p].RC[card] = @ + 1]",
            "EXCEPT ![p].RC[card] = @ - 1, ![victim].RC[card] = @ + 1]", "the victim steals"),
    Mistake("Owes", "G.lim[p] > 0 /\\ ", "", "everybody owes"),
)  # fmt: skip

_TRADES = (
    Mistake("HasWharf", "sp \\in SettlementsOf(p) :", 'sp \\in {x \\in SettlementsOf(p) : G.s[x].st = "Village"} :',
            "a wharf closed to cities"),
    Mistake("EmptyTrade", '!.tp = "Building"', '!.tp = "TradingBuilding"', "trading does not end"),
    Mistake("TradeFourToOne", "Traded(p, 4,", "Traded(p, 3,", "four for one costs three"),
    Mistake("TradeThreeToOne", "Traded(p, 3,", "Traded(p, 4,", "three for one costs four", "MCTrade"),
    Mistake("TradeTwoToOne", "Traded(p, 2,", "Traded(p, 1,", "two for one costs one"),
    Mistake("TradeFourToOne", "4, give, receive)", "4, receive, give)", "four of the other type"),
    Mistake("TradeThreeToOne", "3, give, receive)", "3, receive, give)", "three of the other type"),
    Mistake("TradeTwoToOne", "2, give, receive)", "2, receive, give)", "two of the other type"),
    Mistake("AfterDice", 'IF CombinedTradeBuild THEN "TradingBuilding" ELSE', "IF FALSE THEN 0 ELSE", "always apart"),
    Mistake("AfterDice", 'ELSE "Trading"', 'ELSE "TradingBuilding"', "never apart"),
    Mistake("Takers", "{q \\in Present \\ {p} :", "{q \\in Present :", "the offerer is asked too"),
    Mistake("Takers", "CouldPay(q, rc)", "Count(G.h[q].RC) >= Count(rc)", "asked by the number of cards"),
    Mistake("OfferTrade", "[give |-> give, receive |-> receive]", "[give |-> receive, receive |-> give]",
            "other way round"),
    Mistake("OfferTrade", "IF TableTalk THEN Present \\ {p} ELSE Takers(p, receive)", "Present \\ {p}",
            "everybody is asked"),
    Mistake("OfferTrade", "IF TableTalk THEN Present \\ {p} ELSE Takers(p, receive)", "Takers(p, receive)",
            "who has not got it is not asked in table talk"),
    Mistake("OfferTrade", "THEN Present \\ {p} ELSE", "THEN Present ELSE", "the offerer answers"),
    Mistake("OfferTrade", 'THEN "asked" ELSE', 'THEN "accept" ELSE', "everybody has accepted"),
    Mistake("AnswerTrade", "!.ans[p] = answer", '!.ans[p] = "accept"', "a rejection counts as acceptance"),
    Mistake("AnswerTrade", "!.ans[p] = answer", "!.ans = [q \\in Players |-> answer]", "one answers for all"),
    Mistake("ProposeTrade", "[give |-> give, receive |-> receive]", "[give |-> receive, receive |-> give]",
            "other way round"),
    Mistake("OneMore", "IF limit = 0 THEN 0 ELSE made + 1", "made + 1", "offers are counted without a limit"),
    Mistake("OneMore", "ELSE made + 1", "ELSE 1", "the second offer counts as the first"),
    Mistake("OfferTrade", "OneMore(@, OffersPerTurn)", "OneMore(@, ProposalsPerTurn)",
            "offers are counted where proposals are"),
    Mistake("ProposeTrade", "OneMore(@, ProposalsPerTurn)", "OneMore(@, OffersPerTurn)",
            "proposals are counted where offers are"),
    Mistake("ProposeTrade", '"reject" ELSE @', '"accept" ELSE @', "a counter-offer accepts"),
    Mistake("ProposeTrade", "IF G.tp = \"Offering\" THEN", "IF TRUE THEN", "an unasked proposal rejects"),
    Mistake("ProposeTrade", "IF G.tp = \"Offering\" THEN", "IF FALSE THEN", "a counter-offer leaves its player asked"),
    Mistake("Terms", "[give |-> G.prop[partner].receive, receive |-> G.prop[partner].give]", "G.prop[partner]",
            "proposals the other way round"),
    Mistake("Terms", 'IF G.ans[partner] = "accept" THEN G.offer', "IF G.tp = \"Offering\" THEN G.offer",
            "a counter-offer is taken for the offer"),
    Mistake("Heard", "NoProposals", "[@ EXCEPT ![G.ap] = NoOffer]", "others' proposals stand"),
    Mistake("ConcludeTrade", "!.tp = AfterDice", '!.tp = "Trading"', "the phase after an offer: trading only"),
    Mistake("ConcludeTrade", "!.tp = AfterDice", '!.tp = "TradingBuilding"', "the phase after an offer: never apart"),
    Mistake("ConcludeTrade", "!.tp = AfterDice", '!.tp = "Building"', "after a trade no other"),
    Mistake("ConcludeTrade", "SubRec(AddRec(@, terms.receive), terms.give)", "AddRec(@, terms.receive)",
            "for nothing"),
    Mistake("ConcludeTrade", "!.h[partner].RC = SubRec(AddRec(@, terms.give), terms.receive)",
            "!.h[partner].RC = SubRec(@, terms.receive)", "the partner gets nothing"),
    Mistake("ConcludeTrade", "LET terms == Terms(partner)", "LET terms == G.offer", "a proposal is not what is traded"),
    Mistake("WithdrawTrade", "!.tp = AfterDice", '!.tp = "Trading"', "the phase after a withdrawal: trading only"),
    Mistake("WithdrawTrade", "!.tp = AfterDice", '!.tp = "TradingBuilding"',
            "the phase after a withdrawal: never apart"),
    Mistake("WithdrawTrade", "!.tp = AfterDice", '!.tp = "Building"', "who withdraws trades no more"),
)  # fmt: skip

_BUILDING = (
    Mistake("RoadCost", "Brick |-> 1", "Brick |-> 0", "a road for lumber only"),
    Mistake("VillageCost", "Wool |-> 1", "Wool |-> 0", "a village without wool"),
    Mistake("CityCost", "Grain |-> 2", "Grain |-> 1", "a city for one grain"),
    Mistake("CityCost", "Ore |-> 3", "Ore |-> 2", "a city for two ore"),
    Mistake("DevCardCost", "Ore |-> 1", "Ore |-> 0", "a card without ore"),
    Mistake("BuildRoad", "LongestRoad(G.s, r)", "LongestRoad(G.s, G.r)", "a new road does not count yet"),
    Mistake("BuildVillage", "LongestRoad(s, G.r)", "LongestRoad(G.s, G.r)", "a village does not cut the longest road"),
    Mistake("BuildVillage", '[own |-> p, st |-> "Village"]', '[own |-> p, st |-> "City"]',
            "a city at a village's price"),
    Mistake("BuildCity", "!.b[p].Village = @ + 1", "!.b[p].Village = @ - 1", "the village is spent too"),
    Mistake("GoesOn", "s[sp].own = p \\/ s[sp].own = NoOwner", "TRUE", "settlements cut nothing"),
    Mistake("GoesOn", "s[sp].own = p \\/ ", "", "own settlements cut, too"),
    Mistake("GoesOn", "other # rp /\\ ", "", "a road goes on to itself", "MCTrails"),
    Mistake("Layers", "Cardinality(EndsOf[rp]) < 2", "FALSE", "roads that lead off the map have no loose end",
            "MCBuild"),
    Mistake("OverLayers", "IF meet THEN 0 ELSE 1", "0", "every trail has an even length"),
    Mistake("OverLayers", "IF meet THEN 0 ELSE 1", "1", "every trail has an odd length"),
    Mistake("OverRings", "IF sp = from THEN 0 ELSE hanging[sp]", "hanging[sp]", "what hangs on a point counts twice",
            "MCTrails"),
    Mistake("OverRings", "IF sp = from THEN 0 ELSE hanging[sp]", "0", "a trail ends on the ring", "MCTrails"),
    Mistake("OverRings", "left \\ {rp}", "left \\ RoadsAt[sp]", "a point is passed once only", "MCTrails"),
    Mistake("LongestTrail", "hanging[sp] + OverRings", "OverRings", "a trail begins on the ring", "MCTrails"),
    Mistake("LongestTrail", "r[rp] = p", "r[rp] # NoOwner", "all roads are everybody's"),
    Mistake("LongestRoad", "BonusHolder(G.lr,", "BonusHolder(NoOwner,", "a tie takes the road from its holder"),
    Mistake("LongestRoad", "LongestRoadMin)", "LongestRoadMin + 1)", "five roads are too few"),
    Mistake("LargestArmy", "BonusHolder(G.la,", "BonusHolder(NoOwner,", "a tie takes the army from its holder"),
    Mistake("LargestArmy", "LargestArmyMin)", "LargestArmyMin + 1)", "three knights are too few"),
    Mistake("LargestArmy", "h[p].DC.UC.Knight", "h[p].DC.AC.Knight", "knights in the hand count"),
    Mistake("BonusHolder", "IF most < enough THEN", "IF most <= enough THEN", "the least that is enough is not"),
    Mistake("BonusHolder", "IF most < enough THEN NoOwner\n       ELSE IF", "IF", "any number is enough"),
    Mistake("BonusHolder", "IF holder \\in leaders THEN holder\n       ELSE ", "", "the holder loses every tie"),
    Mistake("BonusHolder", "holder \\in leaders", "holder # NoOwner /\\ has[holder] >= enough", "the holder keeps it"),
    Mistake("BonusHolder", "IF Cardinality(leaders) > 1 THEN NoOwner\n       ELSE CHOOSE p \\in leaders : TRUE",
            "Min(leaders)", "a tie among others gives the bonus to the lowest seat"),
    Mistake("CanPay", "{RoadCost, ", "{", "whoever can pay a road only does not build"),
    Mistake("CanPay", "CityCost, ", "", "whoever can pay a city only does not build"),
    Mistake("CanPay", ", DevCardCost}", "}", "whoever can pay a card only does not build"),
    Mistake("NextBuilder", "~SpecialBuilding \\/ ", "", "the others always build"),
    Mistake("NextBuilder", "place(q) <= place(other)", "place(q) >= place(other)", "the last builds first"),
    Mistake("NextBuilder", "place(q) > place(p) /\\ ", "q # p /\\ ", "the others build for ever"),
    Mistake("NextBuilder", "(q - G.ap + NPlayers) % NPlayers", "q", "the others build by seat"),
    Mistake("EmptyBuild", 'WinCheck = "turn_end" /\\ G.tp', "FALSE /\\ G.tp", "nobody ever wins"),
    Mistake("EmptyBuild", 'G.tp # "SpecialBuilding" /\\ ', "", "a special builder wins"),
    Mistake("EmptyBuild", "PlayerPoints(p) >= PointsToWin", "PlayerPoints(p) > PointsToWin", "ten points do not win"),
    Mistake("EmptyBuild", "PlayerPoints(p) >=", "PlayerPoints(NextPlayer(p)) >=", "the next player's points win"),
    Mistake("EmptyBuild", "THEN Ended(Heard)", "THEN Ended(rested)", "the winner's turn ends"),
    Mistake("EmptyBuild", 'THEN [rested EXCEPT !.tp = "Special', 'THEN [G EXCEPT !.tp = "Special',
            "cards stay bought while others build"),
    Mistake("EmptyBuild", "ELSE Won([rested EXCEPT", "ELSE Won([G EXCEPT", "cards stay bought for ever"),
    Mistake("EmptyBuild", "IF next # NoOwner", "IF FALSE", "nobody builds between turns"),
)  # fmt: skip

_CARDS = (
    Mistake("BuyDevCard", "!.h[p].DC.BC[card] = @ + 1", "!.h[p].DC.AC[card] = @ + 1", "available at once"),
    Mistake("BuyDevCard", 'card = "VictoryPoint"\n', 'card = "VictoryPoint" /\\ FALSE\n',
            "victory points stay hidden", "MCKnights"),
    Mistake(
        "PlayMonopoly",
        "all == Total([q \\in Players |-> G.h[q].RC[res]])\n                "
        "hands == [q \\in Players |-> [shown.h[q] EXCEPT !.RC[res] = IF q = p THEN all ELSE 0]]",
        "one == CHOOSE q \\in Players \\ {p} : \\A o \\in Players \\ {p} : G.h[q].RC[res] >= G.h[o].RC[res]\n"
        "                hands == [q \\in Players |-> [shown.h[q] EXCEPT !.RC[res] = "
        "IF q = p THEN @ + G.h[one].RC[res] ELSE IF q = one THEN 0 ELSE @]]",
        "monopoly takes from one player only",
    ),
    Mistake("PlayMonopoly", "IF q = p THEN all ELSE 0", "IF q = p THEN all ELSE @", "monopoly copies the cards"),
    Mistake("PlayMonopoly", "IF q = p THEN all ELSE 0", "0", "monopoly loses the cards"),
    Mistake("PlayYearOfPlenty", "!.h[p].RC[second] = @ + 1", "!.h[p].RC[first] = @ + 1", "twice the first type"),
    Mistake("PlayRoadBuilding", "@ - (IF second = NoRoad THEN 1 ELSE 2)", "@ - 2", "one road costs two"),
    Mistake("PlayRoadBuilding", "@ - (IF second = NoRoad THEN 1 ELSE 2)", "@ - 1", "two roads cost one"),
    Mistake("PlayRoadBuilding", "LongestRoad(G.s, r)", "LongestRoad(G.s, G.r)", "free roads do not count yet"),
    Mistake("PlayRoadBuilding", "G' = LET r == IF second = NoRoad THEN", "G' = LET r == IF TRUE THEN",
            "the second road is not placed"),
    Mistake("IsGoodForOne", "G.b[p].Road = 1 \\/ ", "", "the last road is not placed by the card"),
    Mistake("IsGoodForOne", "G.b[p].Road = 1 \\/ ~\\E rp \\in DOMAIN CD : canFollow(rp)", "G.b[p].Road = 1",
            "one road only if it is the last", "MCPlaces"),
    Mistake("IsGoodForOne", "/\\ first # rp\n", "/\\ TRUE\n", "the first road takes its own place again", "MCPlaces"),
    Mistake("IsGoodForOne", "/\\ G.r[rp] = NoOwner\n", "/\\ TRUE\n", "a taken place counts as free", "MCPlaces"),
    Mistake("IsGoodForOne", "/\\ Links(p, rp, [G.r EXCEPT ![first] = p]) # {}", "/\\ TRUE",
            "a place out of reach counts", "MCPlaces"),
    Mistake("IsGoodForOne", "/\\ BanditBlocksBuilding => RoadHasNoBandit(rp)", "/\\ TRUE",
            "a place beside the bandit counts", "MCPlaces"),
    Mistake("SecondRoads", "IF RoadBuildingNeeds = 1 THEN {NoRoad} ELSE {}", "{}",
            "the card is never good for one road", "MCPlaces"),
    Mistake("PlayKnight", "!.la = LargestArmy(h)", "!.la = LargestArmy(G.h)", "a new knight does not count yet"),
    Mistake("PlayKnight", "h == [Steal(shown.h, p, victim, card) EXCEPT", "h == [shown.h EXCEPT",
            "a knight steals nothing"),
    Mistake("PlayedOneMore", "IF DevCardsPerTurn = 0 THEN 0 ELSE G.pd + 1", "G.pd + 1", "counted without a limit"),
    Mistake("PlayedOneMore", "ELSE G.pd + 1", "ELSE 1", "the second card counts as the first"),
)  # fmt: skip

_POINTS = (
    Mistake("PointsIn", 'built("Village") + ', "", "villages have no points"),
    Mistake("PointsIn", '2 * built("City")', 'built("City")', "a city has one point"),
    Mistake("PointsIn", " + g.h[p].DC.UC.VictoryPoint", "", "victory points have no points"),
    Mistake("PointsIn", "IF g.lr = p THEN 2", "IF g.lr = p THEN 1", "the longest road has one point"),
    Mistake("PointsIn", "IF g.la = p THEN 2", "IF g.la = p THEN 1", "the largest army has one point"),
    Mistake("Won", 'WinCheck = "at_once" /\\ ', "", "points are always counted at once"),
    Mistake("Won", '"bot", "SpecialBuilding", "top"', '"bot", "top"', "who builds between turns ends the game"),
    Mistake("Won", '"bot", "SpecialBuilding", "top"', '"SpecialBuilding", "top"', "won during the set-up"),
    Mistake("Won", ">= PointsToWin", "> PointsToWin", "ten points do not win at once"),
    Mistake("Won", "PointsIn(g, g.ap)", "PointsIn(G, G.ap)", "points are counted before the step"),
)

MISTAKES = (
    *_LEAVING,
    *_START,
    *_ROLLS_FOR_START,
    *_CHANCE,
    *_SETUP,
    *_DICE,
    *_TRADES,
    *_BUILDING,
    *_CARDS,
    *_POINTS,
)
