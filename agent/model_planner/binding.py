"""Words of a request that bind: a stated tempo or key, and "no drums", held against the plan whoever wrote it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from agent.plan.plan import Ask, Draft

_BPM = re.compile(r"\b(\d{2,3}(?:\.\d+)?)\s*(?:bpm|beats per minute)\b", re.IGNORECASE)
_KEY = re.compile(
    r"\b(?:in|to|into|key of)\s+(?:the key of\s+)?([A-G](?:#|b|♯|♭|[- ]sharp|[- ]flat)?)[- ](major|minor)\b",
    re.IGNORECASE,
)
_NO_DRUMS = re.compile(r"\b(?:no|without(?: any)?)\s+(?:drums|percussion|beats?)\b", re.IGNORECASE)
_SLOWEST, _FASTEST = 20, 400


def bound(draft: Draft, request: str) -> Draft:
    """The draft with asks for the figures that its request states (a tempo, a key, "no drums"); they replace the
    draft's own asks for the same measure.

    A figure stated more than once, as in "from 90 to 120 bpm", is left to the model.
    """
    stated = tuple(_stated(draft, request))
    measures = {ask.measure for ask in stated}
    return replace(draft, asks=(*stated, *(ask for ask in draft.asks if ask.measure not in measures)))


def _stated(draft: Draft, request: str) -> Iterator[Ask]:
    tempos = {float(found) for found in _BPM.findall(request)}
    if len(tempos) == 1 and _SLOWEST <= (bpm := tempos.pop()) <= _FASTEST:
        yield Ask(f"{bpm:g} BPM", _rows(draft, "set_tempo"), "tempo", "equals", bpm)
    keys = {(_tonic(tonic), mode.lower()) for tonic, mode in _KEY.findall(request)}
    if len(keys) == 1:
        key = " ".join(keys.pop())
        yield Ask(key, _rows(draft, "set_key"), "key", "equals", key)
    if _NO_DRUMS.search(request):
        yield Ask("no drums", (), "percussion_hits", "equals", 0.0)


def _tonic(written: str) -> str:
    letter, rest = written[0].upper(), written[1:].strip("- ").lower()
    return letter + {"#": "#", "♯": "#", "sharp": "#", "b": "b", "♭": "b", "flat": "b"}.get(rest, "")


def _rows(draft: Draft, tool: str) -> tuple[str, ...]:
    return tuple(step.id for step in draft.steps if step.tool == tool)
