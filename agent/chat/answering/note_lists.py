"""How many notes parts play, and which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from operator import attrgetter

from agent.chat.answer import Answer, Fact
from agent.chat.answering.bass_tones import bass_tones
from agent.chat.answering.outer_notes import outer_notes
from agent.chat.answering.parts import links_of, named_tracks
from agent.chat.answering.wording import counted, links_to, listed, number, places, spelled
from agent.chat.context import Context
from agent.chat.messages import Question
from agent.chat.reading.language import Language
from agent.chat.reading.phrases import PhraseList
from agent.chat.reading.sentences import plain_tokens
from agent.song.track import Track
from agent.theory.pitch import class_name, pitch_name
from agent.theory.sounding import Sounding, family_tracks, kit_tracks, sounding, strokes

_MOST = 24
_NAMED = 24
"""Notes of a part in a place that are named one by one."""


def notes(context: Context, question: Question, language: Language) -> Answer:
    """An answer with the number of notes of the named parts (none: of all); for named places also which they are: up to
    24 of a part with their octaves, of more how often each pitch class comes. A bass that is asked for alone is
    compared with the chords. If the words ask for the first or the last notes, these are named."""
    about = question.about
    tokens = plain_tokens(question.words, language)
    for group in ("first_notes", "last_notes"):
        if PhraseList(language.words.groups[group]).find(tokens):
            return outer_notes(context, about, last=group == "last_notes")
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
    names = listed(name for name, _, _ in where)
    head = f"{names[0].upper()}{names[1:]}: " if where else ""
    bars = len({bar for _, first, last in where for bar in range(first, last + 1)}) or max(song.bars, 1)
    per_bar = f"{number(round(total / bars, 1))} a bar."
    rest = f" Together {total:,}, {per_bar}" if len(facts) > 1 else f" That is {per_bar}"
    alone = len(about.tracks) == 1 and about.tracks[0] in family_tracks(song, context.palette, "bass")
    against = bass_tones(context, shown) if alone else ""
    links = (*links_to((first, last) for _, first, last in where), *links_of(tracks))
    text = f"{head}{listed(texts)}.{rest}{against} Counted from the notes."
    return Answer(text, (Fact("notes", total), *facts), links)


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
