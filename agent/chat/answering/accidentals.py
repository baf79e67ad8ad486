"""The key signature, the notes outside it, and the black keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from agent.chat.answer import Answer, Fact
from agent.chat.answering.asked_notes import asked_notes, at_said, bars_listed, bars_of, nothing_asked
from agent.chat.answering.wording import counted, listed, spelled
from agent.chat.context import Context
from agent.chat.messages import About
from agent.song.key import Key
from agent.theory.pitch import class_name, in_scale, pitch_name, signature_class
from agent.theory.sounding import Sounding

_SHARP_ORDER = (6, 1, 8, 3, 10, 5, 0)
_FLAT_ORDER = (10, 3, 8, 1, 6, 11, 4)
"""Pitch classes in the order in which signatures add them."""
_FIFTHS = {0: 0, 7: 1, 2: 2, 9: 3, 4: 4, 11: 5, 6: 6, 5: -1, 10: -2, 3: -3, 8: -4, 1: -5}
"""Sharps (above 0) or flats (below) of the major key on each pitch class."""
_BOTH_WAYS = 5
"""Accidentals from which on a key is also written the other way: B is C♭."""
_BLACK = frozenset({1, 3, 6, 8, 10})
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven")
_SHOWN = 8


def accidentals(context: Context, about: About) -> Answer:
    """An answer with the sharps or flats of the key signature, the first note outside it with its place and part, how
    many there are, and whether black keys are needed; of the named parts (none: of all) in the named places."""
    song = context.song
    signature, name = signature_said(song.key)
    asked = asked_notes(context, about, "pitched")
    if not asked.notes:
        why = nothing_asked(context, about, "pitched")
        return Answer(f"{name} {why.text}", (Fact("signature", signature), *why.facts), why.links)
    notes = asked.together()
    home = Key(class_name(signature_class(song.key), song.key))
    outside = [note for note in notes if not in_scale(home, note.pitch)]
    black = [note for note in notes if note.pitch % 12 in _BLACK]
    facts: tuple[Fact, ...] = (
        Fact("signature", signature), Fact("notes", len(notes)), Fact("accidentals", len(outside)),
        Fact("notes on black keys", len(black)),
    )
    keys = "No note needs a black key" if not black else (
        f"{len(black):,} of {counted(len(notes), 'note')} lie on black keys ({_tones(black, song.key)})"
    )
    if not outside:
        text = f"{name} No accidental beside it{asked.where}: every note belongs to the signature. {keys}."
        return Answer(f"{text} Counted from the notes.", facts, asked.links())
    first = outside[0]
    bars = bars_of(song, outside)
    alone = f"The first accidental{asked.where}"
    at = f"{_natural(pitch_name(first.pitch, song.key))} in {at_said(song, first.start)}, in {asked.names[first.track]}"
    count = f"{len(outside):,} of {counted(len(notes), 'note')} lie outside the signature"
    text = f"{name} {alone} is {at}. {count} ({_tones(outside, song.key, _natural)}), in {bars_listed(bars)}. {keys}."
    facts = (*facts, Fact("first accidental", pitch_name(first.pitch, song.key)), Fact("first accidental bar", bars[0]))
    return Answer(f"{text} Counted from the notes.", facts, asked.links(bars))


def signature_said(key: Key) -> tuple[int, str]:
    """(fifths, sentence): the sharps (above 0) or flats (below) of the key's signature, as a number and in words."""
    fifths = _FIFTHS[signature_class(key)]
    if "b" in key.tonic and fifths >= _BOTH_WAYS:
        fifths -= 12
    if "#" in key.tonic and fifths <= -_BOTH_WAYS:
        fifths += 12
    said = spelled(str(key))
    if not fifths:
        return 0, f"{said} has no sharps or flats in its signature."
    order = _SHARP_ORDER if fifths > 0 else _FLAT_ORDER
    kind = ("sharp" if fifths > 0 else "flat") + ("s" if abs(fifths) > 1 else "")
    tones = [_letter(tone, sharp=fifths > 0) for tone in order[: abs(fifths)]]
    return fifths, f"{said} has {_NUMBERS[abs(fifths)]} {kind} in its signature: {listed(tones)}."


def _letter(tone: int, *, sharp: bool) -> str:
    """The name of an altered tone of a signature: a sharp or a flat, also for C♭ and E♯."""
    letters = "FCGDAEB" if sharp else "BEADGCF"
    order = _SHARP_ORDER if sharp else _FLAT_ORDER
    return letters[order.index(tone)] + ("♯" if sharp else "♭")


def _tones(notes: Iterable[Sounding], key: Key, said: Callable[[str], str] = spelled) -> str:
    counts = Counter(note.pitch % 12 for note in notes)
    return listed(f"{said(class_name(tone, key))} {count:,}×" for tone, count in counts.most_common(_SHOWN))


def _natural(name: str) -> str:
    """The name of a note outside the signature: a letter alone has a natural sign there."""
    return spelled(name) if name[1:2] in ("#", "b") else f"{name[0]}♮{name[1:]}"
