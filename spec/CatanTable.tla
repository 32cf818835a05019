----------------------------- MODULE CatanTable -----------------------------
(***************************************************************************)
(* The replication of CatanP2P at a table that may go on without a player: *)
(* without one who is silent, and without one who is proven to have lied.  *)
(* CatanLeaving and CatanSettling have one vote each and nothing of the    *)
(* game, CatanShares has the shares of one player: this module refines     *)
(* them, where nobody lies in a vote (OneVote, OneLie and SharesAreTold    *)
(* of MCTable).  Here the peers play Catan, draw together, vote, excuse,   *)
(* and come together again after a lie.  docs/how-it-works/replication.md  *)
(* tells the same in words.                                                *)
(*                                                                         *)
(* A vote is recorded and published in one step, and its voter never       *)
(* forgets it.  Who votes on whom as silent, and when, is left open: a     *)
(* patience may end at any time.  Votes that contradict each other or a    *)
(* commit, and liars among the voters, are in CatanLeaving and             *)
(* CatanSettling only.                                                     *)
(***************************************************************************)
EXTENDS CatanP2P

CONSTANTS
    Silent,     \* on whom the others may vote as silent
    Margin      \* a vote on a lie counts so many shares more as told than its voter had told before the lie

ASSUME Silent \subseteq Players /\ Margin \in Nat /\ (Silent # {} => Leaving)

VARIABLES
    votes,      \* all votes that were cast
    aside       \* by player, the commits that they have put aside, and build on no more (refs/abandoned)

tableVars == <<p2pVars, votes, aside>>

\* A vote on player x.  `on` is the newest commit of the line; in a vote on a lie, the commit that was continued twice.  Before
\* a lie, `owes` says whether it is about a reply of x to that commit, or x's turn after all replies.
\* `holds` is the action that a "no" names; in a vote on a lie, the continuation that the voter has accepted.  `newest` is the
\* newest commit of the line that the voter has, and `spent` the number up to which their shares count as told.
VoteBy(p, x, on, says) ==
    [by |-> p, about |-> x, on |-> on, owes |-> FALSE, says |-> says, holds |-> NoCommit, newest |-> on, spent |-> 0]

\* What player p can learn of the votes.
VotesSeen(p) == {v \in votes : {p, v.by} \notin cut}

\* Who has to vote on player x at a commit, and who acts next there, or would without x.
Voters(on, x) == {q \in Players : ~book[on].G.away[q]} \ {x}
ExcuserAt(on, x) == GameAt(on)!Excuser(x)

Votes(p, on, x, says) == {v \in VotesSeen(p) : v.on = on /\ v.about = x /\ v.says = says}
SilenceVotes(p, on, x, owes, says) == {v \in Votes(p, on, x, says) : v.owes = owes}
HaveAll(some, on, x) == {v.by : v \in some} = Voters(on, x)

\* What votes name: an action that a "no" has accepted, or the newest commit of a vote on a lie.
Named == {v.holds : v \in {w \in votes : w.says = "no"}} \cup {v.newest : v \in {w \in votes : w.says = "lie"}}

\* In place of Visible, where all meet at a relay: what player p has pushed there.  That is no copy of another's log, but for
\* what votes name: else it might be where a liar shows something else by now.
VisibleAtRelay(p) == Reached(shown[p]) \cup UNION {Past(c) : c \in Named \cap Kept(p)}

\* A commit that tells that a player is excused.
IsExcuse(c) == c # RootId /\ ~book[c].reply /\ book[c].G.away # book[book[c].on].G.away
ExcusedIn(c) == CHOOSE x \in Players : book[c].G.away[x] /\ ~book[book[c].on].G.away[x]

\* The only other player has claimed the game, which needs no votes.  Here nobody does: see CatanP2PTrace.
IsClaim(c) == IsExcuse(c) /\ Voters(book[c].on, ExcusedIn(c)) = {book[c].by}

-----------------------------------------------------------------------------
(* Shares.  A share has a number, and leads back to all before it.  Where hands are hidden, only dice need shares. *)

IsShareIn(g) == g.tp = "Drawing" /\ (Hands = "hidden" => g.call.what \in {"RollForStart", "RollDice"})
IsShare(c) == book[c].reply /\ IsShareIn(book[book[c].on].G)

\* Up to which number the shares of player p count as told on the line up to a commit.  The votes of p that hold another
\* commit than this line count, since a share brings them along.
SpentOn(p, c) ==
    LET past == Past(c)
        ofOthers == {v \in votes : v.by = p /\ v.says = "lie" /\ v.on \in past \ {c} /\ v.holds \notin past}
    IN Max({0} \cup {v.spent : v \in ofOthers})

\* The number of a share, and that of the last share that player p has told up to a commit of a line; 0 before the first.
RECURSIVE Number(_)
LastShare(p, c) == Max({0} \cup {Number(d) : d \in {e \in Past(c) : IsShare(e) /\ book[e].by = p}})
NumberAfter(p, c) == 1 + Max({LastShare(p, c), SpentOn(p, c)})
Number(c) == NumberAfter(book[c].by, book[c].on)

\* The shares that player p remembers to have told, on whatever line.
ToldBy(p) == {c \in Kept(p) \cup aside[p] : IsShare(c) /\ book[c].by = p}

-----------------------------------------------------------------------------
(* A silent player. *)

\* Player p promises to accept nothing of player x's that continues the newest commit.
VoteYes(p, x) ==
    LET on == view[p].head
        owes == Mind(p)!OwesReply(x)
    IN
    /\ p \in up                                             \* VY1 up
    /\ ~IsBusy(p)                                           \* VY2 free
    /\ Height(on) < MaxHeight                               \* VY3 bound
    /\ x \in Silent                                         \* VY4 silent
    /\ p \in Voters(on, x)                                  \* VY5 seat
    /\ Cardinality(Voters(on, x)) > 1                       \* VY6 players
    /\ Mind(p)!IsAwaited(x)                                 \* VY7 awaited
    /\ \A v \in votes : v.by = p /\ v.on = on /\ (v.owes = owes \/ v.says = "lie") => v.about # x     \* VY8 once
    /\ p = ExcuserAt(on, x) \/ \E v \in SilenceVotes(p, on, x, owes, "yes") : v.by = ExcuserAt(on, x)   \* VY9 first
    /\ votes' = votes \cup {[VoteBy(p, x, on, "yes") EXCEPT !.owes = owes]}
    /\ UNCHANGED <<p2pVars, aside>>

\* Player p, who holds what player x did after the commit `on`, testifies; who would excuse x does so even after a yes.
VoteNo(p, x, on, owes) ==
    /\ p \in up                                             \* VN1 up
    /\ ~IsBusy(p)                                           \* VN2 free
    /\ SilenceVotes(p, on, x, owes, "yes") # {}             \* VN3 asked
    /\ \A v \in SilenceVotes(p, on, x, owes, "no") : v.by # p                          \* VN4 once
    /\ p = ExcuserAt(on, x) \/ \A v \in SilenceVotes(p, on, x, owes, "yes") : v.by # p  \* VN5 bound
    /\ p \in Voters(on, x)                                  \* VN6 seat
    /\ \E c \in Held(p) \ {RootId} :
          /\ book[c].on = on /\ book[c].by = x              \* VN7 held
          /\ book[c].reply = owes                           \* VN8 question
          /\ votes' = votes \cup {[VoteBy(p, x, on, "no") EXCEPT !.holds = c, !.owes = owes]}
    /\ UNCHANGED <<p2pVars, aside>>

\* Somebody else than player p shows that they have accepted the commit c: by a no, or by what they have built on it.
IsTestified(p, c) ==
    \/ \E v \in votes : v.holds = c /\ v.by \notin {p, book[c].by} /\ v \in VotesSeen(p)
    \/ \E q \in Players \ {p} : {p, q} \notin cut /\
           \E d \in Visible(q) : d # c /\ book[d].by \notin {p, book[c].by} /\ c \in Past(d)

\* Player p may accept the commit c in spite of what p has said.  The one who would excuse has promised nothing yet.
KeepsPromise(p, c) ==
    (\E v \in SilenceVotes(p, book[c].on, book[c].by, book[c].reply, "yes") : v.by = p /\ p # ExcuserAt(v.on, v.about))
        => IsTestified(p, c)

\* All others have said yes, and who would excuse player x has not taken it back.
MayExcuseSilent(p, on, x) ==
    LET owes == Mind(p)!OwesReply(x)
    IN
    /\ HaveAll(SilenceVotes(p, on, x, owes, "yes"), on, x)  \* ME1 all
    /\ \A v \in SilenceVotes(p, on, x, owes, "no") : v.by # ExcuserAt(on, x)            \* ME2 stands

-----------------------------------------------------------------------------
(* A proven liar. *)

\* The lies that player p can prove: by whom, which commit was continued twice, and how.
LiesKnownTo(p) ==
    LET one(pair) == book[CHOOSE c \in pair : TRUE]
    IN {[by |-> one(pair).by, on |-> one(pair).on, pair |-> pair] : pair \in proofs[p]}

VotesOn(p, lie) == Votes(p, lie.on, lie.by, "lie")

\* Player p, who has the proof, tells which of the two commits they hold.  A player who holds none of them waits until they
\* take one in.  (The program votes without one, too, but only where table talk goes on without a reply; see
\* docs/how-it-works/replication.md.)
VoteOnLie(p, lie) ==
    /\ p \in up                                             \* VL1 up
    /\ ~IsBusy(p)                                           \* VL2 free
    /\ p \in Voters(lie.on, lie.by)                         \* VL3 seat
    /\ \A v \in VotesOn(p, lie) : v.by # p                  \* VL4 once
    /\ \E c \in lie.pair \cap Held(p) :
          votes' = votes \cup {[VoteBy(p, lie.by, lie.on, "lie") EXCEPT
                                   !.holds = c,
                                   !.newest = view[p].head,
                                   !.spent = LastShare(p, lie.on) + Margin]}
    /\ UNCHANGED <<p2pVars, aside>>

