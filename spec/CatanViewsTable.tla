-------------------------- MODULE CatanViewsTable --------------------------
(***************************************************************************)
(* A table that may go on without a player: Catan, played by parties who   *)
(* agree as in CatanViews on who is present.  A step of their line is an   *)
(* action of Catan, and holds the game after it.  The game says who is     *)
(* awaited, and who may come back; whoever acts next tells in the line who *)
(* has been left out, and who is back.  Every party has one seat, and      *)
(* nobody owes replies.                                                    *)
(*                                                                         *)
(* So this is about two things: that what CatanViews promises still holds  *)
(* where the game says who acts, and that each step of what a party holds  *)
(* is one of Catan until the party is in another view, in which whoever is *)
(* left out is away.  The models have one action, a roll or such a record, *)
(* one change of one round, and nobody who lies.  A party may crash at any *)
(* time and forget what it has heard, but not what it has signed: that is  *)
(* written before anybody can hear it.  Not here: replies, draws together, *)
(* shares told ahead, hidden hands, claims.                                *)
(*                                                                         *)
(* SU and G are the position on the desk, as in CatanP2P: whoever acts     *)
(* sits down before the game that they hold, plays, and rises.             *)
(***************************************************************************)
EXTENDS Catan

CONSTANTS Liars, Helps, Height, Rounds, Changes, Proofs, MaxDown, MaxStops, Quiet, Without

VARIABLES actions, line, held, change, round, requests, votes, proposals, accepted, decisions, up, stops,
    desk        \* who sits there

talk == <<actions, line, held, change, round, requests, votes, proposals, accepted, decisions, up, stops>>
tableVars == <<SU, G, talk, desk>>

\* The game at the end of a line, who is left out there, and who acts next.
IsAction(step) == step[1] # 0
GameOf(x) == x[CHOOSE i \in DOMAIN x : IsAction(x[i]) /\ \A j \in DOMAIN x : IsAction(x[j]) => j <= i][2]
Back(step) == {r[1] : r \in step[5]}
LeftOut(x) ==
    LET saysOf(q) == {i \in DOMAIN x : ~IsAction(x[i]) /\ q \in x[i][2] \cup Back(x[i])}
    IN {q \in Players : \E i \in saysOf(q) : q \in x[i][2] /\ \A j \in saysOf(q) : j <= i}
\* Who is away still, or left out.
Missing(x) == LeftOut(x) \cup {q \in Players : GameOf(x).G.away[q]}
Acting(x) ==
    LET first == GameOf(x).next
    IN IF first \notin Missing(x) THEN first ELSE NextPresent([p \in Players |-> p \in Missing(x)], first)
Nobody(x) == {}
\* The guards of ComeBack that games of these models can break.
MayComeBack(q, x, replies) ==
    /\ GameOf(x).G.ret[q].missed /\ LeftOut(x) = {y \in Players : GameOf(x).G.away[y]}
    /\ GameOf(x).G.tp \in {"DiceRoll"} \cup TradePhases \cup BuildPhases

V == INSTANCE CatanViews WITH
        NParties <- NPlayers, Twice <- {}, Asks <- {}, Owing <- Nobody, NextSeat <- Acting, Gone <- Nobody,
        Returns <- Rules.Returns > 0, Grants <- MayComeBack

OnDesk == [SU |-> SU, G |-> G, next |-> ToAct]
\* The first action, after a decision if somebody is away.
Root ==
    LET out == {q \in Players : G.away[q]}
    IN (IF out = {} THEN <<>> ELSE <<<<0, out, {}, {}, {}>>>>) \o <<<<NPlayers, OnDesk, {}>>>>

TableInit ==
    /\ Init
    /\ desk = NoOwner
    /\ actions = {Root}
    /\ line = [p \in V!Honest |-> Root]
    /\ held = [p \in V!Honest |-> {}]
    /\ change = [p \in V!Honest |-> V!Change(V!ViewOf(Root), {})]
    /\ round = [p \in V!Honest |-> 0]
    /\ requests = {} /\ votes = {} /\ proposals = {} /\ accepted = {} /\ decisions = {}
    /\ up = V!Honest /\ stops = 0

\* Party p sits down to act: it is awaited, and has not promised not to.
Sit(p) ==
    /\ desk = NoOwner
    /\ p \in up /\ p \in V!Present(line[p]) /\ p = Acting(line[p])
    /\ Cardinality(V!Actions(line[p])) <= Height
    /\ V!Keeps("AC1 promise", round[p] = 0) /\ V!Keeps("AC4 settled", change[p].without = {})
    /\ desk' = p
    /\ SU' = GameOf(line[p]).SU /\ G' = GameOf(line[p]).G
    /\ UNCHANGED talk

