"""Listening to a song that exists: the role of each track, its key, chords and sections."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from agent.composer.changing.hearing.feel_heard import feel_of
from agent.composer.changing.hearing.form_heard import form_of
from agent.composer.roles import role_of_family
from agent.composer.styles import RHYTHMIC, Role
from agent.composer.tones import Tone
from agent.composer.writing.frame import ChordSpan, Frame, Scene
from agent.composer.writing.harmony import is_minor
from agent.song.chord import Chord
from agent.song.clip import Clip
from agent.song.ids import TrackId
from agent.song.key import Key
from agent.song.palette import Instrument, Palette
from agent.song.song import Section, Song
from agent.song.track import Track
from agent.theory.harmony import chords_known
from agent.theory.key_finding import fit
from agent.theory.measures import key_of, pitch_histogram
from agent.theory.melody import melody_track
from agent.theory.playing import plays_drums
from agent.theory.sounding import kit_tracks, pitched, sounding

_BLOCK = 8
_TRUSTED_FIT = 0.85
_BEAT = frozenset({35, 36, 38, 40})
"""Kick and snare, which make a kit of what is else hand percussion."""
_TUNEFUL = 0.45
_CHORDAL = 1.5
"""Notes for each attack from which a part plays chords."""
_HELD = 1200
"""Mean ticks of a note from which strings hold chords; shorter ones strike them."""
_CLEAR = 0.4
"""How sure of another key one must be to doubt a stated C major."""


class SongAnalysis(Struct, frozen=True):
    """The analysis of a song: its key, the role of each track, its chords, its sections as scenes, and the tempo and
    feel that its players share (`frame`)."""

    song: Song
    key: Key
    roles: dict[TrackId, Role]
    chords: tuple[ChordSpan, ...]
    scenes: tuple[Scene, ...]
    frame: Frame

    def chords_in(self, start: int, end: int) -> list[ChordSpan]:
        """The chords between two ticks, the first and last cut to that stretch."""
        return [
            replace(span, start=max(span.start, start), end=min(span.end, end))
            for span in self.chords
            if span.start < end and span.end > start
        ]


def hear(song: Song, palette: Palette, bpm: float) -> SongAnalysis:
    """Analyse a song with notes; `bpm` is the tempo that it will have."""
    drums = drum_tracks(song, palette)
    key = key_heard(song, drums)
    chords = _chords(song, drums, key)
    feel = feel_of(song)
    frame = Frame(key, bpm, song.meters[0].bar_length, feel.swing, feel.grid)
    return SongAnalysis(song, key, roles_of(song, palette), chords, _scenes(song, chords), frame)


def key_heard(song: Song, drums: Collection[TrackId]) -> Key:
    """The key that the song states if its notes fit it, else the key found from its notes.

    C major is also what files say that state no key: there a clearly different key found is taken if the bass begins or
    ends on its tonic.
    """
    found = key_of(song, drums)
    if fit(song.key, pitch_histogram(song, drums)) < _TRUSTED_FIT:
        return found.key
    notes = pitched(song, drums)
    if song.key == Key("C") and notes and found.confidence >= _CLEAR:
        first, last = min(note.start for note in notes), max(note.end for note in notes)
        edges = (
            min(note.pitch for note in notes if note.start <= first + 120),
            min(note.pitch for note in notes if note.end >= last - 120),
        )
        if any(pitch % 12 == found.key.pitch_class for pitch in edges):
            return found.key
    return song.key


def roles_of(song: Song, palette: Palette) -> dict[TrackId, Role]:
    """The role of each track, from its instrument's family, its register and how many notes it plays at once.

    One track is the lead; another melodic track is a lead if it plays where that one rests, and a counter-melody if it
    plays along.
    """
    singer = melody_track(song, palette)
    known = {instrument.name: instrument for instrument in palette.instruments}
    roles = {track.id: _role(track, known.get(track.instrument), track.id == singer) for track in song.tracks}
    for track in song.tracks:
        if roles[track.id] == "lead" and singer is not None and track.id != singer:
            roles[track.id] = "counter" if _accompanies(song, track.id, singer) else "lead"
    if "bass" not in roles.values() and (low := _lowest_line(song, roles)) is not None:
        roles[low] = "bass"
    return roles


def sections_heard(song: Song, palette: Palette) -> tuple[Section, ...]:
    """The song's sections; if it has none, detected ones: Intro, Verse, Chorus, Bridge, Outro.

    Detected sections cover all bars, begin on bar lines, and repeats have the same name. Their ids do not exist in the
    song. Empty for a song without notes.
    """
    if len({section.start for section in song.sections}) > 1 or (song.sections and song.bars <= 1):
        return song.sections
    return form_of(song, drum_tracks(song, palette), melody_track(song, palette))


def drum_tracks(song: Song, palette: Palette) -> frozenset[TrackId]:
    """Ids of the tracks whose pitches are drums, even if a pitched instrument plays them."""
    return kit_tracks(song, palette) | {track.id for track in song.tracks if plays_drums(track)}


def tones_of(clip: Clip) -> tuple[Tone, ...]:
    """A clip's notes as tones in ticks of the song, sorted."""
    return tuple(sorted(Tone(clip.start + n.start, n.pitch, n.duration, n.velocity) for n in clip.notes))


