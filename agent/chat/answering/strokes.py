"""The drums of a kit one by one: how often each is struck, where in the bar, and whether the kick is doubled."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from agent.chat.answer import Answer, Fact
from agent.chat.answering.asked_notes import (
    NotesAsked,
    asked_notes,
    bar_and_beat,
    bars_listed,
    bars_of,
    nothing_asked,
    sentence,
)
from agent.chat.answering.kit_pieces import KICK, names_of, piece_of, pieces_named, usual_keys
from agent.chat.answering.wording import counted, listed, number
from agent.chat.context import Context
from agent.chat.messages import Question
from agent.chat.reading.language import Language
from agent.song.ids import TrackId
from agent.song.song import Song
from agent.song.time import PPQ
from agent.theory.sounding import Sounding

_SIXTEENTH = PPQ // 4
_FOUR_FLOOR = re.compile(r"\b(?:four|4)[- ](?:on|to)[- ]the[- ]floor\b|\bkick on every beat\b")
_RUN = 4
"""Kicks in a row, a sixteenth apart or closer, that take a second pedal."""
_OFTEN = 0.12
"""The share of a drum's strokes that makes one place of the bar one of its own."""
_MOST = 16


def strokes(context: Context, question: Question, language: Language) -> Answer:
    """An answer with the number of strokes on the drums that the words name (none: on every drum), of each kit; for
    named ones also where they are, and for the kick whether it is doubled."""
    about, song = question.about, context.song
    asked = asked_notes(context, about, "drums")
    if not asked.notes:
        return nothing_asked(context, about, "drums")
    by_kit = {track: _on_usual_keys(context, track, notes) for track, notes in asked.notes.items()}
    named = pieces_named(question.words, language)
    if _FOUR_FLOOR.search(question.words.casefold()):
        return four_on_the_floor(song, asked, by_kit)
    if not named:
        return _all_drums(asked, by_kit)
    texts, facts, bars = [], [], []
    for pitches in named:
        what = listed(piece.many for piece in names_of(pitches)[:3]) or "strokes"
        hits = {track: [n for n in notes if n.pitch in pitches] for track, notes in by_kit.items()}
        played = {track: notes for track, notes in hits.items() if notes}
        facts.append(Fact(what, sum(map(len, hits.values())), "strokes"))
        if not played:
            texts.append(f"No {what}{asked.where} in {listed(asked.names[track] for track in by_kit)}.")
        for track, notes in played.items():
            here = bars_of(song, notes)
            bars += here
            texts.append(f"{asked.names[track]}: {_told(notes, asked)} in {bars_listed(here)}, "
                         f"{number(round(len(notes) / len(here), 1))} a bar there.{_usual_places(song, notes)}")
        if pitches == KICK.pitches:
            runs = _runs(sorted((note for notes in hits.values() for note in notes), key=lambda one: one.start))
            texts.append(_doubled(song, runs))
            facts.append(Fact("double kick runs", len(runs)))
    return Answer(f"{' '.join(texts)} Counted from the notes.", tuple(facts), asked.links(bars))


def four_on_the_floor(song: Song, asked: NotesAsked, by_kit: Mapping[TrackId, Sequence[Sounding]]) -> Answer:
    """An answer that says in which bars a kick is on every beat, and where the kicks mostly are."""
    kicks = [note for notes in by_kit.values() for note in notes if note.pitch in KICK.pitches]
    if not kicks:
        return Answer(f"No, there is no kick{asked.where}. Counted from the notes.", (Fact("kicks", 0),), asked.links())
    beats: dict[int, set[str]] = {}
    for note in kicks:
        bar, beat = bar_and_beat(song, note.start)
        beats.setdefault(bar, set()).add(beat)
    every = [
        bar for bar, struck in beats.items()
        if struck >= {str(beat + 1) for beat in range(song.bar_map.meter_at(song.bar_map.start_of(bar)).beats)}
    ]
    facts = (Fact("bars with a kick on every beat", len(every), f"of {len(beats)}"), Fact("kicks", len(kicks)))
    usual = _usual_places(song, kicks)
    if not every:
        text = f"No: in none of the {counted(len(beats), 'bar')} with a kick is one on every beat.{usual}"
        return Answer(f"{text} Counted from the notes.", facts, asked.links())
    few = f"{len(every)} of the {len(beats)} bars with a kick"
    share = "all bars that have a kick" if len(every) == len(beats) else few
    text = f"Yes, in {share}: {bars_listed(sorted(every))} have a kick on every beat.{usual}"
    return Answer(f"{text} Counted from the notes.", facts, asked.links(every))


def _on_usual_keys(context: Context, track_id: TrackId, notes: Sequence[Sounding]) -> list[Sounding]:
    usual = usual_keys(context.song.track(track_id), context.palette)
    return [
        Sounding(one.track, usual.get(one.pitch, one.pitch), one.start, one.end, one.velocity) for one in notes
    ] if usual else list(notes)


def _all_drums(asked: NotesAsked, by_kit: Mapping[TrackId, Sequence[Sounding]]) -> Answer:
    texts, facts = [], []
    for track, notes in by_kit.items():
        counts = Counter(piece_of(note.pitch) for note in notes)
        said = listed(counted(count, piece.one, piece.many) for piece, count in counts.most_common(_MOST))
        texts.append(f"{asked.names[track]}{asked.where}: {counted(len(notes), 'stroke')}, of them {said}.")
        facts += [
            Fact(f"{asked.names[track]} {piece.many}", count, "strokes") for piece, count in counts.most_common(_MOST)
        ]
    return Answer(f"{sentence(' '.join(texts))} Counted from the notes.", tuple(facts), asked.links())


def _told(notes: Sequence[Sounding], asked: NotesAsked) -> str:
    counts = Counter(piece_of(note.pitch) for note in notes)
    return f"{listed(counted(count, piece.one, piece.many) for piece, count in counts.most_common())}{asked.where}"


def _usual_places(song: Song, notes: Sequence[Sounding]) -> str:
    """On which beats of the bar most strokes are, if a few beats hold most of them."""
    beats = Counter(bar_and_beat(song, note.start)[1] for note in notes)
    usual = [beat for beat, count in beats.items() if count >= _OFTEN * len(notes)]
    held = sum(beats[beat] for beat in usual)
    if not usual or 2 * held < len(notes):
        return ""
    said = listed(sorted(usual, key=float))
    how = "Always" if held == len(notes) else "Mostly"
    return f" {how} on {'beat' if len(usual) == 1 else 'beats'} {said}."


def _runs(notes: Sequence[Sounding]) -> list[tuple[Sounding, int]]:
    """The first kick and the length of each run of kicks that are a sixteenth apart or closer."""
    found: list[tuple[Sounding, int]] = []
    first, length = (notes[0], 1) if notes else (None, 0)
    for before, after in pairwise(notes):
        gap = after.start - before.start
        if gap < _SIXTEENTH // 8:
            continue  # two keys for one stroke
        if gap <= _SIXTEENTH * 9 // 8:
            length += 1
            continue
        if first is not None and length >= _RUN:
            found.append((first, length))
        first, length = after, 1
    if first is not None and length >= _RUN:
        found.append((first, length))
    return found


def _doubled(song: Song, runs: Sequence[tuple[Sounding, int]]) -> str:
    if not runs:
        return "No double kick: never four kicks in a row a sixteenth apart or closer."
    longest = max(length for _, length in runs)
    where = bars_listed(song.bar_map.bar_at(note.start) for note, _ in runs)
    times = counted(len(runs), "run")
    return f"Double kick: {times} of four or more kicks a sixteenth apart or closer, up to {longest}, in {where}."