IsDecided(p, lie) == HaveAll(VotesOn(p, lie), lie.on, lie.by)

\* Which of the two commits survives: of two replies the one that the next player holds, unless that is the liar; otherwise
\* the one that more voters hold, or the one whose voters have all come farther, or the first.
Survivor(p, lie) ==
    LET holders(c) == {v \in VotesOn(p, lie) : v.holds = c}
        reached(c) == IF holders(c) = {} THEN 0 ELSE Min({Height(v.newest) : v \in holders(c)})
        next == {v \in VotesOn(p, lie) : v.by = ExcuserAt(lie.on, lie.by)}
        isMerged == (\A c \in lie.pair : book[c].reply) /\ GameAt(lie.on)!ToAct # lie.by
        better(c, d) ==
            \/ Cardinality(holders(c)) > Cardinality(holders(d))
            \/ /\ Cardinality(holders(c)) = Cardinality(holders(d))
               /\ reached(c) > reached(d) \/ (reached(c) = reached(d) /\ c[3] < d[3])
    IN IF isMerged THEN (CHOOSE v \in next : TRUE).holds
       ELSE CHOOSE c \in lie.pair : \A d \in lie.pair \ {c} : better(c, d)

\* Another player says in a vote on a lie that they hold the commit c.
IsVotedFor(p, c) == \E v \in VotesSeen(p) : v.says = "lie" /\ v.by # p /\ c \in Past(v.newest)

