"""Whether a part falls on the kick or between its strokes."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from agent.chat.answer import Answer, Fact
from agent.chat.answering.asked_notes import asked_notes, nothing_asked, share_said
from agent.chat.answering.fastest import unswung
from agent.chat.answering.kit_pieces import KICK, pieces_named, usual_keys
from agent.chat.answering.note_values import nearest_value, value_name
from agent.chat.answering.wording import counted
from agent.chat.context import Context
from agent.chat.messages import Question
from agent.chat.reading.language import Language
from agent.song.ids import TrackId
from agent.theory.sounding import TOGETHER, Sounding, family_tracks, kit_tracks, strokes

_MOSTLY, _SELDOM = 0.7, 0.3
_MOST = 4


def parts_with_kick(context: Context, question: Question, language: Language) -> tuple[TrackId, ...]:
    """The parts that a question compares with the kick: the pitched ones that it names beside a drum kit or the word
    kick, or with that word alone the basses; () if it is about something else."""
    song, named = context.song, question.about.tracks
    kits = kit_tracks(song, context.palette)
    says_kick = any(pitches == KICK.pitches for pitches in pieces_named(question.words, language))
    if not says_kick and not any(track in kits for track in named):
        return ()
    pitched = tuple(track for track in named if track not in kits)
    basses = family_tracks(song, context.palette, "bass")
    return pitched or (tuple(track.id for track in song.tracks if track.id in basses) if says_kick else ())


def with_kick(context: Context, question: Question, parts: Sequence[TrackId]) -> Answer:
    """An answer that says how many attacks of the parts fall together with a kick and how many between, how many kicks
    a part strikes or rings through, and in which note values it plays."""
    song, about = context.song, replace(question.about, tracks=tuple(parts))
    asked = asked_notes(context, about, "pitched")
    if not asked.notes:
        return nothing_asked(context, about, "pitched")
    kicks = _kicks(context, question)
    if not kicks:
        text = f"There is no kick{asked.where} to fall on. Counted from the notes."
        return Answer(text, (Fact("kicks", 0),), asked.links())
    texts, facts, bars = [], [Fact("kicks", len(kicks), "strokes")], []
    for track, notes in [*asked.notes.items()][:_MOST]:
        name, groups = asked.names[track], strokes(notes)
        starts = [group[0].start for group in groups]
        on = [start for start in starts if _near(kicks, start)]
        struck = sum(_near(starts, kick) for kick in kicks)
        held = sum(_rings(notes, kick) for kick in kicks if not _near(starts, kick))
        bars += [song.bar_map.bar_at(start) for start in on]
        texts.append(
            f"{name}{asked.where} {_lands(len(on) / len(starts))}: {share_said(len(on), len(starts))} of its "
            f"{counted(len(starts), 'attack')} fall together with a kick. Of {counted(len(kicks), 'kick')} "
            f"{share_said(struck, len(kicks))} are struck together with it{_held(held)}. "
            f"{_values(starts)}{_sidechain(struck + held, len(kicks))}"
        )
        facts += [
            Fact(f"{name} with the kick", round(len(on) / len(starts), 2)),
            Fact(f"kicks with {name}", round(struck / len(kicks), 2)), Fact(f"kicks through {name}", held, "strokes"),
        ]
    return Answer(f"{' '.join(texts)} Counted from the notes.", tuple(facts), asked.links(bars))


def _lands(share: float) -> str:
    if share >= _MOSTLY:
        return "lands on the kick" if share == 1 else "mostly lands on the kick"
    if share <= _SELDOM:
        return "plays between the kicks" if not share else "mostly plays between the kicks"
    return "plays both on the kick and between"


def _held(kicks: int) -> str:
    return f", and through {kicks:,} more it still rings" if kicks else ""


def _values(starts: Sequence[int]) -> str:
    """Which note values follow each other most."""
    steps = [after - before for before, after in pairwise(unswung(starts))]
    counts = Counter(nearest_value(step) for step in steps)
    if not counts:
        return "It strikes only once."
    (value, count), *_ = counts.most_common(1)
    how = "only" if count == len(steps) else "mostly" if 2 * count > len(steps) else "most often"
    share = "" if count == len(steps) else f" ({share_said(count, len(steps))} of its steps)"
    return f"It plays {how} {value_name(value)}{share}."


def _sidechain(sounding_at: int, kicks: int) -> str:
    """What that means for a compressor that the kick drives."""
    if 2 * sounding_at >= kicks:
        return " They sound at once often enough for a sidechain to make room."
    return " They seldom sound at once, so a sidechain has little to do."


def _kicks(context: Context, question: Question) -> list[int]:
    """The ticks of the kicks in the named places, ascending, of all kits that sound."""
    asked = asked_notes(context, replace(question.about, tracks=()), "drums")
    found: set[int] = set()
    for track, notes in asked.notes.items():
        usual = usual_keys(context.song.track(track), context.palette)
        found |= {note.start for note in notes if usual.get(note.pitch, note.pitch) in KICK.pitches}
    return sorted(found)


def _near(ascending: Sequence[int], tick: int) -> bool:
    at = bisect_left(ascending, tick - TOGETHER + 1)
    return at < len(ascending) and ascending[at] < tick + TOGETHER


def _rings(notes: Sequence[Sounding], tick: int) -> bool:
    """Whether the note before a tick, in notes in order of time, still sounds there."""
    at = bisect_left(notes, tick, key=lambda note: note.start)
    return any(note.end > tick + TOGETHER for note in notes[max(0, at - _MOST) : at])
