"""What was said and decided before, in words for a model; old talk is cut to its first words."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from agent.model_planner.prompt.budget import first_words, tokens
from agent.model_planner.prompt.prompts import Prompts
from agent.plan.planning import ConversationLine, Verdict
from agent.song.fence import Fence, describe_fence
from agent.song.locks import BarsLock, ClipLock, Lock, SongLock, TrackLock, describe
from agent.song.song import Song

_FULL_LINES = 6
_FIRST_WORDS = 120
_NAMES = {"you": "person", "bandleader": "Bandleader"}


def locks_text(locks: Sequence[Lock], song: Song, fence: Fence | None = None) -> str:
    """The locks for a model, a line each with id or bars; first the fence, outside of which everything is locked.
    "nothing" without any."""
    lines = [f"{describe(lock, song)}{_id_of(lock)}" for lock in locks]
    if fence is not None:
        rest = "tempo, key, meter, sections, master and the mix of other tracks too"
        lines.insert(0, f"everything but {describe_fence(fence, song)}: {rest}")
    return "\n".join(lines) or "nothing"


def talk_text(said: Sequence[ConversationLine], prompts: Prompts, room: int) -> str:
    """The conversation in at most `room` tokens: the last lines in full, earlier ones by their first words, the oldest
    only counted. "nothing" without any."""
    if not said:
        return "nothing"
    full = [f"{_NAMES[one.by]}: {one.text}" for one in said]
    if tokens("\n".join(full)) <= room:
        return "\n".join(full)
    kept = full[-_FULL_LINES:]
    while len(kept) > 1 and tokens("\n".join(kept)) > room * 2 // 3:
        kept = kept[1:]
    recent = "\n".join(kept)
    if tokens(recent) > room:
        recent = first_words(recent, room * 2)
    older = [first_words(line, _FIRST_WORDS) for line in full[: len(full) - len(kept)]]
    dropped = 0
    while older and tokens("\n".join(older)) > room - tokens(recent) - 40:
        older = older[1:]
        dropped += 1
    if dropped:
        older = [f"({dropped} older lines are left out)", *older]
    return f"{prompts.filled('summarise', lines=chr(10).join(older))}\n{recent}" if older else recent


def verdicts_text(verdicts: Sequence[Verdict], room: int) -> str:
    """The rows that this person rejected or changed, newest first, as many as fit into `room` tokens."""
    lines: list[str] = []
    for verdict in verdicts:
        line = _verdict(verdict)
        if tokens("\n".join([*lines, line])) > room:
            lines.append(f"({len(verdicts) - len(lines)} older ones are left out)")
            break
        lines.append(line)
    return "\n".join(lines) or "none"


def _verdict(verdict: Verdict) -> str:
    step = verdict.step
    inputs = first_words(msgspec.json.encode(step.inputs).decode(), 160)
    line = f"{verdict.deed}: {step.tool} {first_words(step.title, 60)} {inputs}, in answer to: "
    line += first_words(verdict.request, 100)
    if verdict.changed_to is not None:
        line += f"; it became {first_words(msgspec.json.encode(verdict.changed_to).decode(), 160)}"
    return f"{line}; reason: {first_words(verdict.reason, 200)}" if verdict.reason else line


def _id_of(lock: Lock) -> str:
    match lock:
        case TrackLock(track_id):
            return f" ({track_id})"
        case ClipLock(clip_id):
            return f" ({clip_id})"
        case BarsLock() | SongLock():
            return ""
