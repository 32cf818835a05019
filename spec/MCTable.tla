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
(* Player 1 has lied and gone: of two commits after the first one says that a card is drawn, the other that the turn has   *)
(* ended.  One can be found in player 1's log, the other among the copies there, and whoever reads takes in either.         *)

CommitOfOne(g) ==
    [on |-> RootId, merges |-> {}, by |-> 1, writer |-> 1, reply |-> FALSE, sound |-> TRUE, SU |-> SU, G |-> g]

ForkedInit ==
    /\ Init
    /\ LET called == [what |-> "BuyDevCard", tp |-> G.tp, to |-> NoTile, victim |-> NoOwner]
       IN book = (RootId :> CommitOfOne(G))
                 @@ (<<1, 1, 1>> :> CommitOfOne([G EXCEPT !.tp = "Drawing", !.call = called, !.due = [p \in Players |-> p # 1]]))
                 @@ (<<1, 1, 2>> :> CommitOfOne([G EXCEPT !.tp = "DiceRoll", !.ap = 2, !.dice = 0]))
    /\ journal = [p \in Players |-> [log |-> IF p = 1 THEN <<1, 1, 1>> ELSE RootId,
                                     reply |-> NoCommit,
                                     seen |-> Knowing(IF p = 1 THEN <<1, 1, 2>> ELSE RootId, {})]]
    /\ shown = [p \in Players |-> [log |-> IF p = 1 THEN <<1, 1, 1>> ELSE RootId, reply |-> NoCommit]]
    /\ view = [p \in Players |-> Knowing(RootId, {})]
    /\ up = Players \ {1}
    /\ cut = {}
    /\ desk = EmptyDesk
    /\ proofs = [p \in Players |-> {}]
    /\ faults = [crashes |-> 0, cuts |-> 0, lies |-> 1]
    /\ newest = [SU |-> SU, G |-> G]
    /\ votes = {} /\ aside = [p \in Players |-> {}]

ForkedSpec == ForkedInit /\ [][TableNext]_tableVars

\* Player 1 does not come back: for an action constraint.
StaysDown == up' = up

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

-----------------------------------------------------------------------------
\* Players 2 and 3 could pay for a road, so that both may build after player 1's turn; they have no road left.
TwoRoads == [NoResources EXCEPT !.Lumber = 2, !.Brick = 2]
ThreeBuilding == ThreeWith(<<NoResources, RoadCost, RoadCost>>, "Building")

\* Four players, of whom player 2 has been excused before.
FourWithoutOne == FourAt([p \in Players |-> p = 2], "DiceRoll")

=============================================================================
