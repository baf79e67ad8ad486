"""How long an answer may become: estimated from what is asked, so that most plans are not cut."""

from __future__ import annotations

import re

from agent.model_planner.prompt.words import words_of
from agent.model_planner.rounds.limits import PlanningLimits
from agent.song.song import Song

_BARS = re.compile(r"(\d{1,3})\s*[- ]?bars?\b", re.IGNORECASE)
_WHOLE = frozenset({"compose", "recompose", "song", "piece", "arrange", "arrangement", "beat", "everything", "whole"})
_PARTS = frozenset({"drum", "bass", "chord", "melody", "pad", "lead", "string", "piano", "guitar", "arp"})
_TOKENS_PER_BAR = 130
"""Of one part that is written out as notes."""
_FRAME = 900
_DEFAULT_BARS = 16


def first_size(request: str, song: Song, limits: PlanningLimits, window: int) -> int:
    """The tokens to allow for the first answer, by the bars and parts that the request mentions: at least
    `limits.first_output`, at most a third of `window` (tokens)."""
    words = words_of(request)
    stated = [int(number) for number in _BARS.findall(request)]
    bars = max(stated, default=min(max(song.bars, 8), 64) if song.bars else _DEFAULT_BARS)
    parts = len(words & _PARTS)
    if words & _WHOLE:
        parts = max(parts, min(len(song.tracks), 8), 4)
    wanted = _FRAME + bars * max(parts, 1) * _TOKENS_PER_BAR
    return min(max(wanted, limits.first_output), limits.most_output, max(window // 3, 256))
