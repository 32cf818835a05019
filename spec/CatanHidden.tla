----------------------------- MODULE CatanHidden -----------------------------
(***************************************************************************)
(* The game with hidden hands: cards that only their holder sees.          *)
(*                                                                         *)
(* G is what everybody reads in the log: G.h[p].RC are player p's known    *)
(* cards.  The others are sealed.  A sealed card is a handle: its place    *)
(* among its holder's sealed cards.  What is inside and who can open it    *)
(* is state that no step may read but by its proofs, which                 *)
(* docs/how-it-works/sealing.md has; here a proof is a guard that cannot   *)
(* be met by a lie.                                                        *)
(*                                                                         *)
(* The true game, Truth, has what is inside of the seals in the hands.     *)
(* RefinesGame says that it is a game of Catan.tla in which whoever acts   *)
(* draws; calls, answers and resealings are no steps of it.                *)
(*                                                                         *)
(* A payment is two steps here and one commit in the log: Unseal brings    *)
(* the cards into the open, then the action takes them as known ones.      *)
(* Dice are drawn as ever: CatanChance.tla.                                *)
(*                                                                         *)
(*   theft       CallTheft, AnswerTheft, TakeSealed; or Tell, then Excuse  *)
(*   monopoly    PlayMonopoly, then GiveUp by all with sealed cards        *)
(*   purchase    CallCard, TellShare by all others, TakeCard               *)
(*   a card      ShowCard, then the action that plays it; ShowSealedPoint  *)
(*   leaving     ExcusePlayer, or ClaimGame where two are left             *)
(*   the end     OpenSeals                                                 *)
(*                                                                         *)
(* Liars answer with openings that are none, or say so of a good answer.   *)
(* Without names guards that are taken out, for the tests: each property   *)
(* below is violated without some guard.                                   *)
(***************************************************************************)
EXTENDS Catan

CONSTANTS
    Liars,      \* who may lie, and stop at any time
    Absent,     \* who may stop at any time
    Without     \* tags of guards that are left out; {} in the specification

\* With brief trades the game asks those who could pay, and before the next turn those who could build: who they are is
\* hidden.  Refinement is shown for the other rules (docs/how-it-works/sealing.md).
ASSUME HiddenRules ==
    Chance = "actor" /\ ~SpecialBuilding /\ (DomesticTrade => TableTalk) /\ Liars \cup Absent \subseteq Players

VARIABLES
    seals,      \* by player the sealed cards, by place: [card, opens], opens being who can open it
    theft,      \* what is fixed of the theft that was called for: [place, answered, bad], bad being places with a false opening
    deck,       \* the development cards in the order in which they will be bought
    shares,     \* who has told the share of the decryption of the deck's first card
    piles,      \* by player the development cards that only they have seen: [bought, held], counted by kind
    wanted,     \* what a monopoly takes of sealed cards, and the phase in which it was played: [res, tp]
    proven,     \* who has been proven a liar
    opened      \* who has opened all, after the end

hidden == <<seals, theft, deck, shares, piles, wanted, proven, opened>>
hiddenVars == <<SU, G, hidden>>

Keeps(tag, guard) == tag \in Without \/ guard

NoTheft == [place |-> 0, answered |-> FALSE, bad |-> {}]
NoneWanted == [res |-> "none", tp |-> "bot"]
NoneHeld == [card \in DCT |-> 0]

\* How many of a sequence of cards there are by kind.
Counts(cards, kinds) == [kind \in kinds |-> Cardinality({i \in DOMAIN cards : cards[i] = kind})]

\* The cards of player p that are sealed, by kind; those of a player who has left are out of play.
Inside(p) == Counts([i \in DOMAIN seals[p] |-> seals[p][i].card], RCT)
InPlay(p) == IF G.away[p] THEN NoResources ELSE Inside(p)
TrueSize(p) == Count(G.h[p].RC) + Count(InPlay(p))

\* All that these cards can be when player p has sealed them: only p can open them, in any order.
Sealings(p, cards) ==
    LET n == Count(cards)
        kinds == IF "RS1 balance" \in Without THEN RCT ELSE Types(cards)
        orders == {order \in [1..n -> kinds] : Keeps("RS1 balance", Counts(order, RCT) = cards)}
    IN {[i \in 1..n |-> [card |-> order[i], opens |-> {p}]] : order \in orders}

StillOwes(p) == G.lim[p] > 0 /\ TrueSize(p) > G.lim[p]
OwesSomething(p) == G.due[p] \/ StillOwes(p)

\* Nobody but the victim knows which card is stolen: of a hand of one known kind it would be told by the rules.
IsSecret(victim) == ~G.away[victim] /\ (seals[victim] # <<>> \/ Cardinality(Types(G.h[victim].RC)) > 1)

\* What player p may bring into the open now, for an action that follows.
UnsealChoices(p) ==
    {cards \in [Lumber: 0..Inside(p).Lumber, Brick: 0..Inside(p).Brick, Wool: 0..Inside(p).Wool, Grain: 0..Inside(p).Grain,
                Ore: 0..Inside(p).Ore] : Count(cards) > 0}

\* The cards of the deck as a sequence, in any order.
Decks(cards) ==
    LET n == cards.Monopoly + cards.YearOfPlenty + cards.RoadBuilding + cards.Knight + cards.VictoryPoint
    IN {order \in [1..n -> {card \in DCT : cards[card] > 0}] : Counts(order, DCT) = cards}

NothingUnderWay ==
    /\ theft = NoTheft
    /\ shares = {}
    /\ piles = [p \in Players |-> [bought |-> NoneHeld, held |-> NoneHeld]]
    /\ wanted = NoneWanted
    /\ proven = {}
    /\ opened = {}

HiddenInit ==
    /\ Init
    /\ seals = [p \in Players |-> <<>>]
    /\ deck \in Decks(DCP)
    /\ NothingUnderWay

-----------------------------------------------------------------------------
(* Payments.                                                               *)

\* Player p seals the rest of their sealed cards anew; these come into the open.
Unseal(p, cards) ==
    /\ G.tp \in TradePhases \cup BuildPhases \cup {"Discarding", "Offering"}
    /\ ~G.away[p]
    /\ \/ G.ap = p /\ G.tp # "Discarding"
       \/ StillOwes(p)
       \/ G.tp \in TalkPhases
    /\ Count(cards) > 0 /\ Count(cards) <= Len(seals[p])
    /\ \E new \in Sealings(p, [res \in RCT |-> IF Inside(p)[res] >= cards[res] THEN Inside(p)[res] - cards[res] ELSE 0]) :
           seals' = [seals EXCEPT ![p] = new]
    /\ Keeps("RS1 balance", Covers(Inside(p), cards))
    /\ G' = [G EXCEPT !.h[p].RC = AddRec(@, cards)]
    /\ UNCHANGED <<SU, theft, deck, shares, piles, wanted, proven, opened>>

-----------------------------------------------------------------------------
(* Sevens.                                                                 *)

\* A seven: every hand above the limit has to be halved, known and sealed cards counted together.
RollSeven(p) ==
    LET limit(q) == IF TrueSize(q) > HandLimit THEN TrueSize(q) - TrueSize(q) \div 2 ELSE 0
        taken(q) == IF G.away[q] /\ limit(q) > 0 THEN FirstCards(G.h[q].RC, TrueSize(q) - limit(q)) ELSE NoResources
    IN /\ G.tp = "DiceRoll"
       /\ G.ap = p
       /\ 7 \in Dice
       /\ G' = Returned([Heard EXCEPT !.dice = 7,
                                      !.lim = [q \in Players |-> IF G.away[q] THEN 0 ELSE limit(q)],
                                      !.tp = IF \E q \in Present : limit(q) > 0 THEN "Discarding" ELSE "MovingBandit"],
                        [q \in Players |-> taken(q)])
       /\ UNCHANGED <<SU, hidden>>

DiscardKnown(p, cards) ==
    /\ G.tp = "Discarding"
    /\ StillOwes(p)
    /\ Count(cards) = TrueSize(p) - G.lim[p]
    /\ Covers(G.h[p].RC, cards)
    /\ G' = [G EXCEPT !.bnk.RC = AddRec(@, cards), !.h[p].RC = SubRec(@, cards)]
    /\ UNCHANGED <<SU, hidden>>

-----------------------------------------------------------------------------
(* Thefts.                                                                 *)

MayRob(p, what, to, victim) ==
    /\ G.tp \in CallPhases(what)
    /\ G.ap = p
    /\ \A q \in Players : ~StillOwes(q)
    /\ what = "PlayKnight" => G.h[p].DC.AC.Knight > 0
    /\ what = "PlayKnight" /\ DevCardsPerTurn > 0 => G.pd < DevCardsPerTurn
    /\ to # G.ba
    /\ to \in Land
    /\ CanAim(p, to)
    /\ victim \in Victims(p, to)

\* What the robbery changes besides hands of resources.
Robbed(p, what, to, h) ==
    IF what = "MoveBandit"
    THEN [Settled EXCEPT !.tp = AfterDice, !.ba = to, !.lim = [q \in Players |-> 0], !.h = h]
    ELSE LET played == [h EXCEPT ![p].DC.AC.Knight = @ - 1, ![p].DC.UC.Knight = @ + 1]
         IN Won([Settled EXCEPT !.pd = PlayedOneMore, !.ba = to, !.h = played, !.la = LargestArmy(played)])

\* A theft that everybody sees: nothing to steal, or known cards of one kind; of one who has left, any known card.
RobInTheOpen(p, what, to, victim, card) ==
    /\ MayRob(p, what, to, victim)
    /\ victim # NoOwner => ~IsSecret(victim)
    /\ card \in Loot(victim)
    /\ G' = Robbed(p, what, to, Steal(G.h, p, victim, card))
    /\ UNCHANGED <<SU, hidden>>

\* Player p calls for a theft and fixes which of the victim's cards it is, which nobody else sees.
CallTheft(p, what, to, victim, place) ==
    /\ MayRob(p, what, to, victim)
    /\ victim # NoOwner
    /\ IsSecret(victim)
    /\ place \in 1..TrueSize(victim)
    /\ G' = [Heard EXCEPT !.tp = "Drawing",
                          !.call = [what |-> what, tp |-> G.tp, to |-> to, victim |-> victim],
                          !.due = [q \in Players |-> q = victim]]
    /\ theft' = [NoTheft EXCEPT !.place = place]
    /\ UNCHANGED <<SU, seals, deck, shares, piles, wanted, proven, opened>>

