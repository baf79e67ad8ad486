"""What of the song, the plan and the history the words name, and where in the sentence."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from agent.chat.context import Context
from agent.chat.messages import About
from agent.chat.reading.language import Form, Language
from agent.composer.phrasing import Element, Maybe, Slot, Word
from agent.composer.tokens import phrase_tokens
from agent.composer.vocabulary import Thing
from agent.song.ids import SectionId, TrackId
from agent.song.palette import Instrument
from agent.song.song import Song
from agent.theory.melody import melody_track

_LONGEST = 5
_LAST = -1


@dataclass(frozen=True)
class Named:
    """A phrase of so many tokens that names something."""

    length: int
    tracks: tuple[TrackId, ...] = ()
    absent: str = ""
    sections: tuple[SectionId, ...] = ()
    absent_section: str = ""
    bars: tuple[int, int] | None = None
    row: int | None = None
    version: int | None = None
    style: str = ""
    format: str = ""
    number: int | None = None
    nth: int | None = None


@dataclass
class Names:
    """Everything that the tokens of one sentence name, by slot and place."""

    tokens: tuple[str, ...]
    found: dict[tuple[str, int], Named] = field(default_factory=dict)

    def at(self, slot: str, start: int) -> Named | None:
        """What a slot reads at a token."""
        match slot:
            case "thing":
                return self.found.get(("track", start))
            case "place":
                return self.found.get(("bars", start)) or self.found.get(("section", start))
            case "rest":
                left = len(self.tokens) - start
                return Named(left) if left else None
        return self.found.get((slot, start))

    def about(self, spent: Collection[int] = ()) -> About:
        """All of it together; of phrases within each other only the longer counts, and none at a `spent` place."""
        taken: list[tuple[int, Named]] = []
        until = 0
        for start in range(len(self.tokens)):
            if start in spent:
                continue
            here = [named for (slot, at), named in self.found.items() if at == start and slot in _TOLD]
            if start >= until and here:
                longest = max(here, key=lambda named: named.length)
                taken += [(start, named) for named in here if named.length == longest.length]
                until = start + longest.length
        names = [named for _, named in taken]
        return About(
            tracks=tuple(dict.fromkeys(track for one in names for track in one.tracks)),
            absent=tuple(dict.fromkeys(one.absent for one in names if one.absent)),
            sections=tuple(dict.fromkeys(section for one in names for section in one.sections)),
            absent_sections=tuple(dict.fromkeys(one.absent_section for one in names if one.absent_section)),
            bars=next((one.bars for one in names if one.bars is not None), None),
            rows=tuple(one.row for one in names if one.row is not None),
            versions=tuple(one.version for one in names if one.version is not None),
            styles=tuple(dict.fromkeys(one.style for one in names if one.style)),
            formats=tuple(dict.fromkeys(one.format for one in names if one.format)),
        )


_TOLD = ("track", "section", "bars", "row", "version", "style", "format")


def names_in(tokens: Sequence[str], lookup: Lookup) -> Names:
    """What the tokens name."""
    names = Names(tuple(tokens))
    for start in range(len(tokens)):
        for slot, named in lookup.at(names.tokens, start):
            names.found.setdefault((slot, start), named)
    for slot, field_name in (("bars", "bars"), ("row", "rows"), ("version", "versions")):
        for start in range(len(tokens)):
            read = (match(form, names, start) for form in lookup.language.naming[field_name])
            counted = next((one for one in read if one is not None and one.slots), None)
            if counted is not None:
                names.found[slot, start] = _counted(slot, start, counted, lookup.song)
    _add_stretches(names, lookup)
    return names


def _add_stretches(names: Names, lookup: Lookup) -> None:
    """Bars that are told by where they lie: before bar 17, the last two bars, what it ends on."""
    bars = max(lookup.song.bars, 1)
    sections = any(slot == "section" and named.sections for (slot, _), named in names.found.items())
    for kind, forms in lookup.language.stretches.items():
        if kind in _EDGES and sections:
            continue
        for start in range(len(names.tokens)):
            found = next((one for form in forms if (one := match(form, names, start)) is not None), None)
            if found is None:
                continue
            number = next((one.number for _, _, one in found.slots if one.number is not None), 1)
            end, low, high = _within(names, lookup, found.end) or (found.end, 1, bars)
            first, last = (low - 1 + bar for bar in _stretch(kind, number, high - low + 1))
            if low <= first <= last:
                names.found["bars", start] = Named(end - start, bars=(first, last))


def _within(names: Names, lookup: Lookup, at: int) -> tuple[int, int, int] | None:
    """The section that bars are said to be of ("of the chorus"): where its words end, its first and its last bar."""
    start = at + lookup.language.within.at(names.tokens, at)
    section = names.at("section", start) if start > at else None
    if section is None or not section.sections:
        return None
    found, bars = lookup.song.section(section.sections[0]), lookup.song.bar_map
    return start + section.length, bars.bar_at(found.start), bars.bar_at(found.end - 1)


_EDGES = ("opening", "ending")


def _stretch(kind: str, number: int, bars: int) -> tuple[int, int]:
    match kind:
        case "before":
            return 1, number - 1
        case "after":
            return number + 1, bars
        case "onwards":
            return number, bars
        case "last" | "ending":
            return max(bars - number + 1, 1), bars
    return 1, min(number, bars)


@dataclass(frozen=True)
class Found:
    """Where a form ends, at which places its own words stand, and what its slots read."""

    end: int
    own: tuple[int, ...] = ()
    slots: tuple[tuple[str, int, Named], ...] = ()


def match(form: Form, names: Names, start: int) -> Found | None:
    """The form read from a token on; gaps are as short as they can be, and phrases as long."""
    return _match(form, names, Found(start))


def _match(form: Sequence[Element], names: Names, so_far: Found) -> Found | None:
    if not form:
        return so_far
    element, rest = form[0], form[1:]
    match element:
        case Maybe(elements=elements):
            with_it = _match((*elements, *rest), names, so_far)
            return with_it or _match(rest, names, so_far)
        case Word(phrases=phrases):
            if phrases == (("…",),):
                ends = range(so_far.end, len(names.tokens) + 1)
                skipped = (_match(rest, names, Found(end, so_far.own, so_far.slots)) for end in ends)
                return next((found for found in skipped if found is not None), None)
            for phrase in phrases:
                end = so_far.end + len(phrase)
                if names.tokens[so_far.end : end] == phrase:
                    own = (*so_far.own, *range(so_far.end, end))
                    found = _match(rest, names, Found(end, own, so_far.slots))
                    if found is not None:
                        return found
            return None
        case Slot(name=name):
            named = names.at(name, so_far.end)
            if named is None:
                return None
            slots = (*so_far.slots, (name, so_far.end, named))
            return _match(rest, names, Found(so_far.end + named.length, so_far.own, slots))


def _counted(slot: str, start: int, found: Found, song: Song) -> Named:
    """Bars, a row or a version by the numbers that its form holds."""
    numbers = [one.nth if one.number is None else one.number for _, _, one in found.slots]
    counted = [0 if number is None else number for number in numbers]
    length = found.end - start
    if slot == "row":
        return Named(length, row=counted[0])
    if slot == "version":
        return Named(length, version=counted[0])
    if counted[0] == _LAST:
        counted = [max(song.bars, 1)]
    return Named(length, bars=(min(counted), max(counted)))


class Lookup:
    """The words of the song, the palette and the language, looked up at a token."""

    def __init__(self, context: Context, language: Language) -> None:
        self.song = context.song
        self.language = language
        self._phrases: dict[tuple[str, ...], dict[str, Named]] = {}
        self._ordinals = {phrase_tokens(word): number for word, number in language.music.ordinals.items()}
        self._sections: dict[tuple[str, ...], tuple[SectionId, ...]] = {}
        self._add_sections(language)
        self._add_tracks(context, language)
        for style in context.program.styles:
            for words in (style.label, style.name.replace("_", " "), *style.words):
                self._add("style", words, Named(0, style=style.name))
        for words in language.words.naming.formats:
            self._add("format", words, Named(0, format=words))
        for words in language.words.naming.previous:
            self._add("version", words, Named(0, version=0))
        for words, number in language.music.numbers.items():
            if number == int(number):
                self._add("number", words, Named(0, number=int(number)))
        for words, nth in language.music.ordinals.items():
            self._add("nth", words, Named(0, nth=nth))
        self._add_short_names()

    def at(self, tokens: tuple[str, ...], start: int) -> Iterator[tuple[str, Named]]:
        """What begins at a token, longest first."""
        if tokens[start].isascii() and tokens[start].isdecimal() and len(tokens[start]) < 6:
            yield "number", Named(1, number=int(tokens[start]))
        if (nth := self._nth_section(tokens, start)) is not None:
            yield "section", nth
        for length in range(min(_LONGEST, len(tokens) - start), 0, -1):
            for slot, named in self._phrases.get(tokens[start : start + length], {}).items():
                yield slot, replace(named, length=length)

    def _nth_section(self, tokens: tuple[str, ...], start: int) -> Named | None:
        """The second chorus, verse 2."""
        for length in range(min(_LONGEST, len(tokens) - start), 0, -1):
            if (ids := self._sections.get(tokens[start : start + length])) is None:
                continue
            after = tokens[start + length : start + length + 1]
            number = int(after[0]) if after and after[0].isdecimal() and len(after[0]) < 4 else 0
            if 1 <= number <= len(ids):
                return Named(length + 1, sections=(ids[number - 1],))
            return None
        if (nth := self._ordinals.get(tokens[start : start + 1])) is not None:
            for length in range(min(_LONGEST, len(tokens) - start - 1), 0, -1):
                ids = self._sections.get(tokens[start + 1 : start + 1 + length])
                if ids and (nth == _LAST or 1 <= nth <= len(ids)):
                    return Named(length + 1, sections=(ids[nth if nth == _LAST else nth - 1],))
        return None

    def _add(self, slot: str, words: str, named: Named) -> None:
        key = phrase_tokens(words.casefold())
        if key:
            self._phrases.setdefault(key, {}).setdefault(slot, named)

    def _add_sections(self, language: Language) -> None:
        kinds = {word: section.name for section in language.music.sections for word in section.words}
        for word, kind in kinds.items():
            words = [other for other, name in kinds.items() if name == kind]
            ids = tuple(one.id for one in self.song.sections if _is_called(one.name, words))
            self._sections[phrase_tokens(word)] = ids
            self._add("section", word, Named(0, sections=ids, absent_section="" if ids else kind))
        for one in self.song.sections:
            key = phrase_tokens(one.name.casefold())
            if len(one.name) > 1:
                same = tuple(other.id for other in self.song.sections if other.name.casefold() == one.name.casefold())
                self._sections.setdefault(key, same)
                self._add("section", one.name, Named(0, sections=same))
            self._add("section", f"section {one.name}", Named(0, sections=(one.id,)))

    def _add_tracks(self, context: Context, language: Language) -> None:
        players = _Players(context)
        for track in self.song.tracks:
            # one says "the altos" of the part that is called Alto
            same = tuple(one.id for one in self.song.tracks if one.name.casefold() == track.name.casefold())
            self._add("track", track.name, Named(0, tracks=same))
            for ending in language.words.naming.plurals:
                self._add("track", f"{track.name}{ending}", Named(0, tracks=same))
        also = language.words.naming.also
        for thing in language.music.things:
            found = players.of(thing)
            for words in (*thing.words, *also.get(thing.name, ())):
                self._add("track", words, Named(0, tracks=found, absent="" if found else words))
        voice = players.melody()
        for words in language.words.naming.voice:
            self._add("track", words, Named(0, tracks=voice, absent="" if voice else words))
        for instrument in context.palette.instruments:
            found = tuple(track.id for track in self.song.tracks if track.instrument == instrument.name)
            bare = instrument.name.partition("_")[2].replace("_", " ")
            for words in (instrument.label, bare):
                self._add("track", words, Named(0, tracks=found, absent="" if found else words.casefold()))

    def _add_short_names(self) -> None:
        """The first word of a name of several, where nothing else is called so: the vinyl, of Vinyl air."""
        names = [phrase_tokens(track.name.casefold()) for track in self.song.tracks]
        for track, name in zip(self.song.tracks, names, strict=True):
            alone = sum(other[:1] == name[:1] for other in names) == 1
            if len(name) > 1 and alone and len(name[0]) > _LEAST and (name[0],) not in self._phrases:
                self._add("track", name[0], Named(0, tracks=(track.id,)))


_LEAST = 3
"""Letters that the first word of a track's name has more than, where it stands for all of it."""


