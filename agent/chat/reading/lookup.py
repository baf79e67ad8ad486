"""Looking up: what a phrase names in the song that is open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from agent.chat.context import Context
from agent.chat.reading.clock_tokens import clock_seconds
from agent.chat.reading.language import Language
from agent.chat.reading.names import NamedPhrase, SentenceNames
from agent.chat.reading.phrasebook import Meaning, NamedPlayer, NamedSectionKind, Tokens, phrasebook
from agent.composer.tokens import phrase_tokens
from agent.composer.vocabulary import Thing
from agent.song.ids import TrackId
from agent.song.palette import Instrument
from agent.theory.melody import melody_track

LAST = -1
"""The ordinal of the last of several."""
_LONGEST = 5


class Lookup:
    """Looks up what phrases name in the open song, the palette and the language."""

    def __init__(self, context: Context, language: Language) -> None:
        self.song = context.song
        self.language = language
        self.known: dict[Tokens, SentenceNames] = {}
        """Cached results of `names_in`, by row of tokens."""
        self._book = phrasebook(language, context.palette, context.program.styles)
        self._players = _Players(context)
        self._of_kind = {
            kind: tuple(one.id for one in self.song.sections if _is_called(one.name, words))
            for kind, words in self._book.called.items()
        }
        self._sections = {key: self._of_kind[kind] for key, kind in self._book.kinds.items()}
        self._own: dict[Tokens, dict[str, NamedPhrase]] = {}
        self._add_sections()
        self._add_tracks(language)
        self._add_short_names()

    def at(self, tokens: tuple[str, ...], start: int) -> Iterator[tuple[str, NamedPhrase]]:
        """(slot, named thing) for each phrase that begins at token `start`, the longest first; a slot is a kind of
        thing, such as a track or a style."""
        if tokens[start].isascii() and tokens[start].isdecimal() and len(tokens[start]) < 6:
            yield "number", NamedPhrase(1, number=int(tokens[start]))
        if (seconds := clock_seconds(tokens[start])) is not None:
            at = self.song.bar_map.bar_at(self.song.tempo_map.ticks(seconds))
            yield from ((slot, NamedPhrase(1, bars=(at, at), moment=seconds)) for slot in ("clock", "bars"))
        if (nth := self._nth_section(tokens, start)) is not None:
            yield "section", nth
        for length in range(min(_LONGEST, len(tokens) - start), 0, -1):
            yield from self._called(tokens[start : start + length])

    def _called(self, phrase: Tokens) -> Iterator[tuple[str, NamedPhrase]]:
        """What a phrase names: the song's own tracks before any other, its own sections after the kinds of these."""
        known, own = self._book.phrases.get(phrase, {}), self._own.get(phrase, {})
        if "track" in own:
            yield "track", replace(own["track"], length=len(phrase))
        for slot, meaning in known.items():
            if slot != "track" or slot not in own:
                yield slot, self._in_song(meaning, len(phrase))
        if "section" in own and "section" not in known:
            yield "section", replace(own["section"], length=len(phrase))

    def _in_song(self, meaning: Meaning, length: int) -> NamedPhrase:
        match meaning:
            case NamedPhrase(absent_section=place) if place:
                ids = tuple(one.id for one in self.song.sections if _is_called(one.name, (place,)))
                return NamedPhrase(length, sections=ids, absent_section="" if ids else place)
            case NamedPhrase():
                return replace(meaning, length=length)
            case NamedSectionKind(name=kind):
                ids = self._of_kind[kind]
                return NamedPhrase(length, sections=ids, absent_section="" if ids else kind)
            case NamedPlayer(words=words):
                tracks = self._players.of(meaning)
                return NamedPhrase(length, tracks=tracks, absent="" if tracks else words)

    def _nth_section(self, tokens: tuple[str, ...], start: int) -> NamedPhrase | None:
        """The second chorus, verse 2."""
        for length in range(min(_LONGEST, len(tokens) - start), 0, -1):
            if (ids := self._sections.get(tokens[start : start + length])) is None:
                continue
            after = tokens[start + length : start + length + 1]
            number = int(after[0]) if after and after[0].isdecimal() and len(after[0]) < 4 else 0
            if 1 <= number <= len(ids):
                return NamedPhrase(length + 1, sections=(ids[number - 1],))
            return None
        if (nth := self._book.ordinals.get(tokens[start : start + 1])) is not None:
            for length in range(min(_LONGEST, len(tokens) - start - 1), 0, -1):
                ids = self._sections.get(tokens[start + 1 : start + 1 + length])
                if ids and (nth == LAST or 1 <= nth <= len(ids)):
                    return NamedPhrase(length + 1, sections=(ids[nth if nth == LAST else nth - 1],))
        return None

    def _add(self, slot: str, words: str, named: NamedPhrase) -> None:
        key = phrase_tokens(words.casefold())
        if key:
            self._own.setdefault(key, {}).setdefault(slot, named)

    def _add_sections(self) -> None:
        for one in self.song.sections:
            if len(one.name) > 1:
                same = tuple(other.id for other in self.song.sections if other.name.casefold() == one.name.casefold())
                self._sections.setdefault(phrase_tokens(one.name.casefold()), same)
                self._add("section", one.name, NamedPhrase(0, sections=same))
            self._add("section", f"section {one.name}", NamedPhrase(0, sections=(one.id,)))

    def _add_tracks(self, language: Language) -> None:
        for track in self.song.tracks:
            # one says "the altos" of the part that is called Alto
            same = tuple(one.id for one in self.song.tracks if one.name.casefold() == track.name.casefold())
            self._add("track", track.name, NamedPhrase(0, tracks=same))
            for ending in language.words.naming.plurals:
                self._add("track", f"{track.name}{ending}", NamedPhrase(0, tracks=same))

    def _add_short_names(self) -> None:
        """The first word of a name of several, where nothing else is called so: the vinyl, of Vinyl air."""
        names = [phrase_tokens(track.name.casefold()) for track in self.song.tracks]
        for track, name in zip(self.song.tracks, names, strict=True):
            alone = sum(other[:1] == name[:1] for other in names) == 1
            known = name[:1] in self._own or name[:1] in self._book.phrases
            if len(name) > 1 and alone and len(name[0]) > _LEAST and not known:
                self._add("track", name[0], NamedPhrase(0, tracks=(track.id,)))


