"""The lexicon of one request: every phrase that means something, with its senses."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Literal, cast

from msgspec import Struct, structs

from agent.composer.roles import role_of_family
from agent.composer.styles import StyleBook
from agent.composer.tokens import folded_tokens, phrase_tokens
from agent.composer.understanding.callings import Callings, height
from agent.composer.understanding.senses import Sense, Senses
from agent.composer.understanding.standing_phrases import add_sense, standing_phrases
from agent.composer.understanding.wishes import Wish
from agent.composer.vocabulary import Thing, Vocabulary
from agent.song.ids import TrackId
from agent.song.palette import Family, Palette
from agent.song.song import Song
from agent.song.track import Track
from agent.theory.melody import melody_track

_LONGEST = 5
_CALLED = "called "
_PLAYERS: frozenset[Sense] = frozenset({"thing", "instrument", "track"})
_NAMING: frozenset[Sense] = frozenset(
    {"thing", "instrument", "track", "style", "mood", "section", "tempo", "size", "mode"}
)


class Match(Struct, frozen=True):
    """A phrase found in a request: its number of tokens (`length`), and what it can mean (`senses`, a value for each
    kind of meaning)."""

    length: int
    senses: Senses


class Lexicon:
    """Looks up phrases of a request: those of the language, the styles, the palette and the names of the song's
    tracks."""

    def __init__(self, words: Vocabulary, styles: StyleBook, palette: Palette, song: Song) -> None:
        self.words = words
        self.styles = styles
        self.song = song
        self.standing = standing_phrases(words, styles, palette, song.note_count > 0)
        """What phrases mean whatever song is open: settings, ensembles, techniques, marks of loudness."""
        self._phrases = self.standing.senses.copy()
        self._wishes = dict(self.standing.players)
        self._meant: dict[tuple[str, ...], Wish | None] = {}
        self._own: set[tuple[str, ...]] = set()
        """The phrases of which the song says what they mean."""
        self._known = known = {instrument.name: instrument.family for instrument in palette.instruments}
        self._singer = melody_track(song, palette)
        self._families: dict[TrackId, Family] = {
            track.id: known.get(track.instrument, "keys") for track in song.tracks
        }
        self._add_tracks(song)
        self._add_callings(song, palette)
        called = self._phrases
        self._phrases = self.standing.with_plurals.copy()
        self.sense = self._phrases.sense
        """Length and value of the longest phrase at a token that has a sense; None for none."""
        for phrase in self._own:
            self._phrases.put(phrase, _as_part(called.get(phrase) or {}))
        self._add_sections(song)

    @cached_property
    def known(self) -> frozenset[str]:
        """All words that mean something, alone or in a phrase or pattern."""
        return self.standing.known.union(*self._own)

    def known_like(self, letter: str, lengths: Collection[int]) -> list[str]:
        """The known words that begin with a letter and have one of some lengths, sorted."""
        own = (word for phrase in self._own for word in phrase if word.startswith(letter) and len(word) in lengths)
        return sorted({*own, *(word for length in lengths for word in self.standing.alike.get((letter, length), ()))})

    def names_something(self, word: str) -> bool:
        """Whether a single word names a part, style, mood, section or quality, so that it is no verb."""
        senses = self._phrases.get((word,)) or {}
        return bool(_NAMING & senses.keys())

    def likens(self, phrase: str) -> bool:
        """Whether a phrase names something that a piece can be like, such as a style or mood; "harp-like" does not ask
        for a harp."""
        tokens = phrase_tokens(phrase)
        senses = self._phrases.get(tokens) or {}
        return bool({"style", "genre", "mood", "mode"} & senses.keys()) or tokens in self.standing.settings

    def names_track(self, word: str) -> bool:
        """Whether a single word is the name of a track of the song."""
        return "track" in (self._phrases.get((word,)) or {})

    def find(self, tokens: Sequence[str], at: int) -> Match | None:
        """The longest phrase that begins at token `at`, with all its senses; None for none."""
        found = self._phrases.longest_at(tokens, at)
        return Match(*found) if found is not None else None

    def no_style_at(self, tokens: Sequence[str], at: int) -> int:
        """Length of the longest phrase at token `at` that is no style although its first word is one ("steel strings");
        0 for none."""
        return next((length for length, _ in self.standing.no_styles.at(tokens, at)), 0)

    def named_longer(self, tokens: Sequence[str], at: int, length: int) -> int:
        """Length of a setting or technique at token `at` that is longer than a match of `length` tokens; 0 for none.

        "Spring reverb" is not spring, and "ghost notes" are not ghosts.
        """
        found = (self.standing.settings.longest_at(tokens, at), self.standing.techniques.longest_at(tokens, at))
        longest = max((one[0] for one in found if one is not None), default=0)
        return longest if longest > max(1, length) else 0

    def meter_of(self, style: str) -> tuple[int, Literal[2, 4, 8]] | None:
        """The meter (beats, unit) that a style's name implies (waltz: 3/4); None for none."""
        tokens = style.split("_")
        found = self.sense(tokens, 0, "meter")
        if found is None or found[0] != len(tokens):
            return None
        beats, _, unit = found[1].partition("/")
        return int(beats), cast("Literal[2, 4, 8]", int(unit))

    def wish_at(self, tokens: Sequence[str], at: int) -> tuple[int, Wish] | None:
        """Length and wish of the longest phrase at token `at` that names an instrument, a role or a track; None for
        none."""
        for length, senses in self._phrases.with_any(tokens, at, _PLAYERS):
            phrase = tuple(tokens[at : at + length])
            if phrase not in self._meant:
                self._meant[phrase] = self.wish(senses)
            if (wish := self._meant[phrase]) is not None:
                return length, wish
        return None

    def wish(self, senses: Senses) -> Wish | None:
        """The wish for a match that names an instrument, a role or a track of the song; None otherwise."""
        tracks = self._wishes[senses["track"]].tracks if "track" in senses else ()
        if "thing" in senses:
            thing = self.words.thing(senses["thing"])
            named = self._wishes[senses["track"]].label if tracks else ""
            # a track called Tenor is no saxophone
            known = thing.whole_role and not senses.get("track", "").startswith(_CALLED)
            own = named if named.casefold() in thing.words and not known else thing.name
            whole = thing.whole_role or thing.whole_family or thing.pieces or self.words.parts is None
            held = () if whole or self.words.parts is None else self.words.parts.sections
            return structs.replace(thing_wish(thing), label=own, tracks=tracks, sections=held)
        if "instrument" in senses:
            wish = self._wishes[senses["instrument"]]
            return structs.replace(wish, tracks=tracks)
        return self._wishes[senses["track"]] if tracks else None

    def has(self, wish: Wish) -> bool:
        """Whether the song seems to have what a wish names, by the names and instruments of its tracks alone."""
        pitched = [family for family in self._families.values() if family not in ("drums", "percussion", "bass", "fx")]
        if wish.whole_role and wish.role in ("lead", "chords"):
            # which instrument sings or accompanies shows only in its notes
            return bool(pitched)
        return any(self._plays(track, wish) for track in self.song.tracks)

    def has_already(self, wish: Wish) -> bool:
        """Whether a track has this name or exactly this instrument; a string section does not count as a cello."""
        return self.has(structs.replace(wish, sections=()))

    @property
    def pitched(self) -> tuple[TrackId, ...]:
        """Ids of the song's tracks with pitched instruments."""
        return tuple(track for track, family in self._families.items() if family not in ("drums", "percussion", "fx"))

    @property
    def striking(self) -> tuple[TrackId, ...]:
        """Ids of the song's drum and percussion tracks."""
        return tuple(track for track, family in self._families.items() if family in ("drums", "percussion"))

    @property
    def by_height(self) -> tuple[TrackId, ...]:
        """Ids of the pitched tracks with notes, the highest first by mean pitch."""
        playing = [track for track in self.song.tracks if track.id in self.pitched and track.note_count]
        return tuple(track.id for track in sorted(playing, key=height, reverse=True))

    def both_at(self, player: Wish, words: Sequence[str]) -> tuple[int, Wish] | None:
        """Number of words and wish for a player's tracks with the role that the words after it name ("the piano
        melody"); None for none."""
        role = self.wish_at(words, 0) if words else None
        if role is None or not role[1].whole_role or player.whole_role or role[1].role not in ("lead", "chords"):
            return None
        tracks = player.tracks or tuple(track.id for track in self.song.tracks if self._plays(track, player))
        if len(tracks) > 1:
            leads = [track for track in tracks if (track == self._singer) == (role[1].role == "lead")]
            tracks = tuple(leads) or tracks
        label = f"{player.label} {role[1].label}"
        return (role[0], Wish(label, tracks=tracks)) if tracks else None

    def of_kind(self, wish: Wish) -> Wish | None:
        """A wish for the tracks whose instruments are of the same families; None without any."""
        tracks = tuple(track for track, family in self._families.items() if family in wish.families)
        return Wish(self.song.track(tracks[0]).name, tracks=tracks) if tracks else None

    def instruments_of(self, families: Collection[Family]) -> tuple[Wish, ...]:
        """A wish for each instrument of these families, in the order of the palette."""
        return tuple(self._wishes[name] for name, family in self._known.items() if family in families)

    def families(self, wish: Wish) -> tuple[Family, ...]:
        """The instrument families of the tracks that a wish means."""
        return tuple(dict.fromkeys(self._families[one] for each in self.one_by_one(wish) for one in each.tracks))

    def one_by_one(self, wish: Wish) -> tuple[Wish, ...]:
        """A wish for each track that is meant, by names and instruments alone."""
        meant = wish.tracks or tuple(track.id for track in self.song.tracks if self._plays(track, wish))
        return tuple(Wish(self.song.track(track).name, tracks=(track,)) for track in meant)

    def meant(self, wish: Wish) -> tuple[TrackId, ...]:
        """Ids of the tracks that a wish means, by names and instruments; for the melody the track that plays it."""
        if wish.whole_role and wish.role == "lead" and not wish.tracks and self._singer is not None:
            return (self._singer,)
        return tuple(track for one in self.one_by_one(wish) for track in one.tracks)

    def others(self, wishes: Sequence[Wish], count: int = 0) -> Wish | None:
        """A wish for all tracks but those that the wishes name; None without wishes, or if `count` is given and the
        number of tracks differs."""
        rest = [track for track in self.song.tracks if not any(self._plays(track, wish) for wish in wishes)]
        return Wish("everything else", but=tuple(wishes)) if wishes and count in (0, len(rest)) else None

    def _plays(self, track: Track, wish: Wish) -> bool:
        if wish.tracks:
            return track.id in wish.tracks
        if wish.but:
            return not any(self._plays(track, one) for one in wish.but)
        family = self._families[track.id]
        return wish.meets(track.name, track.instrument, role_of_family(family), family)

    def _add(self, sense: Sense, value: str, phrases: tuple[str, ...]) -> None:
        add_sense(self._phrases, sense, value, phrases)
        self._own.update(filter(None, map(folded_tokens, phrases)))

    def _add_tracks(self, song: Song) -> None:
        for track in song.tracks:
            name = track.name.casefold()
            known = self._wishes.get(f"track {name}")
            tracks = (*(known.tracks if known else ()), track.id)
            self._wishes[f"track {name}"] = Wish(track.name, tracks=tracks)
            called = (*_described(track.name), *self._short_names(song, track.name))
            self._add("track", f"track {name}", (track.name, track.id, *called))
            several = f"{track.name}{'es' if name.endswith('s') else 's'}"
            if folded_tokens(several) not in self._phrases:
                self._add("track", f"track {name}", (several,))

    def _add_callings(self, song: Song, palette: Palette) -> None:
        words = self.words.parts
        if words is None or not song.tracks:
            return
        for phrases, wish in Callings(song, palette, words, self.words.numbers, self._singer).all():
            key = f"{_CALLED}{wish.label}"
            self._wishes.setdefault(key, wish)
            self._add("track", key, tuple(phrases))

    def _short_names(self, song: Song, name: str) -> tuple[str, ...]:
        """The words of a track's name by which people call it: those that mean nothing else here."""
        words = [token.casefold() for token in phrase_tokens(name) if token.isalpha()]
        if len(words) < 2:
            return ()
        others = [phrase_tokens(track.name.casefold()) for track in song.tracks if track.name != name]
        return tuple(
            word for word in words
            if word not in self.words.commanding and (word,) not in self._phrases
            and not any(word in one for one in others)
        )

    def _add_sections(self, song: Song) -> None:
        """The song's own names; one that is a single letter or means something else needs a word beside it."""
        for section in song.sections:
            name = section.name.casefold()
            tokens = folded_tokens(name)
            if not tokens or len(tokens) > _LONGEST:
                continue
            senses = self._phrases.get(tokens) or {}
            if len(name) > 1 and senses.get("section") != name and not _NAMING & (senses.keys() - {"section"}):
                # a section that is called so is meant before any that is only alike
                self._phrases.put(tokens, {**senses, "section": section.name})
                self._own.add(tokens)
            for section_word in self.words.places.section:
                self._add("section", section.name, (f"{section_word} {name}", f"{name} {section_word}"))
        for name, phrases in self.words.places.heard.items() if song.note_count else ():
            self._add("section", name, phrases)

    @cached_property
    def shared_names(self) -> frozenset[str]:
        """Words of section names by which people may count them: "the second loop" for Loop A and Loop B."""
        names = [folded_tokens(section.name) for section in self.song.sections]
        grammar = self.words.grammar
        empty = {*grammar.again, *grammar.skip, *grammar.joins, *self.words.ordinals}
        words = {word for name in names if len(name) > 1 for word in name if word.isalpha() and len(word) > 2}
        return frozenset(words - empty)


def _described(name: str) -> tuple[str, ...]:
    """A track's name with its first word as a quality: "jangly guitar" for Jangle guitar."""
    first, _, rest = name.partition(" ")
    return (f"{first.removesuffix('e')}y {rest}",) if rest and first.isalpha() else ()


def thing_wish(thing: Thing) -> Wish:
    """The wish for a `Thing` of the vocabulary."""
    return Wish(
        thing.name, thing.role, thing.families, thing.instruments, whole_role=thing.whole_role, pieces=thing.pieces,
        stands_in=thing.stands_in, whole_family=thing.whole_family,
    )


def _as_part(senses: Senses) -> Senses:
    """What a phrase of the song means: that which names a track and an instrument is no style, as "808"."""
    part = "track" in senses and {"thing", "instrument"} & senses.keys()
    return {sense: value for sense, value in senses.items() if sense != "style"} if part else senses