\* What player p may no longer accept: the other commit of a lie that is decided, and after a vote what the liar does alone.
MayAccept(p, c) ==
    \A lie \in LiesKnownTo(p) :
        /\ IsDecided(p, lie) => Past(c) \cap lie.pair \subseteq {Survivor(p, lie)}      \* MA1 survivor
        /\ (book[c].by = lie.by /\ \E v \in VotesOn(p, lie) : v.by = p) => IsTestified(p, c) \/ IsVotedFor(p, c)  \* MA2 bound

\* All votes on the lie are there, player p is on the side that survives, and holds all that its voters hold.
MayExcuseLiar(p, x) ==
    \E lie \in LiesKnownTo(p) :
        /\ lie.by = x
        /\ IsDecided(p, lie)                                \* ML1 all
        /\ Survivor(p, lie) \in Held(p)                     \* ML2 side
        /\ \A v \in VotesOn(p, lie) : v.holds = Survivor(p, lie) => v.newest \in Held(p)   \* ML3 newest

-----------------------------------------------------------------------------
(* Excusing, following, and going back. *)

\* What player p can hear lets player x be excused after the newest commit that p has.
MayExcuse(p, x) == MayExcuseSilent(p, view[p].head, x) \/ MayExcuseLiar(p, x)

\* Player p sits down to excuse player x, who is silent after all replies, or whose reply does not count.
SitToExcuse(p, x) ==
    LET isSilent == MayExcuseSilent(p, view[p].head, x)
        replies == {c \in view[p].replies : book[c].by # x \/ isSilent}
        game == Merged(Knowing(view[p].head, replies))
    IN
    /\ p \in up                                             \* SE1 up
    /\ desk = EmptyDesk                                     \* SE2 desk
    /\ Height(view[p].head) < MaxHeight                     \* SE3 bound
    /\ ~game.G.away[x]                                      \* SE4 present
    /\ p = ExcuserAt(view[p].head, x)                       \* SE5 next
    /\ \A q \in Players \ {x} : OwesIn(game.G, q) => AskerIn(game.G) = x               \* SE6 replies
    /\ Cardinality(Voters(view[p].head, x)) > 1             \* SE7 players
    /\ MayExcuse(p, x)                                      \* SE8 votes
    /\ desk' = [who |-> p, name |-> p, on |-> view[p].head, merges |-> replies, wrote |-> FALSE]
    /\ SU' = game.SU
    /\ G' = game.G
    /\ UNCHANGED <<copies, up, cut, faults, votes, aside>>

PlayExcuse ==
    /\ desk.who # NoOwner
    /\ ~desk.wrote
    /\ \E x \in Players :
          /\ MayExcuse(desk.who, x)                         \* PE1 votes
          /\ desk.who = Excuser(x)                          \* PE2 next
          /\ \A q \in Players \ {x} : OwesReply(q) => AskerOfCards(q) = x                  \* PE3 replies
          /\ Excuse(desk.who, x)
    /\ desk' = [desk EXCEPT !.wrote = TRUE]
    /\ UNCHANGED <<copies, up, cut, faults>>

\* Whoever sits plays if it is their turn; a vote is not played, and an excuse needs votes.
PlayOn ==
    /\ desk.who # NoOwner
    /\ Awaits([SU |-> SU, G |-> G], desk.name)
    /\ Play
    /\ <<SU, G>>' # <<SU, G>>
    /\ G'.away = G.away

\* Player p sits down to play: not to tell a share again, and a lie that is decided is settled first.
SitToPlay(p) ==
    LET game == Merged(view[p])
        owes == OwesIn(game.G, p)
        tellsAgain == owes /\ IsShareIn(game.G) /\ \E c \in ToldBy(p) : Number(c) >= NumberAfter(p, view[p].head)
        settles == \E lie \in LiesKnownTo(p) : IsDecided(p, lie) /\ ~game.G.away[lie.by]
    IN
    /\ ~tellsAgain                                          \* SP1 told
    /\ owes \/ ~settles                                     \* SP2 settled
    /\ Sit(p)

\* Player p reads what player q shows.
ReadAtTable(p, q) ==
    \E c \in Visible(q) :
        /\ c \notin Held(p) /\ book[c].on = view[p].head
        /\ KeepsPromise(p, c)                               \* RT1 promise
        /\ MayAccept(p, c)                                  \* RT2 lies
        /\ IsExcuse(c) /\ ~IsClaim(c) => MayExcuse(p, ExcusedIn(c))                    \* RT3 votes
        /\ c \notin aside[p]                                \* RT4 aside
        /\ TakeIn(p, q, c)

\* Player p goes back to a commit of the line, with the replies to it that are not player x's, and puts aside all else.
GoBackTo(p, on, x) ==
    LET replies == {c \in Held(p) \ {RootId} : book[c].reply /\ book[c].on = on /\ book[c].by # x}
        own == {c \in replies : book[c].by = p}
        written == {c \in Past(on) : book[c].by = p /\ ~book[c].reply} \cup {RootId}
        log == CHOOSE c \in written : \A d \in written : Height(d) <= Height(c)
    IN
    /\ aside' = [aside EXCEPT ![p] = @ \cup ((Held(p) \cup Kept(p)) \ (Past(on) \cup replies))]
    /\ view' = [view EXCEPT ![p] = Knowing(on, replies)]
    /\ journal' = [journal EXCEPT ![p] = [log |-> log,
                                          reply |-> IF own = {} THEN NoCommit ELSE CHOOSE c \in own : TRUE,
                                          seen |-> Knowing(on, replies)]]
    /\ UNCHANGED <<SU, G, book, shown, up, cut, desk, proofs, faults, newest, votes>>

