----------------------------- MODULE MCP2PTrace -----------------------------
(***************************************************************************)
(* Behaviours of CatanP2P for the test that drives real repositories: TLC  *)
(* chooses them at random and prints, for every step, its name, what a     *)
(* recorded commit holds, and where every peer stands after it.            *)
(*                                                                         *)
(* A peer of the program publishes all its refs together, and removes its *)
(* temporary branch in the same go as it keeps the merge; and this module  *)
(* looks for commits at their own players only, not at copies of them.     *)
(* Whether lies are proven is looked at in the end, not step by step.      *)
(* Every behaviour here is one of CatanP2P.                                *)
(***************************************************************************)
EXTENDS CatanP2P

ModelRules == [Thesis EXCEPT !.HandLimit = 1]
OfferRules == [ModelRules EXCEPT !.DomesticTrade = TRUE, !.OfferMax = 1]
RuleBookRules == [Brief EXCEPT !.HandLimit = 1, !.OfferMax = 1, !.SpecialBuilding = TRUE]

CONSTANTS
    Length,             \* of a behaviour, in steps
    LiesAreReplies      \* whether liars lie with replies only: else they do so long before there is one

VARIABLE told       \* the steps so far, as tuples of tuples

Cards(rc) == <<rc.Lumber, rc.Brick, rc.Wool, rc.Grain, rc.Ore>>
Progress(dp) == <<dp.Monopoly, dp.YearOfPlenty, dp.RoadBuilding>>
Playable(dc) == <<dc.Monopoly, dc.YearOfPlenty, dc.RoadBuilding, dc.Knight>>
Rank == [none |-> 0, Village |-> 1, City |-> 2]

\* A game as tuples: the components that the thesis knows, then the others.
Told(su, g) ==
    <<su.sup, su.ap, g.ap, g.tp, g.dice, g.ba, Progress(g.dp), g.lr, g.la,
      [p \in Players |-> g.lim[p]],
      [sp \in DOMAIN CT |-> g.s[sp].own], [sp \in DOMAIN CT |-> Rank[g.s[sp].st]], [rp \in DOMAIN CD |-> g.r[rp]],
      Cards(g.bnk.RC), Playable(g.bnk.DC) \o <<g.bnk.DC.VictoryPoint>>,
      [p \in Players |-> <<Cards(g.h[p].RC), Playable(g.h[p].DC.BC), Playable(g.h[p].DC.AC),
                           <<g.h[p].DC.UC.Knight, g.h[p].DC.UC.VictoryPoint>> >>],
      [p \in Players |-> <<g.b[p].Road, g.b[p].Village, g.b[p].City>>],
      su.first, [p \in Players |-> su.rolls[p]], g.pd, g.sb,
      Cards(g.offer.give), Cards(g.offer.receive), [p \in Players |-> g.ans[p]]>>

\* Replies by player.
Row(replies) ==
    [p \in Players |-> IF \E c \in replies : book[c].by = p THEN CHOOSE c \in replies : book[c].by = p ELSE NoCommit]

\* Where a peer stands: whether it runs, what its journal, its published refs and its program lead to.
Stands(p) ==
    <<IF p \in up THEN 1 ELSE 0,
      journal[p].log, journal[p].reply, journal[p].seen.head, Row(journal[p].seen.replies),
      shown[p].log, shown[p].reply,
      view[p].head, Row(view[p].replies)>>

Note(step) == told' = Append(told, step \o <<[p \in Players |-> Stands(p)]'>>)

Branches(p) == {ref \in Refs : shown[p][ref] # journal[p][ref]}

\* Player p removes its temporary branch in the same go as it keeps the merge.
MustRemove(p) == ENABLED Remove(p)

Last == IF told = <<>> THEN <<"Begin", 0>> ELSE told[Len(told)]

IsRemoving(p) == Last[1] = "Keep" /\ Last[2] = p /\ MustRemove(p)

TraceGoOn(p) ==
    \/ IsBusy(p) /\ Play /\ Note(<<"Play", p>>)
    \/ Record(p) /\ Note(<<"Record", p, CHOOSE c \in DOMAIN book' \ DOMAIN book : TRUE, desk.on, Row(desk.merges),
                           Told(SU, G)>>)
    \/ Rise(p) /\ Note(<<"Rise", p>>)
    \/ Pretend(p) /\ Note(<<"Pretend", p, CHOOSE c \in DOMAIN book' \ DOMAIN book : TRUE, desk.on, Row(desk.merges),
                            Told(SU, G)>>)
    \/ Keep(p) /\ Note(<<"Keep", p>>)
    \/ Remove(p) /\ Note(<<"Remove", p>>)
    \/ Crash(p) /\ Note(<<"Crash", p>>)

TraceBegin(p) ==
    \/ ~MustRemove(p) /\ Sit(p) /\ Note(<<"Sit", p>>)
    \/ Branches(p) # {} /\ Publish(p, Branches(p)) /\ Note(<<"Publish", p>>)
    \/ Remove(p) /\ Note(<<"Remove", p>>)
    \/ /\ ~MustRemove(p)
       /\ \E q \in Players \ {p} : \E c \in Reached(shown[q]) : TakeIn(p, q, c) /\ Note(<<"TakeIn", p, q, c>>)
    \/ Crash(p) /\ Note(<<"Crash", p>>)
    \/ Restart(p) /\ Note(<<"Restart", p>>)
    \/ \E old \in DOMAIN book :
           (LiesAreReplies => book[old].reply) /\ Equivocate(p, old) /\ Note(<<"Equivocate", p>>)
    \/ \E q \in Players \ {p} :
           (LiesAreReplies => OwesIn(Merged(view[p]).G, q)) /\ Forge(p, q) /\ Note(<<"Forge", p>>)
    \/ \E c \in DOMAIN book : Turn(p, c) /\ Note(<<"Turn", p>>)

TraceNext ==
    /\ Len(told) < Length
    /\ LET midst == {p \in Players : InMidst(p) \/ IsRemoving(p)}
       IN \/ \E p \in midst : TraceGoOn(p)
          \/ midst = {} /\ \E p \in Players : TraceBegin(p)

Tell ==
    /\ Len(told) = Length
    /\ PrintT("BEHAVIOUR " \o ToString(told))
    /\ told' = Append(told, <<"Told", 0>>)
    /\ UNCHANGED p2pVars

TraceSpec == P2PInit /\ told = <<>> /\ [][TraceNext \/ Tell]_<<p2pVars, told>>

=============================================================================
