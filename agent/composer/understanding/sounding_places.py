"""Sounding places: bars that a request names by who plays in them, such as "where the drums stop"."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.form_index import FormIndex
from agent.composer.same_objects import once_for_same
from agent.composer.understanding.items import Item, PlaceRef, Relation, merged
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.matching import Matcher
from agent.composer.understanding.slots import SlotReader
from agent.composer.understanding.tasks import Bars
from agent.composer.understanding.wishes import Wish
from agent.composer.vocabulary import Vocabulary

_BREATH = 1
"""Bars of rest after which a part has not stopped."""


class SoundingPlaces:
    """Replaces words such as "where the drums stop" by the bars that they mean in the song."""

    def __init__(self, lexicon: Lexicon, slots: SlotReader) -> None:
        words = lexicon.words
        self._lexicon = lexicon
        self._matcher: Matcher[str] = Matcher(_forms(words), frozenset(words.places.articles), slots)

    def read(self, items: Sequence[Item]) -> list[Item]:
        """The items with these places merged into items of their own; words for bars that the song lacks stay words."""
        found: list[Item] = []
        at = 0
        while at < len(items):
            match = self._matcher.best(items, at) if items[at].kind == "word" else None
            parts = match.value("part") if match is not None else None
            wishes = [part for part in parts if isinstance(part, Wish)] if isinstance(parts, tuple) else []
            ref = self._ref(match.payload, wishes) if match is not None and wishes else None
            if match is None or ref is None:
                found.append(items[at])
                at += 1
            else:
                found.append(merged(items, at, match.end, "place", ref))
                at = match.end
        return found

    def _ref(self, name: str, wishes: Sequence[Wish]) -> PlaceRef | None:
        whole = self._lexicon.song.bars
        played = self._played(wishes)
        if not played:
            return None
        silent = _gaps(played, whole)
        if name == "playing":
            return PlaceRef(tuple(played))
        if name == "silent":
            return PlaceRef(tuple(silent)) if silent else None
        entry = next((bars.first for bars in played if bars.first > 1), 1)
        exit_bar = next((bars.last + 1 for bars in played if bars.last < whole), None)
        bar = entry if name.endswith("entry") else exit_bar
        relation: Relation = "before" if name.startswith("till") else "since"
        return PlaceRef((Bars(bar, bar),), relation) if bar is not None and (bar > 1 or relation == "since") else None

    def _played(self, wishes: Sequence[Wish]) -> list[Bars]:
        """The stretches in which any of the parts plays."""
        song = self._lexicon.song
        meant = {track for wish in wishes for one in self._lexicon.one_by_one(wish) for track in one.tracks}
        bars = sorted({
            song.bar_map.bar_at(clip.start + note.start)
            for track, clip in song.clips() if track.id in meant
            for note in clip.notes
        })
        found: list[Bars] = []
        for bar in bars:
            if found and bar <= found[-1].last + 1 + _BREATH:
                found[-1] = Bars(found[-1].first, bar)
            else:
                found.append(Bars(bar, bar))
        return found


def _gaps(played: Sequence[Bars], whole: int) -> list[Bars]:
    edges = [0, *(edge for bars in played for edge in (bars.first, bars.last)), whole + 1]
    pairs = zip(edges[::2], edges[1::2], strict=True)
    return [Bars(low + 1, high - 1) for low, high in pairs if low + 1 < high]


@once_for_same
def _forms(words: Vocabulary) -> FormIndex[str]:
    told = words.places.sounding.items()
    return FormIndex((words.parser.elements(form), name) for name, forms in told for form in forms)
