"""A lead sheet as MEI, the form in which it is engraved: one staff, chords above it, section names in boxes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby, pairwise

from msgspec import Struct

from agent.song.key import Key, Mode
from agent.song.time import PPQ
from app.exchange.lead_sheet.page import shown
from app.exchange.lead_sheet.rhythm import beam_groups
from app.exchange.lead_sheet.sheet import SheetBar, Written

_LETTERS = "FCGDAEB"
"""In fifths; each sharp is seven further, each flat seven back."""
_NATURAL = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
_BEHIND: dict[Mode, int] = {
    "major": 0, "minor": 3, "dorian": 2, "phrygian": 4, "lydian": -1, "mixolydian": 1, "locrian": 5,
    "harmonic_minor": 3, "melodic_minor": 3,
}
_MOST = 7


class Spelled(Struct, frozen=True):
    """A pitch on the staff: the letter, its octave and its alteration in semitones (1 for ♯, -1 for ♭)."""

    letter: str
    octave: int
    altered: int


def signature(key: Key) -> int:
    """Sharps of a key's signature, or flats below zero; at most seven."""
    fifths = _LETTERS.index(key.tonic[0]) - 1 + 7 * (key.tonic.count("#") - key.tonic[1:].count("b"))
    fifths -= _BEHIND[key.mode]
    return fifths - 12 if fifths > _MOST else fifths + 12 if fifths < -_MOST else fifths


def _in_signature(letter: str, fifths: int) -> int:
    """The semitones by which a key signature alters a letter; `fifths` is its number of sharps, or of flats below
    zero."""
    place = _LETTERS.index(letter)
    return int(place < fifths) - int(_MOST - 1 - place < -fifths)


def spelled(pitch: int, key: Key) -> Spelled:
    """A MIDI pitch as the key writes it: its own notes, the leading note of minor raised, else the nearer sign."""
    fifths = signature(key)
    low = fifths - (3 if _BEHIND[key.mode] >= 3 else 4)
    index = next(at for at in range(low, low + 12) if (7 * at) % 12 == pitch % 12)
    altered, place = divmod(index + 1, 7)
    letter = _LETTERS[place]
    return Spelled(letter, (pitch - altered - _NATURAL[letter]) // 12 - 1, altered)


_SIGNS = {-2: "ff", -1: "f", 0: "n", 1: "s", 2: "ss"}
_WHOLE = 4 * PPQ
_BASS_BELOW = 55
"""Tunes that lie below this pitch on average are written in the bass clef."""
_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?><mei xmlns="http://www.music-encoding.org/ns/mei" meiversion="5.0">'
    "<meiHead><fileDesc><titleStmt><title/></titleStmt><pubStmt/></fileDesc></meiHead><music><body><mdiv><score>"
)
_END = "</section></score></mdiv></body></music></mei>"


def to_mei(bars: Sequence[SheetBar], key: Key) -> str:
    """The bars as an MEI document; each line of bars is a page of its own."""
    pitches = [note.pitch for bar in bars for note in bar.notes if note.pitch is not None]
    low = bool(pitches) and sum(pitches) / len(pitches) < _BASS_BELOW
    clef = 'clef.shape="F" clef.line="4"' if low else 'clef.shape="G" clef.line="2"'
    fifths = signature(key)
    sig = f"{abs(fifths)}{'s' if fifths > 0 else 'f'}" if fifths else "0"
    first = bars[0].meter
    parts = [
        _HEAD, f'<scoreDef keysig="{sig}" meter.count="{first.beats}" meter.unit="{first.unit}"><staffGrp>'
        f'<staffDef n="1" lines="5" {clef}/></staffGrp></scoreDef><section>',
    ]
    for number, bar in enumerate(bars):
        before = bars[number - 1] if number else bar
        if bar.opens_line and number:
            parts.append("<pb/>")
        if (before.meter.beats, before.meter.unit) != (bar.meter.beats, bar.meter.unit):
            parts.append(f'<scoreDef meter.count="{bar.meter.beats}" meter.unit="{bar.meter.unit}"/>')
        following = bars[number + 1] if number + 1 < len(bars) else None
        right = "end" if following is None else "dbl" if following.section else "single"
        parts.append(_measure(bar, key, right))
    return "".join([*parts, _END])


def _measure(bar: SheetBar, key: Key, right: str) -> str:
    notes = "".join(_voice(bar, key)) if bar.notes else "<mRest/>"
    unit = PPQ * 4 // bar.meter.unit
    chords = "".join(
        f'<harm staff="1" place="above" tstamp="{1 + at / unit:g}">{escape(shown(symbol))}</harm>'
        for at, symbol in bar.chords
    )
    name = (
        f'<reh staff="1" place="above" tstamp="1"><rend rend="box" halign="left">{escape(bar.section)}</rend></reh>'
        if bar.section else ""
    )
    return (
        f'<measure n="{bar.number}" right="{right}"><staff n="1"><layer n="1">{notes}</layer></staff>{chords}{name}'
        "</measure>"
    )


def _voice(bar: SheetBar, key: Key) -> Iterator[str]:
    """The notes of a bar, triplets and beams around them."""
    standing: dict[tuple[str, int], int] = {}
    marked = [(one, _item(one, key, standing)) for one in bar.notes]
    for triplet, members in groupby(marked, key=lambda one: one[0].at // PPQ if one[0].triplet else -1):
        own = list(members)
        if triplet >= 0:
            yield f'<tuplet num="3" numbase="2">{"".join(_beamed(own, (PPQ,) * 32))}</tuplet>'
        else:
            yield from _beamed(own, beam_groups(bar.meter))


def _beamed(items: Sequence[tuple[Written, str]], groups: Sequence[int]) -> Iterator[str]:
    edges = [sum(groups[:at]) for at in range(len(groups) + 1)]

    def group(one: tuple[Written, str]) -> tuple[int, bool]:
        note = one[0]
        place = next((at for at, (low, high) in enumerate(pairwise(edges)) if low <= note.at < high), -1)
        return place, note.pitch is not None and note.written < PPQ

    for (_, short), members in groupby(items, key=group):
        texts = [text for _, text in members]
        yield f"<beam>{''.join(texts)}</beam>" if short and len(texts) > 1 else "".join(texts)


def _item(note: Written, key: Key, standing: dict[tuple[str, int], int]) -> str:
    value, dots = _value(note.written)
    length = f'dur="{value}"' + f' dots="{dots}"' * bool(dots)
    if note.pitch is None:
        return f"<rest {length}/>"
    one = spelled(note.pitch, key)
    place = one.letter, one.octave
    now = standing.get(place, _in_signature(one.letter, signature(key)))
    tied = note.tie in ("m", "t")
    kind = "accid.ges" if tied or now == one.altered else "accid"
    if not tied:
        standing[place] = one.altered
    sign = f' {kind}="{_SIGNS[one.altered]}"' if kind == "accid" or one.altered else ""
    tie = f' tie="{note.tie}"' if note.tie else ""
    return f'<note pname="{one.letter.lower()}" oct="{one.octave}" {length}{sign}{tie}/>'


def _value(ticks: int) -> tuple[int, int]:
    """The value of a length, 4 for a quarter, and its dots; the nearest shorter one for a length that has none."""
    for value in (1, 2, 4, 8, 16, 32):
        whole = _WHOLE // value
        if ticks >= whole:
            return value, int(ticks >= whole * 3 // 2)
    return 32, 0