\* The victim seals the whole hand, and gives the robber the opening of the card at the place that the robber has fixed,
\* without knowing which.  A liar gives some that open nothing.
AnswerTheft(v, bad) ==
    /\ G.tp = "Drawing" /\ G.call.what \in Robberies
    /\ G.due[v]
    /\ bad # {} => v \in Liars
    /\ bad \subseteq 1..TrueSize(v)
    /\ LET isWhole == "AN1 whole" \notin Without
       IN /\ \E new \in Sealings(v, IF isWhole THEN AddRec(G.h[v].RC, Inside(v)) ELSE Inside(v)) : seals' = [seals EXCEPT ![v] = new]
          /\ G' = [G EXCEPT !.due[v] = FALSE, !.h[v].RC = IF isWhole THEN NoResources ELSE @]
    /\ theft' = [theft EXCEPT !.answered = TRUE, !.bad = bad]
    /\ UNCHANGED <<SU, deck, shares, piles, wanted, proven, opened>>

\* The robber tells the place, and the sealed card there changes hands.
TakeSealed(p, place) ==
    LET v == G.call.victim
        got == [card |-> seals[v][place].card,
                opens |-> {v} \cup (IF place = theft.place /\ place \notin theft.bad THEN {p} ELSE {})]
        others == [i \in 1..(Len(seals[v]) - 1) |-> seals[v][IF i < place THEN i ELSE i + 1]]
    IN /\ G.tp = "Drawing" /\ G.call.what \in Robberies
       /\ G.ap = p
       /\ theft.answered
       /\ proven = {}
       /\ place \in DOMAIN seals[v]
       /\ Keeps("TK1 place", place = theft.place)
       /\ Keeps("TK2 opens", place \notin theft.bad)
       /\ seals' = [seals EXCEPT ![v] = others, ![p] = Append(@, got)]
       /\ G' = Robbed(p, G.call.what, G.call.to, G.h)
       /\ theft' = NoTheft
       /\ UNCHANGED <<SU, deck, shares, piles, wanted, proven, opened>>

