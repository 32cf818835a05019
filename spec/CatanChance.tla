---------------------------- MODULE CatanChance ----------------------------
(***************************************************************************)
(* One draw of all players together, with those who would bend it.         *)
(*                                                                         *)
(* What Catan.tla leaves open is here: the shares.  A chain is abstract: a *)
(* value per player, fixed when the game begins (the pledge), which nobody *)
(* else knows until its player tells it, and which everybody can check     *)
(* once it is told.  The caller decides, everybody else reveals, and who   *)
(* has the call and all reveals for it settles: the draw is the sum.       *)
(*                                                                         *)
(* Liars know all that was ever sent, to whomever.  They send whom they    *)
(* like what they like: nothing at all, a reveal to some only, two calls   *)
(* or two reveals, values that they have not pledged.  They cannot write   *)
(* in others' names (CatanP2P.tla).  The honest pass on what they accept.  *)
(*                                                                         *)
(* Without names guards that are taken out, for the tests: each property   *)
(* below is violated without some guard.  AC2 and RE2 stand for each       *)
(* other: to be held to one call, either is enough.                        *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
    NPlayers,   \* how many play
    Liars,      \* who of them lie
    Caller,     \* whose draw it is
    Values,     \* 0..n-1: what a share can be, and what can be drawn
    Decisions,  \* what the caller can decide
    MaxLies,    \* how many messages a liar sends at most
    Without     \* tags of guards that are left out; {} in the specification

Players == 1..NPlayers
Honest == Players \ Liars

ASSUME Liars \subseteq Players /\ Honest # {} /\ Caller \in Players /\ Values = 0..(Cardinality(Values) - 1)

VARIABLES
    secret,     \* by player the value that was pledged
    sent,       \* all messages there are: calls and reveals for a decision, each with its player's share
    accepted,   \* by honest player the messages that they have accepted
    settled     \* by honest player what they have settled: [decision, drawn]; none before

vars == <<secret, sent, accepted, settled>>

Message == [type: {"call", "reveal"}, from: Players, decision: Decisions, share: Values]
None == [decision |-> 0, drawn |-> 0]

Keeps(tag, guard) == tag \in Without \/ guard

RECURSIVE Sum(_)
Sum(messages) ==
    IF messages = {} THEN 0
    ELSE LET m == CHOOSE m \in messages : TRUE IN m.share + Sum(messages \ {m})

CallsOf(p) == {m \in accepted[p] : m.type = "call"}
Shares(p, decision) == {m \in accepted[p] : m.decision = decision}
Told(p) == {m \in sent : m.from = p}

Init ==
    /\ secret \in [Players -> Values]
    /\ sent = {}
    /\ accepted = [p \in Honest |-> {}]
    /\ settled = [p \in Honest |-> None]

\* The honest caller decides, once, and tells their share.
Call(p, decision) ==
    /\ p = Caller
    /\ Keeps("CC1 once", Told(p) = {})
    /\ LET m == [type |-> "call", from |-> p, decision |-> decision, share |-> secret[p]]
       IN /\ sent' = sent \cup {m}
          /\ accepted' = [accepted EXCEPT ![p] = @ \cup {m}]
    /\ UNCHANGED <<secret, settled>>

\* An honest player accepts a message: the call of the caller, if it is the only one, and shares that were pledged.
Accept(p, m) ==
    /\ m \in sent \ accepted[p]
    /\ m.type = "call" <=> m.from = Caller
    /\ Keeps("AC1 pledged", m.share = secret[m.from])
    /\ Keeps("AC2 one call", m.type = "call" => CallsOf(p) = {})
    /\ accepted' = [accepted EXCEPT ![p] = @ \cup {m}]
    /\ UNCHANGED <<secret, sent, settled>>

\* An honest player reveals for the call that they have accepted, once.
Reveal(p, decision) ==
    /\ p # Caller
    /\ Keeps("RE1 called", \E call \in CallsOf(p) : call.decision = decision)
    /\ Keeps("RE2 once", Told(p) = {})
    /\ LET m == [type |-> "reveal", from |-> p, decision |-> decision, share |-> secret[p]]
       IN /\ sent' = sent \cup {m}
          /\ accepted' = [accepted EXCEPT ![p] = @ \cup {m}]
    /\ UNCHANGED <<secret, settled>>

\* An honest player settles, once everybody has told their share of this decision.
Settle(p, decision) ==
    /\ settled[p] = None
    /\ \E call \in CallsOf(p) : call.decision = decision
    /\ Keeps("SE1 all", {m.from : m \in Shares(p, decision)} = Players)
    /\ settled' = [settled EXCEPT ![p] = [decision |-> decision, drawn |-> Sum(Shares(p, decision)) % Cardinality(Values)]]
    /\ UNCHANGED <<secret, sent, accepted>>

\* A liar sends anything in their own name.
Lie(p, m) ==
    /\ m.from = p
    /\ m \in sent \/ Cardinality(Told(p)) < MaxLies
    /\ sent' = sent \cup {m}
    /\ UNCHANGED <<secret, accepted, settled>>

Next ==
    \/ \E p \in Honest, decision \in Decisions : Call(p, decision) \/ Reveal(p, decision) \/ Settle(p, decision)
    \/ \E p \in Honest, m \in sent : Accept(p, m)
    \/ \E p \in Liars, m \in Message : Lie(p, m)

\* The honest do what they can, for ever; liars may stop at any time.
HonestNext == \E p \in Honest : \/ \E decision \in Decisions : Call(p, decision) \/ Reveal(p, decision) \/ Settle(p, decision)
                                \/ \E m \in sent : Accept(p, m)
Spec == Init /\ [][Next]_vars /\ WF_vars(HonestNext)

\* The same where the honest may stop, too.
UnfairSpec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* What is promised. *)

TypeOK ==
    /\ secret \in [Players -> Values]
    /\ sent \subseteq Message
    /\ \A p \in Honest : accepted[p] \subseteq sent
    /\ settled \in [Honest -> {None} \cup [decision: Decisions, drawn: Values]]

\* Fixed before revealed: whoever has revealed knows the one decision that it is for, and settles no other.
FixedBeforeRevealed ==
    \A p \in Honest :
        /\ \A m, other \in Told(p) : m = other
        /\ \A m \in Told(p) : \E call \in accepted[p] : call.type = "call" /\ call.decision = m.decision
        /\ settled[p] # None => \A q \in Honest : \A m \in Told(q) : m.decision = settled[p].decision

\* Nobody honest reveals early: before the caller has decided, and told their own share.
NobodyRevealsEarly ==
    \A p \in Honest \ {Caller} :
        Told(p) # {} => \E call \in sent : call.type = "call" /\ call.from = Caller /\ call.share = secret[Caller]

\* Every outcome is still possible until the last honest reveal: what is settled holds the shares of all the honest, and
\* shares that were pledged before any of them was told.
EveryOutcomeIsPossible ==
    \A p \in Honest : settled[p] # None =>
        /\ \A q \in Honest : Told(q) # {}
        /\ settled[p].drawn = Sum({[from |-> q, share |-> secret[q]] : q \in Players}) % Cardinality(Values)

\* The same draw for everybody.
SameDraw == \A p, q \in Honest : settled[p] # None /\ settled[q] # None => settled[p] = settled[q]

\* Whoever has all that an honest player settled with can settle too: once one honest player has, all of them do.
AllSettle == \A p, q \in Honest : settled[p] # None ~> settled[q] # None

=============================================================================
