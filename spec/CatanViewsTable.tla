-------------------------- MODULE CatanViewsTable --------------------------
(***************************************************************************)
(* A table that may go on without a player: Catan, played by parties who   *)
(* agree as in CatanViews on who is present.  A step of their line is an   *)
(* action of Catan, and holds the game after it.  The game says who is     *)
(* awaited; who has been left out is told in the line by an excuse of      *)
(* whoever acts next.  Every party has one seat, and nobody owes replies.  *)
(*                                                                         *)
(* SU and G are the position on the desk, as in CatanP2P: whoever acts     *)
(* sits down before the game that they hold, plays, and rises.             *)
(***************************************************************************)
EXTENDS Catan

CONSTANTS Liars, Helps, Height, Rounds, Changes, Proofs, MaxDown, MaxStops, Quiet, Without

VARIABLES actions, line, held, change, round, votes, proposals, accepted, decisions, up, stops,
    desk        \* who sits there

talk == <<actions, line, held, change, round, votes, proposals, accepted, decisions, up, stops>>
tableVars == <<SU, G, talk, desk>>

\* The game at the end of a line, who is left out there, and who acts next.
IsAction(step) == step[1] # 0
GameOf(x) == x[CHOOSE i \in DOMAIN x : IsAction(x[i]) /\ \A j \in DOMAIN x : IsAction(x[j]) => j <= i][2]
LeftOut(x) == UNION {x[i][2] : i \in {i \in DOMAIN x : ~IsAction(x[i])}}
Acting(x) ==
    LET first == GameOf(x).next
    IN IF first \notin LeftOut(x) THEN first ELSE NextPresent([p \in Players |-> p \in LeftOut(x)], first)
Nobody(x) == {}

V == INSTANCE CatanViews WITH NParties <- NPlayers, Twice <- {}, Asks <- {}, Owing <- Nobody, NextSeat <- Acting

OnDesk == [SU |-> SU, G |-> G, next |-> ToAct]
Root == <<<<NPlayers, OnDesk, {}>>>>

TableInit ==
    /\ Init
    /\ desk = NoOwner
    /\ actions = {Root}
    /\ line = [p \in V!Honest |-> Root]
    /\ held = [p \in V!Honest |-> {}]
    /\ change = [p \in V!Honest |-> V!Change(<<>>, {})]
    /\ round = [p \in V!Honest |-> 0]
    /\ votes = {} /\ proposals = {} /\ accepted = {} /\ decisions = {}
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

\* What is on the desk is played: an excuse of who has been left out, in the order of seats, or what it is time for.
Play ==
    LET p == desk
        told == {x \in LeftOut(line[p]) : ~G.away[x]}
    IN
    /\ desk \in Players
    /\ IF told # {} THEN Excuse(p, V!Smallest(told)) ELSE Next /\ G'.away = G.away
    /\ <<SU, G>>' # <<SU, G>>
    /\ LET x == Append(line[p], <<p, OnDesk', {}>>)
       IN actions' = actions \cup {x} /\ line' = [line EXCEPT ![p] = x]
    /\ desk' = desk + NPlayers
    /\ UNCHANGED <<held, change, round, votes, proposals, accepted, decisions, up, stops>>

Rise ==
    /\ desk > NPlayers
    /\ desk' = NoOwner
    /\ LET first == GameOf(line[desk - NPlayers]) IN SU' = first.SU /\ G' = first.G
    /\ UNCHANGED talk

TableNext ==
    \/ \E p \in V!Honest : Sit(p)
    \/ Play \/ Rise
    \/ desk = NoOwner /\ V!Agree /\ UNCHANGED <<SU, G, desk>>

TableSpec == TableInit /\ [][TableNext]_tableVars

\* Whoever is awaited in the last view acts there.
FairTableSpec ==
    /\ TableSpec /\ V!Fairness /\ WF_tableVars(Play \/ Rise)
    /\ \A p \in V!Honest : WF_tableVars(~V!GoesOn(line[p]) /\ Sit(p))

-----------------------------------------------------------------------------
(* What is promised. *)

Mind(p) == INSTANCE Catan WITH SU <- GameOf(line[p]).SU, G <- GameOf(line[p]).G

\* What an honest party holds is a game of Catan, step by step, until it is in another view.
EveryViewGoesOn ==
    [][\A p \in V!Honest : GameOf(line[p])' = GameOf(line[p]) \/ change'[p] # change[p] \/ Mind(p)!Next]_talk

Sound ==
    \A p \in V!Honest :
        /\ Mind(p)!TypeOK
        /\ Mind(p)!ConservationOfResourceCards /\ Mind(p)!ConservationOfDevelopmentCards
        /\ Mind(p)!ConservationOfBuildings /\ Mind(p)!TurnOrder /\ Mind(p)!AwayAreSkipped

\* Whoever is away in the game has been left out, and play goes on with an excuse.
LeftOutAreAway ==
    \A p \in V!Honest :
        LET x == line[p]
            away == {q \in Players : GameOf(x).G.away[q]}
        IN away \subseteq LeftOut(x) /\ (IsAction(x[Len(x)]) /\ LeftOut(x) # {} => away # {})

OneAction == \A x, y \in actions : V!Above(x) = V!Above(y) /\ x[Len(x)][1] \in V!Honest => x = y

ViewsHold ==
    /\ V!Agreement /\ V!Kept /\ V!LeftOutAfterWaiting /\ V!NothingUndone /\ V!NothingBuiltOnUndone
    /\ V!NobodyHonestForks /\ V!NobodyHonestIsProven /\ OneAction

\* Progress: all who are running come to the last view, and play goes on there, if whoever acts first is running.
PlayGoesOn ==
    /\ V!PlayGoesOn
    /\ \A p \in V!Honest :
        []<>(p \notin up \/ Cardinality(V!Actions(line[p])) > Height \/ Acting(line[p]) \notin up)

=============================================================================