\* The robber says that the answer opens nothing, and tells the secret of their choice: so everybody sees who lies.
Tell(p) ==
    LET isBad == theft.place \in theft.bad
    IN /\ G.tp = "Drawing" /\ G.call.what \in Robberies
       /\ G.ap = p
       /\ theft.answered
       /\ proven = {}
       /\ "TE2 told" \notin Without
       /\ isBad \/ p \in Liars
       /\ proven' = proven \cup {IF isBad \/ "TE1 checked" \in Without THEN G.call.victim ELSE p}
       /\ UNCHANGED <<SU, G, seals, theft, deck, shares, piles, wanted, opened>>

-----------------------------------------------------------------------------
(* Monopoly.                                                               *)

\* Player p takes all known cards of a resource; whoever has sealed ones has to say how many of them there are.
PlayMonopolyOnKnown(p, res) ==
    LET all == Total([q \in Players |-> G.h[q].RC[res]])
        hands == [q \in Players |-> [G.h[q] EXCEPT !.RC[res] = IF q = p THEN all ELSE 0]]
        asked == {q \in Present \ {p} : seals[q] # <<>>}
    IN /\ G.tp \in PlayPhases
       /\ G.ap = p
       /\ G.h[p].DC.AC.Monopoly > 0
       /\ DevCardsPerTurn > 0 => G.pd < DevCardsPerTurn
       /\ G' = [Heard EXCEPT !.pd = PlayedOneMore,
                             !.dp.Monopoly = @ + 1,
                             !.h = [hands EXCEPT ![p].DC.AC.Monopoly = @ - 1],
                             !.tp = IF asked = {} THEN @ ELSE "Surrendering",
                             !.due = [q \in Players |-> q \in asked]]
       /\ wanted' = IF asked = {} THEN NoneWanted ELSE [res |-> res, tp |-> G.tp]
       /\ UNCHANGED <<SU, seals, theft, deck, shares, piles, proven, opened>>

