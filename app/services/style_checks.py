"""Checks of a style that need more than its form: names of sounds, numerals, steps, sizes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from agent.composer.styles import RHYTHMIC, Lines, PartStyle, Style, StyleError, exchange
from agent.composer.writing.form import MAX_BARS
from agent.composer.writing.steps import marks
from agent.fixes import FixKind
from agent.song.key import Key
from agent.song.palette import EffectUse, Palette
from agent.theory.chords import progression
from agent.theory.errors import TheoryError
from app.services.style_faults import Fault, Place, offer

ROW = 16
"""Steps after which a longer step pattern continues with its next bar."""
_LONGEST = 16 * ROW
_LETTERS = {"bass": "R2345678ax.-", "chords": "Xxog.-", "lead": "Xxog.-", "arp": "0123456789.-"}
_HITS = "Xxog."
_MOST = {"parts": 32, "forms": 32, "grooves": 64, "percussion": 64, "fills": 64, "words": 64, "master": 8}
_MOST_INSIDE, _MOST_CHORDS, _LONGEST_TEXT, _LONGEST_WORD, _MOST_BEATS = 64, 32, 300, 60, 16


def faults(style: Style, palette: Palette) -> Iterator[Fault]:
    """Everything that is wrong with a style of valid form, in the order of the file's keys."""
    yield from _sizes(style)
    yield from _texts(style)
    low, high = style.tempo
    if not 1 <= low <= high <= 999:
        yield Fault(("tempo",), f"{low:g} to {high:g} is no range", "write [low, high] in 1-999")
    for place, meter in ((("meter",), style.meter), *((("meters", n), one) for n, one in enumerate(style.meters))):
        if not 1 <= meter[0] <= _MOST_BEATS:
            yield Fault(place, f"a bar of {meter[0]} beats", f"write 1 to {_MOST_BEATS} beats")
    yield from _numerals(style)
    yield from _forms(style)
    for key in ("grooves", "percussion"):
        for number, groove in enumerate(getattr(style, key)):
            yield from _lines(groove.lines, style, (key, number, "lines"))
    for number, lines in enumerate(style.fills):
        yield from _fill(lines, ("fills", number))
    for number, part in enumerate(style.parts):
        yield from _part(part, style, palette, ("parts", number))
    for number, use in enumerate(style.master):
        yield from _effect(use, palette, ("master", number))


def _sizes(style: Style) -> Iterator[Fault]:
    for key, most in _MOST.items():
        if len(getattr(style, key)) > most:
            yield Fault((key,), f"there are {len(getattr(style, key)):,}", f"at most {most}")
    names = Counter(part.name for part in style.parts)
    for number, part in enumerate(style.parts):
        if names[part.name] > 1:
            yield Fault(("parts", number), "two parts have the same name", "rename one of them")
        for key in ("instruments", "patterns", "effects"):
            if len(getattr(part, key)) > _MOST_INSIDE:
                yield Fault(("parts", number, key), f"there are {len(getattr(part, key)):,}", f"at most {_MOST_INSIDE}")


def _texts(style: Style) -> Iterator[Fault]:
    lines: list[tuple[Place, str]] = [(("label",), style.label), (("about",), style.about)]
    lines += [(("parts", number, "why"), part.why) for number, part in enumerate(style.parts)]
    for place, text in lines:
        if len(text) > _LONGEST_TEXT or not text.isprintable() or (place == ("label",) and not text.strip()):
            fix = f"write a line of at most {_LONGEST_TEXT} letters"
            yield Fault(place, "it is empty, too long or more than one line", fix)
    for number, word in enumerate(style.words):
        if len(word) > _LONGEST_WORD or not word.isprintable() or not any(sign.isalnum() for sign in word):
            why = f"{word[:_LONGEST_WORD]!r} is no word to ask for"
            yield Fault(("words", number), why, "write words as people type them")


def _numerals(style: Style) -> Iterator[Fault]:
    known = style.progressions
    lists = [(("progressions", mode), getattr(known, mode)) for mode in known.__struct_fields__]
    lists += [(("ending", mode), getattr(style.ending, mode)) for mode in ("major", "minor")]
    lists += [(("exchanges", mode), tuple(map(_played, getattr(style.exchanges, mode)))) for mode in ("major", "minor")]
    for (table, mode), texts in lists:
        key = Key("C", "major" if mode in ("major", "lydian", "mixolydian") else "minor")
        for number, text in enumerate(texts):
            place: Place = (table, mode, number)
            try:
                count = len(progression(text, key)) if len(text) <= _LONGEST_TEXT else _MOST_CHORDS + 1
            except TheoryError as error:
                yield Fault(place, error.what, error.advice)
                continue
            if not 1 <= count <= _MOST_CHORDS:
                yield Fault(place, f"{count} chords", f"write 1 to {_MOST_CHORDS}")


def _played(way: str) -> str:
    """What a way to exchange chords puts in their place; one that cannot be read is no numeral either."""
    try:
        return " ".join(exchange(way)[1])
    except StyleError:
        return way.replace(" ", "")