\* What is on the desk is played: the record of who has been left out or is back, or what it is time for.
Play ==
    LET p == desk
        told == {x \in LeftOut(line[p]) : ~G.away[x]}
        back == {x \in Players \ LeftOut(line[p]) : G.away[x]}
    IN
    /\ desk \in Players
    /\ IF told # {} THEN Excuse(p, V!Smallest(told))
       ELSE IF back # {} THEN ComeBack(p, V!Smallest(back), NoResources)
       ELSE Next /\ G'.away = G.away
    /\ <<SU, G>>' # <<SU, G>>
    /\ LET x == Append(line[p], <<p, OnDesk', {}>>)
       IN actions' = actions \cup {x} /\ line' = [line EXCEPT ![p] = x]
    /\ desk' = desk + NPlayers
    /\ UNCHANGED <<held, change, round, requests, votes, proposals, accepted, decisions, up, stops>>

Rise ==
    /\ desk > NPlayers
    /\ desk' = NoOwner
    /\ LET first == GameOf(line[desk - NPlayers]) IN SU' = first.SU /\ G' = first.G
    /\ UNCHANGED talk

\* Party p crashes, and comes back with what it has written: what it has signed, and what that leads to.
Crash(p) ==
    LET signed == {x \in actions : x[Len(x)][1] = p} \cup {v.head : v \in {v \in votes : v.from = p}}
        written == {x \in actions : Cardinality(V!Actions(x)) = 1} \cup IF "CR1 written" \in Without THEN {} ELSE signed
        views(x) == Cardinality(V!Decisions(x))
        newest == CHOOSE x \in written : \A y \in written :
                      IF views(x) = views(y) THEN Len(x) >= Len(y) ELSE views(x) > views(y)
        c == V!Change(V!ViewOf(newest), {})
        mine == {m \in votes \cup proposals \cup accepted : m.from = p /\ m.change = c}
    IN /\ desk = NoOwner
       /\ line' = [line EXCEPT ![p] = newest]
       /\ held' = [held EXCEPT ![p] = {}]
       /\ change' = [change EXCEPT ![p] = c]
       /\ round' = [round EXCEPT ![p] = IF "CR2 promised" \in Without THEN 0 ELSE V!Last({m.round : m \in mine})]
       /\ UNCHANGED <<SU, G, desk, actions, requests, votes, proposals, accepted, decisions, up, stops>>

TableGoesOn ==
    \/ \E p \in V!Honest : Sit(p)
    \/ Play \/ Rise
    \/ desk = NoOwner /\ V!Agree /\ UNCHANGED <<SU, G, desk>>

TableNext == TableGoesOn \/ \E p \in V!Honest : Crash(p)

TableSpec == TableInit /\ [][TableNext]_tableVars

\* Whoever is awaited in the last view acts there; nobody forgets anything.
FairTableSpec ==
    /\ TableInit /\ [][TableGoesOn]_tableVars
    /\ V!Fairness /\ WF_tableVars(Play \/ Rise)
    /\ \A p \in V!Honest : WF_tableVars(~V!GoesOn(line[p]) /\ Sit(p))

-----------------------------------------------------------------------------
(* What is promised. *)

Mind(p) == INSTANCE Catan WITH SU <- GameOf(line[p]).SU, G <- GameOf(line[p]).G

\* What an honest party holds is a game of Catan, step by step, until it is in another view or has forgotten the last step.
EveryViewGoesOn ==
    [][\A p \in V!Honest :
            \/ GameOf(line[p])' = GameOf(line[p]) \/ Mind(p)!Next
            \/ change'[p] # change[p] \/ V!IsPrefix(line'[p], line[p])]_talk

Sound ==
    \A p \in V!Honest :
        /\ Mind(p)!TypeOK
        /\ Mind(p)!ConservationOfResourceCards /\ Mind(p)!ConservationOfDevelopmentCards
        /\ Mind(p)!ConservationOfBuildings /\ Mind(p)!TurnOrder /\ Mind(p)!AwayAreSkipped

\* Whoever is away in the game is who had been left out, for play goes on with the record of that.
LeftOutAreAway == \A p \in V!Honest : {q \in Players : GameOf(line[p]).G.away[q]} = LeftOut(V!Question(line[p]))
\* Not a promise, as a test sees.
WhoIsAwayStaysAway == \A p \in V!Honest : IsAction(line[p][1]) \/ GameOf(line[p]).G.away[NPlayers]

OneAction == \A x, y \in actions : V!Above(x) = V!Above(y) /\ x[Len(x)][1] \in V!Honest => x = y

ViewsHold ==
    /\ V!Agreement /\ V!Kept /\ V!LeftOutAfterWaiting /\ V!OnlyWhoMayComesBack /\ V!NothingUndone /\ V!NothingBuiltOnUndone
    /\ V!NobodyHonestForks /\ V!NobodyHonestIsProven /\ OneAction

\* Progress: all who are running come to the last view, and play goes on there, if whoever acts first is running.
PlayGoesOn ==
    /\ V!PlayGoesOn
    /\ \A p \in V!Honest :
        []<>(p \notin up \/ Cardinality(V!Actions(line[p])) > Height \/ Acting(line[p]) \notin up)

=============================================================================