\* Player p hears all votes on a lie, and holds the commit that does not survive.
MoveOver(p, lie) ==
    /\ p \in up                                             \* MO1 up
    /\ ~IsBusy(p)                                           \* MO2 free
    /\ IsDecided(p, lie)                                    \* MO3 all
    /\ Held(p) \cap (lie.pair \ {Survivor(p, lie)}) # {}    \* MO4 other
    /\ GoBackTo(p, lie.on, lie.by)

\* Player p has gone on from some commit with what player x did there, and finds that x was excused there: p is x, who comes
\* back, or somebody who only watches.
Return(p, c) ==
    LET on == book[c].on
        x == ExcusedIn(c)
    IN
    /\ p \in up                                             \* RN1 up
    /\ ~IsBusy(p)                                           \* RN2 free
    /\ p \notin Voters(on, x)                               \* RN3 watches
    /\ \E d \in Held(p) \ {RootId} : book[d].on = on /\ book[d].by = x                  \* RN4 went on
    /\ IsClaim(c) \/ \E owes \in BOOLEAN : HaveAll(SilenceVotes(p, on, x, owes, "yes"), on, x)        \* RN5 votes
    /\ GoBackTo(p, on, x)

-----------------------------------------------------------------------------
(* The state machine. *)

TableInit == P2PInit /\ votes = {} /\ aside = [p \in Players |-> {}]

