"""The form as heard: where a song without sections changes, what returns, and what each part of it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from itertools import pairwise
from math import sqrt
from typing import TypeVar

from msgspec import Struct

from agent.song.ids import Kind, SectionId, TrackId, derive
from agent.song.song import Section, Song
from agent.song.time import Ticks
from agent.theory.sounding import Sounding, sounding

_BLOCK = 4
"""Bars that belong together; a form changes between them."""
_REST = 3
"""Bars that a track is silent at least where it is heard to come in or stop; shorter rests are within its phrases."""
_ALIKE = 0.8
"""Likeness from which one block is heard as another played again."""
_SAME = 0.62
"""Likeness of sound (who plays, how much) from which a block goes on with the section before it."""
_LONGEST = 16
_UPBEAT = 80
"""Velocity of all attacks in a bar up to which a tune is only about to begin."""
_EDGE = 8
"""Bars that an intro or outro has at most."""
_LOW = 0.75
"""Share of the usual energy below which a first or last section is an intro or outro."""

_Key = TypeVar("_Key", bound=Hashable)


class _Block(Struct, frozen=True):
    """Bars `first` to `last` with what they sound like: pitch classes by place, and weight by track."""

    first: int
    last: int
    content: Counter[tuple[int, int]]
    playing: Counter[str]

    @property
    def energy(self) -> float:
        """Weight of all attacks for each bar."""
        return sum(self.playing.values()) / max(1, self.last - self.first + 1)


def form_of(song: Song, kits: Collection[TrackId], singer: TrackId | None) -> tuple[Section, ...]:
    """Detect sections that cover the song from its first to its last bar, with the usual names (Verse, Chorus, …).

    `kits` are tracks whose pitches are drums, `singer` is the track with the melody (None: none). Empty for a song
    without notes; a song too short to divide is one verse.
    """
    blocks = _blocks(song, kits)
    if not blocks:
        return ()
    letters = _letters(blocks)
    groups = _groups(blocks, letters, singer)
    names = _names(groups, letters, blocks, singer)
    sections = []
    for number, (group, name) in enumerate(zip(groups, names, strict=True)):
        start, end = song.bar_map.span(blocks[group[0]].first, blocks[group[-1]].last)
        identity = SectionId(derive(Kind.SECTION, "heard", number))
        sections.append(Section(identity, name, start, Ticks(end - start)))
    return tuple(sections)


def _blocks(song: Song, kits: Collection[TrackId]) -> list[_Block]:
    notes = sounding(song)
    if not notes:
        return []
    bars = song.bar_map
    offset = _offset(notes, song)
    edges = sorted({1, *range(1 + offset, song.bars + 1, _BLOCK)})
    if len(edges) > 2 and song.bars + 1 - edges[-1] < _BLOCK // 2:
        # a bar or two at the end belong to what was before
        edges.pop()
    blocks = []
    for first, following in pairwise([*edges, song.bars + 1]):
        start, end = bars.span(first, following - 1)
        inside = [note for note in notes if start <= note.start < end]
        content: Counter[tuple[int, int]] = Counter()
        playing: Counter[str] = Counter()
        for note in inside:
            playing[note.track] += note.velocity
            if note.track not in kits:
                content[((note.start - start) // 480, note.pitch % 12)] += 1
        blocks.append(_Block(first, following - 1, content, playing))
    return blocks


def _offset(notes: Sequence[Sounding], song: Song) -> int:
    """Bars before the first whole block: where most tracks come in or stop on the edges of blocks."""
    bars = song.bar_map
    edges: Counter[int] = Counter()
    by_track: dict[TrackId, list[int]] = {}
    for note in notes:
        by_track.setdefault(note.track, []).append(note.start)
    for starts in by_track.values():
        # an upbeat comes in with the bar that it leads to
        heading = {bars.bar_at(at + bars.meter_at(at).bar_length // 2) for at in starts}
        playing = {bars.bar_at(at) for at in starts}
        edges.update(bar for bar in heading if bar > 1 and heading.isdisjoint(range(bar - _REST, bar)))
        stopping = (bar for bar in playing if bar < song.bars - 1)
        edges.update(bar + 1 for bar in stopping if playing.isdisjoint(range(bar + 1, bar + 1 + _REST)))
    score = [sum(count for bar, count in edges.items() if (bar - 1) % _BLOCK == at) for at in range(_BLOCK)]
    best = max(range(_BLOCK), key=lambda at: (score[at], -at))
    return best if score[best] > score[0] else 0


def _letters(blocks: Sequence[_Block]) -> list[int]:
    """For each block the first block that it repeats."""
    letters: list[int] = []
    for block in blocks:
        near = [(_likeness(block.content, blocks[at].content), -at) for at in dict.fromkeys(letters)]
        best = max(near, default=(0.0, 0))
        letters.append(-best[1] if best[0] >= _ALIKE else len(letters))
    return letters


def _groups(blocks: Sequence[_Block], letters: Sequence[int], singer: TrackId | None) -> list[list[int]]:
    """Neighbouring blocks that sound alike, cut where the tune comes or goes, or where what was heard begins again."""
    groups: list[list[int]] = [[0]]
    begins = {letters[0]}
    for at in range(1, len(blocks)):
        group = groups[-1]
        length = blocks[at].last - blocks[group[0]].first + 1
        goes_on = _likeness(blocks[at].playing, blocks[at - 1].playing) >= _SAME and _level(blocks, at)
        returns = letters[at] in begins and letters[at] != letters[at - 1] and len(group) > 1
        enters = singer is not None and _sings(blocks[at], singer) != _sings(blocks[at - 1], singer)
        if goes_on and not enters and not returns and length <= _LONGEST:
            group.append(at)
        else:
            groups.append([at])
            begins.add(letters[at])
    return groups


def _sings(block: _Block, singer: TrackId) -> bool:
    """Whether the tune is in a block, more than an upbeat of it."""
    return block.playing[singer] > _UPBEAT * (block.last - block.first + 1)


def _level(blocks: Sequence[_Block], at: int) -> bool:
    """Whether a block is about as full as the one before it."""
    low, high = sorted((blocks[at - 1].energy, blocks[at].energy))
    return low >= 0.7 * high


def _names(
    groups: Sequence[Sequence[int]], letters: Sequence[int], blocks: Sequence[_Block], singer: TrackId | None
) -> list[str]:
    energies = [sum(blocks[at].energy for at in group) / len(group) for group in groups]
    usual = sorted(energies)[len(energies) // 2]
    sung = [any(blocks[at].playing[singer] for at in group) if singer else True for group in groups]
    names = [""] * len(groups)
    last = len(groups) - 1
    for at, name in ((0, "Intro"), (last, "Outro")):
        bars = blocks[groups[at][-1]].last - blocks[groups[at][0]].first + 1
        again = any(letters[groups[at][0]] == letters[group[0]] for group in groups if group is not groups[at])
        if last >= 2 and bars <= _EDGE and not again and (energies[at] < _LOW * usual or not sung[at]):
            names[at] = name
    open_ = [at for at in range(len(groups)) if not names[at]]
    kinds = {at: letters[groups[at][0]] for at in open_}
    times = Counter(kinds.values())
    strength = {kind: max(energies[at] for at in open_ if kinds[at] == kind) for kind in times}
    returning = [kind for kind in times if times[kind] > 1] or list(times)
    chorus = max(returning, key=lambda kind: (strength[kind], -kind)) if len(times) > 1 else None
    for at in open_:
        between = any(kinds.get(before) == chorus for before in range(at)) and at < last
        if kinds[at] == chorus and (at != open_[0] or len(open_) > 2):
            names[at] = "Chorus"
        else:
            names[at] = "Bridge" if times[kinds[at]] == 1 and between and len(open_) > 3 else "Verse"
    return names


def _likeness(a: Mapping[_Key, int], b: Mapping[_Key, int]) -> float:
    """Cosine of two counts; 1 for two empty ones."""
    if not a or not b:
        return float(not a and not b)
    dot = sum(count * b.get(key, 0) for key, count in a.items())
    return dot / sqrt(sum(x * x for x in a.values()) * sum(x * x for x in b.values()))