def _forms(style: Style) -> Iterator[Fault]:
    parts = [part.name for part in style.parts]
    grooves = [groove.name for groove in (*style.grooves, *style.percussion) if groove.name]
    for number, one in enumerate(style.forms):
        if one.bars > MAX_BARS or len(one.sections) > _MOST_INSIDE:
            yield Fault(
                ("forms", number), f"it has {len(one.sections):,} sections and {one.bars:,} bars",
                f"at most {_MOST_INSIDE} sections and {MAX_BARS} bars",
            )
        for index, section in enumerate(one.sections):
            place: Place = ("forms", number, "sections", index)
            for name in section.parts:
                if name not in parts:
                    yield Fault((*place, "parts"), f"there is no part {name!r}", offer(name, parts))
            if section.groove and section.groove not in grooves:
                why = f"there is no groove {section.groove!r}"
                yield Fault((*place, "groove"), why, offer(section.groove, grooves))


def _part(part: PartStyle, style: Style, palette: Palette, place: Place) -> Iterator[Fault]:
    drums = part.role in RHYTHMIC
    known = {instrument.name: instrument for instrument in palette.instruments}
    for number, name in enumerate(part.instruments):
        at: Place = (*place, "instruments", number)
        if name not in known:
            yield Fault(at, f"there is no instrument {name!r}", offer(name, known) or FixKind.LIST_NAMES("instruments"))
        elif known[name].is_kit != drums:
            kits = [kit for kit in known if known[kit].is_kit]
            sounds = f"one of {', '.join(kits)}" if drums else "a sound with pitches"
            yield Fault(at, f"{name!r} cannot play {part.role}", f"write {sounds}")
    if drums and all(groove.name for groove in (style.grooves if part.role == "drums" else style.percussion)):
        yield Fault(place, f"there is no groove for {part.role}", f"add a groove without a name for {part.role}")
    if not 1 <= part.velocity[0] <= part.velocity[1] <= 127:
        yield Fault((*place, "velocity"), "velocity must be [low, high] in 1-127", "write for example [60, 92]")
    for number, text in enumerate(part.patterns):
        letters = _LETTERS.get(part.role)
        if letters is None:
            yield Fault((*place, "patterns"), f"a part that plays {part.role} has no patterns", "remove the key")
            break
        yield from _steps(text, style, letters, (*place, "patterns", number), f"a part that plays {part.role}")
    for number, use in enumerate(part.effects):
        yield from _effect(use, palette, (*place, "effects", number))


def _effect(use: EffectUse, palette: Palette, place: Place) -> Iterator[Fault]:
    effects = {effect.name: effect for effect in palette.effects}
    if use.effect not in effects:
        yield Fault((*place, "effect"), f"there is no effect {use.effect!r}", offer(use.effect, effects))
        return
    known = {param.name: param for param in effects[use.effect].params}
    for name, value in use.params.items():
        if name not in known:
            yield Fault((*place, "params", name), f"{use.effect} has no such parameter", offer(name, known))
        elif not known[name].low <= value <= known[name].high:
            low, high, unit = known[name].low, known[name].high, known[name].unit
            yield Fault((*place, "params", name), f"{value:g} does not fit", f"write {low:g} to {high:g} ({unit})")


def _lines(lines: Lines, style: Style, place: Place) -> Iterator[Fault]:
    if not lines:
        yield Fault(place, "there are no drums in it", 'write for example kick = "X...x...X...x..."')
    longest = max((len(marks(text)) for text in lines.values()), default=0)
    for drum, text in lines.items():
        yield from _steps(text, style, _HITS, (*place, drum), "a drum")
        if marks(text) and longest % len(marks(text)):
            why = f"{len(marks(text))} steps beside a line of {longest}"
            yield Fault((*place, drum), why, "give all lines the same length, or make the longest a multiple")


def _fill(lines: Lines, place: Place) -> Iterator[Fault]:
    for drum, text in lines.items():
        bad = _wrong_letter(text, _HITS)
        if bad:
            yield Fault((*place, drum), f"{bad!r} is no step of a drum", f"use {' '.join(_HITS)}")
        elif not 2 <= len(marks(text)) <= ROW // 2 or len(marks(text)) % 2:
            why = f"it has {len(marks(text))} steps"
            yield Fault((*place, drum), why, "a fill lasts half a bar: write 8 steps, 6 in 3/4")


def _steps(text: str, style: Style, letters: str, place: Place, who: str) -> Iterator[Fault]:
    bad = _wrong_letter(text, letters)
    if bad:
        yield Fault(place, f"{bad!r} is no step of {who}", f"use {' '.join(letters)}")
        return
    count, bar = len(marks(text)), max(1, style.meter[0] * ROW // style.meter[1])
    whole = count % bar == 0 or count % ROW == 0 or count in (4, 8, 12)
    if not count or not whole or count > _LONGEST:
        rows = f"{bar} or {ROW}" if bar != ROW else f"{ROW}"
        yield Fault(place, f"it has {count} steps", f"write 4, 8, 12 or whole bars of {rows}, at most {_LONGEST}")


def _wrong_letter(text: str, letters: Iterable[str]) -> str:
    return next((sign for sign in marks(text) if sign not in letters), "")


def word_faults(style: Style, others: Iterable[Style]) -> Iterator[Fault]:
    """Words of a style that already select another one."""
    taken = {
        word.casefold(): other.name for other in others if other.name != style.name
        for word in (other.name, other.name.replace("_", " "), *other.words)
    }
    for number, word in enumerate(style.words):
        if word.casefold() in taken:
            yield Fault(("words", number), f"{word!r} already means {taken[word.casefold()]}", "remove the word")
    for word in (style.name, style.name.replace("_", " ")):
        if word in taken:
            yield Fault(("name",), f"{word!r} already means {taken[word]}", "choose another name")
