"""Turning a JSON value into an answer: what stands around the rows, and all rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain
from types import MappingProxyType

from agent.message import msg
from agent.model_planner.prompt.budget import first_words
from agent.model_planner.prompt.measures import GOALS, MEASURES
from agent.model_planner.reading.answered import ParsedAnswer, UnreadableAnswer
from agent.model_planner.reading.input_mending import number_in
from agent.model_planner.reading.json_finding import is_row, rows_in, unwrapped
from agent.model_planner.reading.row_mending import RowMender, refuse_deep
from agent.plan.bounds import MAX_NOTES, MAX_VALUES
from agent.plan.document import MAX_STEPS
from agent.plan.inputs import is_finite
from agent.plan.plan import Ask, Draft, Json
from agent.plan.planning import ClarifyingChoice, ClarifyingQuestion
from agent.plan.tool import ToolSpec

_MOST_SENTENCES = 200
_LONGEST = 20_000
_MOST_VALUES = 2 * MAX_VALUES
"""Answers may name each input in an object of its own."""
_KNOWN = frozenset({
    "understood", "analysis", "musical_reasoning", "ignored", "question", "steps", "asks", "version", "title", "plan",
    "actions", "operations", "rows", "answer", "result", "response", "output",
})


def answer_from(value: Json, tools: Sequence[ToolSpec], repairs: Sequence[str] = ()) -> ParsedAnswer:
    """The answer in a JSON value; `repairs` are sentences about what was repaired in the JSON already. Raises
    `UnreadableAnswer`."""
    refuse_deep(value, "the answer")
    _refuse_large(value)
    if is_row(value):
        value = [value]
    value = unwrapped(value)
    raw = rows_in(value)
    around = value if isinstance(value, dict) else {}
    question = _question(around.get("question"))
    if not raw and question is None:
        raise UnreadableAnswer(
            msg("the answer holds no row"), why=_words(around.get("analysis"))[:300],
            fix=msg("answer with at least one row in `steps`, or with a `question`"),
        )
    if raw is not None and len(raw) > MAX_STEPS:
        raise UnreadableAnswer(
            msg("the plan is too long"),
            why=msg("{count:,} rows; at most {max_steps:,} are read", count=len(raw), max_steps=MAX_STEPS),
        )
    mender = RowMender(tools)
    steps = tuple(mender.row(row) for row in raw or ())
    asks = _asks_in(around.get("asks"), {step.id for step in steps}, mender.id_of, mender.said.append)
    said = [*repairs, *_wrapping(value), *mender.said]
    said += [f"{name[:40]} was left out: an answer has no such field" for name in around if name not in _KNOWN]
    kept = tuple(said[:_MOST_SENTENCES])
    if len(said) > _MOST_SENTENCES:
        kept += (f"and {len(said) - _MOST_SENTENCES} more of the kind",)
    draft = Draft(
        steps, _words(around.get("analysis")), _words(around.get("musical_reasoning")),
        _list(around.get("understood")), _list(around.get("ignored")), asks, kept,
    )
    return ParsedAnswer(draft, kept, question)


def _refuse_large(value: Json) -> None:
    """Raise `UnreadableAnswer` for more values than the largest plan has, before the rows are read one by one."""
    count, level = 0, [value] if isinstance(value, dict | list) else []
    while level:
        count += sum(map(len, level))
        if count > _MOST_VALUES:
            raise UnreadableAnswer(
                msg("the plan is too long"),
                why=msg(
                    "at most {max_notes:,} notes, and {max_values:,} values, are read",
                    max_notes=MAX_NOTES, max_values=MAX_VALUES,
                ),
                fix=msg("write fewer notes"),
            )
        inner = chain.from_iterable(one.values() if isinstance(one, dict) else one for one in level)
        level = [one for one in inner if isinstance(one, dict | list)]


def _wrapping(value: Json) -> list[str]:
    if isinstance(value, list):
        return ["the answer was a bare list of rows"]
    if isinstance(value, dict) and "steps" not in value and rows_in(value) is not None:
        return ["its rows stood under another name than `steps`"]
    return []


def _question(raw: Json) -> ClarifyingQuestion | None:
    if isinstance(raw, str):
        raw = {"text": raw}
    if not isinstance(raw, dict):
        return None
    text = _words(raw.get("text") or raw.get("question")).strip()
    if not text:
        return None
    choices = raw.get("choices") or raw.get("options") or []
    made = [_choice(choice) for choice in choices[:8]] if isinstance(choices, list) else []
    return ClarifyingQuestion(text, tuple(choice for choice in made if choice is not None))


def _choice(raw: Json) -> ClarifyingChoice | None:
    if isinstance(raw, str):
        return ClarifyingChoice(raw[:200], raw[:2000]) if raw.strip() else None
    if not isinstance(raw, dict):
        return None
    label = _words(raw.get("label") or raw.get("request"))[:200].strip()
    return ClarifyingChoice(label, _words(raw.get("request") or label)[:2000]) if label else None


def _list(raw: Json) -> tuple[str, ...]:
    if isinstance(raw, list):
        return tuple(_words(item)[:1000] for item in raw[:100] if item not in (None, ""))
    return (_words(raw)[:1000],) if raw else ()


def _words(raw: Json) -> str:
    if isinstance(raw, list):
        raw = "\n".join(str(item) for item in raw[:100])
    return "" if raw is None else str(raw)[:_LONGEST]


_MOST = 40
_LONGEST_ASK = 300
_WORDS = frozenset({"key", "meter"})
"""Measures that are words: nothing is lower or higher than they."""
_KEY = re.compile(r"([a-g])([#b♯♭]?)[\s_-]*+(.+)", re.IGNORECASE)
_SIGNS: Mapping[str, str] = MappingProxyType({"♯": "#", "♭": "b", "B": "b"})


def _asks_in(
    raw: Json, rows: Collection[str], id_of: Callable[[str | int], str], say: Callable[[str], None]
) -> tuple[Ask, ...]:
    """The asks in `raw`, the answer's list of them; `rows` are the ids of the plan's rows. `id_of` gives a row's id for
    the name that the answer uses; `say` takes sentences about what was left out.

    A faulty ask is no reason to refuse the plan: it is kept without a measure.
    """
    if not isinstance(raw, list):
        return ()
    found = [_ask(one, rows, id_of, say) for one in raw[:_MOST]]
    if len(raw) > _MOST:
        say(f"{len(raw) - _MOST} asks were left out: at most {_MOST} are read")
    return tuple(dict.fromkeys(ask for ask in found if ask is not None))


def _ask(
    raw: Json, rows: Collection[str], id_of: Callable[[str | int], str], say: Callable[[str], None]
) -> Ask | None:
    if isinstance(raw, str):
        raw = {"asked": raw}
    if not isinstance(raw, dict) or not isinstance(raw.get("asked"), str) or not raw["asked"].strip():
        say("an ask without words was left out")
        return None
    asked = first_words(raw["asked"], _LONGEST_ASK)
    named = raw.get("steps") if isinstance(raw.get("steps"), list) else []
    ids = tuple(dict.fromkeys(id_of(one) for one in named or () if isinstance(one, str | int)))
    steps = tuple(one for one in ids if one in rows)
    if len(steps) < len(ids):
        say(f"{_shown(asked)}: rows that the plan does not have were left out")
    plain = Ask(asked, steps)
    measure = str(raw.get("measure") or "").strip()[:80]
    if not measure:
        return plain
    made = _measured(plain, measure, raw)
    if isinstance(made, str):
        say(f"{_shown(asked)} is not measured: {made}")
        return plain
    return made


def _measured(plain: Ask, measure: str, raw: dict[str, Json]) -> Ask | str:
    """The ask with its measure, or why it can have none."""
    known = measure.lower().replace(" ", "_")
    if known not in MEASURES:
        return f"there is no measure {measure[:40]!r}"
    goal = next((one for one in GOALS if one == raw.get("goal")), None)
    if goal is None or (known in _WORDS and goal not in ("equals", "same")):
        return f"{known} cannot be {str(raw.get('goal'))[:20]}"
    if goal in ("lower", "higher", "same"):
        return Ask(plain.asked, plain.steps, known, goal)
    value = raw.get("value")
    if known in _WORDS:
        text = _key(value) if known == "key" and isinstance(value, str) else value
        named = isinstance(text, str) and bool(text)
        return Ask(plain.asked, plain.steps, known, goal, text) if named else f"{known} has no value"
    number = number_in(value) if isinstance(value, str) else value
    if isinstance(number, bool) or not isinstance(number, int | float) or not is_finite(number):
        return f"{known} has no number"
    return Ask(plain.asked, plain.steps, known, goal, float(number))


def _key(written: str) -> str:
    """The key as songs write it: `c# Minor` is `C# minor`."""
    found = _KEY.fullmatch(written.strip()[:40])
    if found is None:
        return written[:40]
    return f"{found[1].upper()}{_SIGNS.get(found[2], found[2])} {found[3].lower().replace('_', ' ')}"


def _shown(asked: str) -> str:
    return f"the wish {first_words(asked, 60)!r}"