GoOnAtTable(p) ==
    /\ PlayOn \/ PlayExcuse \/ Record(p) \/ Rise(p) \/ Keep(p) \/ Crash(p)
    /\ UNCHANGED <<votes, aside>>

BeginAtTable(p) ==
    \/ /\ \/ SitToPlay(p)
          \/ \E ref \in Moved(p) : Publish(p, {ref})
          \/ Remove(p)
          \/ \E q \in Players \ {p} : ReadAtTable(p, q) \/ ProveFrom(p, q)
          \/ Crash(p)
          \/ Restart(p)
       /\ UNCHANGED <<votes, aside>>
    \/ \E x \in Players \ {p} : VoteYes(p, x) \/ SitToExcuse(p, x)
    \/ \E v \in votes : VoteNo(p, v.about, v.on, v.owes)
    \/ \E lie \in LiesKnownTo(p) : VoteOnLie(p, lie) \/ MoveOver(p, lie)
    \/ \E q \in Players \ {p} : {p, q} \notin cut /\ \E c \in Visible(q) : IsExcuse(c) /\ Return(p, c)

\* The end, in a model that has one: everybody honest holds the same, and nobody may act any more.
RestAtTable ==
    /\ Honest \subseteq up /\ cut = {} /\ Agreed
    /\ \A p \in Honest : Height(view[p].head) >= MaxHeight
    /\ UNCHANGED tableVars

