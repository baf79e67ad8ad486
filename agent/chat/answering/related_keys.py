"""Keys related to the song's: transposed by an interval, as a transposing instrument or a capo reads it, and those that
mix well with it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from agent.chat.answer import Answer, Fact
from agent.chat.answering.wording import counted, listed, spelled
from agent.chat.context import Context
from agent.chat.messages import Question
from agent.song.key import Key, Mode
from agent.theory.pitch import class_name, pitch_class, same_notes, scale, signature_class, usual_tonic

_INTERVALS = {
    "semitone": 1, "semitones": 1, "halfstep": 1, "halftone": 1, "fret": 1, "frets": 1, "tone": 2, "tones": 2,
    "step": 2, "steps": 2, "second": 2, "third": 4, "fourth": 5, "fifth": 7, "sixth": 9, "seventh": 11, "octave": 12,
}
"""Semitones of the intervals that words name; a minor third, sixth or seventh is one less."""
_SMALLER = frozenset({"third", "sixth", "seventh", "second"})
_COUNTS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
_DOWN = frozenset({"down", "lower", "below", "under", "flatter", "drop", "dropped"})
_UP = frozenset({"up", "higher", "above", "over", "raise", "raised"})
_INSTRUMENTS = {
    "trumpet": 2, "trumpets": 2, "cornet": 2, "flugelhorn": 2, "clarinet": 2, "clarinets": 2, "tenor sax": 2,
    "tenor saxophone": 2, "soprano sax": 2, "alto sax": 9, "alto saxophone": 9, "baritone sax": 9, "bari sax": 9,
    "french horn": 7, "horn in f": 7, "english horn": 7, "cor anglais": 7, "sax": 9, "saxophone": 9,
}
"""Semitones, without octaves, by which instruments read higher than they sound."""
_PITCHED = {"b flat": 2, "bb": 2, "e flat": 9, "eb": 9, "in f": 7}
"""The same for an instrument that is named by its key, as in "a B flat instrument"."""
_READS = {2: "a whole tone above", 9: "a major sixth above", 7: "a fifth above"}
_KEY = re.compile(r"\b([a-g])(?: ?(flat|sharp|♭|♯|b|#))? ?(minor|major|min|maj|m)\b")
_CAPO = re.compile(r"\bcapo\b[^\d]{0,24}(\d{1,2})")
_SHAPES = re.compile(
    r"\b([a-g])(?: ?(flat|sharp|♭|♯|b|#))?(?: ?(minor|major|min|maj|m))?(?: family)? (?:shapes|chords|family)\b")
_EASY: Mapping[Mode, tuple[str, ...]] = {"major": ("G", "C", "D", "A", "E"), "minor": ("A", "E", "D")}
"""Tonics whose chords lie open on a guitar."""
_HIGHEST_CAPO = 7
_SIGNS = {"flat": "b", "♭": "b", "b": "b", "sharp": "#", "♯": "#", "#": "#"}
_ORDINALS = {"first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5", "seventh": "7"}


def related_keys(context: Context, question: Question) -> Answer:
    """An answer with the key that the words ask for: moved by an interval, as read by a transposing instrument, with a
    capo, or another key set beside the song's; otherwise the keys that mix with it."""
    key = context.song.key
    text = " ".join(question.words.casefold().replace("-", " ").split())
    capo = _CAPO.search(_fret(text)) if "capo" in text else None
    if "capo" in text and (shapes := _shapes(text, key)) is not None:
        return _with_capo(key, (signature_class(key) - signature_class(shapes)) % 12)
    if capo is not None:
        return _with_capo(key, int(capo[1]))
    if "capo" in text:
        return _easy_shapes(key)
    if (shift := interval(text)) is not None:
        return _moved(key, shift)
    instrument = _instrument(text)
    if instrument is not None:
        return _read(key, *instrument)
    other = _other(text, key)
    return _beside(key, other) if other is not None else _neighbours(key)


