--------------------------- MODULE CatanFoundOut ---------------------------
(***************************************************************************)
(* A vote on going on without a player, where the one who would excuse is  *)
(* proven a liar meanwhile.                                                *)
(*                                                                         *)
(* The excuser has continued an earlier commit in two ways.  Everybody     *)
(* gets the proof at some time, and votes on that lie as CatanSettling     *)
(* says: such a vote, a charge, names the newest commit that its player    *)
(* holds, and its player accepts nothing of the liar's from then on that   *)
(* nobody else has accepted.  So others' yeses wait for an excuse which    *)
(* may come too late for all of them.  Once all but the liar have charged, *)
(* that is settled: if no charge names the excuse, nobody honest holds it, *)
(* nobody honest will, and the yeses are void.                             *)
(*                                                                         *)
(* The player may have been kept on the other side of the lie, and be slow *)
(* for that reason: here they are slow for any reason.                     *)
(***************************************************************************)
EXTENDS CatanLeaving

CONSTANT
    LiarSends   \* what the excuser sends, each to whom they like: of "no" and "excuse"

VARIABLES
    charge,     \* by player how it had ended for them when they charged the excuser; "none": they have not
    told        \* by player whose charges they have heard

allVars == <<vars, charge, told>>

Others == Players \ {Successor}

ASSUME Successor \in Liars /\ LiarSends \subseteq {"no", "excuse"}

\* Player p, who holds the excuse and was not excused by it, goes on from there.
GoesOn(p) == Says("on", p)

\* Player p has heard all charges, and none of them names the excuse: all name what leads to the player's action, or
\* that, or what was built on it.
IsVoid(p) ==
    /\ Keeps("VO1 all", told[p] = Others)
    /\ Keeps("VO2 newest", \A q \in told[p] : charge[q] # "excused")

\* Another than p and the liar has accepted the excuse, as far as p knows.
IsExcuseTestified(p) ==
    \/ \E q \in told[p] \ {p} : charge[q] = "excused"
    \/ \E q \in Others \ {p} : GoesOn(q) \in heard[p]

\* All others have said yes.
FoundInit ==
    /\ sent = {Says("yes", v) : v \in Voters} \cup {Says(type, Successor) : type \in LiarSends}
    /\ heard = [p \in Players |-> {Says("yes", v) : v \in Voters}]
    /\ end = [p \in Players |-> "open"]
    /\ up = Players \ Gone
    /\ crashes = 0
    /\ charge = [p \in Players |-> "none"]
    /\ told = [p \in Players |-> {}]

\* Player p has the proof, and charges the excuser; who was excused, too.
Charge(p) ==
    /\ p \in Honest \cap up
    /\ charge[p] = "none"
    /\ "CH1 watcher" \notin Without \/ p # Absent \/ end[p] # "excused"
    /\ charge' = [charge EXCEPT ![p] = end[p]]
    /\ told' = [told EXCEPT ![p] = @ \cup {p}]
    /\ UNCHANGED vars

HearCharge(p, q) ==
    /\ p \in Honest \cap up
    /\ charge[q] # "none" /\ q \notin told[p]
    /\ told' = [told EXCEPT ![p] = @ \cup {q}]
    /\ UNCHANGED <<vars, charge>>

\* As in CatanLeaving, but a yes that is void binds nobody.
FoundAccept(p) ==
    /\ p \in Honest \cap up \cap Voters
    /\ Says("act", Absent) \in heard[p]
    /\ end[p] = "open"
    /\ Says("yes", p) \in sent => \/ Testimonies(heard[p], p) # {}
                                  \/ "VO3 void" \notin Without /\ IsVoid(p)
    /\ end' = [end EXCEPT ![p] = "acted"]
    /\ UNCHANGED <<sent, heard, up, crashes, charge, told>>

\* As in CatanLeaving; who has gone on from the action after a yes that is void merges all charges.
FoundBuild(p) ==
    /\ p \in Honest \cap up \cap Voters
    /\ end[p] = "acted"
    /\ \A rests \in BOOLEAN : Builds(p, rests) \notin sent
    /\ LET rests == Rests(heard[p], p) \/ IsVoid(p)
       IN /\ Says("yes", p) \in sent => rests
          /\ Send(p, Builds(p, rests))
    /\ UNCHANGED <<end, up, crashes, charge, told>>

\* As in CatanLeaving; who has charged the excuser follows no excuse of theirs that nobody else has accepted.
FoundFollow(p) ==
    /\ Follow(p)
    /\ Keeps("FO2 bound", charge[p] # "none" => IsExcuseTestified(p))
    /\ UNCHANGED <<charge, told>>

GoOn(p) ==
    /\ p \in Honest \cap up \cap Voters
    /\ end[p] = "excused" /\ GoesOn(p) \notin sent
    /\ Send(p, GoesOn(p))
    /\ UNCHANGED <<end, up, crashes, charge, told>>

\* What another shows: their own, and what they hold of others'.
IsShown(m) ==
    \/ m.from \in Honest
    \/ m.type = "excuse" /\ \E q \in Honest : end[q] = "excused"
    \/ m.type = "no" /\ \E q \in Honest : m \in heard[q]

FoundNext ==
    \/ Act /\ UNCHANGED <<charge, told>>
    \/ \E p \in Players : \/ Charge(p) \/ FoundAccept(p) \/ FoundBuild(p) \/ FoundFollow(p) \/ GoOn(p)
    \/ \E p \in Players, m \in sent : Hear(p, m) /\ UNCHANGED <<charge, told>>
    \/ \E p, q \in Players : HearCharge(p, q)

\* All but the excuser are well, hear in the end all that others show, and do what they can.
FoundSpec ==
    /\ FoundInit /\ [][FoundNext]_allVars
    /\ WF_allVars(Act /\ UNCHANGED <<charge, told>>)
    /\ \A p \in Others : /\ WF_allVars(Charge(p)) /\ WF_allVars(FoundAccept(p)) /\ WF_allVars(FoundFollow(p))
                         /\ WF_allVars(\E m \in sent : IsShown(m) /\ Hear(p, m) /\ UNCHANGED <<charge, told>>)
                         /\ WF_allVars(\E q \in Players : HearCharge(p, q))

-----------------------------------------------------------------------------
(* What is promised. *)

FoundTypeOK ==
    /\ sent \subseteq Message \cup {GoesOn(p) : p \in Others}
    /\ \A p \in Players : heard[p] \subseteq sent
    /\ end \in [Players -> {"open", "acted", "excused"}]
    /\ charge \in [Players -> {"none", "open", "acted", "excused"}]
    /\ \A p \in Players : told[p] \subseteq {q \in Others : charge[q] # "none"}

\* Agreement and NobodyHonestContradicts of CatanLeaving, and progress: all the honest end in one way, the player too.
AllEndAlike == \/ Contradicts(Successor)
               \/ \E how \in {"acted", "excused"} : \A p \in Honest : end[p] = how
PlayGoesOnForAll == <>[]AllEndAlike

=============================================================================
