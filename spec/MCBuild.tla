------------------------------- MODULE MCBuild ------------------------------
(***************************************************************************)
(* Roads, villages and cities with scarce pieces, the longest road changing *)
(* hands, and a win.  There is no income: what is paid never comes back.   *)
(***************************************************************************)
EXTENDS MC

ModelRCP == Cards(3, 3, 1, 3, 3)
ModelDCP == DevCards(0, 0, 0, 0, 0)
ModelBP == Pieces(4, 3, 1)

ModelStart ==
    Begun("Building", (pB :> 1) @@ (pH :> 1) @@ (pD :> 2) @@ (pF :> 2), (rBC :> 1) @@ (rHI :> 1) @@ (rDE :> 2) @@ (rFG :> 2),
          <<Cards(2, 2, 1, 3, 3), Cards(1, 1, 0, 0, 0)>>, <<ModelDCP, ModelDCP>>)

=============================================================================
