------------------------------ MODULE MCTable ------------------------------
(***************************************************************************)
(* Small instances of CatanTable, on the strips of MCP2P.                  *)
(***************************************************************************)
EXTENDS CatanTable, MCP2P

LeavingRules == [ModelRules EXCEPT !.Leaving = TRUE]
SpecialRules == [LeavingRules EXCEPT !.HandLimit = 7, !.SpecialBuilding = TRUE]
DrawingRules == [LeavingRules EXCEPT !.HandLimit = 7, !.Chance = "joint"]

\* Player 1 can buy a development card, one of two, which all players draw; or end the turn, and player 2 rolls.
CardCards == [NoResources EXCEPT !.Wool = 1, !.Grain = 1, !.Ore = 1]
TwoDevCards == [Monopoly |-> 1, YearOfPlenty |-> 0, RoadBuilding |-> 0, Knight |-> 1, VictoryPoint |-> 0]
ThreeBuying == ThreeWith(<<DevCardCost, NoResources, NoResources>>, "Building")

-----------------------------------------------------------------------------
(* The vote on player 1, who is silent after the first commit, as CatanLeaving has it.                                      *)

LOCAL Actions == {c \in DOMAIN book \ {RootId} : book[c].on = RootId /\ book[c].by = 1}
LOCAL Excuses == {c \in DOMAIN book \ {RootId} : book[c].on = RootId /\ IsExcuse(c)}
LOCAL Messages ==
    LET says(type, p) == [type |-> type, from |-> p, rests |-> FALSE]
    IN {says(v.says, v.by) : v \in {w \in votes : w.on = RootId /\ w.about = 1 /\ w.says \in {"yes", "no"}}}
       \cup {says("act", 1) : c \in Actions} \cup {says("excuse", book[c].by) : c \in Excuses}
VoteOnOne ==
    INSTANCE CatanLeaving WITH
        Absent <- 1, Successor <- 2, Gone <- {}, Early <- {}, AtOnce <- TRUE, Without <- {},
        sent <- Messages,
        heard <- [p \in Players |-> Messages],
        end <- [p \in Players |->
                   IF Held(p) \cap Excuses # {} THEN "excused"
                   ELSE IF (IF p = 1 THEN Actions ELSE Held(p) \cap Actions) # {} THEN "acted"
                   ELSE "open"],
        crashes <- faults.crashes

\* What the players say and do refines CatanLeaving.
OneVote == [][VoteOnOne!Next]_(VoteOnOne!vars)

