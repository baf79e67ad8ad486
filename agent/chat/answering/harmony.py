"""Key, chords, and notes outside the key."""

from __future__ import annotations

from collections import Counter

from agent.chat.answer import Answer, BarsLink, Fact
from agent.chat.answering.related_keys import wheel
from agent.chat.answering.wording import bars_said, counted, links_to, listed, places, runs_of, spelled
from agent.chat.context import Context
from agent.chat.messages import About
from agent.song.key import Key
from agent.theory.chords import chord_symbol
from agent.theory.harmony import chords_known
from agent.theory.key_finding import find_key
from agent.theory.measures import histogram, key_fit, key_of
from agent.theory.pitch import class_name, in_scale, same_notes
from agent.theory.sounding import percussive_tracks, pitched, sounding

_SURE = 0.4
_MOST_BARS = 16
"""Bars whose chords are told one by one."""


def key(context: Context, about: About) -> Answer:
    """An answer with the key that is set, and the one found from the notes if it differs; for named places the key
    heard there."""
    song = context.song
    if song.note_count and (where := places(about, song)):
        return _key_heard(context, where)
    said = spelled(str(song.key))
    facts = [Fact("key", str(song.key))]
    text = f"It is in {said}, as set in the song."
    scale = [class_name(tone, song.key) for tone in scale_of(song.key)]
    notes = f" Its notes are {' '.join(map(spelled, scale))}."
    facts.append(Fact("scale", " ".join(scale)))
    if (number := wheel(song.key)) is not None:
        facts.append(Fact("camelot", number))
        notes += f" On the Camelot wheel that is {number}."
    if song.note_count:
        found = key_of(song, percussive_tracks(song, context.palette))
        facts += [Fact("key heard", str(found.key)), Fact("confidence", round(found.confidence, 2))]
        if found.confidence < _SURE:
            text += " The notes alone leave it open."
        elif found.key == song.key or same_notes(found.key, song.key):
            text += " The notes agree."
        else:
            text += f" The notes sound more like {spelled(str(found.key))}, counted over the whole song."
    return Answer(text + notes, tuple(facts))


def _key_heard(context: Context, where: tuple[tuple[str, int, int], ...]) -> Answer:
    """The key that the notes of places suggest: a song states one for all of it."""
    song = context.song
    drums = percussive_tracks(song, context.palette)
    texts, facts = [], []
    for name, first, last in where:
        start, end = song.bar_map.span(first, last)
        notes = [note for note in pitched(song, drums) if note.start < end and note.end > start]
        title = f"{name[0].upper()}{name[1:]}"
        if not notes:
            texts.append(f"{title}: no note with a pitch sounds there.")
            continue
        found = find_key(histogram(notes))
        said, fits = spelled(str(found.key)), key_fit(notes, song.key) == 1
        if found.confidence < _SURE:
            open_to = f"they all belong to {spelled(str(song.key))}" if fits else f"{said} is nearest"
            texts.append(f"{title}: the notes leave the key open; {open_to}.")
            continue
        texts.append(f"{title}: {said}, heard from the notes.")
        facts.append(Fact(f"key of {name}", str(found.key)))
    links = tuple(BarsLink(first, last) for _, first, last in where)
    return Answer(f"{' '.join(texts)} The song as a whole is set in {spelled(str(song.key))}.", tuple(facts), links)


def scale_of(key: Key) -> list[int]:
    """The pitch classes of a key, ascending from its tonic."""
    return [tone % 12 for tone in range(key.pitch_class, key.pitch_class + 12) if in_scale(key, tone)]


def chords(context: Context, about: About) -> Answer:
    """An answer with the chords of the named place (none: of the song): the stated ones, otherwise those found from the
    notes."""
    song = context.song
    found = chords_known(song, percussive_tracks(song, context.palette))
    if not found:
        return Answer("Nothing sounds that makes a chord: the song has no pitched notes yet.", (Fact("chords", ""),))
    by_bar: dict[int, list[str]] = {}
    for one in found:
        by_bar.setdefault(song.bar_map.bar_at(one.start), []).append(chord_symbol(one.chord, song.key))
    where = places(about, song) or (("The song", 1, song.bars),)
    texts, facts, links = [], [], []
    for name, first, last in where:
        bars = range(max(first, 1), min(last, song.bars) + 1)
        if not bars:
            texts.append(f"{name[0].upper()}{name[1:]}: the song ends before, after bar {song.bars}.")
            continue
        shown = bars[:_MOST_BARS]
        line = " | ".join(" ".join(by_bar.get(bar, ["–"])) for bar in shown)
        more = f" … and {counted(len(bars) - len(shown), 'more bar')}" if len(bars) > len(shown) else ""
        texts.append(f"{name[0].upper()}{name[1:]}: {spelled(line)}{more}.")
        facts += [Fact(f"chord of bar {bar}", " ".join(by_bar[bar])) for bar in shown if bar in by_bar]
        links.append(BarsLink(bars[0], bars[-1]))
    source = "So the song states them." if song.chords else "Heard from the notes, bar by bar."
    return Answer(f"{' '.join(texts)} {source}", tuple(facts), tuple(links))


def in_tune(context: Context, about: About) -> Answer:
    """An answer with the number of notes outside the key, and where most of them are."""
    song = context.song
    drums = percussive_tracks(song, context.palette)
    notes = [
        note for note in sounding(song)
        if note.track not in drums and (not about.tracks or note.track in about.tracks)
    ]
    if not notes:
        return Answer("There are no pitched notes to judge.", (Fact("notes", 0),))
    outside = [note for note in notes if not in_scale(song.key, note.pitch)]
    share = round(1 - len(outside) / len(notes), 3)
    facts = (Fact("notes", len(notes)), Fact("notes outside the key", len(outside)), Fact("share in the key", share))
    said = spelled(str(song.key))
    if not outside:
        return Answer(f"Yes: all {counted(len(notes), 'note')} belong to {said}, counted from the notes.", facts)
    bars = sorted({song.bar_map.bar_at(note.start) for note in outside})
    tones = listed(spelled(name) for name in _tones(outside, song.key))
    stretches = runs_of(bars)
    where = listed(bars_said(*one) for one in stretches[:4]) + (" and elsewhere" if len(stretches) > 4 else "")
    verdict = "Mostly" if share >= 0.9 else "Not quite"
    return Answer(
        f"{verdict}: {len(outside)} of {counted(len(notes), 'note')} lie outside {said} ({tones}), in {where}. "
        "Counted from the notes; a borrowed chord may want them so.", facts, links_to(stretches[:4]),
    )


def _tones(notes: list, key: Key) -> list[str]:  # type: ignore[type-arg]
    counts = Counter(note.pitch % 12 for note in notes)
    return [class_name(tone, key) for tone, _ in counts.most_common(3)]
