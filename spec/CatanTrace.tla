----------------------------- MODULE CatanTrace -----------------------------
(***************************************************************************)
(* Whether a recorded game is a behaviour of the specification.            *)
(*                                                                         *)
(* Trace is the recorded game.  An entry is one step, and the replies      *)
(* before it: the discards of one seven, the answers to one offer, the     *)
(* pledges, or the reveals for one call.  They may be taken in any order,  *)
(* and TLC tries every one.  In the last entry, act is empty if no step    *)
(* follows its replies yet.  A step names an action of Catan with its      *)
(* parameters and what the recorded tree holds that the tree before did    *)
(* not; everything else the record says is unchanged.  A step is taken     *)
(* only if the action allows it and leads to exactly the recorded state.   *)
(*                                                                         *)
(* Every step takes an entry or one of its replies off what is left, so    *)
(* the game is accepted if, and only if, no state before the end of the    *)
(* trace is a deadlock and the end is reached: TLC then prints "accepted". *)
(***************************************************************************)
EXTENDS Catan

CONSTANT
    Trace   \* sequence of [replies: sequence of [act, seen], act: sequence, seen: sequence]

VARIABLES
    at,     \* the entry of the trace that comes next
    left,   \* its replies that have not been taken yet
    base    \* the game that they reply to, while there are replies to take

tvars == <<SU, G, at, left, base>>

\* Five counts as a record of resources, four as bought cards, and so on; with a count where there is none they are no
\* such cards, but all five, and of another type than the specification's.
AllCards(n) == [Monopoly |-> n[1], YearOfPlenty |-> n[2], RoadBuilding |-> n[3], Knight |-> n[4], VictoryPoint |-> n[5]]
Resources(n) == [Lumber |-> n[1], Brick |-> n[2], Wool |-> n[3], Grain |-> n[4], Ore |-> n[5]]
Progress(n) ==
    IF n[4] + n[5] = 0 THEN [Monopoly |-> n[1], YearOfPlenty |-> n[2], RoadBuilding |-> n[3]] ELSE AllCards(n)
Hidden(n) ==
    IF n[5] = 0 THEN [Monopoly |-> n[1], YearOfPlenty |-> n[2], RoadBuilding |-> n[3], Knight |-> n[4]] ELSE AllCards(n)
Unveiled(n) ==
    IF n[1] + n[2] + n[3] = 0 THEN [Knight |-> n[4], VictoryPoint |-> n[5]] ELSE AllCards(n)

\* The game g with one component as the record has it: <<component, value>>, or <<component, of what, value>>.
Recorded(g, c) ==
    CASE c[1] = "ap" -> [g EXCEPT !.ap = c[2]]
      [] c[1] = "tp" -> [g EXCEPT !.tp = c[2]]
      [] c[1] = "dice" -> [g EXCEPT !.dice = c[2]]
      [] c[1] = "pd" -> [g EXCEPT !.pd = c[2]]
      [] c[1] = "sb" -> [g EXCEPT !.sb = c[2]]
      [] c[1] = "ba" -> [g EXCEPT !.ba = c[2]]
      [] c[1] = "dp" -> [g EXCEPT !.dp = Progress(c[2])]
      [] c[1] = "lr" -> [g EXCEPT !.lr = c[2]]
      [] c[1] = "la" -> [g EXCEPT !.la = c[2]]
      [] c[1] = "lim" -> [g EXCEPT !.lim = c[2]]
      [] c[1] = "offer" -> [g EXCEPT !.offer = [give |-> Resources(c[2]), receive |-> Resources(c[3])]]
      [] c[1] = "ans" -> [g EXCEPT !.ans = c[2]]
      [] c[1] = "prop" -> [g EXCEPT !.prop[c[2]] = [give |-> Resources(c[3]), receive |-> Resources(c[4])]]
      [] c[1] = "made" -> [g EXCEPT !.made = c[2]]
      [] c[1] = "due" -> [g EXCEPT !.due = c[2]]
      [] c[1] = "away" -> [g EXCEPT !.away = c[2]]
      [] c[1] = "ret" -> [g EXCEPT !.ret = [p \in Players |-> [left |-> c[2][p][1], missed |-> c[2][p][2]]]]
      [] c[1] = "ahead" -> [g EXCEPT !.ahead = c[2]]
      [] c[1] = "call" -> [g EXCEPT !.call = [what |-> c[2], tp |-> c[3], to |-> c[4], victim |-> c[5]]]
      [] c[1] = "s" -> [g EXCEPT !.s[c[2]] = [own |-> c[3], st |-> c[4]]]
      [] c[1] = "r" -> [g EXCEPT !.r[c[2]] = c[3]]
      [] c[1] = "bank RC" -> [g EXCEPT !.bnk.RC = Resources(c[2])]
      [] c[1] = "bank DC" -> [g EXCEPT !.bnk.DC = AllCards(c[2])]
      [] c[1] = "RC" -> [g EXCEPT !.h[c[2]].RC = Resources(c[3])]
      [] c[1] = "BC" -> [g EXCEPT !.h[c[2]].DC.BC = Hidden(c[3])]
      [] c[1] = "AC" -> [g EXCEPT !.h[c[2]].DC.AC = Hidden(c[3])]
      [] c[1] = "UC" -> [g EXCEPT !.h[c[2]].DC.UC = Unveiled(c[3])]
      [] c[1] = "b" -> [g EXCEPT !.b[c[2]] = [Road |-> c[3][1], Village |-> c[3][2], City |-> c[3][3]]]
      [] c[1] = "sealed" -> [g EXCEPT !.hid.sealed = c[2]]
      [] c[1] = "bought" -> [g EXCEPT !.hid.bought = c[2]]
      [] c[1] = "held" -> [g EXCEPT !.hid.held = c[2]]
      [] c[1] = "shuffles" -> [g EXCEPT !.hid.shuffles = c[2]]
      [] c[1] = "keyless" -> [g EXCEPT !.hid.keyless = c[2]]
      [] c[1] = "wanted" -> [g EXCEPT !.hid.wanted = c[2]]
      [] c[1] = "back" -> [g EXCEPT !.hid.back = c[2]]
      [] c[1] = "deck" -> [g EXCEPT !.hid.deck = c[2]]
      [] OTHER -> g

