---------------------------------- MODULE MC ----------------------------------
(***************************************************************************)
(* What the small models have in common: a map, states to begin with, the  *)
(* choices without any help, steps to check, and things to be reached.     *)
(***************************************************************************)
EXTENDS Catan

CONSTANT
    Start       \* [SU, G]: the state that the model begins with

\* The rule book's rules where players do not trade with each other and the first of them begins.
NoTrade == [Brief EXCEPT !.DomesticTrade = FALSE, !.OfferMax = 0, !.StartOrder = "seat"]

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

(***************************************************************************)
(* The same with a third island of one tile, for three players.            *)
(*                                                                         *)
(*   u1 sea   u2 forest 3  u3 sea   u4 hills 4   u5 sea  u6 mountains 5  u7 sea   *)
(* l1 desert  l2 sea  l3 pasture 3  l4 sea  l5 fields 4  l6 sea  l7 sea  l8 sea   *)
(*                                                                         *)
(* The settlement points tA to tI lie as A to I do, and tJ tK tL in a row  *)
(* on the third island.                                                    *)
(***************************************************************************)
LOCAL Tile(arr, col, terrain, n) == [arr |-> arr, row |-> 0, col |-> col, terrain |-> terrain, n |-> n]

TripleIslands == <<
    Tile(0, 1, "sea", 0), Tile(0, 2, "forest", 3), Tile(0, 3, "sea", 0), Tile(0, 4, "hills", 4), Tile(0, 5, "sea", 0),
    Tile(0, 6, "mountains", 5), Tile(0, 7, "sea", 0),
    Tile(1, 1, "desert", 0), Tile(1, 2, "sea", 0), Tile(1, 3, "pasture", 3), Tile(1, 4, "sea", 0), Tile(1, 5, "fields", 4),
    Tile(1, 6, "sea", 0), Tile(1, 7, "sea", 0), Tile(1, 8, "sea", 0)
>>

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

tA == PointAt({1, 8, 9})
tB == PointAt({1, 2, 9})
tD == PointAt({2, 3, 10})
tF == PointAt({3, 4, 11})
tH == PointAt({4, 5, 12})
tJ == PointAt({5, 6, 13})
tL == PointAt({6, 7, 14})

oBC == RoadAt({2, 9})
oCD == RoadAt({2, 10})
oDE == RoadAt({3, 10})
oFG == RoadAt({4, 11})

Cards(lumber, brick, wool, grain, ore) ==
    [Lumber |-> lumber, Brick |-> brick, Wool |-> wool, Grain |-> grain, Ore |-> ore]

DevCards(monopoly, plenty, road, knight, point) ==
    [Monopoly |-> monopoly, YearOfPlenty |-> plenty, RoadBuilding |-> road, Knight |-> knight, VictoryPoint |-> point]

Pieces(road, village, city) == [Road |-> road, Village |-> village, City |-> city]

NoDevCards == DevCards(0, 0, 0, 0, 0)

\* The game when the set-up is over and player 1 is in phase tp, all villages on their points, the roads on theirs, and
\* these resources and available cards in the hands; what is not in a hand is in the bank.
Begun(tp, villages, roads, resources, available) ==
    LET placed(on, p) == Cardinality({x \in DOMAIN on : on[x] = p})
        hidden(p) == [card \in PCT \cup {"Knight"} |-> available[p][card]]
    IN [SU |-> [sup |-> "PhaseTwo", ap |-> 1, first |-> 1, rolls |-> NoRolls],
        G |-> [ap |-> 1, tp |-> tp, dice |-> IF tp \in {"bot", "DiceRoll"} THEN 0 ELSE 2, pd |-> 0, sb |-> NoOwner,
               ba |-> BanditStart, dp |-> NoProgressCards, lr |-> NoOwner, la |-> NoOwner,
               lim |-> [p \in Players |-> 0], offer |-> NoOffer, ans |-> NoAnswers, prop |-> NoProposals, made |-> NoneMade,
               due |-> NobodyDue, call |-> NoCall, away |-> NobodyAway, ret |-> WaysBack, ahead |-> NobodyAhead,
               hid |-> NothingHidden,
               s |-> [sp \in DOMAIN CT |-> IF sp \in DOMAIN villages THEN [own |-> villages[sp], st |-> "Village"]
                                           ELSE [own |-> NoOwner, st |-> "none"]],
               r |-> [rp \in DOMAIN CD |-> IF rp \in DOMAIN roads THEN roads[rp] ELSE NoOwner],
               bnk |-> [RC |-> [res \in RCT |-> RCP[res] - Total([p \in Players |-> resources[p][res]])],
                        DC |-> [card \in DCT |-> DCP[card] - Total([p \in Players |-> available[p][card]])]],
               h |-> [p \in Players |-> [RC |-> resources[p],
                                         DC |-> [BC |-> NoCards, AC |-> hidden(p),
                                                 UC |-> [Knight |-> 0, VictoryPoint |-> available[p].VictoryPoint]]]],
               b |-> [p \in Players |-> [BP EXCEPT !.Road = @ - placed(roads, p), !.Village = @ - placed(villages, p)]]]]

