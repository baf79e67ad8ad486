"""Accounting: which rows of a plan that a model made serve which clause of its request, and which none does."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property, partial

from msgspec import Struct

from agent.composer.changing.stage import tracks_of
from agent.composer.commitments import removable
from agent.composer.styles import StyleBook
from agent.composer.tokens import tokens_of
from agent.composer.understanding.clause import ReadClause
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.wishes import Wish
from agent.plan.document import Plan
from agent.plan.plan import Clause, StepId
from agent.plan.planning import Brief
from agent.review.deletions import deletions
from agent.review.preview import Preview, RowPreview
from agent.song import edits as e
from agent.song.ids import TrackId

_ABOUT = 0.5
"""Share of the words of a clause that a sentence about it repeats at least."""


class Accounting(Struct, frozen=True, dict=True):
    """Checks which clauses of a request a plan made by a model fulfils.

    `intent` is the request as the rules read it, which divides it into clauses; the model may have understood more. A
    clause is "done" by the rows that the model names for it (`Plan.asks`) if they touch a part that the clause names,
    otherwise it is "told" as not done. Rows that remove music count only for a clause that asks for that.
    """

    intent: Intent
    plan: Plan
    preview: Preview
    brief: Brief
    lexicon: Lexicon
    styles: StyleBook

    def clauses(self) -> tuple[Clause, ...]:
        """The outcome of each clause of the request, in order."""
        return tuple(map(self._clause, self._cut))

    @cached_property
    def _cut(self) -> tuple[ReadClause, ...]:
        """The clauses of the request; what is told within another one belongs to that, because a model read it too."""
        read = [one for one in self.intent.clauses if one.text]
        whole = [one for one in read if one.outcome != "told"]
        told = [one for one in read if one.outcome == "told"]
        alone = [one for one in told if not any(one.start < other.end and other.start < one.end for other in whole)]
        words = self.plan.request
        return tuple(sorted([*whole, *alone], key=_start)) or (ReadClause(0, 0, "told", text=words, end=len(words)),)

    def _clause(self, one: ReadClause) -> Clause:
        if one.outcome == "limit":
            return Clause(one.text, one.start, one.end, "done")
        for told in self.plan.clauses:
            if told.outcome == "told" and told.start < one.end and one.start < told.end:
                return Clause(one.text, one.start, one.end, "told", reason=told.reason)
        asked_to_go = self._asked_to_go(one)
        serving = [step for step in self._serving(one) if not asked_to_go or step not in self._lost]
        steps = tuple(dict.fromkeys((*serving, *asked_to_go)))
        if not steps:
            return Clause(one.text, one.start, one.end, "told", reason=self._reason(one))
        return Clause(one.text, one.start, one.end, "done", steps, removes=bool(asked_to_go), thins=bool(asked_to_go))

    def _serving(self, one: ReadClause) -> tuple[StepId, ...]:
        """The rows that do something for a clause."""
        claimed, parts = self._claimed[one], self._parts(one)
        if parts is None:
            return tuple(step for step in claimed if step in self._working)
        about = [step for step, touched in self._working.items() if touched is None or touched & parts]
        free = {step for steps in self._claimed.values() for step in steps}
        return tuple(step for step in about if (step in claimed if claimed else step not in free))

    @cached_property
    def _working(self) -> Mapping[StepId, frozenset[TrackId] | None]:
        """The rows that make something of the song, with the tracks that they touch; None where only the run tells."""
        return {
            row.step: None if row.unseen else _touched(row) for row in self.preview.rows
            if row.unseen or (row.before != row.after and not all(map(_ends, row.edits)))
        }

    @cached_property
    def _claimed(self) -> Mapping[ReadClause, tuple[StepId, ...]]:
        """The rows that the model names for each clause; all of them for each where it names none at all."""
        asks = [ask for ask in self.plan.asks if ask.steps]
        if not asks:
            return dict.fromkeys(self._cut, tuple(step.id for step in self.plan.steps))
        found: dict[ReadClause, list[StepId]] = defaultdict(list)
        for ask in asks:
            found[max(self._cut, key=partial(self._nearness, ask.asked))] += ask.steps
        return {one: tuple(dict.fromkeys(found[one])) for one in self._cut}

    def _nearness(self, words: str, one: ReadClause) -> float:
        said, meant = self._content(words), self._content(one.text)
        return len(said & meant) / max(1, len(said | meant))

    def _content(self, text: str) -> frozenset[str]:
        grammar = self.lexicon.words.grammar
        return frozenset(tokens_of(text.casefold())) - {*grammar.skip, *grammar.empty, *grammar.joins}

    def _parts(self, one: ReadClause) -> frozenset[TrackId] | None:
        """The tracks, of the song before or after, that a clause names; None where it names no part."""
        wishes = self._wishes(one)
        songs = (self.brief.song, self.preview.song)
        found = frozenset(
            track for wish in wishes for song in songs for track in tracks_of(wish, song, self.brief.palette)
        )
        return found if wishes else None

    def _wishes(self, one: ReadClause) -> list[Wish]:
        tokens, found, at = tokens_of(one.text.casefold()), [], 0
        while at < len(tokens):
            named = self.lexicon.wish_at(tokens, at)
            found += [] if named is None else [named[1]]
            at += 1 if named is None else named[0]
        return found

    @cached_property
    def _lost(self) -> Mapping[StepId, list[tuple[TrackId, tuple[int, ...]]]]:
        """The rows that take music away, with the tracks and bars that they silence."""
        found: dict[StepId, list[tuple[TrackId, tuple[int, ...]]]] = defaultdict(list)
        for step, track, bars in deletions(self.preview, self.brief.song, self.brief.palette):
            found[step].append((track, bars))
        return found

    def _asked_to_go(self, one: ReadClause) -> tuple[StepId, ...]:
        """The rows that take away only what the request asks to go, and something of it for this clause."""
        tasks = [number for number, task in enumerate(self.intent.tasks) if one.number in task.clauses]
        going, of_all = removable(self.intent, tasks, self.brief, self.styles), self.brief.removable
        return tuple(
            step for step, lost in self._lost.items()
            if all(of_all.allows(*part) for part in lost) and any(going.allows(track, ()) for track, _ in lost)
        )

    def _reason(self, one: ReadClause) -> str:
        """Why nothing of the plan serves a clause: in the model's own words where it gives any."""
        meant = self._content(one.text)
        for given in self.plan.ignored:
            if meant and len(meant & self._content(given)) >= _ABOUT * len(meant):
                return given
        rows = self._claimed[one] if any(ask.steps for ask in self.plan.asks) else ()
        named = ", ".join(wish.label for wish in self._wishes(one))
        if rows and named:
            return f"row {', '.join(rows[:3])} was named for it, but changes nothing of {named}"
        return f"no row of the plan changes anything of {named}" if named else "no row of the plan was made for it"


def _ends(edit: e.Edit) -> bool:
    """Whether it only lets something be heard no more, which serves no other wish."""
    return isinstance(edit, e.DeleteTrack | e.DeleteClip) or (isinstance(edit, e.UpdateTrack) and edit.mute is True)


def _start(one: ReadClause) -> int:
    return one.start


def _touched(row: RowPreview) -> frozenset[TrackId]:
    """The tracks that a row changes, makes or takes away."""
    before = {track.id: track for track in row.before.tracks}
    after = {track.id: track for track in row.after.tracks}
    return frozenset(track for track in before.keys() | after.keys() if before.get(track) is not after.get(track))
