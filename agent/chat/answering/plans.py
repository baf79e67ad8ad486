"""What the waiting plan would do, and one row of it."""

from __future__ import annotations

from collections.abc import Iterator

from agent.chat.answer import Answer, Fact, Link, RowLink, TrackLink
from agent.chat.answering.asked import words_of
from agent.chat.answering.history import changed
from agent.chat.answering.planned import levels_planned, place_planned
from agent.chat.answering.wording import counted, decibels, first_line, listed, spelled
from agent.chat.context import Context, PlanFacts
from agent.chat.messages import About, Question
from agent.plan.plan import Json, Step
from agent.review.rule import Rule
from agent.song.changes import compare
from agent.song.ids import TrackId
from agent.song.song import Song

_MOST = 8
_NONE = "No plan is waiting."
_LEVELS = frozenset({"db", "decibel", "decibels", "fader", "faders", "levels"})


def plan(context: Context, question: Question) -> Answer:
    """An answer with the rows of the waiting plan, or those that concern the named parts; for named places what it
    changes there, and for levels those before and after."""
    waiting, about = context.plan, question.about
    if waiting is None:
        return Answer(f"{_NONE} Say what you want to hear, and I propose one.", (Fact("rows", 0),))
    if _LEVELS & words_of(question.words):
        return levels_planned(context, waiting, about)
    if (about.sections or about.bars is not None) and not about.absent:
        return place_planned(context, waiting, about)
    if about.tracks or about.absent:
        return _touching(context, waiting, about)
    steps = waiting.plan.steps
    said = "; ".join(f"{number}. {title_of(step)}" for number, step in enumerate(steps[:_MOST], 1))
    more = f"; and {counted(len(steps) - _MOST, 'more row')}" if len(steps) > _MOST else ""
    asked = f" for “{first_line(waiting.plan.request)}”" if waiting.plan.request else ""
    facts = (Fact("rows", len(steps)), *_whole(context, waiting))
    return Answer(
        f"The plan{asked} has {counted(len(steps), 'row')}: {said}{more}. Nothing of it is done yet.", facts,
        tuple(RowLink(step.id, number) for number, step in enumerate(steps[:_MOST], 1)),
    )


def removals(context: Context, about: About) -> Answer:
    """An answer with the rows of the waiting plan that remove music; without a plan the last change."""
    waiting = context.plan
    if waiting is None:
        return changed(context, about)
    marks = {one.step: one.message for one in waiting.plan.lint if one.rule in (Rule.REMOVES, Rule.THINS)}
    rows = [(number, step) for number, step in enumerate(waiting.plan.steps, 1) if step.id in marks]
    if not rows:
        return Answer("No: no row of the plan takes music away.", (Fact("removals", 0),))
    said = "\n".join(f"Row {number}, {title_of(step)}: {marks[step.id].rstrip('.')}." for number, step in rows[:_MOST])
    more = f"\nAnd {counted(len(rows) - _MOST, 'more row')}." if len(rows) > _MOST else ""
    return Answer(
        f"Yes, {counted(len(rows), 'row')}:\n{said}{more}\nA row that is not ticked does not run.",
        (Fact("removals", len(rows)),), tuple(RowLink(step.id, number) for number, step in rows[:_MOST]),
    )


def _whole(context: Context, waiting: PlanFacts) -> tuple[Fact, ...]:
    if waiting.after is None:
        return ()
    before, after = context.song, waiting.after
    facts = [Fact("notes", f"{before.note_count} → {after.note_count}"), Fact("bars", f"{before.bars} → {after.bars}")]
    if before.tempos != after.tempos:
        facts.append(Fact("tempo", f"{before.bpm:g} → {after.bpm:g}", "BPM"))
    if before.key != after.key:
        facts.append(Fact("key", f"{before.key} → {after.key}"))
    return tuple(facts)


def _touching(context: Context, waiting: PlanFacts, about: About) -> Answer:
    rows = [
        (number, step) for number, step in enumerate(waiting.plan.steps, 1)
        if _names(step, about) or set(about.tracks) & touched(step.inputs, context.song)
    ]
    names = [track.name for track in context.song.tracks if track.id in about.tracks]
    named = listed([*names, *about.absent])
    links: tuple[Link, ...] = (
        *(TrackLink(track.id, track.name) for track in context.song.tracks if track.id in about.tracks),
        *(RowLink(step.id, number) for number, step in rows[:_MOST]),
    )
    proved = _proved(context, waiting, about)
    if not rows:
        return Answer(f"No row of the plan touches {named}.{proved}", (Fact("rows", 0),), links)
    said = "; ".join(f"row {number}, {title_of(step)}{_why(step)}" for number, step in rows[:_MOST])
    more = f"; and {counted(len(rows) - _MOST, 'more row')}" if len(rows) > _MOST else ""
    return Answer(
        f"Yes, {counted(len(rows), 'row')} of the plan: {said}{more}.{proved}", (Fact("rows", len(rows)),), links
    )


