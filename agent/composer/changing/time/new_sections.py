"""New sections made of a song's own bars: an intro, a break, a build and an outro."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from agent.composer.changing.hearing.listening import SongAnalysis, top_line
from agent.composer.changing.notes.dissolve import slow_bass, slow_chords, slow_melody
from agent.composer.changing.time.material import (
    HATS,
    KICK,
    arpeggiated,
    filled,
    mean_pitch,
    mean_velocity,
    moved,
    ramped,
    rolled,
    taken,
    tiled,
    within,
)
from agent.composer.styles import RHYTHMIC, Role
from agent.composer.tones import STEP, Tone
from agent.composer.writing.bass import nearest
from agent.composer.writing.frame import ChordSpan
from agent.song.ids import TrackId
from agent.song.track import Track
from agent.theory.pitch import move

HARMONY: tuple[Role, ...] = ("pad", "chords", "arp")
_RUNNING = 6
"""Notes in a bar from which a hand that plays alone already breaks its chords."""
Parts = dict[TrackId, list[Tone]]
"""The tones of each track in a new section, in ticks of the song."""


class Plot(Struct, frozen=True):
    """A plan for a new section of `bars` bars at tick `at`, made from the bars that begin at tick `source`. `bar` is
    the length of a bar in ticks, `heard` the analysis of the song without the section; `tracks` are those that may play
    in it."""

    heard: SongAnalysis
    tracks: tuple[Track, ...]
    at: int
    bars: int
    bar: int
    source: int

    @property
    def end(self) -> int:
        """First tick after the section."""
        return self.at + self.bars * self.bar

    @property
    def middle(self) -> int:
        """The tick where the second half of the section begins."""
        return self.at + self.bars // 2 * self.bar

    @property
    def last_bar(self) -> int:
        """The tick where the section's last bar begins."""
        return self.end - self.bar

    @property
    def reach(self) -> int:
        """The length in ticks of the source material: that of the section, or less near the end of the song."""
        song = self.heard.song
        return max(self.bar, min(self.bars * self.bar, int(song.bar_map.start_of(song.bars + 1)) - self.source))

    def role(self, track: Track) -> Role:
        """The role of a track."""
        return self.heard.roles[track.id]

    def of(self, *roles: Role) -> list[Track]:
        """The tracks of some roles, in the order of the roles."""
        return [track for role in roles for track in self.tracks if self.role(track) == role]

    def own(self, track: Track) -> list[Tone]:
        """The notes of a track in the source bars, repeated through the section."""
        return tiled(taken(track, self.source, self.source + self.reach), self.source, self.reach, self.at, self.end)

    def chords(self) -> list[ChordSpan]:
        """The chords of the source bars, repeated through the section."""
        spans = []
        for at in range(self.at, self.end, self.reach):
            for span in self.heard.chords_in(self.source, self.source + self.reach):
                start, end = span.start - self.source + at, min(span.end - self.source + at, self.end)
                if start < end:
                    spans.append(replace(span, start=start, end=end))
        return spans

    def follows(self, track: Track) -> bool:
        """Whether a track plays in the bar right after the section."""
        return bool(taken(track, self.at, self.at + self.bar))

    def beat(self) -> list[Tone]:
        """All notes of the song's first drum track, as a sample of the groove for its level and snare; empty without
        drums."""
        return [tone for track in self.of("drums")[:1] for tone in taken(track, 0, int(self.heard.song.end))]

    def fill_start(self) -> int:
        """The tick where a fill before the section's end begins: two quarters before, or half a bar if that is less."""
        return self.end - min(8 * STEP, self.bar // 2 // STEP * STEP or STEP)


def intro(plot: Plot) -> Parts:
    """The notes of an intro by track: the song's first chords, held and then played if they go on; bass and hats from
    the middle, a drum fill into the song."""
    parts: Parts = {}
    layers = _harmony(plot)
    for number, track in enumerate(layers):
        own, begin = plot.own(track), plot.at if number == 0 else plot.middle
        slow = _held(plot, own) if number == 0 else []
        # chords that do not go on stay held, so that what follows is no step down
        later = slow if slow and plot.role(track) in HARMONY and not plot.follows(track) else own
        alone = number == 0 and len(layers) == 1 and plot.role(track) not in HARMONY
        if alone and len(own) < _RUNNING * plot.bars:
            later = arpeggiated(slow, 2 * STEP)
        tones = [*within(slow, begin, plot.middle), *within(later, max(begin, plot.middle), plot.end)]
        parts[track.id] = ramped(tones, plot.at, plot.end, 0.8, 0.95)
    for track in plot.of("bass"):
        if track.id not in parts and (plot.follows(track) or not layers):
            held = slow_bass(plot.own(track), plot.chords())
            begin = plot.middle if layers else plot.at
            parts[track.id] = ramped(within(held, begin, plot.end), plot.at, plot.end, 1.0, 1.2)
    for track in plot.of("texture"):
        if plot.follows(track):
            parts[track.id] = plot.own(track)
    parts |= _pickup(plot)
    for track in plot.of(*RHYTHMIC):
        if plot.follows(track) or not parts:
            parts[track.id] = _entering(plot, track, alone=not parts)
    return parts


def rest(plot: Plot) -> Parts:
    """The notes of a break by track: drums and bass stop, chords are held under what is left of the melody, and drums
    play a pickup at the end."""
    parts: Parts = {}
    layers = _harmony(plot)
    for number, track in enumerate(layers):
        if plot.role(track) == "bass":
            parts[track.id] = slow_bass(plot.own(track), plot.chords())
        else:
            tones = _held(plot, plot.own(track))
            parts[track.id] = tones if number == 0 else within(tones, plot.middle, plot.end)
    for track in plot.of("lead"):
        if track.id not in parts:
            line = slow_melody(plot.own(track), plot.chords(), plot.end, 0)
            parts[track.id] = within(line, plot.at, plot.fill_start())
    for track in plot.of("texture"):
        parts[track.id] = plot.own(track)
    for track in plot.of("drums"):
        only = [] if parts else [t for t in plot.own(track) if t.pitch in HATS]
        parts[track.id] = filled(only, plot.beat(), plot.fill_start(), plot.end) if plot.follows(track) else only
    return parts


def build(plot: Plot) -> Parts:
    """The notes of a build-up by track: a roll that gets denser, louder chords and bass, a climbing line."""
    parts: Parts = {}
    kit = plot.of("drums")
    for track in kit[:1]:
        usual = plot.beat()
        kicks = [
            Tone(at, KICK, STEP, mean_velocity(usual))
            for bar in range(plot.at, plot.last_bar, plot.bar) for at in range(bar, bar + plot.bar, 4 * STEP)
        ]
        kicks = ramped(kicks, plot.at, plot.end, 0.75, 1.0)
        parts[track.id] = [*kicks, *rolled(usual, plot.at, plot.end)]
    for track in _harmony(plot):
        parts[track.id] = _rising(plot, track, bool(kit))
    for track in plot.of("bass"):
        if track.id not in parts:
            parts[track.id] = _pulsing(plot, track)
    climbing = plot.of("lead", "counter", "arp")
    for track in [one for one in climbing if one.id not in parts][:1]:
        parts[track.id] = _climb(plot, track)
    return parts


def _harmony(plot: Plot) -> list[Track]:
    """At most two tracks that can carry the chords; the tune or the bass where there is nothing else."""
    carrying = [track for track in plot.of(*HARMONY) if plot.own(track)]
    if not carrying:
        others = [track for track in plot.of("lead", "counter", "bass") if plot.own(track)]
        carrying = [max(others, key=lambda track: len(plot.own(track)))] if others else []
    return carrying[:2]


def _held(plot: Plot, tones: Sequence[Tone]) -> list[Tone]:
    """Chords held where a track plays; a single line gets chords below it."""
    if not tones:
        return []
    pitches = [tone.pitch for tone in tones]
    low, high = min(pitches), max(pitches)
    if high - low < 12:
        low, high = low - (13 - (high - low)) // 2, high + (13 - (high - low)) // 2
    held = slow_chords(tones, plot.chords(), max(0, low - 6), min(127, high + 6), 3)
    return [Tone(t.start, t.pitch, t.length, max(t.velocity, 30)) for t in held]


def _entering(plot: Plot, track: Track, alone: bool) -> list[Tone]:
    """Drums that come in with their hats and end with a fill; percussion from the middle."""
    usual = plot.beat()
    own = plot.own(track) or tiled(_first_bars(plot, track), 0, 4 * plot.bar, plot.at, plot.end)
    if plot.role(track) == "percussion":
        return ramped(within(own, plot.middle, plot.end), plot.at, plot.end, 0.7, 0.9)
    hats = [t for t in own if t.pitch in HATS and (alone or t.start >= plot.middle or plot.bars < 3)]
    if alone:
        hats += [t for t in own if t.pitch not in HATS and t.start >= plot.middle]
    return filled(ramped(hats, plot.at, plot.end, 0.7, 0.95), usual, plot.fill_start(), plot.end)


def _first_bars(plot: Plot, track: Track) -> list[Tone]:
    """The first four bars that a track plays, counted from tick 0."""
    bars = plot.heard.song.bar_map
    first = min((clip.start + note.start for clip in track.clips for note in clip.notes), default=0)
    start = int(bars.start_of(bars.bar_at(first)))
    return moved(taken(track, start, start + 4 * plot.bar), -start)


def _pickup(plot: Plot) -> Parts:
    """Three notes of the tune's instrument that step to its first note, where that comes right after the section."""
    song, key = plot.heard.song, plot.heard.key
    for track in plot.of("lead"):
        following = top_line(taken(track, plot.at, plot.at + plot.bar))
        if not following or following[0].start > plot.at + 2 * STEP or plot.bars < 2 or not song.note_count:
            continue
        goal = following[0]
        return {
            track.id: [
                Tone(plot.end - back * 2 * STEP, move(key, goal.pitch, -back), 2 * STEP - 40,
                     max(1, int(goal.velocity * (0.9 - 0.05 * back))))
                for back in (3, 2, 1)
            ]
        }
    return {}


def _rising(plot: Plot, track: Track, beat: bool) -> list[Tone]:
    """A track's own bars, ever louder; without drums its chords are struck ever faster at the end."""
    own = plot.own(track)
    if plot.role(track) == "bass":
        return _pulsing(plot, track)
    if not beat and plot.role(track) in ("chords", "lead"):
        held = _held(plot, own)
        struck: list[Tone] = []
        for tone in held:
            step = 4 * STEP if tone.start < plot.middle else 2 * STEP
            struck += [
                Tone(at, tone.pitch, min(step, tone.end - at), tone.velocity + 12)
                for at in range(tone.start, tone.end, step)
            ]
        own = struck
    return ramped(own, plot.at, plot.end, 0.72, 1.05)


def _pulsing(plot: Plot, track: Track) -> list[Tone]:
    """Eighths on the roots, ever louder; silence for the last half beat."""
    own = plot.own(track) or _first_bars(plot, track)
    centre, level = mean_pitch(own, 40), mean_velocity(own, 84)
    tones = []
    for span in plot.chords():
        pitch = nearest(span.chord.lowest, centre, max(0, centre - 7), centre + 7)
        tones += [Tone(at, pitch, 2 * STEP - 60, level) for at in range(span.start, span.end, 2 * STEP)]
    return ramped(within(tones, plot.at, plot.end - 2 * STEP), plot.at, plot.end, 0.7, 1.05)


def _climb(plot: Plot, track: Track) -> list[Tone]:
    """A line through the key in the last two bars: quarters, eighths, then sixteenths, up to the next first note."""
    usual = taken(track, 0, int(plot.heard.song.end))
    if not usual:
        return []
    begin = max(plot.at, plot.end - 2 * plot.bar)
    following = top_line(taken(track, plot.at, plot.at + plot.bar))
    goal = following[0].pitch if following else mean_pitch(usual) + 5
    places, at = [], begin
    while at < plot.end:
        share = (at - begin) / (plot.end - begin)
        step = STEP * (4 if share < 0.5 else 2 if share < 0.75 else 1)
        places.append((at, step))
        at += step
    level = mean_velocity(usual)
    line = [
        Tone(at, move(plot.heard.key, goal, number - len(places)), min(step, plot.end - at), level)
        for number, (at, step) in enumerate(places)
    ]
    known = {one.pitch for one in usual}
    fitting = [tone if tone.pitch >= min(known) - 5 else Tone(tone.start, tone.pitch + 12, tone.length, level)
               for tone in line]
    return ramped(fitting, begin, plot.end, 0.6, 1.0)