-----------------------------------------------------------------------------
(* Player 1 has lied and gone: of two commits after the first one says that a card is drawn, the other that the turn has   *)
(* ended.  One can be found in player 1's log, the other among the copies there, and whoever reads takes in either.         *)

CommitOfOne(g) ==
    [on |-> RootId, merges |-> {}, by |-> 1, writer |-> 1, reply |-> FALSE, sound |-> TRUE, SU |-> SU, G |-> g]

\* The others have taken in these commits.
ForkedWith(heads) ==
    /\ Init
    /\ LET called == [what |-> "BuyDevCard", tp |-> G.tp, to |-> NoTile, victim |-> NoOwner]
       IN book = (RootId :> CommitOfOne(G))
                 @@ (<<1, 1, 1>> :> CommitOfOne([G EXCEPT !.tp = "Drawing", !.call = called, !.due = [p \in Players |-> p # 1]]))
                 @@ (<<1, 1, 2>> :> CommitOfOne([G EXCEPT !.tp = "DiceRoll", !.ap = 2, !.dice = 0]))
    /\ journal = [p \in Players |-> [log |-> IF p = 1 THEN <<1, 1, 1>> ELSE RootId,
                                     reply |-> NoCommit,
                                     seen |-> Knowing(IF p = 1 THEN <<1, 1, 2>> ELSE heads[p], {})]]
    /\ shown = [p \in Players |-> [log |-> IF p = 1 THEN <<1, 1, 1>> ELSE RootId, reply |-> NoCommit]]
    /\ view = [p \in Players |-> Knowing(heads[p], {})]
    /\ up = Players \ {1}
    /\ cut = {}
    /\ desk = EmptyDesk
    /\ proofs = [p \in Players |-> {}]
    /\ faults = [crashes |-> 0, cuts |-> 0, lies |-> 1]
    /\ newest = [SU |-> SU, G |-> G]
    /\ votes = {} /\ aside = [p \in Players |-> {}]

ForkedInit == ForkedWith([p \in Players |-> RootId])

ForkedSpec == ForkedInit /\ [][TableNext]_tableVars

\* Player 3 has seen the call, and thinks that it stands.
CalledSpec == ForkedWith([p \in Players |-> IF p = 3 THEN <<1, 1, 1>> ELSE RootId]) /\ [][TableNext]_tableVars

\* The shares of player 3 on both sides of the lie, as CatanShares has them: A is the side with the call.
LOCAL CallsOn(line) ==
    {c \in line \ {RootId} : ~book[c].reply /\ book[c].G.tp = "Drawing" /\ book[c].G.due[3] /\ book[book[c].on].G.tp # "Drawing"}
LOCAL First(s) == IF s = "A" THEN <<1, 1, 1>> ELSE <<1, 1, 2>>
LOCAL Told ==
    {[side |-> s, call |-> Cardinality(CallsOn(Past(c))), number |-> Number(c)] :
        <<s, c>> \in {x \in {"A", "B"} \X {d \in DOMAIN book : d # RootId} :
                        IsShare(x[2]) /\ book[x[2]].by = 3 /\ First(x[1]) \in Past(x[2])}}
SharesOfThree ==
    INSTANCE CatanShares WITH
        Spent <- Margin,
        MaxCalls <- 3,
        Without <- {},
        calls <- [s \in {"A", "B"} |-> Cardinality(CallsOn({c \in DOMAIN book : First(s) \in Past(c)}))],
        told <- Told,
        side <- IF <<1, 1, 2>> \in Held(3) THEN "B" ELSE "A",
        voted <- \E v \in votes : v.by = 3 /\ v.says = "lie",
        merged <- \E t \in Told : t.side = "B"

\* What player 3 tells refines CatanShares, from after the first call on.
SharesAreTold == [][SharesOfThree!Next]_(SharesOfThree!vars)

\* Player 1 does not come back: for an action constraint.
StaysDown == up' = up

\* The votes on the lie, as CatanSettling has them.
LOCAL Lied == [by |-> 1, on |-> RootId, pair |-> {First("A"), First("B")}]
LOCAL SideOf(commits) == IF First("A") \in commits THEN "A" ELSE IF First("B") \in commits THEN "B" ELSE "none"
LOCAL Line(commits) == {c \in commits \ {RootId} : ~book[c].reply /\ ~IsExcuse(c)}
LOCAL Cast(v) == [from |-> v.by, side |-> SideOf({v.holds}), newest |-> Cardinality(Line(Past(v.newest)))]
LOCAL SettledBy(c) == [from |-> book[c].by, side |-> SideOf(Past(c)), on |-> Cardinality(Line(Past(c)))]
LOCAL GoesBack(p) == IsDecided(p, Lied) /\ SideOf(Held(p)) # SideOf({Survivor(p, Lied)})
VotesOnLie ==
    INSTANCE CatanSettling WITH
        AreReplies <- FALSE, AtOnce <- TRUE, Liars <- {}, Without <- {},
        written <- [s \in {"A", "B"} |-> Cardinality(Line({c \in DOMAIN book : First(s) \in Past(c)}))],
        votes <- {Cast(v) : v \in votes},
        settles <- {SettledBy(c) : c \in {d \in DOMAIN book : IsExcuse(d)}},
        side <- [p \in {2, 3} |-> IF GoesBack(p) THEN "none" ELSE SideOf(Held(p))],
        at <- [p \in {2, 3} |-> IF GoesBack(p) THEN 0 ELSE Cardinality(Line(Held(p)))],
        knows <- [p \in {2, 3} |-> IF ~IsDecided(p, Lied) THEN {}
                                   ELSE {[q \in {2, 3} |-> Cast(CHOOSE v \in votes : v.by = q)]}],
        end <- [p \in {2, 3} |-> {SettledBy(c) : c \in {d \in Held(p) : IsExcuse(d)}}]

\* What the players say of the lie, and how they come together again, refines CatanSettling.
OneLie == [][VotesOnLie!Next]_(VotesOnLie!vars)

\* At a relay: player 1 has rolled in two ways, which is proven, and gone.  Player 2 has seen the one, player 3 the other, and
\* what player 1 did after it.  What player 2 has seen is all that player 1 has left at the relay.
RelayedInit ==
    /\ Init
    /\ book = (RootId :> CommitOfOne(G))
              @@ (<<1, 1, 1>> :> CommitOfOne([G EXCEPT !.tp = "Trading", !.dice = 2]))
              @@ (<<1, 1, 2>> :> CommitOfOne([G EXCEPT !.tp = "Trading", !.dice = 3]))
              @@ (<<2, 1, 1>> :> [CommitOfOne([G EXCEPT !.tp = "Building", !.dice = 2]) EXCEPT !.on = <<1, 1, 1>>])
    /\ view = [p \in Players |-> Knowing(IF p = 3 THEN <<2, 1, 1>> ELSE <<1, 1, 2>>, {})]
    /\ shown = [p \in Players |-> [log |-> IF p = 1 THEN <<1, 1, 2>> ELSE RootId, reply |-> NoCommit]]
    /\ journal = [p \in Players |-> [log |-> shown[p].log, reply |-> NoCommit, seen |-> view[p]]]
    /\ up = Players \ {1}
    /\ cut = {}
    /\ desk = EmptyDesk
    /\ proofs = [p \in Players |-> {{<<1, 1, 1>>, <<1, 1, 2>>}}]
    /\ faults = [crashes |-> 0, cuts |-> 0, lies |-> 1]
    /\ newest = [SU |-> SU, G |-> G]
    /\ votes = {} /\ aside = [p \in Players |-> {}]

\* Player 1 does not come back.
RelayedSpec == RelayedInit /\ [][TableNext /\ StaysDown]_tableVars

\* Player 2 could buy a card as well, once the dice are rolled: then player 3 tells two shares after the lie.
BuyingRules == [DrawingRules EXCEPT !.CombinedTradeBuild = TRUE]
TwiceCardCards == [NoResources EXCEPT !.Wool = 2, !.Grain = 2, !.Ore = 2]
BothBuying == ThreeWith(<<DevCardCost, DevCardCost, NoResources>>, "TradingBuilding")
DebugTwoSharesAfterLie == Cardinality({t \in Told : t.side = "B"}) < 2

-----------------------------------------------------------------------------
\* Players 2 and 3 could pay for a road, so that both may build after player 1's turn; they have no road left.
TwoRoads == [NoResources EXCEPT !.Lumber = 2, !.Brick = 2]
ThreeBuilding == ThreeWith(<<NoResources, RoadCost, RoadCost>>, "Building")

\* Four players, of whom player 2 has been excused before.
FourWithoutOne == FourAt([p \in Players |-> p = 2], "DiceRoll")

=============================================================================
