"""What a model says of each wish: the rows that serve it, and the figure that shows whether it is met."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType

from agent.model_planner.prompt.budget import first_words
from agent.model_planner.prompt.measures import GOALS, MEASURES
from agent.model_planner.reading.input_mending import number_in
from agent.plan.inputs import is_finite
from agent.plan.plan import Ask, Json

_MOST = 40
_LONGEST = 300
_WORDS = frozenset({"key", "meter"})
"""Measures that are words: nothing is lower or higher than they."""
_KEY = re.compile(r"([a-g])([#b♯♭]?)[\s_-]*+(.+)", re.IGNORECASE)
_SIGNS: Mapping[str, str] = MappingProxyType({"♯": "#", "♭": "b", "B": "b"})


def asks_in(
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
    asked = first_words(raw["asked"], _LONGEST)
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