_LEAST = 3
"""Letters that the first word of a track's name has more than, where it stands for all of it."""


class _Players:
    """Which tracks play what a word of the language names."""

    def __init__(self, context: Context) -> None:
        self._song = context.song
        self._palette = context.palette
        self._instruments: dict[str, Instrument] = {one.name: one for one in context.palette.instruments}
        self._things: dict[str, tuple[TrackId, ...]] = {}

    def of(self, part: NamedPlayer) -> tuple[TrackId, ...]:
        """The tracks that play a part."""
        if part.instrument:
            return tuple(track.id for track in self._song.tracks if track.instrument == part.instrument)
        if part.thing is None:
            return self._melody
        name = part.thing.name
        if name not in self._things:
            self._things[name] = self._of_thing(part.thing)
        return self._things[name]

    def _of_thing(self, thing: Thing) -> tuple[TrackId, ...]:
        """The tracks that a thing names: by its name, its instruments, its family; of a kit its drums."""
        if thing.name == "melody" and (found := self._melody):
            return found
        called = [one.id for one in self._song.tracks if _is_called(one.name, thing.words)]
        if called:
            return tuple(called)
        exact = [one.id for one in self._song.tracks if one.instrument in thing.instruments]
        families = {*thing.families}
        wide = [one.id for one in self._song.tracks if self._family(one.instrument) in families]
        return tuple(wide if thing.whole_role or thing.pieces or not exact else [*exact])

    @cached_property
    def _melody(self) -> tuple[TrackId, ...]:
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