TableNext ==
    \/ \E p \in Players : InMidst(p) /\ GoOnAtTable(p)
    \/ /\ \A p \in Players : ~InMidst(p)
       /\ \/ \E p \in Players : BeginAtTable(p)
          \/ \E w \in Liars : Lie(w) /\ UNCHANGED <<votes, aside>>
          \/ RestAtTable

TableSpec == TableInit /\ [][TableNext]_tableVars

-----------------------------------------------------------------------------
(* The game that all of this implements.  An action counts once another    *)
(* player, who is not away, has recorded it or, where somebody lies, once  *)
(* all honest players have: before that the others may go on without it.   *)

IsShared(c) ==
    IF Liars = {} THEN \E p \in Voters(book[c].on, book[c].by) : c \in Kept(p) ELSE \A p \in Honest : c \in Kept(p)

Shared ==
    LET commits == {c \in DOMAIN book : c = RootId \/ IsShared(c)}
        line == {c \in commits : ~book[c].reply}
        head == CHOOSE c \in line : \A d \in line : Height(d) <= Height(c)
    IN Merged(Knowing(head, {c \in commits : book[c].reply /\ book[c].on = head}))

SharedGame == INSTANCE Catan WITH SU <- Shared.SU, G <- Shared.G

\* What counts is a game of Catan, step by step.
SharedRefinesNext == [][SharedGame!Next]_Shared

\* What an honest player believes is one too, unless they put something aside.
EveryViewGoesOn ==
    [][\A p \in Honest : \/ view'[p] = view[p]
                         \/ p \notin (up \cap up')
                         \/ aside'[p] # aside[p]
                         \/ Mind(p)!Next]_<<view, aside>>

-----------------------------------------------------------------------------
(* Invariants. *)

TableTypeOK ==
    LET commits == DOMAIN book IN
    /\ P2PTypeOK
    /\ votes \subseteq [by: Players, about: Players, on: commits, owes: BOOLEAN, says: {"yes", "no", "lie"},
                        holds: commits \cup {NoCommit}, newest: commits, spent: Nat]
    /\ aside \in [Players -> SUBSET commits]

\* No two of the honest players who vote go on from one commit in two ways, one with the action of an honest player there and
\* one without that player.
OneEnd ==
    \A p \in Honest : \A c \in {e \in Kept(p) : IsExcuse(e)} :
        ExcusedIn(c) \in Honest =>
            \A q \in Honest \cap Voters(book[c].on, ExcusedIn(c)) :
                \A d \in Kept(q) \ {RootId} : book[d].on = book[c].on => book[d].by # ExcusedIn(c)

\* Nobody honest puts aside what another has accepted, unless somebody lies.
NothingSharedIsPutAside == Liars = {} => \A p \in Players : \A c \in aside[p] : ~IsShared(c)

\* Whoever goes on without a proven liar holds none but the commit of theirs that survives.
OneSurvives ==
    \A p \in Honest : \A lie \in LiesKnownTo(p) :
        (\E e \in Held(p) : IsExcuse(e) /\ ExcusedIn(e) = lie.by) => Held(p) \cap lie.pair = {Survivor(p, lie)}

\* Whoever can reach one honest player who holds what a vote names can have it.
NamedIsShown == \A p \in Honest : Named \cap Kept(p) \subseteq Visible(p)

\* No share of an honest player is told for two calls.
NoShareOutlivesItsCall ==
    \A c, d \in {e \in DOMAIN book \ {RootId} : IsShare(e) /\ book[e].by \in Honest} :
        c # d /\ book[c].by = book[d].by => Number(c) # Number(d)

\* No acknowledged action is lost: its player's own repository leads to it, or has put it aside.
NothingIsLostAtTable ==
    \A p \in Honest : LET kept == Kept(p) \cup aside[p] IN \A c \in HonestCommits : book[c].by = p => c \in kept

=============================================================================
