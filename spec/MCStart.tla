------------------------------- MODULE MCStart ------------------------------
(***************************************************************************)
(* Who begins.  On these islands every land has one settlement point with  *)
(* two roads: a place.  On three of them, three players roll for the start *)
(* and place their first villages; on six, player 2 has begun, and player  *)
(* 1 is the last to place a first village and the first to place a second. *)
(***************************************************************************)
EXTENDS MC

ModelRules == [NoTrade EXCEPT !.StartOrder = "dice"]
OrderRules == [ModelRules EXCEPT !.PointsToWin = 2]
LeavingOrderRules == [OrderRules EXCEPT !.Leaving = TRUE]
LeavingRules == [ModelRules EXCEPT !.Chance = "joint", !.Leaving = TRUE]
PledgeRules == [ModelRules EXCEPT !.Chance = "joint"]
TiesRules == [ModelRules EXCEPT !.StartOrder = "dice_then_seat"]

\* An island at row r: its land has one settlement point.
LOCAL Place(r, terrain, n) == <<
    [arr |-> 0, row |-> r, col |-> 1, terrain |-> "sea", n |-> 0],
    [arr |-> 1, row |-> r, col |-> 1, terrain |-> terrain, n |-> n],
    [arr |-> 1, row |-> r, col |-> 2, terrain |-> "sea", n |-> 0]
>>

ThreePlaces == Place(0, "desert", 0) \o Place(3, "forest", 3) \o Place(6, "hills", 3)
SixPlaces == ThreePlaces \o Place(9, "pasture", 3) \o Place(12, "fields", 3) \o Place(15, "desert", 0)

ModelRCP == Cards(1, 1, 1, 1, 0)
ModelDCP == NoDevCards
ModelBP == Pieces(2, 2, 0)

LOCAL SomeRoad(sp) == CHOOSE rp \in RoadsAt[sp] : TRUE

LOCAL Setup(villages) ==
    LET owner(rp) == {sp \in DOMAIN villages : SomeRoad(sp) = rp}
    IN Begun("bot", villages, [rp \in {SomeRoad(sp) : sp \in DOMAIN villages} |-> villages[CHOOSE sp \in owner(rp) : TRUE]],
             [p \in Players |-> NoResources], [p \in Players |-> NoDevCards])

ModelStart == [Setup(<<>>) EXCEPT !.SU.sup = "Rolling"]

\* Whoever is to act does.
RollingSpec == MCInit /\ [][Next]_vars /\ WF_vars(Next)

SomebodyBegins == <>(SU.sup # "Rolling")

PledgingStart == [ModelStart EXCEPT !.G.tp = "Pledging", !.G.due = [p \in Players |-> TRUE]]

MidStart ==
    [Setup((2 :> 2) @@ (4 :> 3)) EXCEPT !.SU = [sup |-> "PhaseOne", ap |-> 1, first |-> 2, rolls |-> NoRolls],
                                       !.G.ap = 2]

\* All villages lie on the board already; the second of each player has earned.
ModelOpening == {[p |-> (sp + 1) \div 2, sp |-> sp, rp |-> SomeRoad(sp), earns |-> sp % 2 = 0] : sp \in DOMAIN CT}

OpeningStart ==
    LET begun == Begun("bot", [sp \in DOMAIN CT |-> (sp + 1) \div 2],
                       [rp \in {SomeRoad(sp) : sp \in DOMAIN CT} |-> (CHOOSE o \in ModelOpening : o.rp = rp).p],
                       [p \in Players |-> Harvest[2 * p]], [p \in Players |-> NoDevCards])
    IN [begun EXCEPT !.SU.sup = "Rolling"]

=============================================================================