def _proved(context: Context, waiting: PlanFacts, about: About) -> str:
    """What the preview shows of the named tracks."""
    if waiting.after is None or not about.tracks:
        return ""
    changes = {one.track_id: one for one in compare(context.song, waiting.after).tracks}
    said = []
    for track in context.song.tracks:
        if track.id in about.tracks:
            one = changes.get(track.id)
            if one is None:
                said.append(f"{track.name} stays as it is")
            elif one.change == "removed":
                said.append(f"{track.name} would be taken out")
            else:
                said.append(f"{track.name}: +{one.notes_added} −{one.notes_removed} notes, {one.notes_moved} changed")
    return f" In the preview: {'; '.join(said)}."


def row(context: Context, about: About) -> Answer:
    """An answer with what a row does and why: of the waiting plan, otherwise of the last run."""
    wanted = about.rows or (1,)
    if context.plan is None:
        return _row_of_run(context, wanted)
    steps = context.plan.plan.steps
    texts: list[str] = []
    links: list[Link] = []
    facts: list[Fact] = []
    for asked in wanted:
        number = len(steps) if asked < 0 else asked
        if not 1 <= number <= len(steps):
            texts.append(f"The plan has no row {number}; it has {counted(len(steps), 'row')}.")
            continue
        step = steps[number - 1]
        texts.append(f"Row {number} would do this: {title_of(step)}{_why(step)}.{_inputs(step)}")
        facts += [Fact("row", number), Fact("tool", step.tool), Fact("does", title_of(step))]
        links += [RowLink(step.id, number), *_track_links(context, step)]
    return Answer(" ".join(texts), tuple(facts), tuple(links))


def _row_of_run(context: Context, wanted: tuple[int, ...]) -> Answer:
    run = context.run
    if run is None:
        return Answer(f"{_NONE} And none was run on this song yet.", (Fact("rows", 0),))
    found = [one for one in run.rows if one.number in wanted]
    if not found:
        return Answer(
            f"{_NONE} The last run (“{first_line(run.request)}”) has {counted(len(run.rows), 'row')}.",
            (Fact("rows", len(run.rows)),),
        )
    said = "; ".join(
        f"row {one.number}, {one.title}{': ' + one.why if one.why else ''} ({one.state.value})" for one in found
    )
    return Answer(
        f"{_NONE} In the last run (“{first_line(run.request)}”): {said}.",
        tuple(Fact(f"row {one.number}", one.title) for one in found),
        tuple(RowLink(one.step, one.number, run.id) for one in found),
    )


def title_of(step: Step) -> str:
    """The row's title; without one its goal or its tool's name."""
    return (step.title or step.goal or step.tool.replace("_", " ")).rstrip(".")


def touched(inputs: Json, song: Song) -> set[TrackId]:
    """Ids of the tracks that the inputs of a row refer to, directly or by one of their clips or effects."""
    texts = set(_texts(inputs))
    return {
        track.id for track in song.tracks
        if not texts.isdisjoint({track.id, *(one.id for one in track.clips), *(one.id for one in track.effects)})
    }


def _texts(inputs: Json) -> Iterator[str]:
    if isinstance(inputs, str):
        yield inputs
    elif isinstance(inputs, dict):
        for value in inputs.values():
            yield from _texts(value)
    elif isinstance(inputs, list | tuple):
        for one in inputs:
            yield from _texts(one)


def _names(step: Step, about: About) -> bool:
    return any(word in step.title.casefold() for word in about.absent)


def _why(step: Step) -> str:
    reason = step.why.strip().rstrip(".")
    return f" ({reason[0].lower()}{reason[1:]})" if reason else ""


def _inputs(step: Step) -> str:
    plain = [
        _set(name, value) for name, value in step.inputs.items()
        if isinstance(value, str | int | float) and not isinstance(value, bool) and not name.endswith("_id")
    ]
    return f" It sets {listed(plain[:5])}." if plain else ""


def _set(name: str, value: str | int | float) -> str:
    """A value with its unit, under the name that a mixer gives it."""
    if name == "volume_db":
        return f"the level to {decibels(float(value))}"
    if name == "bpm":
        return f"the tempo to {float(value):g} BPM"
    return f"{name.replace('_', ' ')} {spelled(str(value)) if name == 'key' else value}"


def _track_links(context: Context, step: Step) -> list[TrackLink]:
    ids = touched(step.inputs, context.song)
    return [TrackLink(track.id, track.name) for track in context.song.tracks if track.id in ids]
