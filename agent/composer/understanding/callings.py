"""Callings: what people call the parts of one song, whatever its tracks are named: the right hand, the inner voices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from agent.composer.part_words import PartWords
from agent.composer.tokens import phrase_tokens
from agent.composer.understanding.wishes import Wish
from agent.song.ids import TrackId
from agent.song.palette import Instrument, Palette
from agent.song.song import Song
from agent.song.track import Track

_UNPITCHED = ("drums", "percussion", "fx")
_FEWEST_INNER = 3
Calling = tuple[Sequence[str], Wish]


class Callings(Struct, frozen=True, dict=True):
    """What people may call the parts of one song ("the right hand"); a word that could mean two parts means none.
    `singer` is the track with the melody, `numbers` the words for numbers."""

    song: Song
    palette: Palette
    words: PartWords
    numbers: Mapping[str, float]
    singer: TrackId | None
    """The track with the melody; None for none."""

    def all(self) -> Iterator[Calling]:
        """Each phrase with the tracks that it means, the most certain first."""
        yield from self._hands()
        yield from self._singing()
        yield from self._byheight()
        yield from self._backing()
        yield from self._keyboards()
        yield from self._by_kind()

    @cached_property
    def _instruments(self) -> dict[str, Instrument]:
        return {one.name: one for one in self.palette.instruments}

    def _family(self, track: Track) -> str:
        instrument = self._instruments.get(track.instrument)
        return instrument.family if instrument is not None else "keys"

    @cached_property
    def _pitched(self) -> tuple[Track, ...]:
        """Tracks with pitched notes, highest first by the mean of their notes."""
        playing = [track for track in self.song.tracks if track.note_count and self._family(track) not in _UNPITCHED]
        return tuple(sorted(playing, key=height, reverse=True))

    def _hands(self) -> Iterator[Calling]:
        """Two keyboard tracks of one name, or of one instrument where there are just two: the higher and the lower."""
        words = self.words
        keyboards = [track for track in self._pitched if self._family(track) in (*words.keyboard_families, "keys")]
        pair = next((alike for one in keyboards if len(alike := [t for t in keyboards if t.name == one.name]) == 2), [])
        if not pair and len(keyboards) == 2 and len({track.instrument for track in keyboards}) == 1:
            pair = keyboards
        if pair:
            yield words.right_hand, _wish(words.right_hand[0], pair[:1])
            yield words.left_hand, _wish(words.left_hand[0], pair[1:])
            yield words.both_hands, _wish(words.both_hands[0], pair)

    @cached_property
    def _voices(self) -> list[Track]:
        """The tracks that sing."""
        named = [track for track in self._pitched if self._is_called(track, self.words.singing)]
        return named or [track for track in self._pitched if self._family(track) == "choir"]

    def _singing(self) -> Iterator[Calling]:
        words = self.words
        if self._voices:
            yield words.voice, _wish(words.voice[0], self._voices)
        leading = [track for track in self._voices if not self._is_called(track, words.second_called)]
        if leading:
            yield words.sung, _wish(words.sung[0], leading)
        if len(self._voices) == 1:
            yield words.singers, _wish(words.voice[0], self._voices)
        for phrases, called in ((words.women, words.women_called), (words.men, words.men_called)):
            tracks = [track for track in self._pitched if self._is_called(track, called)]
            others = [track for track in self._pitched if track not in tracks]
            choir = any(self._is_called(track, words.women_called) for track in self._pitched)
            if tracks and others and choir:
                yield phrases, _wish(phrases[0], tracks)

    def _is_called(self, track: Track, words: Sequence[str]) -> bool:
        return any(token.casefold() in words for token in phrase_tokens(track.name))

    def _byheight(self) -> Iterator[Calling]:
        words, high = self.words, self._pitched
        if len(high) > 1:
            yield self._nouned(words.top), _wish(f"{words.top[0]} part", high[:1])
            yield self._nouned(words.bottom), _wish(f"{words.bottom[0]} part", high[-1:])
        if len(high) >= _FEWEST_INNER:
            yield self._of_many(words.inner), _wish(f"{words.inner[0]} parts", high[1:-1])
            yield self._of_many(words.outer), _wish(f"{words.outer[0]} parts", (high[0], high[-1]))
        for number, count in self.numbers.items():
            if not number.isalpha() or int(count) != count or not 1 < count <= len(high):
                continue
            some = int(count)
            for places, tracks in ((words.top, high[:some]), (words.bottom, high[-some:]), (words.inner, high[1:-1])):
                if len(tracks) == some < len(high):
                    counted = [f"{place} {number}" for place in places] + [f"{number} {place}" for place in places]
                    yield (*counted, *self._of_many(counted)), _wish(f"{places[0]} {number}", tracks)
            if some == len(high):
                alls = [
                    f"all {article}{counted}" for counted in (number, str(some)) for article in ("", "the ", "of the ")
                ]
                yield (*alls, *self._of_many((number, *alls))), _wish(f"all {number}", high)
        yield words.all, _wish(words.all[0], high)

    def _nouned(self, places: Sequence[str]) -> tuple[str, ...]:
        return tuple(f"{place} {noun}" for place in places for noun in self.words.nouns)

    def _of_many(self, places: Sequence[str]) -> tuple[str, ...]:
        return tuple(f"{place} {noun}" for place in places for noun in self.words.many)

    def _backing(self) -> Iterator[Calling]:
        """All but the voice, or but what sings the tune where nobody does."""
        leads = {track.id for track in self._voices}
        if not leads and self.singer is not None:
            leads = {self.singer}
        others = [track for track in self.song.tracks if track.note_count and track.id not in leads]
        if others and len(others) < len(self.song.tracks):
            yield self.words.backing, _wish(self.words.backing[0], others)

    def _keyboards(self) -> Iterator[Calling]:
        words = self.words
        named = [track for track in self._pitched if self._is_called(track, words.keyboards)]
        electric = [track for track in self._pitched if track.instrument in words.keyboard_instruments]
        tracks = named or electric or [t for t in self._pitched if self._family(t) in words.keyboard_families]
        if tracks:
            yield words.keyboards, _wish(words.keyboards[0], tracks)


    def _by_kind(self) -> Iterator[Calling]:
        """A track by what its instrument alone is called of all: "the fingered one"."""
        kinds: dict[str, list[Track]] = {}
        for track in self.song.tracks:
            instrument = self._instruments.get(track.instrument)
            for word in phrase_tokens(instrument.label) if instrument is not None else ():
                kinds.setdefault(word.casefold(), []).append(track)
        for word, tracks in kinds.items():
            if len(tracks) == 1 and word.isalpha():
                yield tuple(f"{word} {noun}" for noun in self.words.kind), _wish(tracks[0].name, tracks)


def height(track: Track) -> float:
    """The mean MIDI pitch of a track, which must have notes."""
    pitches = [note.pitch for clip in track.clips for note in clip.notes]
    return sum(pitches) / len(pitches)


def _wish(label: str, tracks: Sequence[Track]) -> Wish:
    return Wish(label, tracks=tuple(track.id for track in tracks))