\* Player q gives up n sealed cards of that resource and proves that the rest are of the four other kinds.
GiveUp(q, n) ==
    LET res == wanted.res
        due == [G.due EXCEPT ![q] = FALSE]
    IN /\ G.tp = "Surrendering"
       /\ G.due[q]
       /\ n \in 0..Inside(q)[res]
       /\ Keeps("SU1 rest", n = Inside(q)[res])
       /\ \E new \in Sealings(q, [Inside(q) EXCEPT ![res] = @ - n]) : seals' = [seals EXCEPT ![q] = new]
       /\ G' = [G EXCEPT !.due = due,
                         !.h[G.ap].RC[res] = @ + n,
                         !.tp = IF due = NobodyDue THEN wanted.tp ELSE @]
       /\ wanted' = IF due = NobodyDue THEN NoneWanted ELSE wanted
       /\ UNCHANGED <<SU, theft, deck, shares, piles, proven, opened>>

-----------------------------------------------------------------------------
(* Development cards.                                                      *)

CallCard(p) ==
    /\ G.tp \in BuildPhases
    /\ Builder = p
    /\ Covers(G.h[p].RC, DevCardCost)
    /\ deck # <<>>
    /\ G' = [Heard EXCEPT !.tp = "Drawing",
                          !.call = [what |-> "BuyDevCard", tp |-> G.tp, to |-> NoTile, victim |-> NoOwner],
                          !.due = [q \in Players |-> q \in Present \ {p}]]
    /\ UNCHANGED <<SU, hidden>>

TellShare(q) ==
    /\ Keeps("TS1 called", G.tp = "Drawing" /\ G.call.what = "BuyDevCard" /\ G.due[q])
    /\ deck # <<>> /\ q \notin shares
    /\ shares' = shares \cup {q}
    /\ G' = [G EXCEPT !.due[q] = FALSE]
    /\ UNCHANGED <<SU, seals, theft, deck, piles, wanted, proven, opened>>

TakeCard(p) ==
    /\ G.tp = "Drawing" /\ G.call.what = "BuyDevCard"
    /\ Builder = p
    /\ Keeps("TC1 shares", G.due = NobodyDue)
    /\ G' = [Settled EXCEPT !.due = NobodyDue, !.bnk.RC = AddRec(@, DevCardCost), !.h[p].RC = SubRec(@, DevCardCost)]
    /\ piles' = [piles EXCEPT ![p].bought[Head(deck)] = @ + 1]
    /\ deck' = Tail(deck)
    /\ shares' = {}
    /\ UNCHANGED <<SU, seals, theft, wanted, proven, opened>>