def interval(text: str) -> int | None:
    """The semitones, down as negative, by which a casefolded text moves a key: "down a tone"; None if it does not."""
    words = text.replace("half step", "halfstep").replace("half tone", "halftone").split()
    plain = [word.strip(".,?!’'\"") for word in words]
    direction = -1 if _DOWN & set(plain) else 1 if _UP & set(plain) else 0
    if not direction:
        return None
    for at, word in enumerate(plain):
        size = _INTERVALS.get(word)
        if size is None:
            continue
        before = plain[max(at - 3, 0) : at]
        minor = word in _SMALLER and ("minor" in before or "flat" in before)
        number = before[-1] if before else ""
        count = int(number) if number.isdecimal() and len(number) < 3 else _COUNTS.get(number, 1)
        half = 1 if "half" in before and size == 2 else 0
        return direction * (size * count - minor - half)
    return None


def transposed(key: Key, semitones: int) -> Key:
    """The key with the same mode, that many semitones higher, spelled as musicians write it."""
    return Key(usual_tonic(key.pitch_class + semitones, key.mode), key.mode)


def wheel(key: Key) -> str | None:
    """The number by which DJs name a major or minor key: those beside it on the circle of fifths are one off."""
    if key.mode not in ("major", "minor"):
        return None
    return f"{(signature_class(key) * 7 + 7) % 12 + 1}{'B' if key.mode == 'major' else 'A'}"


def _fret(text: str) -> str:
    for word, digit in {**_ORDINALS, **{name: str(count) for name, count in _COUNTS.items() if name != "a"}}.items():
        text = re.sub(rf"\b{word}\b", digit, text)
    return text


def _moved(key: Key, semitones: int) -> Answer:
    moved = transposed(key, semitones)
    way = f"{counted(abs(semitones), 'semitone')} {'up' if semitones > 0 else 'down'}"
    return Answer(
        f"{way} from {_said(key)} it would be in {_said(moved)}: {_notes(moved)}. Nothing is moved; “transpose it "
        f"{way.rpartition(' ')[2]} {counted(abs(semitones), 'semitone')}” asks for it.",
        (Fact("key", str(key)), Fact("transposed key", str(moved)), Fact("semitones", semitones)),
    )


def _read(key: Key, name: str, above: int) -> Answer:
    written = transposed(key, above)
    return Answer(
        f"{name[:1].upper()}{name[1:]} reads {_said(written)}, {_READS[above]} the {_said(key)} that sounds: "
        f"{_notes(written)}. Counted from the key set in the song.",
        (Fact("key", str(key)), Fact("written key", str(written)), Fact("semitones", above)),
    )


def _shapes(text: str, key: Key) -> Key | None:
    """The key of the chord shapes that a text names, major or minor as the song where it does not say."""
    found = _SHAPES.search(text)
    if found is None:
        return None
    minor = found[3] in ("minor", "min", "m") if found[3] else _is_minor(key)
    tonic = f"{found[1].upper()}{_SIGNS.get(found[2] or '', '')}"
    mode: Mode = "minor" if minor else "major"
    return Key(usual_tonic(pitch_class(tonic), mode), mode)


def _easy_shapes(key: Key) -> Answer:
    """The frets of a capo with which a guitar plays open chords, the lowest first."""
    mode: Mode = "minor" if _is_minor(key) else "major"
    shapes = [Key(tonic, mode) for tonic in _EASY[mode]]
    frets = sorted(((signature_class(key) - signature_class(one)) % 12, str(one)) for one in shapes)
    near = [(fret, one) for fret, one in frets if fret <= _HIGHEST_CAPO]
    said = listed(f"{f'on fret {fret}' if fret else 'without a capo'} shapes of {one}" for fret, one in near)
    return Answer(
        f"{_said(key)} can be played with open chords: {said}. Reckoned from the key set in the song.",
        (Fact("key", str(key)), *(Fact(f"fret for {one}", fret) for fret, one in near)),
    )


def _is_minor(key: Key) -> bool:
    return 3 in {(pc - key.pitch_class) % 12 for pc in scale(key)}


