"""Wishes to hear something: who, where, round and round, without whom. Nothing of the song changes by them.

A clause is one only where each of its words is of that kind; "mute the drums" alone is not, as it may be meant to last.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from msgspec.structs import replace

from agent.chat.messages import About, Command
from agent.chat.reading.language import Language
from agent.chat.reading.names import NamedPhrase, SentenceNames
from agent.chat.reading.phrases import PAUSES
from agent.song.ids import TrackId

_MOST = 40
_ENDS = ("hear", "play", "only", "loop")
"""Kinds of words after which parts are no longer those to be left out."""


def listening(names: SentenceNames, words: str, language: Language) -> tuple[Command, ...]:
    """The commands for a wish to hear something (solo, loop, go to), each with `words` as its text; empty if any word
    is about something else."""
    if len(names.tokens) > _MOST or language.asides["playing"].find(names.tokens) is not None:
        return ()
    heard = _Heard()
    at = 0
    while at < len(names.tokens):
        step = heard.take(names, at, language)
        if not step:
            return ()
        at += step
    return heard.commands(words)


@dataclass
class _Heard:
    """What has been read so far."""

    kinds: set[str] = field(default_factory=set)
    only: list[TrackId] = field(default_factory=list)
    less: list[TrackId] = field(default_factory=list)
    place: NamedPhrase | None = None
    without: bool = False

    def take(self, names: SentenceNames, at: int, language: Language) -> int:
        """Read what begins at a token; its length, 0 where it is unknown."""
        place, track = names.at("place", at), names.at("track", at)
        kind, length = max(
            ((name, phrases.at(names.tokens, at)) for name, phrases in language.listening.items()),
            key=lambda one: one[1],
        )
        if kind == "soloing":  # "solo the bass", and no "bass solo"
            kind = "only" if self.only or self.kinds - {"filler"} else "hear"
        if place is not None and (place.sections or place.bars) and place.length >= length and self.place is None:
            self.place, self.without = place, False
            return place.length
        least = length if kind == "filler" else length + 1  # "solo" is no soloist where something follows it
        if track is not None and track.tracks and track.length >= least:
            (self.less if self.without else self.only).extend(track.tracks)
            return track.length
        if length:
            self.kinds.add(kind)
            if kind != "filler":
                self.without = kind in ("without", "silence") or (self.without and kind not in _ENDS)
            return length
        return language.wants.at(names.tokens, at) or int(names.tokens[at] in PAUSES)

    def commands(self, words: str) -> tuple[Command, ...]:
        return tuple(self._commands(words)) if self._is_one() else ()

    def _is_one(self) -> bool:
        brief, heard = "brief" in self.kinds, bool(self.kinds & {"hear", "play", "loop"})
        if "silence" in self.kinds and not (brief or "loop" in self.kinds):
            return False
        if self.only and self.place is not None and not self.kinds & {"hear", "loop", "brief", "me"}:
            return False  # "play the piano in the chorus" may be said to a player
        return heard or (brief and bool(self.kinds & {"only", "silence"}) and bool(self.only or self.less))

    def _commands(self, words: str) -> Iterator[Command]:
        where = About() if self.place is None else About(sections=self.place.sections, bars=self.place.bars)
        loops = "loop" in self.kinds
        # what goes round are the bars, and what is left out are the parts
        parts = About() if loops else where
        if loops:
            yield Command("loop", words, where)
        if self.only:
            yield Command("solo", words, replace(parts, tracks=tuple(dict.fromkeys(self.only))))
        if self.less:
            yield Command("listen_without", words, replace(parts, tracks=tuple(dict.fromkeys(self.less))))
        if not (loops or self.only or self.less):
            yield Command("play", words, where)
