"""A line that goes back: what it has given up is not shown any more, and votes stand where they were cast."""

from collections import Counter

from catan_p2p.game.actions import Call, Reveal
from catan_p2p.log.reading import take_in
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.view.events import ChangeSigned
from tests.log.views.table import ViewTable
from tests.log.views.test_views import rules_of, stopped
from visualizer.data.line_course import LineCourse
from visualizer.data.recording import GameRecording, PlayedStep
from visualizer.pictures.explain import TargetExplainer
from visualizer.view import RecordingView, ViewSituation


class Shown:
    """What somebody who watches has heard, and what is shown of it."""

    def __init__(self, table: ViewTable) -> None:
        self.table, self.graph = table, table.fresh_graph()
        self.course = LineCourse(self.graph)
        self.steps = [PlayedStep(self.graph.root, (), "Red_0", None, self.graph.state)]

    def hear(self, *heads: ObjectId) -> None:
        """Take in commits and all that they link to."""
        for head in heads:
            assert take_in(self.graph, head, self.table.objects.read) is None
        kept, news = self.course.news(self.steps)
        self.steps[kept:] = [step for step, _ in news]


def test_what_the_line_has_given_up_is_no_longer_shown() -> None:
    table = ViewTable(4, rules_of(4, 1), seed=3)
    table.play(60)
    while len(table.parties[1].duty.awaited()) > 1:
        table.play(1)
    shown, silent = Shown(table), stopped(table)
    given_up = silent.act(silent.actions()[0])
    shown.hear(given_up)
    assert shown.steps[-1].commit == given_up
    table.settle()
    table.play(4)
    for one in table.up():
        shown.hear(*one.graph.chain_ends.values())
    commits = [step.commit for step in shown.steps]
    assert given_up not in commits
    votes = [
        step.action for step in shown.steps if isinstance(step.action, ChangeSigned) and step.action.kind == "vote"
    ]
    assert len(votes) >= 3
    assert all(vote.others == (silent.party,) for vote in votes[:1])
    assert shown.steps[-1].state == table.up()[0].play.state
    again = Shown(table)
    for one in table.up():
        again.hear(*one.graph.chain_ends.values())
    assert [step.commit for step in again.steps if step.action] == commits[1:]


def test_each_step_has_the_state_after_it() -> None:
    table = ViewTable(3, rules_of(3, 1), seed=4)
    shown = Shown(table)
    for _ in range(40):
        table.play(2)
        shown.hear(*table.parties[1].graph.chain_ends.values())
    before = shown.steps[0].state
    assert before == shown.graph.at_root().state
    assert shown.steps[-1].state == shown.graph.state
    assert len(shown.steps) == 1 + len(shown.graph.line_commits())


def test_a_commit_that_links_to_its_players_last_one_is_no_merge() -> None:
    table = ViewTable(3, rules_of(3, 1), seed=4)
    table.play(60)
    shown = Shown(table)
    shown.hear(*table.up()[0].graph.chain_ends.values())
    game = GameRecording(table.game.constants, table.game.seats)
    for step in shown.steps:
        game.append(step)
    explainer, told = TargetExplainer(game, RecordingView(index=game.last), ViewSituation()), Counter[str]()
    for step in game.steps:
        told.update({line for line in explainer.lines(("commit", step.index)) if line.startswith("A merge")})
    calls = sum(isinstance(step.action, Call) for step in game.steps)
    assert told["A merge: it joins the beginning and 3 pledges."] == 1
    reveals = calls - isinstance(game.steps[-1].action, Call | Reveal)
    assert told["A merge: it joins the call and 2 reveals."] == reveals > 0
    talk = [line for line in told if "the offer" in line or "the turn" in line]
    assert len(told) == 2 + len(talk)