def _with_capo(key: Key, fret: int) -> Answer:
    shapes = transposed(key, -fret)
    if not fret:
        return Answer(f"No capo: the shapes of {_said(shapes)} sound in {_said(key)} as they are.",
                      (Fact("key", str(key)), Fact("shapes", str(shapes)), Fact("fret", 0)))
    return Answer(
        f"With a capo on fret {fret} you play the shapes of {_said(shapes)} and it sounds in {_said(key)}.",
        (Fact("key", str(key)), Fact("shapes", str(shapes)), Fact("fret", fret)),
    )


def _instrument(text: str) -> tuple[str, int] | None:
    """The transposing instrument that a text names, with its article, and by how much it reads higher."""
    named = [name for name in _INSTRUMENTS if re.search(rf"\b{name}\b", text)]
    if named:
        name = max(named, key=len)
        article = "an" if name[0] in "aeiou" else "a"
        shown = {"sax": "alto sax", "saxophone": "alto saxophone"}.get(name, name)
        return f"{'an' if shown[0] in 'aeiou' else article} {shown}", _INSTRUMENTS[name]
    for name, above in _PITCHED.items():
        if re.search(rf"\b{name}\b (?:instrument|part|player|horn|transposing)", text):
            return f"{'an' if name[0] in 'e' else 'a'} {_TITLES[name]} instrument", above
    return None


_TITLES = {"b flat": "B♭", "bb": "B♭", "e flat": "E♭", "eb": "E♭", "in f": "F"}


def _other(text: str, key: Key) -> Key | None:
    """The first key named in a text that is not the song's."""
    for one in _KEY.finditer(text):
        tonic = f"{one[1].upper()}{_SIGNS.get(one[2] or '', '')}"
        mode: Mode = "major" if one[3].startswith("maj") else "minor"
        other = Key(usual_tonic(pitch_class(tonic), mode), mode)
        if (other.pitch_class, other.mode) != (key.pitch_class, key.mode):
            return other
    return None


def _beside(key: Key, other: Key) -> Answer:
    """How much two keys have in common."""
    shared = len(set(scale(key)) & set(scale(other)))
    if same_notes(key, other):
        verdict = "share all their notes, so they mix without a clash"
    else:
        near = "only one note apart, so they mix well" if shared == 6 else f"share {shared} of 7 notes"
        warn = "" if shared > 5 else ": laid over one another they may clash, after one another they do not"
        verdict = f"are {near}" if shared == 6 else f"{near}{warn}"
    return Answer(
        f"{_named(key)} (the song) and {_named(other)} {verdict}. Counted from their scales.",
        (Fact("key", str(key)), Fact("other key", str(other)), Fact("shared notes", shared)),
    )


def _neighbours(key: Key) -> Answer:
    """The keys that share all notes, or all but one, with the song's."""
    minor = _is_minor(key)
    home = signature_class(key)
    mode: Mode = "minor" if minor else "major"
    offset = 9 if minor else 0
    names = [Key(usual_tonic((home + step + offset) % 12, mode), mode) for step in (5, 7)]
    relative = Key(usual_tonic(home, "major"), "major") if minor else Key(usual_tonic(home + 9, "minor"), "minor")
    if key.mode not in ("major", "minor"):
        names = [Key(usual_tonic(home, "major"), "major"), *names]
    facts = (Fact("key", str(key)), Fact("camelot", wheel(key) or ""),
             *(Fact("mixes with", str(one)) for one in (relative, *names)))
    here = wheel(key)
    own = f" is {here} on the Camelot wheel" if here is not None else " has no place of its own on the Camelot wheel"
    return Answer(
        f"{_said(key)}{own}. It mixes with {_named(relative)}, which has the same notes, and with "
        f"{listed(map(_named, names))}, which differ in one. Counted from the key set in the song.", facts,
    )


def _named(key: Key) -> str:
    number = wheel(key)
    return _said(key) if number is None else f"{_said(key)} ({number})"


def _said(key: Key) -> str:
    return spelled(str(key))


def _notes(key: Key) -> str:
    return " ".join(spelled(class_name(pc, key)) for pc in scale(key))
