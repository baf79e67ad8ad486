"""The composer: a planner without a model, from a request to a draft of exact rows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from threading import Event

from msgspec import structs

from agent.composer.accounting import Accounting
from agent.composer.amending.amendments import Amending
from agent.composer.amending.remarks import Remarks
from agent.composer.amending.replanning import Replanned, Replanning
from agent.composer.asking import Asker, needs_question
from agent.composer.asks import asks_for
from agent.composer.changing.change import ChangeWriter, kept_tracks, milder
from agent.composer.changing.changed import Changed
from agent.composer.changing.operations.catalogue import catalogue
from agent.composer.changing.replace import clear, fitting
from agent.composer.changing.report.task_asks import task_asks
from agent.composer.changing.stage import tracks_of
from agent.composer.choosing import choose_style
from agent.composer.commitments import commitments_of
from agent.composer.dice import Dice
from agent.composer.drafting import Rehearsal, draft_of
from agent.composer.guard import Guard
from agent.composer.refining import Refining, row_named
from agent.composer.refining_words import RefiningWords, without_plan
from agent.composer.rows import Rows
from agent.composer.rows_meant import PartAt, RowsMeant, rows_meant
from agent.composer.styles import Style, StyleBook
from agent.composer.tokens import tokens_of
from agent.composer.understanding.intent import Intent, understood
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.new_or_change import speaks_of_a_song
from agent.composer.understanding.operations import Remove
from agent.composer.understanding.reading import read
from agent.composer.verifying import verified
from agent.composer.vocabulary import Vocabulary
from agent.composer.writing.looped import without_end
from agent.composer.writing.new_piece import decide, write
from agent.fixes import FixKind
from agent.message import msg
from agent.plan.document import Plan
from agent.plan.errors import NothingToDo, PlanError
from agent.plan.plan import Ask, Clause, Draft, Step, StepId
from agent.plan.planning import Brief, ClarifyingQuestion, DraftReady, PlannerEvent, StepProposed, Thinking
from agent.review.preview import Preview, preview
from agent.review.review import Review, review

_END = object()


class Composer:
    """The planner that needs no model: plans from styles and rules alone, offline and without cost. The same brief
    always gives the same draft."""

    def __init__(self, styles: StyleBook, words: Vocabulary) -> None:
        self._styles = styles
        self._words = words
        self._rehearsal = Rehearsal()

    @property
    def name(self) -> str:
        """The planner's name in stored iterations."""
        return "local"

    @property
    def steers(self) -> bool:
        """Whether words said while planning reach the planner; always False, as it is done at once."""
        return False

    def read(self, brief: Brief) -> Intent:
        """The intent of the brief's request, without planning."""
        lexicon = Lexicon(self._words, self._styles, brief.palette, brief.song)
        return read(brief.request, lexicon, catalogue().readings, has_music=brief.song.note_count > 0)

    def _question(self, intent: Intent, brief: Brief) -> ClarifyingQuestion:
        def reading(words: str) -> Intent:
            return self.read(structs.replace(brief, request=words))

        return Asker(self._styles, self._words, brief, reading).question(intent)

    def speaks_of_its_song(self, brief: Brief) -> bool:
        """Whether the request clearly wants something of the brief's song rather than a new piece."""
        lexicon = Lexicon(self._words, self._styles, brief.palette, brief.song)
        return speaks_of_a_song([token.casefold() for token in tokens_of(brief.request)], lexicon)

    def understands(self, brief: Brief) -> bool:
        """Whether the brief's request has anything that can be planned, or about which the composer would ask back."""
        intent = self.read(brief)
        open_ended = intent.lacks not in ("", "operation") or intent.goal in ("either", "replace")
        return open_ended or intent.says_something or any(one.outcome != "told" for one in intent.clauses)

    def committed(self, brief: Brief) -> Brief:
        """The brief for another planner, with locks for what the request says to keep and with what it may remove; its
        fence allows new tracks if the request asks for one."""
        found = commitments_of(self.read(brief), brief, self._styles)
        fence = brief.fence
        if fence is not None and found.new_tracks:
            fence = structs.replace(fence, allows_new_tracks=True)
        locks = tuple(dict.fromkeys((*brief.locks, *found.locks)))
        return structs.replace(brief, locks=locks, removable=found.removable, fence=fence)

    def account(self, brief: Brief, plan: Plan, preview: Preview) -> tuple[Clause, ...]:
        """The outcome of each clause of the brief's request in a plan that another planner made."""
        lexicon = Lexicon(self._words, self._styles, brief.palette, brief.song)
        return Accounting(self.read(brief), plan, preview, brief, lexicon, self._styles).clauses()

    async def refine(self, brief: Brief, plan: Plan, preview: Preview) -> Plan | ClarifyingQuestion:
        """The plan changed as the brief's request says; rows that the request does not touch, or that lie outside the
        brief's fence, stay as they are. A question if the request is unclear.

        Raises `PlanError` if nothing of the plan would change.
        """
        refining = Refining(plan, preview, brief.song)
        language = self._words.refining
        if language is not None:
            brief = structs.replace(brief, request=without_plan(brief.request, language))
        if language is None or not brief.song.note_count or brief.fence is not None:
            return await self._refined(brief, refining)
        amended = await asyncio.to_thread(self._amended, brief, plan, language)
        if amended is not None:
            plan = amended.plan
            judged = self._judged(plan, brief)
            if not amended.rest or judged.preview is None:
                return plan
            refining = Refining(judged.plan, judged.preview, brief.song)
            brief = structs.replace(brief, request=amended.rest)
        parts = self._parts_of_rows(brief, refining)
        meant = rows_meant(brief.request, refining.plan, refining.keys, language, parts)
        if meant is not None and (meant.gone or meant.degrees):
            intent = amended.intent if amended is not None else None
            return await asyncio.to_thread(self._by_rows, brief, refining, meant, intent)
        if meant is not None and not meant.rest:
            return self._agreed(plan, amended is not None)
        brief = brief if meant is None else structs.replace(brief, request=meant.rest)
        if amended is not None:
            return await asyncio.to_thread(self._with_rest, brief, refining.plan)
        return await self._refined(brief, refining)

    def _parts_of_rows(self, brief: Brief, refining: Refining) -> PartAt:
        """Which rows of a plan are about a part, however it is called: the horns are the brass."""
        ghost = refining.preview.song
        lexicon = Lexicon(self._words, self._styles, brief.palette, ghost)

        def part_at(tokens: Sequence[str], at: int) -> tuple[int, frozenset[StepId]]:
            found = lexicon.wish_at(tokens, at)
            if found is None:
                return 0, frozenset()
            return found[0], refining.about(tracks_of(found[1], ghost, brief.palette))

        return part_at

    @staticmethod
    def _agreed(plan: Plan, amended: bool) -> Plan:
        """The plan where all else that was said only agrees to it. Raises `PlanError` where nothing of it changed."""
        if amended:
            return plan
        raise NothingToDo(
            msg("the plan stays as it is"), why=msg("your words only agree to it"),
            fix=msg("approve it, or say what to change in it"),
        )

    def _amended(self, brief: Brief, plan: Plan, language: RefiningWords) -> Replanned | None:
        """The plan after what a remark changes in its request, None where that is nothing."""
        lexicon = Lexicon(self._words, self._styles, brief.palette, brief.song)
        readings = catalogue().readings

        def reading(words: str) -> Intent:
            return read(words, lexicon, readings, has_music=True)

        remarks = Remarks(language, lexicon, Amending(brief.song, brief.palette), reading)
        fenced = structs.replace(brief, fence=plan.fence)
        return Replanning(remarks, reading, lambda intent: self._changing(fenced, intent)).amended(plan, brief.request)

    def _changing(self, brief: Brief, intent: Intent) -> Draft:
        """The draft of a change. Raises `PlanError` where nothing would change."""
        style = choose_style(intent, self._styles, brief.palette)
        guard = Guard(brief.song, brief.locks, kept_tracks(intent, brief.song, brief.palette))
        rows = Rows(brief.song, guard, brief.palette)
        change = ChangeWriter(brief, intent, self._styles, style, Dice(brief.seed, "composer"))
        for _ in change.write(rows):
            pass
        asks = self._asked(intent, style, rows, brief, change)()
        return draft_of(intent, style, rows, brief, asks, change.changed)

    def _by_rows(self, brief: Brief, refining: Refining, meant: RowsMeant, intent: Intent | None) -> Plan:
        """The plan with rows left out, or carried out further or less far, and then changed by what else is said;
        `intent` is what it is written from, None for its request."""
        plan = refining.plan
        if meant.degrees:
            asked = self.read(structs.replace(brief, request=plan.request)) if intent is None else intent
            others = {degree: self._as_far(brief, asked, degree) for degree in set(meant.degrees.values())}
            plan = refining.as_far(meant.degrees, others)
        behind = len(plan.request) + 1
        plan = Refining(plan, refining.preview, brief.song).without_rows(meant.gone, meant.said)
        rows = tuple(row for row in meant.degrees if any(step.id == row for step in plan.steps))
        said = Clause(meant.said, behind, behind + len(meant.said), "done", rows)
        plan = structs.replace(plan, clauses=(*plan.clauses, said))
        return self._with_rest(structs.replace(brief, request=meant.rest), plan) if meant.rest else plan

    def _with_rest(self, brief: Brief, plan: Plan) -> Plan:
        """A plan after words that are about no row of it; told where they cannot be carried out."""
        why = "I cannot do that yet"
        judged = self._judged(plan, brief)
        if judged.preview is not None and not self._only_states(brief.request):
            refining = Refining(judged.plan, judged.preview, brief.song)
            intent = self.read(structs.replace(brief, song=judged.preview.song))
            if intent.goal == "change" and (intent.tasks or intent.stays):
                try:
                    told = structs.replace(brief, song=judged.preview.song)
                    return refining.refined(told, intent, self._styles, None)
                except PlanError as problem:
                    why = problem.why or problem.what
        behind = len(plan.request) + 1
        told_clause = Clause(brief.request, behind, behind + len(brief.request), "told", reason=why)
        return structs.replace(
            plan, request=f"{plan.request}\n{brief.request}", clauses=(*plan.clauses, told_clause)
        )

    def _only_states(self, words: str) -> bool:
        """Whether every clause tells something, as "it is a lullaby after all" does, and none wants it."""
        language = self._words.refining
        clauses = [f"{clause.strip()} " for clause in words.split(",") if clause.strip()]

        def begins(clause: str, phrases: Sequence[str]) -> bool:
            return any(clause.startswith(f"{phrase} ") for phrase in phrases)

        return language is None or all(
            begins(one, language.statements) and not begins(one, language.wishes) for one in clauses
        )

    def _as_far(self, brief: Brief, asked: Intent, degree: float) -> dict[str, Step]:
        """The rows of an intent carried out as far as a degree says, by what they are about."""
        intent = milder(asked, degree)
        if intent.goal != "change":
            return {}
        rows = Rows(brief.song, Guard(brief.song, brief.locks), brief.palette)
        change = ChangeWriter(brief, intent, self._styles, None, Dice(brief.seed, "composer"))
        for _ in change.write(rows):
            pass
        judged = self._judged(Plan(tuple(rows.steps), request=brief.request), brief)
        if judged.preview is None:
            return {}
        steps = {step.id: step for step in rows.steps}
        keys = Refining(judged.plan, judged.preview, brief.song).keys
        return {key: steps[row] for row, key in keys.items()}

    def _judged(self, plan: Plan, brief: Brief) -> Review:
        return review(plan, brief.song, self._rehearsal.tools(brief.palette), brief.palette)

    async def _refined(self, brief: Brief, refining: Refining) -> Plan | ClarifyingQuestion:
        """The plan changed as a request about the song that it would make."""
        preview = refining.preview
        number, words = row_named(brief.request)
        if number is not None and self._says_without(words):
            return refining.without(number, brief.request)
        fence = refining.fence(number) if number is not None else brief.fence
        told = structs.replace(brief, request=words, song=preview.song, fence=fence)
        intent = await asyncio.to_thread(self.read, told)
        if intent.goal != "change" or not (intent.tasks or intent.stays):
            return self._question(intent, told)
        return await asyncio.to_thread(refining.refined, told, intent, self._styles, fence)

    def _says_without(self, words: str) -> bool:
        """Whether words only say that something is to be left out."""
        groups, grammar = self._words.groups, self._words.grammar
        leaving = {word for name in ("remove", "no", "cut") for phrase in groups[name] for word in phrase.split()}
        said = {token.casefold() for token in tokens_of(words) if token.isalpha()} - {*grammar.skip, *grammar.empty}
        return bool(said & leaving) and said <= leaving

    async def plan(self, brief: Brief) -> AsyncGenerator[PlannerEvent, None]:
        """Stream the plan's rows as they are made, then the draft; or a single question if the request is unclear.
        Raises `PlanError`, always for a brief that asks for a revision of single rows."""
        if brief.revision is not None:
            # Its rows depend on each other: one made anew would be in another key or over other chords.
            raise PlanError(
                msg("the composer does not plan single rows anew"), why=msg("it writes whole plans only"),
                fix=msg("plan the request again for another plan, change the rows by hand, or choose a model"),
            )
        # Reading, writing and measuring take milliseconds to seconds, so all of them leave the event loop free.
        intent = await asyncio.to_thread(self.read, brief)
        if needs_question(intent):
            yield await asyncio.to_thread(self._question, intent, brief)
            return
        if intent.goal == "change" and not brief.song.note_count:
            raise PlanError(
                msg("there is nothing to change"), why=msg("the song has no notes yet"),
                fix=msg('ask for a new piece first, for example "compose a calm piano piece"'),
            )
        dice = Dice(brief.seed, "composer")
        style = choose_style(intent, self._styles, brief.palette)
        yield Thinking("; ".join(understood(intent, style.label if style else "")))
        guard = Guard(brief.song, brief.locks, kept_tracks(intent, brief.song, brief.palette))
        rows = Rows(brief.song, guard, brief.palette)
        intent = _as_far_as(intent, brief.intensity)
        stop = Event()
        changes = intent.goal == "change"
        change = ChangeWriter(brief, intent, self._styles, style, dice, stop.is_set) if changes else None
        work = change.write(rows) if change is not None else _piece(intent, style, brief, rows, dice)
        shown = 0
        try:
            while await asyncio.to_thread(_advanced, work):
                for step in rows.steps[shown:]:
                    yield StepProposed(step)
                shown = len(rows.steps)
        finally:
            # a thread cannot be cancelled: it looks at this at every change
            stop.set()
        finished = Changed({}, {})
        if change is None and intent.tasks:
            rows.steps, finished = await asyncio.to_thread(self._finished, intent, rows, brief)
        if change is None:
            intent = await asyncio.to_thread(self._verified, intent, rows, brief)
        judged = self._asked(intent, style, rows, brief, change)
        done = change.changed if change is not None else finished
        yield DraftReady(draft_of(intent, style, rows, brief, await asyncio.to_thread(judged), done))

    def _finished(self, intent: Intent, rows: Rows, brief: Brief) -> tuple[list[Step], Changed]:
        """The rows of a new piece after what is asked for it once it is there, and what of that cannot be done."""
        plan = Plan(tuple(rows.steps), request=brief.request)
        written = review(plan, brief.song, self._rehearsal.tools(brief.palette), brief.palette)
        if written.preview is None:
            return rows.steps, Changed({}, dict.fromkeys(range(len(intent.tasks)), "the piece cannot be looked at"))
        refining = Refining(written.plan, written.preview, brief.song)
        told = structs.replace(brief, song=written.preview.song)
        only = Intent(goal="change", tasks=intent.tasks)
        steps, changed = refining.rows_after(told, only, self._styles)
        # a part that is to rest where the piece has none rests there
        rests = {n for n, task in enumerate(intent.tasks) if isinstance(task.operation, Remove)}
        return steps, Changed({}, {n: why for n, why in changed.blocked.items() if n not in rests})

    def _verified(self, intent: Intent, rows: Rows, brief: Brief) -> Intent:
        """The intent of a new piece held against the song that its rows write; within a fence there is another song."""
        if rows.guard.spans:
            return intent
        # the composer's own rows need no check: that of the whole plan follows
        registry = self._rehearsal.tools(brief.palette)
        written = preview(Plan(tuple(rows.steps), request=brief.request), "", brief.song, registry)
        return verified(intent, written.song, brief.palette)

    def _asked(
        self, intent: Intent, style: Style | None, rows: Rows, brief: Brief, change: ChangeWriter | None
    ) -> Callable[[], tuple[Ask, ...]]:
        if change is not None:
            changed = change.changed
            return lambda: task_asks(
                intent, changed, self._styles, rows.steps, brief.song, brief.palette, rows.guard
            )
        assert style is not None
        return lambda: asks_for(intent, style, rows.steps, brief.palette)


def _as_far_as(intent: Intent, intensity: float) -> Intent:
    """The intent at an intensity; a new piece has none. Raises `PlanError` at 0, where nothing would change."""
    if intensity == 1:
        return intent
    if intent.goal != "change":
        said = f"intensity {intensity:.0%} (it says how far a change goes, and this is a new piece)"
        return structs.replace(intent, ignored=(*intent.ignored, said))
    if not intensity:
        raise PlanError(msg("nothing would change"), why=msg("the intensity is 0 %"), fix=FixKind.USUAL_INTENSITY())
    return milder(intent, intensity)


def _piece(intent: Intent, style: Style | None, brief: Brief, rows: Rows, dice: Dice) -> Iterator[None]:
    assert style is not None
    if intent.goal == "replace":
        clear(brief.song, rows)
        yield
    intent = without_end(fitting(intent, brief.song, rows.guard))
    own = dice.of(style.name)
    yield from write(decide(style, intent, brief.palette, own), intent, rows, own)


def _advanced(work: Iterator[None]) -> bool:
    return next(work, _END) is not _END