\* Player p shows a card that they are about to play, with their own share.
ShowCard(p, card) ==
    /\ G.tp \in PlayPhases
    /\ G.ap = p
    /\ card # "VictoryPoint"
    /\ DevCardsPerTurn > 0 => G.pd < DevCardsPerTurn
    /\ G.h[p].DC.AC[card] = 0
    /\ \E own \in DCT : /\ piles[p].held[own] > 0
                        /\ Keeps("SC1 share", own = card)
                        /\ piles' = [piles EXCEPT ![p].held[own] = @ - 1]
    /\ G' = [G EXCEPT !.h[p].DC.AC[card] = @ + 1, !.bnk.DC[card] = @ - 1]
    /\ UNCHANGED <<SU, seals, theft, deck, shares, wanted, proven, opened>>

\* Player p shows a point, bought in this turn or before: it counts from now on.
ShowSealedPoint(p, pile) ==
    /\ G.tp \in {"DiceRoll", "Trading", "Building", "TradingBuilding"}
    /\ G.ap = p
    /\ \E own \in DCT : /\ piles[p][pile][own] > 0
                        /\ Keeps("SC1 share", own = "VictoryPoint")
                        /\ piles' = [piles EXCEPT ![p][pile][own] = @ - 1]
    /\ G' = Won([Heard EXCEPT !.h[p].DC.UC.VictoryPoint = @ + 1, !.bnk.DC.VictoryPoint = @ - 1])
    /\ UNCHANGED <<SU, seals, theft, deck, shares, wanted, proven, opened>>

\* Player p builds no more; the cards that they bought can be played from the next turn on.
EndBuilding(p) ==
    LET isOver == WinCheck = "turn_end" /\ PlayerPoints(p) >= PointsToWin
    IN /\ EmptyBuild(p)
       /\ piles' = IF isOver THEN piles
                   ELSE [piles EXCEPT ![p] = [bought |-> NoneHeld, held |-> AddRec(@.held, @.bought)]]
       /\ UNCHANGED <<seals, theft, deck, shares, wanted, proven, opened>>

-----------------------------------------------------------------------------
(* Leaving, and the end.                                                   *)

IsWaitedFor(x) == OwesSomething(x) \/ (ToAct = x /\ \A q \in Players : ~OwesSomething(q))

IsTheftOn == G.tp = "Drawing" /\ G.call.what \in Robberies
IsBuying(x) == G.tp = "Drawing" /\ G.call.what = "BuyDevCard" /\ Builder = x
IsOwingShare(x) == G.tp = "Drawing" /\ G.call.what = "BuyDevCard" /\ G.due[x]

\* The hidden part of what follows when player x leaves.  A theft by x or from x is dropped, and a purchase to which x owes a
\* share.  A card of the deck that x may have seen already leaves with x, and so does all that x has sealed: it is out of play.
Forgets(x) ==
    /\ theft' = IF IsTheftOn /\ x \in {G.call.victim, G.ap} THEN NoTheft ELSE theft
    /\ deck' = IF IsBuying(x) /\ "LV1 spent" \notin Without THEN Tail(deck) ELSE deck
    /\ shares' = IF IsOwingShare(x) \/ (IsBuying(x) /\ "LV1 spent" \notin Without) THEN {} ELSE shares
    /\ piles' = IF Builder = x THEN [piles EXCEPT ![x] = [bought |-> NoneHeld, held |-> AddRec(@.held, @.bought)]] ELSE piles
    /\ wanted' = IF G.tp = "Surrendering" THEN NoneWanted ELSE wanted
    /\ proven' = proven \ {x}
    /\ UNCHANGED <<seals, opened>>

\* What everybody reads of the game without player x; a theft from x is called for anew, and so is a card of which x owes a share.
ReadWithout(x) ==
    LET isDropped == (IsTheftOn /\ G.call.victim = x) \/ IsOwingShare(x)
    IN [Unasked(G, x) EXCEPT !.tp = IF isDropped THEN G.call.tp ELSE IF @ = "Surrendering" THEN wanted.tp ELSE @,
                          !.call = IF isDropped THEN NoCall ELSE @]

\* All others go on without player x, who is silent or a proven liar.
ExcusePlayer(p, x) ==
    /\ Leaving
    /\ G.tp \notin {"bot", "top"}
    /\ ~G.away[x]
    /\ Cardinality(Present) > 2
    /\ \A q \in Players \ {x} : ~OwesSomething(q)
    /\ p = Excuser(x)
    /\ x \in proven \/ (x \in Liars \cup Absent /\ IsWaitedFor(x))
    /\ G' = IF Builder = x THEN Skipped(ReadWithout(x), x) ELSE ReadWithout(x)
    /\ Forgets(x)
    /\ UNCHANGED SU

