"""Where the song is loudest and where it is softest."""

from __future__ import annotations

import re

from msgspec.structs import replace

from agent.chat.answer import Answer, Fact
from agent.chat.answering.growth import sections_or_windows
from agent.chat.answering.mix import loudness as loudness_of_parts
from agent.chat.answering.ranking import ranked
from agent.chat.answering.wording import bars_said, bars_timed, clock_at, decibels, links_to, listed, places_heard
from agent.chat.context import Context
from agent.chat.messages import Question
from agent.theory.excerpts import only
from agent.theory.stretches import stretches

_LONGEST = 400
"""Stretches that are measured at most: longer songs are measured by several bars at once."""
_MOST = 8
_EXTREME = re.compile(r"\b(loudest|quietest|softest|peaks?|louder than anywhere)\b")
_SOFT = re.compile(r"\b(quietest|softest)\b")


def loudness(context: Context, question: Question) -> Answer:
    """An answer with the place where the song (of named parts: only they) is loudest or softest, if the words ask where
    that is, else with the levels of the parts."""
    if context.song.note_count and asks_where(question.words):
        return _where(context, question, soft=bool(_SOFT.search(question.words.casefold())))
    return loudness_of_parts(context, question.about)


def asks_where(words: str) -> bool:
    """Whether words ask for the loudest or softest place: "loudest point?", not "the loudest part"."""
    plain = words.casefold()
    return bool(_EXTREME.search(plain)) and ranked(words) in ("places", "bars")


def _where(context: Context, question: Question, *, soft: bool) -> Answer:
    about = question.about
    if about.tracks:
        context = replace(context, song=only(context.song, frozenset(about.tracks)))
    song = context.song
    inside = [(first, last) for _, first, last in places_heard(about, song)] or [(1, song.bars)]
    step = -(-song.bars // _LONGEST)
    runs = [
        (at, min(at + step - 1, last)) for first, last in inside for at in range(first, last + 1, step)
    ]
    bars = [one for one in stretches(song, context.palette, runs) if one.notes]
    if not bars:
        return Answer("Nothing sounds there, so no place is louder than another.", (Fact("notes", 0),))
    sign = 1 if soft else -1
    best = min(bars, key=lambda one: (sign * round(one.level, 1), one.first))
    sections = sections_or_windows(song)
    here = next((f" in {name}" for name, first, last in sections if song.sections and first <= best.first <= last), "")
    word = "softest" if soft else "loudest"
    who = listed(track.name for track in song.tracks if track.id in about.tracks) or "the song"
    text = (
        f"At {clock_at(song, best.first)}, in {bars_said(best.first, best.last)}{here}, {who} is {word}, at about "
        f"{decibels(best.level)}."
    )
    found = stretches(song, context.palette, [(first, last) for _, first, last in sections])
    ranked = sorted(
        ((one, name) for one, (name, _, _) in zip(found, sections, strict=True) if one.notes),
        key=lambda pair: (sign * round(pair[0].level, 1), pair[0].first),
    )[:_MOST]
    said = "; ".join(
        f"{name + ', ' if song.sections else ''}{bars_timed(song, one.first, one.last)}, {decibels(one.level)}"
        for one, name in ranked
    )
    order = f" From {word} on: {said}." if len(ranked) > 1 else ""
    facts = (Fact(f"{word} bar", best.first, "bar"), Fact("level", round(best.level, 1), "dB"))
    links = links_to([(best.first, best.last), *((one.first, one.last) for one, _ in ranked[:2])])
    return Answer(f"{text}{order} Reckoned from faders, their automation, gains and velocities.", facts, links)