def top_line(tones: Iterable[Tone]) -> list[Tone]:
    """The highest note of each attack, without those that a higher note still sounding covers for the most part."""
    line: list[Tone] = []
    for tone in sorted(tones):
        if line and line[-1].start == tone.start:
            line[-1] = max(line[-1], tone, key=lambda one: one.pitch)
        elif not (line and line[-1].pitch > tone.pitch and 2 * (line[-1].end - tone.start) > tone.length):
            line.append(tone)
    return line


def _accompanies(song: Song, track: TrackId, singer: TrackId) -> bool:
    """Whether most of a track's bars are bars in which the singer sings too."""
    bars = song.bar_map
    own = {bars.bar_at(note.start) for note in sounding(song, (track,))}
    sung = {bars.bar_at(note.start) for note in sounding(song, (singer,))}
    return 2 * len(own & sung) > len(own)


def _lowest_line(song: Song, roles: Mapping[TrackId, Role]) -> TrackId | None:
    """Of three voices or more the lowest, where it plays one note at a time below middle C: it is the bass."""
    means = {
        track: sum(note.pitch for note in notes) / len(notes)
        for track, role in roles.items()
        if role not in RHYTHMIC and (notes := sounding(song, (track,)))
    }
    if len(means) < 3:
        return None
    low = min(means, key=lambda track: means[track])
    notes = sounding(song, (low,))
    single = len({note.start for note in notes}) >= 0.9 * len(notes)
    return low if roles[low] != "lead" and single and means[low] < 58 else None


def _role(track: Track, instrument: Instrument | None, sings: bool) -> Role:
    notes = [note for clip in track.clips for note in clip.notes]
    family = instrument.family if instrument is not None else "keys"
    if family == "drums":
        return "drums" if not notes or any(note.pitch in _BEAT for note in notes) else "percussion"
    if family == "percussion" or plays_drums(track):
        return "percussion" if family == "percussion" else "drums"
    if not notes:
        return role_of_family(family)
    mean = sum(note.pitch for note in notes) / len(notes)
    starts = len({(clip.id, note.start) for clip in track.clips for note in clip.notes})
    together = len(notes) / starts
    if family == "bass" or (mean < 46 and together < 1.5):
        return "bass"
    if sings:
        return "lead"
    if together >= _CHORDAL:
        held = sum(note.duration for note in notes) >= _HELD * len(notes)
        return "pad" if family in ("pad", "strings", "choir") and held else "chords"
    usual = role_of_family(family)
    if together < 1.15 and mean >= 58 and usual not in ("texture", "lead") and _by_step(track) >= _TUNEFUL:
        return "lead"
    return "arp" if usual in ("chords", "arp") else usual


def _by_step(track: Track) -> float:
    """Share of a line's moves that are steps; broken chords leap."""
    moves = [
        abs(after.pitch - before.pitch)
        for clip in track.clips
        for before, after in itertools.pairwise(clip.notes)
        if after.pitch != before.pitch
    ]
    return sum(move <= 2 for move in moves) / len(moves) if moves else 0.0


def _chords(song: Song, kits: Collection[TrackId], key: Key) -> tuple[ChordSpan, ...]:
    """Chords, stated or heard, from the first bar to the last; a bar without any goes on with the one before."""
    spans: list[ChordSpan] = []
    minor = is_minor(key.mode)
    for found in chords_known(song, kits):
        if not spans:
            if found.start:
                spans.append(ChordSpan(0, found.start, Chord(key.pitch_class, "min" if minor else "maj")))
        elif spans[-1].chord == found.chord or found.start > spans[-1].end:
            spans[-1] = replace(spans[-1], end=found.start)
        if spans and spans[-1].chord == found.chord:
            spans[-1] = replace(spans[-1], end=found.end)
        else:
            spans.append(ChordSpan(found.start, found.end, found.chord))
    end = int(song.bar_map.start_of(song.bars + 1))
    if not spans and end:
        return (ChordSpan(0, end, Chord(key.pitch_class, "min" if minor else "maj")),)
    if spans and spans[-1].end < end:
        spans[-1] = replace(spans[-1], end=end)
    return tuple(spans)


def _scenes(song: Song, chords: tuple[ChordSpan, ...]) -> tuple[Scene, ...]:
    """Stretches of at most eight bars, cut at sections and meter changes."""
    bars = song.bar_map
    cuts = {1, song.bars + 1, *(bars.bar_at(change.at) for change in song.meters)}
    cuts |= {bars.bar_at(section.start) for section in song.sections}
    edges = sorted(cut for cut in cuts if 1 <= cut <= song.bars + 1)
    scenes: list[Scene] = []
    for first, following in itertools.pairwise(edges):
        for begin in range(first, following, _BLOCK):
            last = min(following, begin + _BLOCK) - 1
            start, end = bars.span(begin, last)
            inside = tuple(span for span in chords if span.start < end and span.end > start)
            if end > start and inside:
                bar = bars.meter_at(start).bar_length
                scenes.append(
                    Scene(f"Bars {begin}-{last}", len(scenes), start, last - begin + 1, bar, 0.6, "a", (), inside)
                )
    return tuple(scenes)
