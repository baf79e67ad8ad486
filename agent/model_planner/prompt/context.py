"""What a model is told for one brief: names it may use, the turn with song, locks, talk, decisions and request."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import msgspec

from agent.conversation.messages import UserTurn
from agent.message import msg
from agent.model_planner.prompt.budget import first_words, tokens
from agent.model_planner.prompt.data_block import data_block, inert
from agent.model_planner.prompt.offered_schema import compact_tools
from agent.model_planner.prompt.prompts import Prompts
from agent.model_planner.prompt.song_text import song_text
from agent.model_planner.prompt.words import words_of
from agent.plan.errors import PlanError
from agent.plan.planning import Brief, ConversationLine, Verdict
from agent.plan.tool import ToolSpec
from agent.song.fence import Fence, describe_fence
from agent.song.locks import BarsLock, ClipLock, Lock, SongLock, TrackLock, describe
from agent.song.palette import EffectKind, Family, Instrument, Palette
from agent.song.song import Song

_TALK_SHARE = 0.2
_VERDICT_SHARE = 0.15
_LEAST_SONG = 200


def system_text(brief: Brief, tools: tuple[ToolSpec, ...], prompts: Prompts, *, small: bool) -> str:
    """The system prompt; `tools` are those to plan with, `small` is for a model with a small window. Unless `small`, it
    is the same for all requests with the same palette and tools, so that providers can cache it."""
    library = library_for(brief.palette, brief.request, brief.song) if small else library_text(brief.palette)
    # Tools of other servers describe themselves: to the model their words are data like any other.
    told = data_block("tools", compact_tools(tools))
    return prompts.filled("small" if small else "plan", tools=told, library=data_block("library", library))


def request_turn(brief: Brief, prompts: Prompts, room: int, told: str | None = None) -> UserTurn:
    """The user turn with the request, in at most about `room` tokens: request and locks in full, conversation and
    verdicts in their share, and the song in what is left.

    `told` is the song's description if it exists already. Raises `PlanError` if request and locks alone do not fit.
    """
    locks = data_block("locks", locks_text(brief.locks, brief.song, brief.fence))
    request = inert(brief.request)
    left = room - tokens(locks) - tokens(request) - tokens(prompts.filled(
        "request", song="", locks="", conversation="", verdicts="", request=""
    ))
    if left < _LEAST_SONG:
        raise PlanError(
            msg("the request does not fit into the model's window"),
            why=msg(
                "{request:,} tokens of request and {locks:,} of locks; {max:,} are free",
                request=tokens(request), locks=tokens(locks), max=max(0, room),
            ),
            fix=msg("say it shorter, or choose a model with a larger context"),
        )
    talk = data_block("conversation", talk_text(brief.said, prompts, int(left * _TALK_SHARE)))
    verdicts = data_block("verdicts", _verdicts_text(brief.verdicts, int(left * _VERDICT_SHARE)))
    left -= tokens(talk) + tokens(verdicts)
    song = song_text(brief.song, brief.palette, brief.request, left) if told is None else told
    return UserTurn(prompts.filled(
        "request", song=data_block("song", song), locks=locks, conversation=talk, verdicts=verdicts, request=request
    ))


_PER_FAMILY = 3
_HINTS: Mapping[str, tuple[Family, ...]] = MappingProxyType({
    "beat": ("drums",), "groove": ("drums",), "rhythm": ("drums", "percussion"), "kick": ("drums",),
    "snare": ("drums",), "chord": ("keys", "pad", "piano"), "harmony": ("pad", "keys"),
    "melody": ("lead", "piano", "woodwind"),
    "ambient": ("pad", "strings", "choir"), "atmospheric": ("pad", "fx"),
    "orchestral": ("strings", "brass", "woodwind"),
    "synth": ("lead", "pad"), "voice": ("choir",), "sparkle": ("pluck", "keys"), "arpeggio": ("arp", "pluck"),
})
"""Families that a word asks for without naming them."""
_ALWAYS: tuple[Family, ...] = ("drums", "bass", "piano", "pad", "lead")


def library_text(palette: Palette) -> str:
    """All instruments by family and all effects, for the prompt."""
    return "\n".join([*_instruments(palette.instruments), *(_effect(kind) for kind in palette.effects)])


def library_for(palette: Palette, request: str, song: Song) -> str:
    """The instruments and effects that a request needs, for a short prompt: those it names, those the song uses, and a
    few for each usual role."""
    words = words_of(request)
    used = {track.instrument for track in song.tracks}
    families = {str(one.family) for one in palette.instruments if str(one.family) in words}
    families.update(family for word in words for family in _HINTS.get(word, ()))
    families = families or set(_ALWAYS)
    counts: dict[str, int] = defaultdict(int)
    chosen = []
    for instrument in palette.instruments:
        named = instrument.name in used or not words.isdisjoint((*instrument.name.split("_")[1:], *instrument.tags))
        wanted = instrument.family in families and counts[instrument.family] < _PER_FAMILY
        if instrument.name in used or (named and instrument.family in families) or wanted:
            counts[instrument.family] += 1
            chosen.append(instrument)
    effects = [kind for kind in palette.effects if kind.name in words] or list(palette.effects[:3])
    return "\n".join([*_instruments(chosen), *(_effect(kind) for kind in effects)])


def _instruments(instruments: Sequence[Instrument]) -> list[str]:
    by_family: dict[str, list[str]] = defaultdict(list)
    for one in instruments:
        by_family[one.family].append(f"{one.name} {one.low}-{one.high}" if not one.is_kit else f"{one.name} (drum kit)")
    return [f"{family}: {', '.join(names)}" for family, names in by_family.items()]


def _effect(kind: EffectKind) -> str:
    params = ", ".join(f"{one.name} {one.low:g} to {one.high:g} {one.unit} = {one.default:g}" for one in kind.params)
    return f"effect {kind.name}({params})"


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


def _verdicts_text(verdicts: Sequence[Verdict], room: int) -> str:
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
