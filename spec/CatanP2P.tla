------------------------------ MODULE CatanP2P ------------------------------
(***************************************************************************)
(* How a game of Catan is played by peers that share nothing but logs.     *)
(*                                                                         *)
(* Every player keeps a log, a branch that only they extend; a commit is   *)
(* one action of Catan and holds the whole game after it.  Peers read each *)
(* other's logs whenever they can, judge every commit for themselves, and  *)
(* act when the game, as they know it, waits for them.                     *)
(* spec/README.md, "Replication", tells what stands for what;              *)
(* catan_p2p/replication does it.                                          *)
(*                                                                         *)
(* The game inside is Catan itself, word for word: this module extends it. *)
(* Its variables SU and G are the position on the desk, at which one peer  *)
(* at a time thinks: it sits down before the game as it knows it, plays an *)
(* action of Catan there, and rises when the commit is recorded.  What one *)
(* peer thinks concerns no other, so nothing is lost by letting them think *)
(* one after the other; everything that others can see, all peers do in    *)
(* any order.                                                              *)
(*                                                                         *)
(* Nobody can leave such a game: CatanViewsTable is about those where      *)
(* players can.                                                            *)
(***************************************************************************)
EXTENDS Catan

CONSTANTS
    Signed,         \* whether commits are signed, so that a commit found in anybody's log is known to be its author's
    Liars,          \* the players who may break the rules of this module; {} where everybody is honest
    Lies,           \* how they may: "equivocate", "fabricate", "forge"
    MaxHeight,      \* nobody acts on a commit of this height: TRUE bounds of a model, like the three below
    MaxCrashes, MaxCuts, MaxLies

ASSUME Liars \subseteq Players /\ Lies \subseteq {"equivocate", "fabricate", "forge"} /\ Signed \in BOOLEAN
ASSUME ~Leaving

VARIABLES
    book,       \* every commit that was ever recorded, by its id
    journal,    \* what each peer has recorded in its own repository; a crash takes nothing of it
    shown,      \* what of this it has published; others see this and nothing else
    view,       \* what each peer knows and has judged; a crash takes what is not in the journal
    up,         \* the peers that are running
    cut,        \* the links that are cut, as sets of two players
    desk,       \* who thinks, and on which commits
    proofs,     \* the pairs of commits by which each peer can prove that somebody has lied
    faults,     \* how often it has come to a crash, a cut, a lie
    newest      \* the game after all recorded actions, whoever knows them: read by properties only

copies == <<book, journal, shown, view, proofs, newest>>
p2pVars == <<SU, G, book, journal, shown, view, up, cut, desk, proofs, faults, newest>>

Honest == Players \ Liars

-----------------------------------------------------------------------------
(* Commits.  An id is <<height, player, variant>>: like Git's it is another one for every other content.  A commit has  *)
(* a parent in the line, `on`.  A `reply` (a discard, an answer to an offer, a pledge, a share) is beside the line, and     *)
(* the next other commit `merges` the replies: all of them, or where it need not wait those that its player has heard.      *)
(* It says `by` whom it is.  Nobody sees who is its `writer`, but a signature shows whether that is the same player.        *)
(* `sound` says that its tree is what an action of Catan makes of its parents: everybody can work that out.                 *)

RootId == <<0, 1, 1>>
NoCommit == <<0, 0, 0>>

Height(c) == c[1]

RECURSIVE Past(_)
\* A commit and all its ancestors.
Past(c) == IF c = RootId THEN {c} ELSE {c} \cup book[c].merges \cup Past(book[c].on)

\* Two different commits by which one player continues from the same place.
Contradict(c, d) ==
    /\ c # d
    /\ RootId \notin {c, d}
    /\ book[c].by = book[d].by
    /\ book[c].on = book[d].on
    /\ book[c].reply = book[d].reply

\* What a peer holds is a line and the replies that still hang on its end.
Knowing(head, replies) == [head |-> head, replies |-> replies]

Commits(known) == Past(known.head) \cup known.replies

Held(p) == Commits(view[p])

\* What the repository of p leads to, and what others find there.
Reached(branches) == Past(branches.log) \cup (IF branches.reply = NoCommit THEN {} ELSE Past(branches.reply))

Kept(p) == Reached(journal[p]) \cup Commits(journal[p].seen)

\* Copies of others' logs are visible as soon as they are kept: nobody has to look at once.
Visible(p) == Reached(shown[p]) \cup Commits(journal[p].seen)

\* With table talk nobody has to be heard: whose turn it is acts, while others answer or propose, or do not.
TalksIn(g) == TableTalk /\ g.tp \in TradePhases \cup {"Offering"}

\* Player p may make a proposal in the game state g, or a counter-offer.
MayProposeIn(g, p) ==
    /\ TalksIn(g) /\ p # g.ap /\ g.prop[p] = NoOffer /\ (g.tp = "Offering" => g.ans[p] = "asked")
    /\ ProposalsPerTurn > 0 => g.made[p] < ProposalsPerTurn

\* The game state g waits for a reply of player p: a pledge, a share or whatever else is due, a discard, or an
\* answer.
OwesIn(g, p) ==
    \/ g.due[p]
    \/ g.lim[p] > 0 /\ Count(g.h[p].RC) + g.hid.sealed[p] > g.lim[p]
    \/ g.ans[p] = "asked"

\* A reply is expected of player p, or may come.
RepliesIn(g, p) == OwesIn(g, p) \/ MayProposeIn(g, p)

\* Somebody must reply before the game goes on.
MustHear(g) == ~TalksIn(g) /\ \E q \in Players : OwesIn(g, q)

\* The line has gone on from the commit c.
WentOn(c) == \E d \in DOMAIN book : book[d].on = c /\ ~book[d].reply /\ d # RootId

\* The reply c has come too late to count, or was not heard: play has gone on without it.
IsOvertaken(c) ==
    /\ book[c].reply
    /\ \E d \in DOMAIN book \ {RootId} :
          book[d].on = book[c].on /\ ~book[d].reply /\ c \notin book[d].merges /\ TalksIn(book[book[c].on].G)

\* The reply c is merged in one of some commits, or one of them goes on without it.
IsHandled(c, commits) ==
    \/ c \in commits
    \/ IsOvertaken(c) /\ \E d \in commits \ {RootId} : book[d].on = book[c].on /\ ~book[d].reply

\* Whoever holds these replies to the end of the line has all that the commit c merges: all of them, or some where nobody has
\* to be heard.
HasParents(c, replies) ==
    IF TalksIn(book[book[c].on].G) THEN book[c].merges \subseteq replies
    ELSE book[c].merges = {} \/ book[c].merges = replies

\* The game g after replies: once everybody has pledged it begins, and once all have given a monopoly what it takes it goes on.
Completed(g) ==
    IF g.due # NobodyDue THEN g
    ELSE IF g.tp = "Surrendering" THEN Resumed(g)
    ELSE IF g.tp # "Pledging" THEN g
    ELSE IF Hands = "open" THEN [g EXCEPT !.tp = FirstPhase]
    ELSE [g EXCEPT !.tp = "Shuffling"]

\* The merge: the game at the end of the line, each share, hand, answer and proposal from the reply of its player, the bank
\* with all that was lost, and who plays a monopoly with all that was given.
Merged(known) ==
    LET end == book[known.head]
        of(p) == {c \in known.replies : book[c].by = p}
        said(p) == IF of(p) = {} THEN end.G ELSE book[CHOOSE c \in of(p) : TRUE].G
        returned(res) == [c \in known.replies |-> book[c].G.bnk.RC[res] - end.G.bnk.RC[res]]
        given(res) == [c \in known.replies |-> book[c].G.h[end.G.ap].RC[res] - end.G.h[end.G.ap].RC[res]]
        hand(p) ==
            IF end.G.tp # "Surrendering" \/ p # end.G.ap THEN said(p).h[p]
            ELSE [end.G.h[p] EXCEPT !.RC = [res \in RCT |-> @[res] + Sum(given(res), known.replies)]]
    IN IF known.replies = {} THEN [SU |-> end.SU, G |-> end.G]
       ELSE [SU |-> end.SU,
             G |-> Completed([end.G EXCEPT !.due = [p \in Players |-> said(p).due[p]],
                                           !.h = [p \in Players |-> hand(p)],
                                           !.hid.sealed = [p \in Players |-> said(p).hid.sealed[p]],
                                           !.ans = [p \in Players |-> said(p).ans[p]],
                                           !.prop = [p \in Players |-> said(p).prop[p]],
                                           !.made = [p \in Players |-> said(p).made[p]],
                                           !.bnk.RC = [res \in RCT |-> @[res] + Sum(returned(res), known.replies)]])]

InGame(game) == INSTANCE Catan WITH SU <- game.SU, G <- game.G

\* It is player p's turn in a game, if nobody owes a reply.
IsTurn(game, p) == game.G.tp \notin {"Pledging", "top"} /\ InGame(game)!ToAct = p

\* A game waits for player p: who owes a reply comes first, unless nobody has to be heard.
Awaits(game, p) ==
    IF MustHear(game.G) THEN OwesIn(game.G, p) ELSE IsTurn(game, p) \/ RepliesIn(game.G, p)

-----------------------------------------------------------------------------
(* Acting: sit down, play, record, publish. *)

Refs == {"log", "reply"}

\* On the desk: who sits there, in whose name, and where the commit will be.
EmptyDesk == [who |-> NoOwner, name |-> NoOwner, on |-> RootId, merges |-> {}, wrote |-> FALSE]

IsBusy(p) == desk.who = p

ClearDesk ==
    /\ desk' = EmptyDesk
    /\ SU' = book[RootId].SU
    /\ G' = book[RootId].G

\* Player p, whom the game waits for, sits down before it.  A reply sees no other reply.  (SI6 is a convenience: this
\* module knows one temporary branch of a player at a time.)
Sit(p) ==
    LET game == Merged(view[p])
        owes == RepliesIn(game.G, p)
    IN
    /\ p \in up                                             \* SI1 up
    /\ desk = EmptyDesk                                     \* SI2 desk
    /\ Height(view[p].head) < MaxHeight                     \* SI3 bound
    /\ owes \/ IsTurn(game, p)                              \* SI4 turn
    /\ owes \/ ~MustHear(game.G)                           \* SI5 replies
    /\ owes => journal[p].reply = NoCommit                   \* SI6 tidy
    /\ desk' = [who |-> p, name |-> p, on |-> view[p].head, merges |-> IF owes THEN {} ELSE view[p].replies, wrote |-> FALSE]
    /\ SU' = game.SU
    /\ G' = IF owes THEN book[view[p].head].G ELSE game.G
    /\ UNCHANGED <<copies, up, cut, faults>>

Reply(p) ==
    \/ Pledge(p)
    \/ Reveal(p)
    \/ \E cards \in DiscardChoices(p) : Discard(p, cards)
    \/ \E answer \in {"accept", "reject"} : AnswerTrade(p, answer)
    \/ \E proposal \in Offered(MayProposeIn(G, p), OfferChoices(p)) : ProposeTrade(p, proposal.give, proposal.receive)
    \/ \E n \in Offered(G.tp = "Surrendering", 0..G.hid.sealed[p]) : Surrender(p, Only(G.hid.wanted, n))
    \/ OpenAll(p)

\* The actions that are replies.
Replies == {"Pledge", "Reveal", "Discard", "AnswerTrade", "ProposeTrade", "Surrender", "OpenAll"}

\* Whoever sits plays an action of Catan, not another's reply, and writes the objects of its commit; nothing leads to
\* them yet.
Play ==
    /\ desk.who # NoOwner                                   \* PL1 desk
    /\ ~desk.wrote                                          \* PL2 once
    /\ IF RepliesIn(G, desk.name) THEN Reply(desk.name)
       ELSE Next /\ (G.tp \in {"Discarding", "Offering"} => G'.tp # G.tp) /\ G'.prop = NoProposals
    /\ desk' = [desk EXCEPT !.wrote = TRUE]
    /\ UNCHANGED <<copies, up, cut, faults>>

\* The commit on the desk.
Written ==
    LET game == book[desk.on].G
    IN [on |-> desk.on, merges |-> desk.merges, by |-> desk.name, writer |-> desk.who, sound |-> TRUE, SU |-> SU, G |-> G,
        reply |-> desk.merges = {} /\ RepliesIn(game, desk.name)]

\* Whether the same commit is there already; its id is the same then.
IsKnown == \E c \in DOMAIN book : book[c] = Written

\* The ids that are free for a commit of player p on the commit c.
FreeIds(p, c, merges) ==
    LET height == Height(c) + (IF merges = {} THEN 1 ELSE 2)
        variants == {d[3] : d \in {d \in DOMAIN book : d[1] = height /\ d[2] = p}}
    IN {<<height, p, n>> : n \in {n \in 1..(Cardinality(variants) + 1) : n \notin variants}}

\* The game after a commit was recorded: `newest` follows the line, whatever the order of the replies; one that comes too
\* late changes nothing.
NewestWith(id, commit) ==
    IF ~commit.reply THEN [SU |-> commit.SU, G |-> commit.G]
    ELSE IF WentOn(commit.on) THEN newest
    ELSE LET game == book[commit.on].G
             with(old, new, before) == [res \in RCT |-> old[res] + new[res] - before[res]]
         IN [newest EXCEPT !.G = Completed([@ EXCEPT
                 !.due[commit.by] = commit.G.due[commit.by],
                 !.h[game.ap].RC = with(@, commit.G.h[game.ap].RC, game.h[game.ap].RC),
                 !.h[commit.by] = commit.G.h[commit.by],
                 !.hid.sealed[commit.by] = commit.G.hid.sealed[commit.by],
                 !.ans[commit.by] = commit.G.ans[commit.by],
                 !.prop[commit.by] = commit.G.prop[commit.by],
                 !.made[commit.by] = commit.G.made[commit.by],
                 !.bnk.RC = with(@, commit.G.bnk.RC, game.bnk.RC)])]

\* In place of NewestWith, where actions may be lost: there is no newest game then.
NoNewest(id, commit) == newest

\* Player p records the commit with the move of its ref, in one append to the journal: now the action is acknowledged.
Record(p) ==
    /\ IsBusy(p)                                            \* RE1 desk
    /\ desk.wrote                                           \* RE2 written
    /\ desk.name = p                                        \* RE3 own
    /\ ~IsKnown                                             \* RE4 new
    /\ LET id == CHOOSE id \in FreeIds(p, desk.on, desk.merges) : TRUE
           beside == {c \in view[p].replies : book[c].on = desk.on /\ book[c].by # p}
       IN /\ book' = book @@ (id :> Written)
          /\ IF Written.reply
             THEN /\ journal' = [journal EXCEPT ![p].reply = id]
                  /\ view' = [view EXCEPT ![p] = Knowing(desk.on, beside \cup {id})]
             ELSE /\ journal' = [journal EXCEPT ![p].log = id]
                  /\ view' = [view EXCEPT ![p] = Knowing(id, {})]
          /\ newest' = NewestWith(id, Written)
    /\ ClearDesk
    /\ UNCHANGED <<shown, up, cut, proofs, faults>>

\* Player p rises without a new commit: it played what it had played before.  Only liars ever do.
Rise(p) ==
    /\ IsBusy(p)                                            \* RI1 desk
    /\ desk.wrote                                           \* RI2 written
    /\ IsKnown                                              \* RI3 known
    /\ ClearDesk
    /\ UNCHANGED <<copies, up, cut, faults>>

\* Player p moves some of its refs to where the journal has them; they are moved one after the other.
Publish(p, refs) ==
    /\ p \in up                                             \* PU1 up
    /\ ~IsBusy(p)                                           \* PU2 free
    /\ \A ref \in refs : shown[p][ref] # journal[p][ref]    \* PU3 moved
    /\ shown' = [shown EXCEPT ![p] = [ref \in DOMAIN @ |-> IF ref \in refs THEN journal[p][ref] ELSE @[ref]]]
    /\ UNCHANGED <<SU, G, book, journal, view, up, cut, desk, proofs, faults, newest>>

\* Player p removes its temporary branch, once a merge of it is in its own repository, or the commit with which play went
\* on without it.
Remove(p) ==
    /\ p \in up                                             \* RM1 up
    /\ ~IsBusy(p)                                           \* RM2 free
    /\ journal[p].reply # NoCommit                           \* RM3 there
    /\ IsHandled(journal[p].reply, Past(journal[p].log) \cup Past(journal[p].seen.head))          \* RM4 merged
    /\ journal' = [journal EXCEPT ![p].reply = NoCommit]
    /\ UNCHANGED <<SU, G, book, shown, view, up, cut, desk, proofs, faults, newest>>

-----------------------------------------------------------------------------
(* Reading others' logs.  A fetch brings any part of what is visible, at any time: it is one step for each commit that  *)
(* is taken in, and ends where it ends.  A repository can be read while its player's program does not run.              *)

\* Who finds commit c in the repository of q may take it for its author's: the signature says so or, without signatures,
\* whose repository it is.
Attested(c, q) == IF Signed THEN book[c].writer = book[c].by ELSE book[c].by = q

\* Player p finds commit c in the repository of q, judges it, and takes it in.
TakeIn(p, q, c) ==
    /\ p \in up                                             \* TI1 up
    /\ ~IsBusy(p)                                           \* TI2 free
    /\ {p, q} \notin cut                                    \* TI3 link
    /\ c \notin Held(p)                                     \* TI4 new
    /\ book[c].on = view[p].head                            \* TI5 forward
    /\ HasParents(c, view[p].replies)                       \* TI6 parents
    /\ \A d \in view[p].replies : ~Contradict(c, d)         \* TI7 fork
    /\ book[c].sound                                        \* TI8 valid
    /\ Attested(c, q)                                       \* TI9 attested
    /\ view' = [view EXCEPT ![p] = IF book[c].reply THEN Knowing(@.head, @.replies \cup {c}) ELSE Knowing(c, {})]
    /\ UNCHANGED <<SU, G, book, journal, shown, up, cut, desk, proofs, faults, newest>>

\* Player p records what it has taken in: its copies of others' logs move forward.
Keep(p) ==
    /\ p \in up                                             \* KE1 up
    /\ ~IsBusy(p)                                           \* KE2 free
    /\ ~(Held(p) \subseteq Kept(p))                         \* KE3 more
    /\ journal' = [journal EXCEPT ![p].seen = view[p]]
    /\ UNCHANGED <<SU, G, book, shown, view, up, cut, desk, proofs, faults, newest>>

\* Player p finds in the repository of q a commit c that contradicts the commit d, which it holds: evidence.
Prove(p, q, c, d) ==
    /\ p \in up                                             \* PR1 up
    /\ ~IsBusy(p)                                           \* PR2 free
    /\ {p, q} \notin cut                                    \* PR3 link
    /\ Contradict(c, d)                                     \* PR4 fork
    /\ Attested(c, q)                                       \* PR5 attested
    /\ {c, d} \notin proofs[p]                              \* PR6 new
    /\ proofs' = [proofs EXCEPT ![p] = @ \cup {{c, d}}]
    /\ UNCHANGED <<SU, G, book, journal, shown, view, up, cut, desk, faults, newest>>

-----------------------------------------------------------------------------
(* What goes wrong by itself. *)

\* The program of p ends at any moment: what it has not recorded is gone.
Crash(p) ==
    /\ p \in up                                             \* CR1 up
    /\ faults.crashes < MaxCrashes                          \* CR2 bound
    /\ up' = up \ {p}
    /\ view' = [view EXCEPT ![p] = Knowing(RootId, {})]
    /\ faults' = [faults EXCEPT !.crashes = @ + 1]
    /\ IF IsBusy(p) THEN ClearDesk ELSE UNCHANGED <<SU, G, desk>>
    /\ UNCHANGED <<book, journal, shown, cut, proofs, newest>>

\* What player p knows when it starts: what its repository leads to.
Remembered(p) ==
    LET heads == {journal[p].log, journal[p].seen.head}
                 \cup (IF journal[p].reply = NoCommit THEN {} ELSE {book[journal[p].reply].on})
        head == CHOOSE c \in heads : \A d \in heads : Height(d) <= Height(c)
        replies == {c \in journal[p].seen.replies \cup ({journal[p].reply} \ {NoCommit}) : book[c].on = head}
    IN Knowing(head, replies)

\* The program of p starts again, publishes what the journal holds, and remembers.
Restart(p) ==
    /\ p \notin up                                          \* RS1 down
    /\ up' = up \cup {p}
    /\ shown' = [shown EXCEPT ![p] = [ref \in Refs |-> journal[p][ref]]]
    /\ view' = [view EXCEPT ![p] = Remembered(p)]
    /\ UNCHANGED <<SU, G, book, journal, cut, desk, proofs, faults, newest>>

Cut(p, q) ==
    /\ p < q                                                \* CU1 two
    /\ {p, q} \notin cut                                    \* CU2 whole
    /\ faults.cuts < MaxCuts                                \* CU3 bound
    /\ cut' = cut \cup {{p, q}}
    /\ faults' = [faults EXCEPT !.cuts = @ + 1]
    /\ UNCHANGED <<SU, G, copies, up, desk>>

Heal(p, q) ==
    /\ {p, q} \in cut                                       \* HE1 cut
    /\ cut' = cut \ {{p, q}}
    /\ UNCHANGED <<SU, G, copies, up, desk, faults>>

-----------------------------------------------------------------------------
(* What a dishonest player may do besides: everything with their own log, and pretend to have seen what they made up. *)

\* Player w sits down where they have already acted, to continue from there in another way.
Equivocate(w, old) ==
    /\ w \in Liars \cap up                                  \* EQ1 liar
    /\ desk = EmptyDesk                                     \* EQ2 desk
    /\ faults.lies < MaxLies /\ "equivocate" \in Lies       \* EQ3 bound
    /\ old \in Held(w) \ {RootId}                           \* EQ4 held
    /\ book[old].by = w                                     \* EQ5 own
    /\ desk' = [who |-> w, name |-> w, on |-> book[old].on, merges |-> book[old].merges, wrote |-> FALSE]
    /\ LET game == Merged(Knowing(book[old].on, book[old].merges)) IN SU' = game.SU /\ G' = game.G
    /\ faults' = [faults EXCEPT !.lies = @ + 1]
    /\ UNCHANGED <<copies, up, cut>>

\* Player w records a commit that no action leads to: a card out of thin air.
Fabricate(w) ==
    /\ w \in Liars \cap up                                  \* FA1 liar
    /\ ~IsBusy(w)                                           \* FA2 free
    /\ faults.lies < MaxLies /\ "fabricate" \in Lies        \* FA3 bound
    /\ LET on == book[view[w].head]
           id == CHOOSE id \in FreeIds(w, view[w].head, {}) : TRUE
           false == [on |-> view[w].head, merges |-> {}, by |-> w, writer |-> w, reply |-> FALSE, sound |-> FALSE,
                     SU |-> on.SU, G |-> [on.G EXCEPT !.h[w].RC.Ore = @ + 1]]
       IN /\ book' = book @@ (id :> false)
          /\ journal' = [journal EXCEPT ![w].log = id]
    /\ faults' = [faults EXCEPT !.lies = @ + 1]
    /\ UNCHANGED <<SU, G, shown, view, up, cut, desk, proofs, newest>>

\* Player w, who knows that the game waits for q, sits down in the name of q.
Forge(w, q) ==
    LET game == Merged(view[w])
        owes == RepliesIn(game.G, q)
    IN
    /\ w \in Liars \cap up                                  \* FO1 liar
    /\ desk = EmptyDesk                                     \* FO2 desk
    /\ faults.lies < MaxLies /\ "forge" \in Lies            \* FO3 bound
    /\ Height(view[w].head) < MaxHeight                     \* FO4 height
    /\ Awaits(game, q)                                      \* FO5 awaited
    /\ \A c \in view[w].replies : book[c].by # q            \* FO6 fresh
    /\ desk' = [who |-> w, name |-> q, on |-> view[w].head, merges |-> IF owes THEN {} ELSE view[w].replies, wrote |-> FALSE]
    /\ SU' = game.SU
    /\ G' = IF owes THEN book[view[w].head].G ELSE game.G
    /\ faults' = [faults EXCEPT !.lies = @ + 1]
    /\ UNCHANGED <<copies, up, cut>>

\* Player w puts the commit that they have written in another's name where copies of that player's log are.
Pretend(w) ==
    /\ IsBusy(w)                                            \* PT1 desk
    /\ desk.wrote                                           \* PT2 written
    /\ desk.name # w                                        \* PT3 other
    /\ ~IsKnown                                             \* PT4 new
    /\ LET id == CHOOSE id \in FreeIds(desk.name, desk.on, desk.merges) : TRUE
           beside == {c \in view[w].replies : book[c].by # w}
       IN /\ book' = book @@ (id :> Written)
          /\ journal' = [journal EXCEPT ![w].seen = IF Written.reply THEN Knowing(desk.on, beside \cup {id})
                                                   ELSE Knowing(id, {})]
    /\ ClearDesk
    /\ UNCHANGED <<shown, view, up, cut, proofs, faults, newest>>

\* Player w shows another of their commits than before, as if the others had never been.
Turn(w, c) ==
    /\ w \in Liars \cap up                                  \* TU1 liar
    /\ ~IsBusy(w)                                           \* TU2 free
    /\ c # RootId /\ book[c].by = w                         \* TU3 own
    /\ LET ref == IF book[c].reply THEN "reply" ELSE "log" IN
       /\ shown[w][ref] # c                                 \* TU4 another
       /\ shown' = [shown EXCEPT ![w][ref] = c]
    /\ UNCHANGED <<SU, G, book, journal, view, up, cut, desk, proofs, faults, newest>>

-----------------------------------------------------------------------------
(* The state machine. *)

P2PInit ==
    /\ Init
    /\ book = (RootId :> [on |-> RootId, merges |-> {}, by |-> 1, writer |-> 1, reply |-> FALSE, sound |-> TRUE, SU |-> SU, G |-> G])
    /\ journal = [p \in Players |-> [log |-> RootId, reply |-> NoCommit, seen |-> Knowing(RootId, {})]]
    /\ shown = [p \in Players |-> [log |-> RootId, reply |-> NoCommit]]
    /\ view = [p \in Players |-> Knowing(RootId, {})]
    /\ up = Players
    /\ cut = {}
    /\ desk = EmptyDesk
    /\ proofs = [p \in Players |-> {}]
    /\ faults = [crashes |-> 0, cuts |-> 0, lies |-> 0]
    /\ newest = [SU |-> SU, G |-> G]

IsOver == newest.G.tp = "top" \/ \E c \in DOMAIN book : Height(c) >= MaxHeight /\ ~book[c].reply

AllIsWell == up = Players /\ cut = {}

\* Everybody holds the same commits.
Agreed == \A p, q \in Honest : view[p] = view[q]

Moved(p) == {ref \in Refs : shown[p][ref] # journal[p][ref]}

ReadFrom(p, q) == \E c \in Visible(q) : TakeIn(p, q, c)
ProveFrom(p, q) == \E c \in Visible(q) : \E d \in Held(p) : Prove(p, q, c, d)

\* The end, in a model that has one: nobody may act, and everybody knows.  Any other standstill is an error.
Rest ==
    /\ AllIsWell /\ IsOver /\ Agreed
    /\ UNCHANGED p2pVars

\* What a peer does in its own memory nobody sees.  So it is done in one go, if the peer does not crash in the middle: after
\* it has sat down it plays and records, and what it has taken in it keeps.
InMidst(p) == IsBusy(p) \/ (p \in up /\ ~(Held(p) \subseteq Kept(p)))

GoOn(p) ==
    \/ Play
    \/ Record(p)
    \/ Rise(p)
    \/ Pretend(p)
    \/ Keep(p)
    \/ Crash(p)

Begin(p) ==
    \/ Sit(p)
    \/ \E ref \in Moved(p) : Publish(p, {ref})
    \/ Remove(p)
    \/ \E q \in Players \ {p} : ReadFrom(p, q)
    \/ \E q \in Players \ {p} : ProveFrom(p, q)
    \/ Crash(p)
    \/ Restart(p)
    \/ \E q \in Players : Cut(p, q) \/ Heal(p, q)

Lie(w) ==
    \/ \E old \in DOMAIN book : Equivocate(w, old)
    \/ Fabricate(w)
    \/ \E q \in Players \ {w} : Forge(w, q)
    \/ \E c \in DOMAIN book : Turn(w, c)

P2PNext ==
    \/ \E p \in Players : InMidst(p) /\ GoOn(p)
    \/ /\ \A p \in Players : ~InMidst(p)
       /\ \/ \E p \in Players : Begin(p)
          \/ \E w \in Liars : Lie(w)
          \/ Rest

P2PSpec == P2PInit /\ [][P2PNext]_p2pVars

\* The same where nobody waits while another is in the midst of something: what P2PNext leaves out.  A test compares the
\* states in which nobody is: they are the same.
FreeNext ==
    \/ \E p \in Players : IF InMidst(p) THEN GoOn(p) ELSE Begin(p)
    \/ \E w \in Liars : ~InMidst(w) /\ Lie(w)
    \/ Rest

\* Whoever sits rises again, what is recorded gets published, what is visible gets read: time passes for everybody.
Diligent(p) ==
    \/ IsBusy(p) /\ Play
    \/ Record(p) \/ Rise(p) \/ Pretend(p) \/ Keep(p) \/ Remove(p)
    \/ \E ref \in Moved(p) : Publish(p, {ref})
    \/ \E q \in Players \ {p} : ReadFrom(p, q) \/ ProveFrom(p, q)

\* Whom the game waits for acts.
Eager(p) == Sit(p)

\* Nobody stays down, no link stays cut; as both have happened only so often, all is well in the end.
Recovering(p) == Restart(p) \/ \E q \in Players : Heal(p, q)

\* A player who can do any of this does some of it.  A player has only so much to do, so this asks for no order.
FairP2PSpec == P2PSpec /\ \A p \in Players : WF_p2pVars(Diligent(p) \/ Eager(p) \/ Recovering(p))

-----------------------------------------------------------------------------
(* The game that all of this implements. *)

Game == INSTANCE Catan WITH SU <- newest.SU, G <- newest.G

Refines == Game!Spec

\* The same for a model that begins in the middle of a game.
RefinesNext == [][Game!Next]_<<newest>>

\* The same without the counts of offers and proposals: one that nobody heard was made, and counts no more once play has gone
\* on without it.  That no more count than the rules allow is an invariant (OfferIsCovered) of every commit and view.
Uncounted ==
    INSTANCE Catan WITH SU <- newest.SU, G <- [newest.G EXCEPT !.made = NoneMade], Rules <- [Rules EXCEPT !.OffersPerTurn = 0, !.ProposalsPerTurn = 0]

RefinesNextUncounted == [][Uncounted!Next]_<<newest>>

Mind(p) == INSTANCE Catan WITH SU <- Merged(view[p]).SU, G <- Merged(view[p]).G

\* What an honest peer believes is a game of Catan, step by step, from the root to whatever it takes in; only when it
\* crashes and when it starts again it jumps, to something that it has believed before.
EveryViewIsAGame ==
    [][\A p \in Honest : \/ view'[p] = view[p]
                         \/ p \notin (up \cap up')
                         \/ Mind(p)!Next]_view

UncountedMind(p) ==
    INSTANCE Catan WITH SU <- Merged(view[p]).SU, G <- [Merged(view[p]).G EXCEPT !.made = NoneMade],
                        Rules <- [Rules EXCEPT !.OffersPerTurn = 0, !.ProposalsPerTurn = 0]

EveryViewIsAnUncountedGame ==
    [][\A p \in Honest : \/ view'[p] = view[p]
                         \/ p \notin (up \cap up')
                         \/ UncountedMind(p)!Next]_view

-----------------------------------------------------------------------------
(* Invariants. *)

HonestCommits == {c \in DOMAIN book \ {RootId} : book[c].writer \in Honest}

\* The game that a commit holds.
GameAt(c) == INSTANCE Catan WITH SU <- book[c].SU, G <- book[c].G

\* Every variable has its type, and whatever is held was recorded; a sound commit holds a game.
P2PTypeOK ==
    LET commits == DOMAIN book
        lines == [head: commits, replies: SUBSET commits]
    IN
    /\ TypeOK
    /\ RootId \in commits /\ commits \subseteq Nat \X Players \X Nat
    /\ \A c \in commits :
        /\ DOMAIN book[c] = {"on", "merges", "by", "writer", "reply", "sound", "SU", "G"}
        /\ book[c].on \in commits /\ book[c].merges \subseteq commits
        /\ book[c].by \in Players /\ book[c].writer \in Players
        /\ book[c].reply \in BOOLEAN /\ book[c].sound \in BOOLEAN
        /\ book[c].sound => GameAt(c)!TypeOK
    /\ journal \in [Players -> [log: commits, reply: commits \cup {NoCommit}, seen: lines]]
    /\ shown \in [Players -> [log: commits, reply: commits \cup {NoCommit}]]
    /\ view \in [Players -> lines]
    /\ \A p \in Players : ~book[view[p].head].reply /\ \A c \in view[p].replies : book[c].reply
    /\ up \subseteq Players
    /\ cut \subseteq {{p, q} : p, q \in Players}
    /\ desk \in [who: Players \cup {NoOwner}, name: Players \cup {NoOwner}, on: commits, merges: SUBSET commits, wrote: BOOLEAN]
    /\ proofs \in [Players -> SUBSET SUBSET commits]
    /\ faults \in [crashes: 0..MaxCrashes, cuts: 0..MaxCuts, lies: 0..MaxLies]
    /\ DOMAIN newest = {"SU", "G"}

\* Only its owner extends a log, and only with what the game waits for them to do.
OwnersOnly ==
    /\ \A p \in Honest : journal[p].log = RootId \/ book[journal[p].log].by = p
    /\ \A c \in HonestCommits : Awaits(Merged(Knowing(book[c].on, book[c].merges)), book[c].by)

\* What two honest peers hold of an honest player's log is a prefix of one another; where nobody lies, so is the whole line.
Prefixes ==
    /\ \A q \in Honest :
        LET of(p) == {c \in Held(p) : book[c].by = q /\ ~IsOvertaken(c)}
        IN \A p, r \in Honest : of(p) \subseteq of(r) \/ of(r) \subseteq of(p)
    /\ Liars = {} =>
        LET heads == UNION {{view[p].head, journal[p].log, journal[p].seen.head, shown[p].log} : p \in Players}
        IN \A d \in heads : LET past == Past(d) IN \A c \in heads : Height(c) <= Height(d) => c \in past

\* No acknowledged action is ever lost: its author's own repository leads to it, unless it is a reply that play went on
\* without.
NothingIsLost ==
    \A p \in Honest : LET kept == Kept(p) IN \A c \in HonestCommits : book[c].by = p => c \in kept \/ IsOvertaken(c)

\* A peer that runs knows all that it has kept, also after a crash.
NothingIsForgotten == \A p \in up \cap Honest : \A c \in Kept(p) : c \in Held(p) \/ IsOvertaken(c)

\* A merge contains the reply of everybody who owed one, exactly once, and where nobody has to be heard, at most once of
\* those who may reply; no other commit merges anything.
MergesAreWhole ==
    \A c \in HonestCommits :
        LET game == book[book[c].on].G
            owing == {p \in Players : OwesIn(game, p)}
        IN ~book[c].reply
           => LET authors == {book[d].by : d \in book[c].merges}
              IN /\ IF TalksIn(game) THEN authors \subseteq {p \in Players : RepliesIn(game, p)} ELSE authors = owing
                 /\ Cardinality(book[c].merges) = Cardinality(authors)

\* A temporary branch is removed only after its merge is held.
RemovedAfterMerge ==
    \A p \in Honest :
        LET merged == UNION {book[d].merges : d \in Kept(p)}
        IN \A c \in HonestCommits :
              book[c].by = p /\ book[c].reply /\ journal[p].reply # c =>
                  c \in merged \/ IsHandled(c, Kept(p))

\* Nobody honest holds two continuations of one log.
NeverBoth == \A p \in Honest : \A c, d \in Held(p) : ~Contradict(c, d)

\* Nobody can be proven a liar who is none.
ProofsAreTrue == \A p \in Players : \A pair \in proofs[p] : \A c \in pair : book[c].by \in Liars

\* Honest peers hold sound commits only, ...
OnlySound == \A p \in Honest : \A c \in Held(p) : book[c].sound

\* ... and only those that are by whom they say.
NoneForged == \A p \in Honest : \A c \in Held(p) : book[c].writer = book[c].by

\* Whatever an honest peer believes, and the game after all recorded actions, satisfies the invariants of Catan.
ViewsAreSound ==
    \A p \in Honest :
        /\ Mind(p)!TypeOK
        /\ Mind(p)!ConservationOfResourceCards /\ Mind(p)!ConservationOfDevelopmentCards
        /\ Mind(p)!ConservationOfBuildings /\ Mind(p)!DistanceRule /\ Mind(p)!RoadsConnected /\ Mind(p)!BanditOnLand
        /\ Mind(p)!BonusHolders /\ Mind(p)!BoughtByActive /\ Mind(p)!TurnOrder /\ Mind(p)!OfferIsCovered
        /\ Mind(p)!SharesAreDue /\ Mind(p)!AwayAreSkipped /\ Mind(p)!WinAtOnce

GameIsSound ==
    Liars = {} =>
        /\ Game!TypeOK
        /\ Game!ConservationOfResourceCards /\ Game!ConservationOfDevelopmentCards
        /\ Game!ConservationOfBuildings /\ Game!DistanceRule /\ Game!RoadsConnected /\ Game!BanditOnLand
        /\ Game!BonusHolders /\ Game!BoughtByActive /\ Game!TurnOrder /\ Game!OfferIsCovered
        /\ Game!SharesAreDue /\ Game!AwayAreSkipped /\ Game!WinAtOnce

-----------------------------------------------------------------------------
(* Action and temporal properties. *)

\* Logs only grow: what is recorded, and what is published, leads to all that it has led to before.
LogsOnlyGrow ==
    [][\A p \in Honest : /\ journal[p].log \in Past(journal[p].log)'
                         /\ journal[p].seen.head \in Past(journal[p].seen.head)'
                         /\ shown[p].log \in Past(shown[p].log)']_<<journal, shown>>

\* When links heal, nobody crashes and nobody acts any more, all peers hold the same commit in the end.
Convergence == <>[]AllIsWell => <>[]Agreed

\* Play goes on to its end when all is well, ...
PlayGoesOn == <>[]AllIsWell => <>IsOver

\* ... and as long as whoever is awaited is running and knows the newest commit, whatever becomes of the others.
Ready(p) ==
    /\ p \in up
    /\ Merged(view[p]) = newest
    /\ Awaits(newest, p)
    /\ Height(view[p].head) < MaxHeight

TheAwaitedGoOn == \A p \in Players : []<>~Ready(p)

\* Two honest peers hold commits that contradict each other, and not both of them can prove it.
Unnamed(p, q) ==
    \E c \in Held(p), d \in Held(q) : Contradict(c, d) /\ ({c, d} \notin proofs[p] \/ {c, d} \notin proofs[q])

\* Once the honest have exchanged their logs, each can name the two commits that prove a lie.
LiarsAreNamed == \A p, q \in Honest : <>[]AllIsWell => <>[]~Unnamed(p, q)

=============================================================================
