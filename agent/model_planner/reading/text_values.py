"""Values of inputs as people and models write them in plain text."""

from __future__ import annotations

import json
import re

from agent.model_planner.reading.input_mending import number_in
from agent.plan.plan import Json

_NAME = re.compile(r"(?<=[{,\s])([A-Za-z_]\w{0,60})(\s{0,8}):")
_WORDS = {"true": True, "false": False, "yes": True, "no": False, "null": None, "none": None}
_FROM = re.compile(r"[\[(<]?\s*(?:\w+\s+)?from\s+step\s+\d", re.IGNORECASE)


def is_open(text: str) -> bool:
    """Whether the text opens brackets that are closed only on later lines."""
    bare = "" if _FROM.match(text) else re.sub(r'"[^"]*"', "", text)
    return bare[:1] in ("[", "{") and bare.count("[") + bare.count("{") > bare.count("]") + bare.count("}")


def value_of(text: str) -> Json:
    """The value written in the text: JSON (also with unquoted names), a number, true, false or null; otherwise the text
    itself."""
    bare = text.strip().rstrip(",").strip("`").strip()
    if _FROM.match(bare) or bare.startswith("{{"):
        return bare
    if bare[:1] in ("[", "{"):
        return _nested(bare)
    if len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "\"'":
        return bare[1:-1]
    if bare.lower() in _WORDS:
        return _WORDS[bare.lower()]
    return number_in(bare)


def _nested(text: str) -> Json:
    for form in (text, _NAME.sub(r'"\1"\2:', text)):
        try:
            return json.loads(form)
        except (ValueError, RecursionError):
            continue
    return text