\* Player p claims the game: nobody but player x is left besides, and is silent or a proven liar.
ClaimGame(p, x) ==
    /\ Leaving
    /\ G.tp \notin {"bot", "top"}
    /\ Present = {p, x} /\ p # x
    /\ x \in proven \/ (x \in Liars \cup Absent /\ IsWaitedFor(x))
    /\ ~OwesSomething(p)
    /\ G' = [Skipped(ReadWithout(x), x) EXCEPT !.tp = "top"]
    /\ Forgets(x)
    /\ UNCHANGED SU

\* Player p tells all that they sealed.
OpenSeals(p) ==
    /\ Keeps("OA1 end", G.tp = "top")
    /\ p \notin opened
    /\ opened' = opened \cup {p}
    /\ UNCHANGED <<SU, G, seals, theft, deck, shares, piles, wanted, proven>>

-----------------------------------------------------------------------------
(* The state machine.                                                      *)

\* What needs no sealed card: the game's own actions, with known cards.
Openly(p) ==
    LET isTurn(tps) == G.tp \in tps /\ G.ap = p
        builds == G.tp \in BuildPhases /\ Builder = p
        isSetup == G.tp = "bot" /\ SU.ap = p
    IN /\ \/ \E dice \in Offered(SU.sup = "Rolling", Dice) : RollForStart(p, dice)
          \/ \E sp \in Offered(isSetup, DOMAIN G.s), rp \in Offered(isSetup, DOMAIN G.r) :
                 SetupPhaseOne(p, sp, rp) \/ SetupPhaseTwo(p, sp, rp)
          \/ \E d \in Offered(isTurn({"DiceRoll"}), Dice \ {7}) : RollDice(p, d)
          \/ EmptyTrade(p)
          \/ \E give, receive \in Offered(isTurn(TradePhases), RCT) :
                 TradeFourToOne(p, give, receive) \/ TradeThreeToOne(p, give, receive) \/ TradeTwoToOne(p, give, receive)
          \/ \E offer \in Offered(DomesticTrade /\ isTurn(TradePhases), OfferChoices(p)) : OfferTrade(p, offer.give, offer.receive)
          \/ \E answer \in Offered(G.tp = "Offering", {"accept", "reject"}) : AnswerTrade(p, answer)
          \/ \E proposal \in Offered(G.tp \in TalkPhases /\ G.ap # p, OfferChoices(p)) :
                 ProposeTrade(p, proposal.give, proposal.receive)
          \/ \E partner \in Offered(isTurn({"Offering"} \cup TalkPhases), Players) : ConcludeTrade(p, partner)
          \/ WithdrawTrade(p)
          \/ \E rp \in Offered(builds, DOMAIN G.r) : BuildRoad(p, rp)
          \/ \E sp \in Offered(builds, DOMAIN G.s) : BuildVillage(p, sp) \/ BuildCity(p, sp)
          \/ \E first, second \in Offered(G.h[p].DC.AC.YearOfPlenty > 0, RCT) : PlayYearOfPlenty(p, first, second)
          \/ \E first \in Offered(G.h[p].DC.AC.RoadBuilding > 0, DOMAIN G.r), second \in SecondRoads :
                 PlayRoadBuilding(p, first, second)
       /\ UNCHANGED hidden

Robs(p) ==
    \E what \in Offered(G.tp \in CallPhases("MoveBandit") \cup CallPhases("PlayKnight") /\ G.ap = p, Robberies), to \in Land :
        \E victim \in Victims(p, to) :
            \/ \E card \in RCT \cup {"none"} : RobInTheOpen(p, what, to, victim, card)
            \/ \E place \in 1..(IF victim = NoOwner THEN 0 ELSE TrueSize(victim)) : CallTheft(p, what, to, victim, place)

Acts(p) ==
    \/ Openly(p)
    \/ \E cards \in Offered(seals[p] # <<>>, UnsealChoices(p)) : Unseal(p, cards)
    \/ RollSeven(p)
    \/ \E cards \in Offered(StillOwes(p), [Lumber: 0..G.h[p].RC.Lumber, Brick: 0..G.h[p].RC.Brick, Wool: 0..G.h[p].RC.Wool,
                                           Grain: 0..G.h[p].RC.Grain, Ore: 0..G.h[p].RC.Ore]) : DiscardKnown(p, cards)
    \/ Robs(p)
    \/ \E bad \in IF p \in Liars THEN SUBSET (1..TrueSize(p)) ELSE {{}} : AnswerTheft(p, bad)
    \/ IsTheftOn /\ \E place \in DOMAIN seals[G.call.victim] : TakeSealed(p, place)
    \/ Tell(p)
    \/ \E res \in RCT : PlayMonopolyOnKnown(p, res)
    \/ G.tp = "Surrendering" /\ \E n \in 0..Inside(p)[wanted.res] : GiveUp(p, n)
    \/ CallCard(p) \/ TellShare(p) \/ TakeCard(p)
    \/ \E card \in DCT : ShowCard(p, card)
    \/ \E pile \in {"bought", "held"} : ShowSealedPoint(p, pile)
    \/ EndBuilding(p)
    \/ \E x \in Offered(Leaving, Players) : ExcusePlayer(p, x) \/ ClaimGame(p, x)
    \/ OpenSeals(p)

HiddenNext == \E p \in Players : ~G.away[p] /\ Acts(p)

\* Whoever is well acts whenever they can; the others may stop.
Well == Players \ (Liars \cup Absent)
HiddenFair == \A p \in Well : WF_hiddenVars(~G.away[p] /\ Acts(p))

-----------------------------------------------------------------------------
(* The true game.                                                          *)

\* What a monopoly takes of cards that are still sealed belongs to who played it.  Player x, if any, has left already: what
\* they have sealed is out of play, and the card of the deck that they may have seen.
Surrendered(p, x) ==
    [res \in RCT |-> IF G.tp = "Surrendering" /\ res = wanted.res /\ G.due[p] /\ p # x THEN Inside(p)[res] ELSE 0]
TrueHand(p, x) ==
    LET sealed == IF p = x THEN NoResources ELSE InPlay(p)
        own == SubRec(AddRec(G.h[p].RC, sealed), Surrendered(p, x))
    IN IF p # G.ap THEN own ELSE [res \in RCT |-> own[res] + Total([q \in Players |-> Surrendered(q, x)[res]])]
Private(p, pile) == [card \in PCT \cup {"Knight"} |-> piles[p][pile][card]]

TruthWithout(x) ==
    [G EXCEPT !.tp = IF @ = "Drawing" THEN G.call.tp ELSE IF @ = "Surrendering" THEN wanted.tp ELSE @,
              !.call = NoCall,
              !.due = NobodyDue,
              !.bnk.DC = Counts(IF x # NoOwner /\ IsBuying(x) THEN Tail(deck) ELSE deck, DCT),
              !.h = [p \in Players |->
                        [RC |-> TrueHand(p, x),
                         DC |-> [BC |-> AddRec(G.h[p].DC.BC, Private(p, "bought")),
                                 AC |-> AddRec(G.h[p].DC.AC, Private(p, "held")),
                                 UC |-> G.h[p].DC.UC]]]]

Truth == TruthWithout(NoOwner)

Game == INSTANCE Catan WITH SU <- SU, G <- Truth

Less(x) == INSTANCE Catan WITH SU <- SU, G <- TruthWithout(x)

\* Three steps that Catan.tla does not have: a point is bought and lies hidden; it is shown; and who leaves takes what they
\* have sealed out of play, also where the last other player claims the game while an answer or a share is awaited.
PointIsBought ==
    \E p \in Players :
        /\ Truth.tp \in BuildPhases
        /\ Truth.ap = p
        /\ Covers(Truth.h[p].RC, DevCardCost)
        /\ Truth' = [Truth EXCEPT !.prop = NoProposals,
                                  !.bnk.RC = AddRec(@, DevCardCost),
                                  !.bnk.DC.VictoryPoint = @ - 1,
                                  !.h[p].RC = SubRec(@, DevCardCost)]
        /\ piles'[p].bought.VictoryPoint = piles[p].bought.VictoryPoint + 1
PointIsShown ==
    \E p \in Players :
        /\ Truth.ap = p
        /\ \E pile \in {"bought", "held"} : piles'[p][pile].VictoryPoint = piles[p][pile].VictoryPoint - 1
        /\ Truth' = Won([Truth EXCEPT !.prop = NoProposals, !.h[p].DC.UC.VictoryPoint = @ + 1])
Leaves ==
    \E p, x \in Players :
        \/ Less(x)!Excuse(p, x)
        \/ /\ Present = {p, x} /\ p # x
           /\ x \in proven \/ IsWaitedFor(x)
           /\ Truth' = [Less(x)!Skipped(Less(x)!Unasked(TruthWithout(x), x), x) EXCEPT !.tp = "top"]
           /\ UNCHANGED SU

RefinesGame == [][Game!Next \/ PointIsBought \/ PointIsShown \/ Leaves]_<<SU, Truth>>

-----------------------------------------------------------------------------
(* What is promised.                                                       *)

SealedCards == [card: RCT, opens: SUBSET Players]

HiddenTypeOK ==
    /\ \A p \in Players : \A i \in DOMAIN seals[p] : seals[p][i] \in SealedCards
    /\ theft.place \in Nat /\ theft.answered \in BOOLEAN /\ theft.bad \subseteq Nat
    /\ \A i \in DOMAIN deck : deck[i] \in DCT
    /\ shares \subseteq Players /\ proven \subseteq Players /\ opened \subseteq Players
    /\ \A p \in Players, pile \in {"bought", "held"}, card \in DCT : piles[p][pile][card] \in 0..DCP[card]
    /\ wanted.res \in RCT \cup {"none"}
    /\ (G.tp = "Surrendering") = (wanted # NoneWanted)
    /\ (theft # NoTheft) = IsTheftOn

\* No card is made up and none is lost: bank, known and sealed cards are all there are; a card of the
\* deck can be lost with each player who leaves.
CardsAreConserved ==
    /\ \A res \in RCT : G.bnk.RC[res] + Total([p \in Players |-> G.h[p].RC[res] + Inside(p)[res]]) = RCP[res]
    /\ \A p \in Players, res \in RCT : G.h[p].RC[res] >= 0
    /\ \A card \in DCT :
          G.bnk.DC[card] - Counts(deck, DCT)[card] - Total([p \in Players |-> piles[p].bought[card] + piles[p].held[card]])
              \in 0..Cardinality(Players \ Present)

\* Whoever holds a sealed card can open it, and so can at most one other, who had it before.
HoldersCanOpen == \A p \in Players : \A i \in DOMAIN seals[p] : p \in seals[p][i].opens /\ Cardinality(seals[p][i].opens) <= 2

\* A theft can hit every card of the hand: once it is answered, the whole hand is sealed, and only the victim can open it.
WholeHandIsSealed ==
    theft.answered =>
        /\ Count(G.h[G.call.victim].RC) = 0
        /\ theft.place \in DOMAIN seals[G.call.victim]
        /\ \A i \in DOMAIN seals[G.call.victim] : seals[G.call.victim][i].opens = {G.call.victim}

\* Only liars are ever proven to lie.
ProofsAreTrue == proven \subseteq Liars

\* Nobody but a buyer, and that one only with everybody's share, gets to know a card of the deck.
DeckIsUnseen == shares # {} => G.tp = "Drawing" /\ G.call.what = "BuyDevCard" /\ Builder \notin shares
BuyersSeeTheirCard == [][deck' # deck /\ G'.away = G.away => Present \ {Builder} \subseteq shares]_hiddenVars

\* What is stolen is fixed before the victim answers: the card at the place that was chosen with the call, and no other.
FixedBeforeRevealed ==
    [][/\ IsTheftOn /\ theft' # NoTheft => theft'.place = theft.place
       /\ seals'[G.ap] # seals[G.ap] /\ theft.answered =>
              seals'[G.ap] = Append(seals[G.ap], [card |-> seals[G.call.victim][theft.place].card,
                                                  opens |-> {G.ap, G.call.victim}])]_hiddenVars

\* Nobody has to open before the end.
NothingIsOpenedEarly == opened # {} => G.tp = "top"

\* Whatever is called for, ends, if all are well but one.
OperationsEnd == (G.tp \in {"Drawing", "Surrendering"}) ~> (G.tp \notin {"Drawing", "Surrendering"})

\* After the end, everybody who is well has opened all.
AllIsOpened == (G.tp = "top") ~> (Well \subseteq opened \cup {p \in Players : G.away[p]})

=============================================================================
