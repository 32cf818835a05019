------------------------------- MODULE MCShare ------------------------------
(***************************************************************************)
(* A bank that is short: of lumber, which two players earn, while wool is  *)
(* paid by the same roll; and of brick, which player 1 alone earns.  The   *)
(* bandit goes to any other land, and at u2 there is a choice of victims;  *)
(* in MCFriendly only player 1, who has three points, can be robbed, and   *)
(* player 3, who has two, holds cards of two types.                        *)
(***************************************************************************)
EXTENDS MC

ModelRules == [NoTrade EXCEPT !.PointsToWin = 3, !.CombinedTradeBuild = FALSE, !.WinCheck = "turn_end"]
FriendlyRules == [ModelRules EXCEPT !.BanditTargets = "friendly", !.Chance = "joint"]

ModelRCP == Cards(2, 1, 1, 0, 0)
ModelDCP == NoDevCards
ModelBP == Pieces(0, 2, 1)

ModelStart ==
    LET begun == Begun("DiceRoll", (tA :> 1) @@ (tF :> 1) @@ (tB :> 2) @@ (tL :> 2) @@ (tD :> 3) @@ (tJ :> 3), <<>>,
                       <<NoResources, Cards(1, 0, 0, 0, 0), NoResources>>, [p \in Players |-> NoDevCards])
    IN [begun EXCEPT !.G.ap = 2, !.G.s[tF].st = "City", !.G.b[1] = [@ EXCEPT !.Village = @ + 1, !.City = @ - 1]]

FriendlyStart ==
    [ModelStart EXCEPT !.G.h[3].RC = Cards(0, 1, 1, 0, 0), !.G.bnk.RC = Cards(1, 0, 0, 0, 0)]

=============================================================================
