"""Notes that somebody names, such as those of a sound effect, beside the key and the chords of the song."""

from __future__ import annotations

import re

from agent.chat.answer import Answer, Fact
from agent.chat.answering.asked_notes import bars_listed
from agent.chat.answering.wording import links_to, listed, places, runs_of, spelled
from agent.chat.context import Context
from agent.chat.messages import About
from agent.theory.chords import chord_symbol
from agent.theory.harmony import chords_known
from agent.theory.pitch import in_scale, pitch_class
from agent.theory.sounding import percussive_tracks

_NOTE = r"[A-G](?:#|b|♯|♭)?"
_ROW = re.compile(rf"(?<![\w'’]){_NOTE}(?:(?:\s*[,/–-]\s*|\s+and\s+|\s+){_NOTE}(?![\w'’♯♭#]))+")
"""At least two names of notes in a row; one alone may be a word or a key."""
_SHOWN = 4


def given_notes(words: str) -> tuple[str, ...]:
    """The names of notes that stand in a row in the words, each once; () without such a row."""
    found = _ROW.search(words)
    if found is None:
        return ()
    names = re.findall(_NOTE, found[0])
    return tuple(dict.fromkeys(name.replace("♯", "#").replace("♭", "b") for name in names))


def with_given(context: Context, about: About, names: tuple[str, ...]) -> Answer:
    """An answer that says whether named notes belong to the key, and which chords of the named places (none: the song)
    have a tone a semitone away from one of them."""
    song = context.song
    classes = {name: pitch_class(name) for name in names}
    outside = [name for name, tone in classes.items() if not in_scale(song.key, tone)]
    key, said = spelled(str(song.key)), listed(map(spelled, names))
    text = f"On the whole it fits: {said} all belong to {key}." if not outside else (
        f"Not all of it fits: {listed(map(spelled, outside))} {'is' if len(outside) == 1 else 'are'} outside {key}."
    )
    where = places(about, song)
    spans = [song.bar_map.span(first, last) for _, first, last in where]
    rubbing: dict[tuple[str, str], list[int]] = {}
    for one in chords_known(song, percussive_tracks(song, context.palette)):
        if spans and not any(one.start < end and one.end > start for start, end in spans):
            continue
        tones = one.chord.pitch_classes
        for name, tone in classes.items():
            if tone not in tones and {(tone + 1) % 12, (tone - 1) % 12} & set(tones):
                symbol = chord_symbol(one.chord, song.key)
                rubbing.setdefault((name, symbol), []).append(song.bar_map.bar_at(one.start))
    most = sorted(rubbing, key=lambda pair: -len(rubbing[pair]))[:_SHOWN]
    rubs = [
        f"{spelled(name)} over {spelled(symbol)} ({bars_listed(rubbing[name, symbol], 3)})" for name, symbol in most
    ]
    text += f" A semitone beside a tone of the chord: {listed(rubs)}." if rubs else (
        " No chord has a tone a semitone away from one of them."
    )
    bars = sorted({bar for pair in most for bar in rubbing[pair]})
    facts = (Fact("notes outside the key", len(outside)), Fact("chords that rub", len(rubbing)))
    return Answer(f"{text} Told by note names, whatever their octave.", facts, links_to(runs_of(bars)[:6]))