class _Players:
    """Which tracks play what a word of the language names."""

    def __init__(self, context: Context) -> None:
        self._song = context.song
        self._palette = context.palette
        self._instruments: dict[str, Instrument] = {one.name: one for one in context.palette.instruments}

    def of(self, thing: Thing) -> tuple[TrackId, ...]:
        """The tracks that a thing names: by its name, its instruments, its family; of a kit its drums."""
        if thing.name == "melody" and (found := self.melody()):
            return found
        called = [one.id for one in self._song.tracks if _is_called(one.name, thing.words)]
        if called:
            return tuple(called)
        exact = [one.id for one in self._song.tracks if one.instrument in thing.instruments]
        families = {*thing.families}
        wide = [one.id for one in self._song.tracks if self._family(one.instrument) in families]
        return tuple(wide if thing.whole_role or thing.pieces or not exact else [*exact])

    def melody(self) -> tuple[TrackId, ...]:
        """The track that sings."""
        heard = melody_track(self._song, self._palette)
        return () if heard is None else (heard,)

    def _family(self, instrument: str) -> str:
        known = self._instruments.get(instrument)
        return "" if known is None else known.family


def _is_called(name: str, words: Sequence[str]) -> bool:
    tokens = phrase_tokens(name.casefold())
    while tokens and (tokens[-1].isdecimal() or len(tokens[-1]) == 1):
        tokens = tokens[:-1]
    return " ".join(tokens) in words
