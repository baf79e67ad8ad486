"""How many notes parts play, and which."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from operator import attrgetter

from agent.chat.answer import Answer, Fact
from agent.chat.answering.asked import words_of
from agent.chat.answering.bass_tones import bass_tones
from agent.chat.answering.frequent_notes import frequent_notes
from agent.chat.answering.outer_notes import outer_notes
from agent.chat.answering.parts import links_of, named_tracks
from agent.chat.answering.wording import counted, links_to, listed, number, places, runs_of, spelled
from agent.chat.context import Context
from agent.chat.messages import Question
from agent.chat.reading.language import Language
from agent.chat.reading.phrases import PhraseList
from agent.chat.reading.sentences import plain_tokens
from agent.song.song import Song
from agent.song.track import Track
from agent.theory.pitch import class_name, pitch_name
from agent.theory.sounding import Sounding, family_tracks, kit_tracks, sounding, strokes

_MOST = 24
_NAMED = 24
"""Notes of a part in a place that are named one by one."""

_A_SECOND = re.compile(r"\b(?:per|a|an|each|every) sec(?:ond|s)?\b|/ ?s(?:ec)?\b|\bnps\b|"
                       r"\bin (?:a|the|one) second (?:do|does|is|are|has|have)\b")
_MOST_OFTEN = frozenset({"most", "mostly", "oftenest", "commonest", "favourite", "favorite"})
_OF_A_NOTE = frozenset({"note", "pitch", "sit", "sits", "sitting", "often", "common", "frequent", "used"})
"""Words that together with one of the former ask which note comes most, not how many notes there are."""



def notes(context: Context, question: Question, language: Language) -> Answer:
    """An answer with the number of notes of the named parts (none: of all); for named places also which they are: up to
    24 of a part with their octaves, of more how often each pitch class comes. A bass that is asked for alone is
    compared with the chords. If the words ask for the first, the last or the most frequent notes, these are named; if
    they ask for notes a second, these are told too."""
    about = question.about
    tokens = plain_tokens(question.words, language)
    for group in ("first_notes", "last_notes"):
        if PhraseList(language.words.groups[group]).find(tokens):
            return outer_notes(context, about, last=group == "last_notes")
    plain = question.words.casefold()
    words = words_of(plain)
    if _MOST_OFTEN & words and _OF_A_NOTE & words:
        return frequent_notes(context, about)
    song = context.song
    where = places(about, song)
    if where and min(first for _, first, _ in where) > song.bars:
        return Answer(f"None: the song ends after bar {song.bars}.", (Fact("notes", 0),))
    tracks = named_tracks(context, about)[:_MOST]
    spans: list[tuple[int, int]] = [song.bar_map.span(first, last) for _, first, last in where]
    texts, facts = [], []
    shown: list[Sounding] = []
    for track in tracks:
        shown = [
            note for note in sounding(song, {track.id})
            if not spans or any(start <= note.start < end for start, end in spans)
        ]
        count = len(shown) if where or not track.mute else track.note_count
        texts.append(f"{track.name} {counted(count, 'note')}{_which(context, track, shown) if where else ''}")
        facts.append(Fact(track.name, count, "notes"))
    if not texts:
        return Answer("None: the song has no notes yet.", (Fact("notes", 0),))
    total = sum(int(fact.value) for fact in facts)
    several = len(facts) > 1
    names = listed(name for name, _, _ in where)
    head = f"{names[0].upper()}{names[1:]}: " if where else ""
    bars = sorted({bar for _, first, last in where for bar in range(first, min(last, song.bars) + 1)})
    bars = bars or list(range(1, song.bars + 1))
    per_bar = f"{number(round(total / max(len(bars), 1), 1))} a bar"
    if _A_SECOND.search(plain):
        rate = total / max(_seconds(song, bars), 0.001)
        per_bar += f" and {number(round(rate, 1 if rate >= 1 else 2))} a second"
        facts.append(Fact("notes a second", round(rate, 2)))
    per_bar += "."
    rest = f" Together {total:,}, {per_bar}" if several else f" That is {per_bar}"
    alone = len(about.tracks) == 1 and about.tracks[0] in family_tracks(song, context.palette, "bass")
    against = bass_tones(context, shown) if alone else ""
    links = (*links_to((first, last) for _, first, last in where), *links_of(tracks))
    text = f"{head}{listed(texts)}.{rest}{against} Counted from the notes."
    return Answer(text, (Fact("notes", total), *facts), links)


def _seconds(song: Song, bars: Sequence[int]) -> float:
    """How long bars last together."""
    spans = (song.bar_map.span(*run) for run in runs_of(bars))
    return sum(song.tempo_map.seconds(end) - song.tempo_map.seconds(start) for start, end in spans)


def _which(context: Context, track: Track, here: Sequence[Sounding]) -> str:
    """The notes of a part with their octaves, those struck together joined by +; of many only how often each comes."""
    key = context.song.key
    if not here or track.id in kit_tracks(context.song, context.palette):
        return ""
    if len(here) > _NAMED:
        counts = Counter(note.pitch % 12 for note in here)
        classes = sorted(counts, key=lambda one: (one - key.pitch_class) % 12)
        return f" ({', '.join(f'{spelled(class_name(one, key))} {counts[one]}×' for one in classes)})"
    names = (
        "+".join(spelled(pitch_name(note.pitch, key)) for note in sorted(group, key=attrgetter("pitch")))
        for group in strokes(here)
    )
    return f" ({' '.join(names)})"