RECURSIVE AllRecorded(_, _, _)
AllRecorded(g, seen, n) ==
    IF n = 0 THEN g ELSE Recorded(AllRecorded(g, seen, n - 1), seen[n])

\* The set-up state as the record has it.
RecordedSetup(seen) ==
    LET last(name, now) ==
            IF \E n \in DOMAIN seen : seen[n][1] = name
            THEN seen[CHOOSE n \in DOMAIN seen : seen[n][1] = name][2]
            ELSE now
    IN [sup |-> last("sup", SU.sup), ap |-> last("SU ap", SU.ap), first |-> last("first", SU.first),
        rolls |-> last("rolls", SU.rolls)]

\* The action a[1] of player a[2] with its parameters.
Act(a) ==
    CASE a[1] = "Pledge" -> Pledge(a[2])
      [] a[1] = "Call" -> Call(a[2], a[3], a[4], a[5])
      [] a[1] = "Reveal" -> Reveal(a[2])
      [] a[1] = "Shuffle" -> Shuffle(a[2])
      [] a[1] = "Surrender" -> Surrender(a[2], Resources(a[3]))
      [] a[1] = "ShowPoint" -> ShowPoint(a[2], a[3])
      [] a[1] = "SignEnd" -> SignEnd(a[2])
      [] a[1] = "CloseGame" -> CloseGame(a[2])
      [] a[1] = "OpenAll" -> OpenAll(a[2])
      [] a[1] = "RollForStart" -> RollForStart(a[2], a[3])
      [] a[1] = "SetupPhaseOne" -> SetupPhaseOne(a[2], a[3], a[4])
      [] a[1] = "SetupPhaseTwo" -> SetupPhaseTwo(a[2], a[3], a[4])
      [] a[1] = "RollDice" -> RollDice(a[2], a[3])
      [] a[1] = "Discard" -> Discard(a[2], Resources(a[3]))
      [] a[1] = "MoveBandit" -> MoveBandit(a[2], a[3], a[4], a[5])
      [] a[1] = "EmptyTrade" -> EmptyTrade(a[2])
      [] a[1] = "TradeFourToOne" -> TradeFourToOne(a[2], a[3], a[4])
      [] a[1] = "TradeThreeToOne" -> TradeThreeToOne(a[2], a[3], a[4])
      [] a[1] = "TradeTwoToOne" -> TradeTwoToOne(a[2], a[3], a[4])
      [] a[1] = "OfferTrade" -> OfferTrade(a[2], Resources(a[3]), Resources(a[4]))
      [] a[1] = "OfferTradeTo" -> OfferTradeTo(a[2], a[3], Resources(a[4]), Resources(a[5]))
      [] a[1] = "AnswerTrade" -> AnswerTrade(a[2], a[3])
      [] a[1] = "ProposeTrade" -> ProposeTrade(a[2], Resources(a[3]), Resources(a[4]))
      [] a[1] = "ConcludeTrade" -> ConcludeTrade(a[2], a[3])
      [] a[1] = "WithdrawTrade" -> WithdrawTrade(a[2])
      [] a[1] = "EmptyBuild" -> EmptyBuild(a[2])
      [] a[1] = "BuildRoad" -> BuildRoad(a[2], a[3])
      [] a[1] = "BuildVillage" -> BuildVillage(a[2], a[3])
      [] a[1] = "BuildCity" -> BuildCity(a[2], a[3])
      [] a[1] = "BuyDevCard" -> BuyDevCard(a[2], a[3])
      [] a[1] = "PlayMonopoly" -> PlayMonopoly(a[2], a[3])
      [] a[1] = "PlayYearOfPlenty" -> PlayYearOfPlenty(a[2], a[3], a[4])
      [] a[1] = "PlayRoadBuilding" -> PlayRoadBuilding(a[2], a[3], a[4])
      [] a[1] = "PlayKnight" -> PlayKnight(a[2], a[3], a[4], a[5])
      [] a[1] = "Excuse" -> Excuse(a[2], a[3])
      [] a[1] = "Claim" -> Claim(a[2], a[3])
      [] a[1] = "ComeBack" -> ComeBack(a[2], a[3], Resources(a[4]))
      [] OTHER -> FALSE

