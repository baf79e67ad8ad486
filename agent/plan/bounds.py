"""How large a plan may be: looked at before anything else is done with one, whoever wrote it.

Stored plans are read without these bounds: a run that was approved under wider ones must still come to its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType

from msgspec import Struct

from agent.message import msg
from agent.plan.document import MAX_STEPS, Estimate, Plan
from agent.plan.errors import PlanError
from agent.plan.inputs import is_finite
from agent.plan.numbers import NUMBERS
from agent.plan.plan import Ask, Json, Step
from agent.song.fence import Fence
from agent.song.locks import ClipLock, Lock, TrackLock

MAX_NOTES = 200_000
"""Notes of all rows together."""
MAX_VALUES = 1_500_000
"""Values of all inputs together; a note is five."""
MAX_DEPTH = 32
"""Lists and objects within one another."""
MAX_TEXT = 4 * 1024 * 1024
"""Characters of one text of the inputs: as much as a row may write into a file."""
MAX_NAME = 1_000
"""Characters of the name of an input."""
MAX_REQUEST = 20_000
MAX_GOAL = 4_000
MAX_SENTENCES = 1_000
"""Entries of each list of sentences that are told with a plan."""
MAX_SENTENCE = 25_000
"""Characters of one of them, of a reason and of what was asked: they may repeat the request."""
MAX_ASKS = 1_000
MAX_LOCKS = 10_000
MAX_BAR = 9_999_999
MAX_FIGURE = 1e9
MAX_TOKENS = 10**12

_NOTE_LISTS = ("notes", "add_notes")
_PLAN_TEXTS = MappingProxyType({
    "request": MAX_REQUEST, "analysis": 20_000, "musical_reasoning": 20_000, "project": 200, "song_revision": 200,
    "provider": 200,
})
_SENTENCES = ("understood", "ignored", "normalised")
_STEP_TEXTS = MappingProxyType({"title": 500, "group": 500, "why": MAX_SENTENCE, "goal": MAX_GOAL, "for_each": 400})
_ASK_TEXTS = MappingProxyType({"asked": MAX_SENTENCE, "measure": 200, "value": 200})


def refuse_unbounded(plan: Plan) -> None:
    """Raise `PlanError`, which names the field and its bound, for a plan that is larger than any may be."""
    _at_most(len(plan.steps), MAX_STEPS, "the plan has {} rows", "make it two plans")
    _texts("the plan", plan, _PLAN_TEXTS)
    for name in _SENTENCES:
        _sentences(name, getattr(plan, name))
    _refuse_locks(plan.locks)
    _refuse_fence(plan.fence)
    _refuse_used(plan.used)
    refuse_unbounded_rows(plan.steps)
    _at_most(len(plan.asks), MAX_ASKS, "the plan has {} asks", "leave some of them out")
    for number, ask in enumerate(plan.asks, 1):
        _refuse_ask(f"ask {number}", ask)


def refuse_unbounded_rows(steps: Sequence[Step]) -> None:
    """Raise `PlanError` as `refuse_unbounded` does, for rows alone."""
    refuse_many_notes([step.inputs for step in steps])
    left = MAX_VALUES
    for number, step in enumerate(steps, 1):
        where = f"row {number} ({step.id})"
        _texts(where, step, _STEP_TEXTS)
        condition = [] if step.when is None else [step.when.left, step.when.right]
        left -= _counted(where, [step.inputs, condition, step.after], left)


def refuse_many_notes(inputs: Sequence[Mapping[str, Json]]) -> None:
    """Raise `PlanError` if the inputs of all rows together hold more notes than a plan may; the notes are only
    counted."""
    found = (row.get(name) for row in inputs for name in _NOTE_LISTS)
    count = sum(len(notes) for notes in found if isinstance(notes, list | tuple))
    _at_most(count, MAX_NOTES, "the plan has {} notes", "make it two plans")


def _counted(where: str, value: Json, left: int) -> int:
    """How many values stand within one, level by level, so that depth cannot end the program."""
    count, level = 0, [value]
    for _ in range(MAX_DEPTH + 1):
        count += sum(map(len, level))
        if count > left:
            why = msg("a plan may hold {max_values:,}; this is passed in {where}", max_values=MAX_VALUES, where=where)
            raise PlanError(msg("the plan has too many values in its inputs"), why=why, fix=msg("make it two plans"))
        for name in dict.fromkeys(chain.from_iterable(one for one in level if isinstance(one, dict))):
            _text(f"the name of an input of {where}", name, MAX_NAME)
        inner = list(chain.from_iterable(one.values() if isinstance(one, dict) else one for one in level))
        if NUMBERS.issuperset(map(type, inner)):
            return count
        for text in inner:
            if isinstance(text, str):
                _text(f"a text in the inputs of {where}", text, MAX_TEXT)
        level = [one for one in inner if isinstance(one, dict | list | tuple)]
        if not level:
            return count
    raise PlanError(
        msg("{where} is nested too deeply", where=where),
        why=msg("at most {max_depth} levels are read", max_depth=MAX_DEPTH),
    )


def _refuse_ask(where: str, ask: Ask) -> None:
    _texts(where, ask, _ASK_TEXTS)
    _at_most(len(ask.steps), MAX_STEPS, where + " names {} rows", "name those that serve it")
    if isinstance(ask.value, int | float):
        _number(f"value of {where}", ask.value, -MAX_FIGURE, MAX_FIGURE)
    for name, bars in (("bars", ask.bars), ("now_bars", ask.now_bars)):
        for bar in bars or ():
            _number(f"{name} of {where}", bar, 1, MAX_BAR)


def _refuse_locks(locks: Sequence[Lock]) -> None:
    _at_most(len(locks), MAX_LOCKS, "the plan has {} locks", "lock whole tracks or stretches of bars")
    for number, lock in enumerate(locks, 1):
        if isinstance(lock, ClipLock | TrackLock):
            _text(f"lock {number}", lock.clip_id if isinstance(lock, ClipLock) else lock.track_id, 200)


def _refuse_fence(fence: Fence | None) -> None:
    if fence is None:
        return
    _at_most(len(fence.tracks) + len(fence.clips), MAX_LOCKS, "the fence names {} parts", "name whole tracks")
    for one in (*fence.tracks, *fence.clips):
        _text("a part of the fence", one, 200)
    if not fence.names_parts and fence.bars is None:
        raise PlanError(
            msg("the fence is empty"), why=msg("nothing could change"),
            fix=msg("name what may change, or leave it out"),
        )
    if fence.bars is not None and fence.bars[1] < fence.bars[0]:
        raise PlanError(
            msg("bars {bars}-{bars_2} are no range", bars=fence.bars[0], bars_2=fence.bars[1]), fix=msg("swap the two"),
        )


def _refuse_used(used: Estimate) -> None:
    _number("used.tokens", used.tokens, 0, MAX_TOKENS)
    if used.cost is not None:
        _number("used.cost", used.cost, 0, MAX_FIGURE)


def _sentences(name: str, sentences: Sequence[str]) -> None:
    _at_most(len(sentences), MAX_SENTENCES, f"{name} has {{}} entries", "leave some of them out")
    for number, sentence in enumerate(sentences, 1):
        _text(f"entry {number} of {name}", sentence, MAX_SENTENCE)


def _texts(where: str, value: Struct, bounds: Mapping[str, int]) -> None:
    for name, most in bounds.items():
        text = getattr(value, name)
        if isinstance(text, str):
            _text(f"{name} of {where}", text, most)


def _text(where: str, text: str, most: int) -> None:
    if len(text) > most:
        raise PlanError(
            msg("{where} has {count:,} characters", where=where, count=len(text)),
            why=msg("at most {most:,} are read", most=most), fix=msg("say it in fewer words"),
        )
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise PlanError(
                msg("{where} is no text", where=where), why=msg("it holds half a character, which nothing can store"),
                fix=msg("write it anew"),
            ) from None


def _number(where: str, value: float, least: float, most: float) -> None:
    # Written so that a value that is no number is refused as well.
    if not least <= value <= most:
        raise PlanError(
            msg("{where} is {value}", where=where, value=_shown(value)),
            why=msg("it must lie between {least:,.0f} and {most:,.0f}", least=least, most=most),
        )


def _shown(value: float) -> str:
    # Neither a float nor a text can be made of a whole number of thousands of digits.
    return f"{value:g}" if is_finite(value) else "beyond all that can be counted with"


def _at_most(count: int, most: int, what: str, fix: str) -> None:
    if count > most:
        raise PlanError(what.format(f"{count:,}"), why=msg("at most {most:,} are read", most=most), fix=fix)


def some_of(sentences: Sequence[str]) -> Iterator[str]:
    """The sentences; if there are more than a plan may hold, the first of them and a sentence with the number of the
    others."""
    over = len(sentences) - MAX_SENTENCES
    yield from sentences if over <= 0 else sentences[: MAX_SENTENCES - 1]
    if over > 0:
        yield f"and {over + 1:,} more of the kind"
