------------------------------- MODULE MCBuild ------------------------------
(***************************************************************************)
(* Roads, villages and cities: more can be paid for than there are pieces. *)
(* There is no income: what is paid never comes back.                      *)
(***************************************************************************)
EXTENDS MC

ModelRCP == Cards(4, 4, 2, 4, 6)
ModelDCP == DevCards(0, 0, 0, 0, 0)
ModelBP == Pieces(4, 3, 1)

ModelStart ==
    Begun("Building", (pB :> 1) @@ (pH :> 1) @@ (pD :> 2) @@ (pF :> 2), (rBC :> 1) @@ (rHI :> 1) @@ (rDE :> 2) @@ (rFG :> 2),
          <<Cards(3, 3, 2, 4, 6), Cards(1, 1, 0, 0, 0)>>, <<ModelDCP, ModelDCP>>)

=============================================================================