\* The replies that the entry n begins with.
RepliesOf(n) == IF n <= Len(Trace) THEN DOMAIN Trace[n].replies ELSE {}

TraceInit ==
    /\ Init
    /\ at = 1
    /\ left = RepliesOf(1)
    /\ base = G

\* What a reply alone makes of the game that it replies to, if it leads to the game g among the others: its player's hand and
\* the number of their sealed cards; with a discard, the bank with its cards; with what a monopoly takes, the hand of who
\* played it; the answer; a proposal, its count and that it is no acceptance.  If only this one was due to a monopoly, that is
\* over with it.
Alone(reply, g) ==
    LET p == reply[2]
        own == [base EXCEPT !.h[p].RC = g.h[p].RC, !.hid.sealed[p] = g.hid.sealed[p]]
        isOnly == \A q \in Players : base.due[q] => q = p
        given == [own EXCEPT !.h[base.ap].RC = AddRec(@, Resources(reply[3]))]
    IN CASE reply[1] \in {"Pledge", "Reveal", "SignEnd", "OpenAll"} -> own
         [] reply[1] = "Discard" -> [own EXCEPT !.bnk.RC = AddRec(@, Resources(reply[3]))]
         [] reply[1] = "Surrender" -> IF isOnly THEN Resumed(given) ELSE given
         [] OTHER -> [own EXCEPT !.ans[p] = g.ans[p], !.prop[p] = g.prop[p], !.made[p] = g.made[p]]

\* A reply of the entry: its own branch shows what it makes of the base alone.
TakeReply(n) ==
    LET step == Trace[at].replies[n]
    IN /\ Act(step.act)
       /\ AllRecorded(base, step.seen, Len(step.seen)) = Alone(step.act, G')
       /\ RecordedSetup(step.seen) = SU
       /\ left' = left \ {n}
       /\ UNCHANGED <<at, base>>

\* The step of the entry, if there is one; with replies before it, it is recorded as a change of what they reply to.  Who has yet
\* to reply is in no tree: it follows from which replies there are.
TakeStep ==
    LET step == Trace[at]
    IN /\ IF step.act = <<>> THEN UNCHANGED <<SU, G>>
          ELSE /\ Act(step.act)
               /\ G' = [AllRecorded(base, step.seen, Len(step.seen)) EXCEPT !.due = G'.due]
               /\ SU' = RecordedSetup(step.seen)
       /\ at' = at + 1
       /\ left' = RepliesOf(at + 1)
       /\ base' = G'

TraceNext ==
    \/ /\ at <= Len(Trace)
       /\ \/ \E n \in left : TakeReply(n)
          \/ left = {} /\ TakeStep
    \/ /\ at > Len(Trace)
       /\ UNCHANGED tvars

TraceSpec == TraceInit /\ [][TraceNext]_tvars

\* True; tells how far the trace was taken, and that its end was reached.
TraceReached ==
    IF at > Len(Trace) THEN PrintT("accepted")
    ELSE left # RepliesOf(at) \/ PrintT(<<"reached", at>>)

=============================================================================