MCInit == SU = Start.SU /\ G = Start.G

\* Somebody acts whenever somebody can.
FairModel == MCInit /\ [][Next]_vars /\ WF_vars(Next)

\* Every turn ends.
TurnsEnd == \A p \in Players : (G.ap = p) ~> (G.ap # p \/ G.tp = "top")

\* What the model is made of, for the Python engine to begin with the same.
ASSUME PrintT(<<"model", [Tiles |-> Tiles, Wharfs |-> Wharfs, NPlayers |-> NPlayers, RCP |-> RCP, DCP |-> DCP, BP |-> BP,
                          Dice |-> Dice, Rules |-> Rules, Opening |-> Opening, Start |-> Start]>>)

-----------------------------------------------------------------------------
(* Steps: what an action may change, said a second time and in another way. *)

\* The step is a move of the game, no pledge, call or reveal.
LOCAL Moves == G.tp # "Pledging" /\ G'.tp # "Drawing"

\* Nobody who is to build before the turn passes, after player p, has the cards for anything.
LOCAL NobodyBuildsAfter(p) ==
    \A n \in 1..(NPlayers - 1) :
        LET q == ((G.ap - 1 + n) % NPlayers) + 1
        IN n > (p - G.ap + NPlayers) % NPlayers =>
              \A cost \in {RoadCost, VillageCost, CityCost, DevCardCost} : \E res \in RCT : G.h[q].RC[res] < cost[res]

\* Only ended building changes whose turn it is, and it is the next player's; before that the others build in their order,
\* where they may.  The game is won by the active player only, who has the points, and as soon as points are counted.
TurnPasses ==
    [][/\ Phase # "bot" /\ (G'.ap # G.ap \/ (Phase' = "DiceRoll" /\ Phase # "DiceRoll")) =>
              /\ Phase \in {"SpecialBuilding"} \cup {IF CombinedTradeBuild THEN "TradingBuilding" ELSE "Building"}
              /\ G'.ap = (G.ap % NPlayers) + 1
              /\ Phase' = IF WinCheck = "at_once" /\ PlayerPoints(G.ap)' >= PointsToWin THEN "top" ELSE "DiceRoll"
              /\ G'.dice = 0
              /\ SpecialBuilding => NobodyBuildsAfter(IF Phase = "SpecialBuilding" THEN G.sb ELSE G.ap)
       /\ G'.sb # G.sb /\ Phase' # "top" =>
              IF G'.sb = NoOwner THEN G'.ap # G.ap
              ELSE /\ SpecialBuilding /\ G'.ap = G.ap /\ Phase' = "SpecialBuilding"
                   /\ \E cost \in {RoadCost, VillageCost, CityCost, DevCardCost} : Covers(G.h[G'.sb].RC, cost)
                   /\ \A q \in Players :
                         /\ (q - G.ap + NPlayers) % NPlayers < (G'.sb - G.ap + NPlayers) % NPlayers
                         /\ (q - G.ap + NPlayers) % NPlayers > (Builder - G.ap + NPlayers) % NPlayers
                         => ~CanPay(q)
       /\ Phase = "bot" /\ Phase' # "bot" => G'.ap = SU'.first /\ Phase' \in {"DiceRoll", "top"}
       /\ Phase' = "top" =>
              /\ PlayerPoints(G.ap)' >= PointsToWin
              /\ WinCheck = "turn_end" =>
                    Phase \in {"Building", "TradingBuilding"} /\ G' = [G EXCEPT !.tp = "top", !.prop = NoProposals]]_vars

\* What player p gets of a resource by a roll of d, counted settlement by settlement.
LOCAL Earns(p, d, res) ==
    LET worth(sp) == IF G.s[sp].own # p THEN 0 ELSE IF G.s[sp].st = "City" THEN 2 ELSE 1
        hit(sp) == Cardinality({t \in TilesAt[sp] : /\ t # G.ba
                                                    /\ Tiles[t].n = d
                                                    /\ Tiles[t].terrain \in DOMAIN Yield
                                                    /\ Yield[Tiles[t].terrain] = res})
    IN Sum([sp \in DOMAIN CT |-> worth(sp) * hit(sp)], DOMAIN CT)

\* A roll pays everybody exactly what the board yields; or nobody anything if the bank is short; or, by the rule book,
\* nothing of a resource that is short, except what is left to one whom nobody else shares it with.
ProductionEqualsBoard ==
    [][(Moves /\ Phase = "DiceRoll" /\ Phase' = AfterDice) =>
          LET earned == TLCEval([p \in Players |-> [res \in RCT |-> Earns(p, G'.dice, res)]])
              due == TLCEval([res \in RCT |-> Total([p \in Players |-> earned[p][res]])])
              short == {res \in RCT : G.bnk.RC[res] < due[res]}
              paid(p, res) ==
                  IF Shortage = "nobody" THEN IF short = {} THEN earned[p][res] ELSE 0
                  ELSE IF res \notin short THEN earned[p][res]
                  ELSE IF earned[p][res] = due[res] THEN G.bnk.RC[res]
                  ELSE 0
          IN \A p \in Players, res \in RCT : G'.h[p].RC[res] = G.h[p].RC[res] + paid(p, res)]_vars

\* After a seven a hand above the limit loses half, rounded down, and no other hand loses anything but a stolen card.
DiscardIsHalf ==
    [][Moves =>
       /\ (Phase = "DiceRoll" /\ G'.dice = 7) =>
              \A p \in Players : LET n == Count(G.h[p].RC)
                                 IN /\ G'.h[p] = G.h[p]
                                    /\ G'.lim[p] = IF n > HandLimit THEN n - (n \div 2) ELSE 0
       /\ (Phase = "Discarding" /\ Phase' = "Discarding") =>
              \E p \in Players : /\ Count(G'.h[p].RC) = G.lim[p] /\ Count(G.h[p].RC) > G.lim[p]
                                 /\ G'.bnk.RC = AddRec(G.bnk.RC, SubRec(G.h[p].RC, G'.h[p].RC))
                                 /\ \A q \in Players \ {p} : G'.h[q] = G.h[q]
       /\ (Phase \in {"Discarding", "MovingBandit"} /\ Phase' \notin {"Discarding", "MovingBandit"}) =>
              /\ Phase' = AfterDice
              /\ \A p \in Players : G.lim[p] > 0 => Count(G.h[p].RC) = G.lim[p]
              /\ G'.bnk = G.bnk /\ G'.ba # G.ba
              /\ \A p \in Players \ {G.ap} : Count(G'.h[p].RC) \in {Count(G.h[p].RC), Count(G.h[p].RC) - 1}
              /\ \/ Count(G'.h[G.ap].RC) = Count(G.h[G.ap].RC) + 1
                 \/ \A sp \in Corners[G'.ba] : G.s[sp].own \in {NoOwner, G.ap}
                 \/ \E sp \in Corners[G'.ba] : /\ G.s[sp].own \notin {NoOwner, G.ap}
                                               /\ Count(G.h[G.s[sp].own].RC) = 0]_vars

\* The step is a proposal, or a trade with somebody who has made one: it leaves the bank alone.
LOCAL Talks ==
    /\ TableTalk /\ G'.bnk = G.bnk
    /\ \/ \E p \in Players : G.prop[p] = NoOffer /\ G'.prop[p] # NoOffer
       \/ G'.h # G.h /\ \E p \in Players : G.prop[p] # NoOffer

\* A trade with the bank changes the active player's and the bank's cards, by the rate of a wharf that the player has
\* settled at.
TradeIsBetweenTwo ==
    [][(/\ Moves /\ ~Talks /\ Phase \in {"Trading", "TradingBuilding"} /\ Phase' = Phase
        /\ <<G'.dp, G'.la, G'.ba, G'.s, G'.r, G'.bnk.DC>> = <<G.dp, G.la, G.ba, G.s, G.r, G.bnk.DC>>) =>
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

\* One player leaves at a time, for ever if nobody may come back.  Nothing changes on the board, nor in a hand but
\* what the player who leaves owed.  A turn that they had ends with its cards bought, and the next of those who are there goes on.
LeavingTakesNothing ==
    [][/\ \A p \in Players : G.away[p] => /\ G'.away[p] \/ Returns > 0
                                         /\ SettlementsOf(p)' = SettlementsOf(p) /\ RoadsOf(p)' = RoadsOf(p)
                                         /\ G'.h[p].DC = G.h[p].DC
       /\ (\E x \in Players : G'.away[x] /\ ~G.away[x]) =>
             \E x \in Players :
                /\ ~G.away[x] /\ G'.away = [G.away EXCEPT ![x] = TRUE]
                /\ <<G'.s, G'.r, G'.b, G'.dp, G'.lr, G'.la, G'.ba, G'.bnk.DC>> = <<G.s, G.r, G.b, G.dp, G.lr, G.la, G.ba, G.bnk.DC>>
                /\ \A p \in Players \ {x} : G'.h[p] = G.h[p]
                /\ Count(G'.h[x].RC) = IF Owes(x) THEN G.lim[x] ELSE Count(G.h[x].RC)
                /\ SU' # SU => Phase \in {"bot", "Pledging"}
                /\ IF Cardinality(Present) = 2 THEN G'.tp = "top" /\ G'.ap # x
                   ELSE Phase \notin {"bot", "Pledging"} =>
                        IF Builder # x THEN G'.ap = G.ap /\ G'.sb = G.sb /\ G'.dice = G.dice /\ Phase' = Phase
                        ELSE Phase' = "SpecialBuilding" \/ (Phase' \in {"DiceRoll", "top"} /\ G'.ap # G.ap /\ G'.dice = 0)]_vars

\* One player comes back at a time, has missed a turn, opens what they had sealed and loses half of a hand above the limit; the
\* phase stays, once the deck has been shuffled with their key; nothing else changes, and no roll is foreseen.  Each return is counted, and who leaves while others wait for their share of a draw has one
\* left at most.  A turn is missed when the turn of who leaves ends, or the turn passes over who is away.
ReturningIsPaid ==
    [][\A x \in Players :
        /\ G.away[x] /\ ~G'.away[x] =>
              /\ G.ret[x].missed /\ G'.ret = [G.ret EXCEPT ![x] = [left |-> G.ret[x].left - 1, missed |-> FALSE]]
              /\ G.tp = "DiceRoll" => \E p \in Players : ~G.away[p] /\ ~G.ahead[p]
              /\ \A p \in Players : ~G'.ahead[p]
              /\ LET cards == Count(G.h[x].RC) + G.hid.sealed[x]
                     kept == IF cards > HandLimit THEN cards - cards \div 2 ELSE cards
                 IN Count(G'.h[x].RC) = kept /\ Count(G'.bnk.RC) = Count(G.bnk.RC) + cards - kept
              /\ SU' = SU
              /\ G' = [G EXCEPT !.away[x] = FALSE, !.ret = G'.ret, !.ahead = G'.ahead, !.h[x].RC = G'.h[x].RC,
                               !.bnk.RC = G'.bnk.RC, !.tp = G'.tp, !.hid = G'.hid]
              /\ G'.hid.sealed = [G.hid.sealed EXCEPT ![x] = 0]
              /\ IF G'.tp = G.tp THEN Hands = "open" \/ DeckSize(G) = 0
                 ELSE G'.tp = "Shuffling" /\ G'.hid.back = G.tp /\ G'.hid.deck = "back"
        /\ G'.ret[x].left < G.ret[x].left =>
              \/ G.away[x] /\ ~G'.away[x]
              \/ ~G.away[x] /\ G'.away[x] /\ G'.ret[x].left = 1 /\ G.tp \in {"Drawing", "DiceRoll"}
              \/ ~G.away[x] /\ G'.away[x] /\ G'.ret[x].left = 0 /\ G.tp \in {"Pledging", "Shuffling"}
        /\ G.tp = "Drawing" /\ G.due[x] /\ G'.away[x] => G'.ret[x].left <= 1
        /\ ~G.ret[x].missed /\ G'.ret[x].missed => G'.away[x] /\ (G'.ap # G.ap \/ G'.tp = "top")
        /\ /\ G'.ap # G.ap /\ Phase' = "DiceRoll" /\ Phase # "bot"
           /\ G'.away[x] /\ G'.ret[x].left > 0
           /\ IF G.ap = x THEN ~G.away[x] ELSE G'.ap = (x % NPlayers) + 1
           => G'.ret[x].missed]_vars

\* What the active player gets more of a resource than they give in a trade by player p's proposal.
LOCAL ProposedGain(p, res) == G.prop[p].give[res] - G.prop[p].receive[res]

\* In the step the active player and the partner change cards, the active player gains gain(res) of each, and nobody else
\* any card at all.
LOCAL TradeWith(partner, gain(_)) ==
    /\ \A p \in Players, res \in RCT :
          G'.h[p].RC[res] = G.h[p].RC[res] + (IF p = G.ap THEN gain(res) ELSE IF p = partner THEN -gain(res) ELSE 0)
    /\ \A p \in Players : G'.h[p].DC = G.h[p].DC

\* Domestic trade: an offer moves no card, an answer is its player's own and given once, and when all have answered, or
\* before if nobody has to be waited for, the active player and one who accepted change exactly the cards of the offer, or
\* nobody any.
OfferIsBetweenTwo ==
    [][/\ (Phase # "Offering" /\ Phase' = "Offering") =>
              /\ DomesticTrade /\ Phase = AfterDice
              /\ G' = [G EXCEPT !.tp = "Offering", !.offer = G'.offer, !.ans = G'.ans, !.prop = NoProposals, !.made = G'.made]
              /\ \A side \in {"give", "receive"} :
                    Count(G'.offer[side]) >= 1 /\ (Count(G'.offer[side]) <= OfferMax \/ OfferMax = 0)
              /\ \A res \in RCT : G'.offer.give[res] * G'.offer.receive[res] = 0
              /\ \E p \in Players : G'.ans[p] = "asked"
              /\ LET couldTake(p) == TableTalk \/ \A res \in RCT : G.h[p].RC[res] >= G'.offer.receive[res]
                     asked == {p \in Players : G'.ans[p] = "asked"}
                 IN \/ asked = {p \in Players \ {G.ap} : couldTake(p)}
                    \/ OffersToOne /\ \E p \in Players \ {G.ap} : asked = {p} /\ couldTake(p)
       /\ (Phase = "Offering" /\ Phase' = "Offering") =>
              \E p \in Players \ {G.ap}, answer \in {"accept", "reject"} :
                  /\ G.ans[p] = "asked"
                  /\ G' = [G EXCEPT !.ans[p] = answer, !.prop[p] = G'.prop[p], !.made = G'.made]
                  /\ answer = "accept" => \A res \in RCT : G.h[p].RC[res] >= G.offer.receive[res]
                  /\ G'.prop[p] # G.prop[p] => TableTalk /\ answer = "reject"
       /\ (Phase = "Offering" /\ Phase' # "Offering") =>
              /\ TableTalk \/ \A p \in Players : G.ans[p] # "asked"
              /\ G' = [G EXCEPT !.tp = AfterDice, !.offer = G'.offer, !.ans = G'.ans, !.prop = NoProposals, !.h = G'.h]
              /\ LET offered(res) == G.offer.receive[res] - G.offer.give[res]
                 IN \/ G'.h = G.h
                    \/ \E partner \in Players \ {G.ap} :
                          \/ G.ans[partner] = "accept" /\ TradeWith(partner, offered)
                          \/ LET proposed(res) == ProposedGain(partner, res)
                             IN G.prop[partner] # NoOffer /\ TradeWith(partner, proposed)]_vars

\* Table talk: a proposal moves no card and is made once, by somebody else than the active player, who has the cards; it is
\* for the active player's next step, whatever that is; and what only a proposal explains, the one who made it wanted.
ProposalsAreForNow ==
    [][\A p \in Players :
          /\ (G'.prop[p] # G.prop[p] /\ G'.prop[p] # NoOffer) =>
                /\ TableTalk /\ p # G.ap
                /\ G.tp \in {"Trading", "TradingBuilding", "Offering"}
                /\ G.prop[p] = NoOffer
                /\ G' = [G EXCEPT !.prop[p] = G'.prop[p], !.ans[p] = G'.ans[p], !.made = G'.made]
                /\ G'.ans[p] # G.ans[p] => G.ans[p] = "asked" /\ G'.ans[p] = "reject"
                /\ \A res \in RCT : G.h[p].RC[res] >= G'.prop[p].give[res] /\ G'.prop[p].give[res] * G'.prop[p].receive[res] = 0
                /\ \A side \in {"give", "receive"} :
                      Count(G'.prop[p][side]) >= 1 /\ (Count(G'.prop[p][side]) <= OfferMax \/ OfferMax = 0)
          /\ (G.prop[p] # NoOffer /\ G'.prop[p] = NoOffer) => G'.prop = NoProposals
          /\ (G'.ap # G.ap \/ G'.bnk # G.bnk \/ G'.h # G.h \/ G'.s # G.s \/ G'.r # G.r) => G'.prop[p] = NoOffer
          /\ (G.tp \in {"Trading", "TradingBuilding"} /\ G'.tp = G.tp /\ G'.bnk = G.bnk /\ G'.dp = G.dp /\ G'.ba = G.ba
                /\ G'.la = G.la /\ G'.s = G.s /\ G'.r = G.r /\ G'.h # G.h) =>
                \E partner \in Players \ {G.ap} :
                    LET proposed(res) == ProposedGain(partner, res)
                    IN G.prop[partner] # NoOffer /\ TradeWith(partner, proposed)]_vars

\* The offers of the active player and the proposals of the others are counted by turns where there is a limit, and stop
\* there; nobody's count changes otherwise.
OffersAreCounted ==
    [][\A p \in Players :
          LET limit == IF p = G.ap THEN OffersPerTurn ELSE ProposalsPerTurn
              makes == IF p = G.ap THEN Phase # "Offering" /\ Phase' = "Offering" ELSE G.prop[p] = NoOffer /\ G'.prop[p] # NoOffer
          IN /\ limit > 0 => G'.made[p] <= limit
             /\ G'.made[p] = IF Phase' = "DiceRoll" THEN 0 ELSE IF makes /\ limit > 0 THEN G.made[p] + 1 ELSE G.made[p]]_vars

\* Development cards are played by the active player only, one at a step, and counted if their number is limited.
PlayedCardsAreCounted ==
    [][LET cards == PCT \cup {"Knight"}
           left(g, p) == g.h[p].DC.BC.Monopoly + g.h[p].DC.BC.YearOfPlenty + g.h[p].DC.BC.RoadBuilding + g.h[p].DC.BC.Knight
                         + g.h[p].DC.AC.Monopoly + g.h[p].DC.AC.YearOfPlenty + g.h[p].DC.AC.RoadBuilding + g.h[p].DC.AC.Knight
           played == \E card \in cards : G'.h[G.ap].DC.AC[card] < G.h[G.ap].DC.AC[card]
       IN /\ G'.pd = IF G'.ap # G.ap \/ Phase = "bot" THEN 0 ELSE IF played /\ DevCardsPerTurn > 0 THEN G.pd + 1 ELSE G.pd
          /\ played => /\ left(G', G.ap) = left(G, G.ap) - 1
                       /\ Phase \in {"Trading", "Building", "TradingBuilding"} \/ (DevCardBeforeDice /\ Phase = "DiceRoll")
                       /\ G'.dice = G.dice
          /\ \A p \in Players \ {G.ap}, card \in cards : G'.h[p].DC.AC[card] >= G.h[p].DC.AC[card]]_vars

\* Where all players draw together, a pledge, a call and a reveal change nothing in the game but whose share is awaited, and
\* what more than one could come of has been called for in just this way, and everybody has revealed.
DrawsAreCalledFor ==
    [][/\ ~Moves =>
              /\ Chance = "joint" /\ SU' = SU
              /\ G' = [G EXCEPT !.tp = G'.tp, !.due = G'.due, !.call = G'.call]
              /\ IF G.tp = "Pledging"
                 THEN /\ G'.tp = IF \E p \in Players : G'.due[p] THEN "Pledging" ELSE FirstPhase
                      /\ Cardinality({p \in Players : G.due[p] # G'.due[p]}) = 1 /\ G'.call = G.call
                 ELSE IF G.tp = "Drawing"
                 THEN Cardinality({p \in Players : G.due[p] /\ ~G'.due[p]}) = 1 /\ G'.call = G.call
                 ELSE Cardinality({p \in Players : ~G'.due[p]}) = 1 /\ Phase' = Phase
       /\ Chance = "joint" /\ Moves =>
              LET rolls == G'.dice \notin {0, G.dice} \/ SU'.rolls # SU.rolls
                  robs == G'.ba # G.ba
                  cards == Cardinality({res \in RCT : G.call.victim # NoOwner /\ G.h[G.call.victim].RC[res] > 0})
                  left == {card \in DCT : G.bnk.DC[card] > 0}
              IN IF G.tp = "Drawing"
                 THEN /\ \A p \in Players : ~G.due[p]
                      /\ G'.call = NoCall
                      /\ rolls = (G.call.what \in {"RollForStart", "RollDice"})
                      /\ robs = (G.call.what \in {"MoveBandit", "PlayKnight"})
                      /\ (G.call.what = "BuyDevCard") = (G'.bnk.DC # G.bnk.DC)
                      /\ (G.call.what = "PlayKnight") = (G'.h[G.ap].DC.UC.Knight > G.h[G.ap].DC.UC.Knight)
                      /\ robs => G'.ba = G.call.to /\ cards > 1 /\ Count(G'.h[G.call.victim].RC) < Count(G.h[G.call.victim].RC)
                 ELSE /\ rolls => \/ Cardinality(Dice) = 1
                                  \/ SU'.rolls = SU.rolls /\ (\A p \in Players : G.ahead[p] \/ G.away[p])
                      /\ G'.bnk.DC # G.bnk.DC => Cardinality(left) = 1
                      /\ robs => \A p \in Players \ {G.ap} :
                                    G'.h[p].RC # G.h[p].RC => Cardinality({res \in RCT : G.h[p].RC[res] > 0}) = 1]_vars

-----------------------------------------------------------------------------
(* Choices without help: here the guards alone say what is enabled. *)

Always(condition, choices) == choices
AnyOffers(p) ==
    LET few(res) == 0..Min({SideMax(res), RCP[res]})
        side == [Lumber: few("Lumber"), Brick: few("Brick"), Wool: few("Wool"), Grain: few("Grain"), Ore: few("Ore")]
    IN [give: side, receive: side]
AnyCards(p) == [Lumber: 0..RCP.Lumber, Brick: 0..RCP.Brick, Wool: 0..RCP.Wool, Grain: 0..RCP.Grain, Ore: 0..RCP.Ore]

-----------------------------------------------------------------------------
(* Things to be reached: each of these has to be violated in some model. *)

DebugPledge == [][~\E p \in Players : Pledge(p)]_vars
DebugCall ==
    [][~\E p \in Players, what \in Draws, to \in M \cup {NoTile}, victim \in {NoOwner} \cup Players :
           Call(p, what, to, victim)]_vars
DebugReveal == [][~\E p \in Players : Reveal(p)]_vars
DebugRollForStart == [][~\E p \in Players, dice \in Dice : RollForStart(p, dice)]_vars
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
DebugOfferTrade == [][~\E p \in Players : \E offer \in AnyOffers(p) : OfferTrade(p, offer.give, offer.receive)]_vars
DebugOfferTradeTo ==
    [][~\E p, partner \in Players : \E offer \in AnyOffers(p) : OfferTradeTo(p, partner, offer.give, offer.receive)]_vars
DebugAnswerTrade == [][~\E p \in Players, answer \in {"accept", "reject"} : AnswerTrade(p, answer)]_vars
DebugProposeTrade == [][~\E p \in Players : \E offer \in AnyOffers(p) : ProposeTrade(p, offer.give, offer.receive)]_vars
DebugConcludeTrade == [][~\E p, partner \in Players : ConcludeTrade(p, partner)]_vars
DebugExcuse == [][~\E p, x \in Players : Excuse(p, x) /\ G.ap = x]_vars
DebugClaim == [][~\E p, x \in Players : Claim(p, x)]_vars
DebugComeBack == [][~\E p, x \in Players : \E shown \in Openings(x) : ComeBack(p, x, shown)]_vars
DebugShuffle == [][~\E p \in Players : Shuffle(p)]_vars
DebugSurrender == [][~\E p \in Players : \E cards \in AnyCards(p) : Count(cards) > 0 /\ Surrender(p, cards)]_vars
DebugShowPoint == [][~\E p \in Players, pile \in {"bought", "held"} : ShowPoint(p, pile)]_vars
DebugSignEnd == [][~\E p \in Players : SignEnd(p)]_vars
DebugCloseGame == [][~\E p \in Players : CloseGame(p)]_vars
DebugOpenAll == [][~\E p \in Players : OpenAll(p)]_vars
DebugSealedTheft == [][~(G'.ba # G.ba /\ G'.hid.sealed # G.hid.sealed)]_vars
DebugOthersOwe == [][~\E p, x \in Players : Excuse(p, x) /\ \E q \in Players \ {p, x} : OwesReply(q)]_vars
DebugOwesAfterShuffle == [][~\E p, x \in Players : Excuse(p, x) /\ G.tp = "Shuffling" /\ LacksReply(x)]_vars
DebugRobberIsExcused == [][~\E p, q \in Players : AskerOfCards(q) = G.ap /\ Excuse(p, G.ap)]_vars
DebugWithdrawTrade == [][~\E p \in Players : WithdrawTrade(p)]_vars
DebugEmptyBuild == [][~\E p \in Players : EmptyBuild(p)]_vars
DebugBuildRoad == [][~\E p \in Players, rp \in DOMAIN CD : BuildRoad(p, rp)]_vars
DebugBuildVillage == [][~\E p \in Players, sp \in DOMAIN CT : BuildVillage(p, sp)]_vars
DebugBuildCity == [][~\E p \in Players, sp \in DOMAIN CT : BuildCity(p, sp)]_vars
DebugBuyDevCard == [][~\E p \in Players, card \in DCT : BuyDevCard(p, card)]_vars
DebugPlayMonopoly == [][~\E p \in Players, res \in RCT : PlayMonopoly(p, res)]_vars
DebugPlayYearOfPlenty == [][~\E p \in Players, first, second \in RCT : PlayYearOfPlenty(p, first, second)]_vars
DebugPlayRoadBuilding ==
    [][~\E p \in Players, first \in DOMAIN CD, second \in SecondRoads : PlayRoadBuilding(p, first, second)]_vars
DebugPlayKnight ==
    [][~\E p \in Players, to \in M, victim \in {NoOwner} \cup Players, card \in {"none"} \cup RCT :
           PlayKnight(p, to, victim, card)]_vars

\* Everything that can be drawn is called for, a knight also before the dice, a card also between two turns.
DebugCallForStart == G.call.what # "RollForStart"
DebugCallForDice == G.call.what # "RollDice"
DebugCallForBandit == G.call.what # "MoveBandit"
DebugCallForCard == G.call.what # "BuyDevCard"
DebugCallForKnight == G.call.what # "PlayKnight"
DebugCallBeforeDice == ~(G.call.what = "PlayKnight" /\ Phase = "DiceRoll")
DebugCallBetweenTurns == ~(G.call.what = "BuyDevCard" /\ Phase = "SpecialBuilding")

\* A theft without a call: only one card can be stolen.
DebugTheftWithoutCall == [][~(Chance = "joint" /\ G.tp # "Drawing" /\ G'.ba # G.ba /\ G'.h[G.ap].RC # G.h[G.ap].RC)]_vars

\* A bonus card changes hands, or is lost to nobody.
DebugLongestRoadMoves == [][G.lr = NoOwner \/ G'.lr \in {NoOwner, G.lr}]_vars
DebugLargestArmyMoves == [][G.la = NoOwner \/ G'.la \in {NoOwner, G.la}]_vars

\* Everybody has to discard after the same seven.
DebugEverybodyDiscards == ~\A p \in Players : Owes(p)

\* The bank cannot pay a roll.
DebugShortage ==
    [][~(/\ G.tp = "DiceRoll" /\ G'.tp = "Trading"
         /\ \E res \in RCT : Total([p \in Players |-> ResourceGainPlayer(p, G'.dice)[res]]) > G.bnk.RC[res])]_vars

\* The bank cannot pay one resource, which one player alone earns and gets what is left of; and one that two earn.
LOCAL Lacking(res, earners) ==
    /\ G.tp = "DiceRoll" /\ G'.tp = AfterDice
    /\ G.bnk.RC[res] > 0
    /\ Total([p \in Players |-> ResourceGainPlayer(p, G'.dice)[res]]) > G.bnk.RC[res]
    /\ Cardinality({p \in Players : ResourceGainPlayer(p, G'.dice)[res] > 0}) = earners
DebugShortageOfOne == [][~\E res \in RCT : Lacking(res, 1) /\ G'.bnk.RC[res] = 0]_vars
DebugShortageOfTwo == [][~\E res \in RCT : Lacking(res, 2) /\ G'.bnk.RC[res] = G.bnk.RC[res] /\ G'.h # G.h]_vars

\* The bandit goes where nobody has settled although an adversary has elsewhere, and there is a choice of victims.
DebugFreeBandit ==
    [][~(/\ G.tp = "MovingBandit" /\ G'.tp # "MovingBandit"
         /\ {sp \in Corners[G'.ba] : G.s[sp].own # NoOwner} = {} /\ ~IsTarget(G.ap, G'.ba))]_vars
DebugChoiceOfVictims ==
    ~(G.tp = "MovingBandit" /\ \E t \in Land \ {G.ba} : Cardinality({p \in AdversariesAt(G.ap, t) : Count(G.h[p].RC) > 0}) > 1)

\* Two accept the same offer; an offer is one of several cards.
DebugTwoAccept == ~(Cardinality({p \in Players : G.ans[p] = "accept"}) > 1)
DebugLargeOffer == ~(Count(G.offer.give) > 1 /\ Count(G.offer.receive) = 1)

\* An offer that nobody can pay; a trade while somebody is silent, by a proposal to an offer, and by one that nobody asked for.
DebugNobodyCanPay == ~(G.tp = "Offering" /\ \A p \in Players \ {G.ap} : ~Covers(G.h[p].RC, G.offer.receive))
DebugSilentConclusion == [][~(G.tp = "Offering" /\ G'.h # G.h /\ \E p \in Players : G.ans[p] = "asked")]_vars
DebugSilentWithdrawal ==
    [][~(G.tp = "Offering" /\ G'.tp # "Offering" /\ G'.h = G.h /\ \E p \in Players : G.ans[p] = "asked")]_vars
DebugCounterOffer == [][~(G.tp = "Offering" /\ G'.h # G.h /\ \A p \in Players : G.ans[p] # "accept")]_vars
DebugUnasked == [][~(G.tp # "Offering" /\ G'.h # G.h /\ G'.bnk = G.bnk /\ \E p \in Players : G.prop[p] # NoOffer)]_vars
DebugUnheard == [][~(G'.tp = "Building" /\ G.tp # "Building" /\ \E p \in Players : G.prop[p] # NoOffer)]_vars

\* A road building card is played for one road: the last one, or the last place.
LOCAL PlaysOne(p) == \E first \in DOMAIN CD : PlayRoadBuilding(p, first, NoRoad)
DebugLastRoad == [][~\E p \in Players : PlaysOne(p) /\ G.b[p].Road = 1]_vars
DebugLastPlace == [][~\E p \in Players : PlaysOne(p) /\ G.b[p].Road > 1]_vars

\* A card is played before the dice are rolled, another one in the same turn is not, and one is won with.
DebugKnightBeforeDice == [][~(G.tp = "DiceRoll" /\ G'.tp = "DiceRoll" /\ G'.la # G.la)]_vars
DebugWinBeforeDice == [][~(G.tp = "DiceRoll" /\ G'.tp = "top")]_vars

\* Rolls for the start that tie, and a game that another than player 1 begins.
DebugTie == [][~(SU.sup = "Rolling" /\ \E p \in Players : SU.rolls[p] > 1 /\ SU'.rolls[p] = 0 /\ SU'.sup = "Rolling")]_vars
DebugTieOfTwo == ~(SU.sup = "Rolling" /\ Cardinality({p \in Players : SU.rolls[p] = 1}) = NPlayers - 2 /\ NPlayers > 2)
DebugOtherBegins == ~(G.tp = "DiceRoll" /\ SU.first > 1)

\* A harbour is used by the village that was built there in the same phase.
DebugHarbourAtOnce ==
    [][~(G.tp = "TradingBuilding" /\ G'.tp = "TradingBuilding" /\ G.dice # 0 /\ \E res \in RCT : TradeTwoToOne(G.ap, res, "Ore"))]_vars

\* Somebody builds between two turns, and has enough points, but it is not their turn.
DebugSpecialBuilding == [][~(G.tp = "SpecialBuilding" /\ G'.tp = "SpecialBuilding" /\ G'.sb = G.sb)]_vars
DebugEnoughTooEarly == ~(G.tp = "SpecialBuilding" /\ PlayerPoints(G.sb) >= PointsToWin)

\* The bandit is moved without a victim, to a victim without cards, and back to the desert.
DebugNoVictim == [][~(G.tp = "MovingBandit" /\ G'.tp = "Trading" /\ AdversariesAt(G.ap, G'.ba) = {})]_vars
DebugNothingStolen == [][~(G.tp = "MovingBandit" /\ G'.tp = "Trading" /\ AdversariesAt(G.ap, G'.ba) # {} /\ G'.h = G.h)]_vars
DebugBackToTheDesert == [][~(G'.ba # G.ba /\ G'.ba = BanditStart)]_vars

\* Wins that would not be wins without the longest road, the largest army, a city, or a victory point card.
LOCAL Short(points) == G.tp = "top" /\ PlayerPoints(G.ap) - points < PointsToWin
DebugWinByRoad == ~(Short(2) /\ G.lr = G.ap)
DebugWinByArmy == ~(Short(2) /\ G.la = G.ap)
DebugWinByCity == ~(Short(1) /\ {sp \in SettlementsOf(G.ap) : G.s[sp].st = "City"} # {})
DebugWinWithoutBonus == ~(G.tp = "top" /\ G.lr # G.ap /\ G.la # G.ap)
DebugWinAtTurnStart == [][~(G'.tp = "top" /\ G'.ap # G.ap /\ G.tp # "bot")]_vars
DebugWinByVictoryPoint == ~(Short(1) /\ G.h[G.ap].DC.UC.VictoryPoint > 0)

=============================================================================
