"""Singing: the turns of a theme over the bars of a scene, of which those that return are remembered."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TypeAlias

from msgspec import structs
from msgspec.structs import replace

from agent.composer.tones import STEP, Tone
from agent.composer.writing.feel import accent
from agent.composer.writing.frame import Frame, Player, Scene
from agent.composer.writing.motifs import Motif, ThemeTurn, TuneTheme
from agent.composer.writing.tune_fit import SoughtNote, chord_under, fitted, must_fit
from agent.composer.writing.tune_rhythm import UNIT, RhythmNote, resting, running
from agent.song.key import Key
from agent.theory.pitch import move

_EIGHTH, _BEAT = 2 * STEP, 4 * STEP
_LONG = 2 * _BEAT
"""A last note that is long enough to be leant on."""
_NEAR = (0, 1, -1, 2, -2)
"""Scale steps by which the lift of a turn may differ from what its theme wants."""
_EASY = 5
"""Semitones that a tune leaps at most to the neighbour of its last note."""
_SPARSE = 0.35
"""Energy below which only the first of two turns is sung."""
_HEADROOM = 2
"""Semitones at the top of the range that an idea does not ask for."""
_HEARD = 3
"""How many returns of a turn are heard ahead."""


Turns: TypeAlias = dict[str, dict[int, int]]
"""The pitches of each turn by its name: MIDI pitch by tick from the start of its two bars."""


@dataclass
class Remembered:
    """What has been sung of a theme in one register and key: its turns, the pitch at which it opened (None: not yet),
    and the tones of whole scenes."""

    turns: Turns = field(default_factory=dict)
    opening: int | None = None
    scenes: dict[Hashable, tuple[Scene, list[Tone]]] = field(default_factory=dict)

    def again(self, player: Player, scene: Scene, above: int) -> list[Tone] | None:
        """The melody of an earlier scene with the same chords and the same limit `above` (MIDI pitch), moved to this
        scene and with velocities adapted to its energy; None if there is none."""
        found = self.scenes.get(_likeness(scene, above))
        if found is None:
            return None
        first, tones = found
        moved = scene.start - first.start
        louder = player.velocity(scene.energy) / player.velocity(first.energy)
        return [
            structs.replace(one, start=one.start + moved, velocity=max(1, min(127, int(one.velocity * louder))))
            for one in tones
        ]

    def keep(self, scene: Scene, above: int, tones: list[Tone]) -> None:
        """Remember the tones of a scene; `above` is the pitch limit with which they were written."""
        self.scenes[_likeness(scene, above)] = scene, tones


def _likeness(scene: Scene, above: int) -> Hashable:
    """What two scenes of a theme have in common that are sung alike."""
    chords = tuple((one.start - scene.start, one.end - scene.start, one.chord, one.silent) for one in scene.chords)
    return scene.bars, scene.energy >= _SPARSE, chords, above


Memory: TypeAlias = dict[tuple[str, bool, Key], Remembered]
"""What has been sung of each theme, by (theme, whether in the high register, key)."""


class Singer:
    """Writes a theme's melody for a scene, beginning near the pitch `opening`; turns in `known` return unchanged, new
    ones are added to it."""

    def __init__(
        self, theme: TuneTheme, opening: int, player: Player, scene: Scene, frame: Frame, known: Turns
    ) -> None:
        self._theme = theme
        self._opening = opening
        self._player = player
        self._scene = scene
        self._frame = frame
        self._known = known
        self._unit = UNIT * scene.bar
        self._count = -(-(scene.end - scene.start) // self._unit)

    def lines(self) -> list[list[Tone]]:
        """The tones of each two-bar unit; an empty list where the melody rests."""
        lines: list[list[Tone]] = []
        for number in range(self._count):
            sings = self._scene.energy >= _SPARSE or number % 2 == 0
            before = lines[-1][-2:] if lines else []
            lines.append(self._line(number, [tone.pitch for tone in before]) if sings else [])
        return lines

    def start_of(self, number: int) -> int:
        """The tick of the two-bar unit with this number."""
        return self._scene.start + number * self._unit

    def turn(self, number: int) -> ThemeTurn:
        """The theme's turn for the two-bar unit with this number; the last one always ends on the tonic."""
        turns = self._theme.turns
        turn = turns[number % len(turns)]
        if number == self._count - 1:
            home = replace(turn, runs=False, home=True)
            return home if turn.home else replace(home, name=f"{turn.name} home", like=turn.name, lift=0)
        alone = self._scene.energy < _SPARSE
        return replace(turn, runs=False) if alone else turn

    def _line(self, number: int, before: list[int]) -> list[Tone]:
        turn = self.turn(number)
        start = self.start_of(number)
        beats = self._beats(turn, number, min(self._unit, self._scene.end - start))
        slots = self._slots(turn, number, beats)
        pitches = fitted(slots, before, self._player, self._scene, self._frame)
        self._known.setdefault(turn.name, {beat.at: pitch for beat, pitch in zip(beats, pitches, strict=True)})
        tones = [self._tone(slot, pitch) for slot, pitch in zip(slots, pitches, strict=True)]
        return leaning(tones, self._frame.key) if self._theme.leans and turn.home and not turn.runs else tones

    def _beats(self, turn: ThemeTurn, number: int, length: int) -> tuple[RhythmNote, ...]:
        """The notes of a turn: a breath at its end, or what leads on, and the pickup into it after a breath."""
        motif = self._motif(turn)
        inside = [beat for beat in motif.beats if beat.at < length]
        into = self._theme.pickup * _EIGHTH
        home = self._scene.bar if turn.home and self._frame.tune.settles else 0
        held = self._theme.held and not turn.home
        beats = running(inside, length) if turn.runs else resting(inside, length, into, home=home, held=held)
        if number == 0 or self.turn(number - 1).runs or self._scene.energy < _SPARSE or beats[0].at > _EIGHTH:
            return beats
        lead = self._theme.pickup
        return (*(RhythmNote(-at * _EIGHTH, _EIGHTH, "o") for at in range(lead, 0, -1)), *beats)

    def _motif(self, turn: ThemeTurn) -> Motif:
        """The idea of a turn; one that splits has its first bar twice, an answer has the first bar of the hook and the
        second of its own idea."""
        idea = self._theme.ideas[turn.idea]
        if turn.splits:
            return _split(idea, self._scene.bar)
        if not turn.answers:
            return idea
        hook, bar = self._theme.ideas["hook"], self._scene.bar
        head = [beat for beat in hook.beats if beat.at < bar]
        begin = head[-1].end if head else 0
        tail = [beat for beat in idea.beats if beat.at >= max(bar, begin)]
        return Motif((*head, *tail), (*hook.moves[: len(head)], *idea.moves[: len(tail)]))

    def _again(self, turn: ThemeTurn, number: int) -> tuple[int, ...]:
        """By how many ticks later the same turn comes back, or one like it."""
        later = range(number + 1, self._count)
        alike = [at for at in later if turn.name in (self.turn(at).name, "" if turn.lift else self.turn(at).like)]
        return tuple((at - number) * self._unit for at in alike[:_HEARD])

    def _slots(self, turn: ThemeTurn, number: int, beats: tuple[RhythmNote, ...]) -> list[SoughtNote]:
        start = self.start_of(number)
        again = self._again(turn, number) if turn.name not in self._known else ()
        known = self._known.get(turn.name) or (self._known.get(turn.like, {}) if turn.like else {})
        lift = 0 if turn.name in self._known else self._step(turn, start, beats, known)
        kept = {at: move(self._frame.key, pitch, lift) if lift else pitch for at, pitch in known.items()}
        if turn.splits and turn.name not in self._known:
            head = {at: pitch for at, pitch in kept.items() if 0 <= at < self._scene.bar}
            kept = head | {at + self._scene.bar: move(self._frame.key, pitch, lift) for at, pitch in head.items()}
        if turn.answers and turn.name not in self._known:
            kept = {at: pitch for at, pitch in kept.items() if at < self._scene.bar}
        targets = self._targets(turn, beats, kept)
        ends = "" if turn.runs else "home" if turn.home else "open"
        last = len(beats) - 1
        firm = turn.name in self._known or bool(turn.like)
        slots = []
        for at, beat in enumerate(beats):
            end_ = ends if at == last else ""
            stays = firm and beat.at in kept and (not end_ or turn.name in self._known)
            later = tuple(start + beat.at + ticks for ticks in again)
            slots.append(SoughtNote(start + beat.at, beat, kept.get(beat.at, targets[at]), stays, end_, later))
        return slots

    def _step(self, turn: ThemeTurn, start: int, beats: tuple[RhythmNote, ...], known: dict[int, int]) -> int:
        """By how many scale steps a turn is moved that is like another: its lift, or a little more or less if more of
        its notes are then tones of the chords."""
        if not turn.lift or not known:
            return turn.lift
        frame, scene = self._frame, self._scene
        due = [
            (start + beat.at, beat.length, known[beat.at]) for beat in beats
            if beat.at in known and must_fit(start + beat.at, beat.length, scene, frame)
        ]

        def strays(step: int) -> int:
            moved = ((at, length, move(frame.key, pitch, step)) for at, length, pitch in due)
            low, high = self._player.low, self._player.high - _HEADROOM
            return sum(
                pitch not in chord_under(scene, at, length) or not low <= pitch <= high for at, length, pitch in moved
            )

        ways = [step for step in (turn.lift + near for near in _NEAR) if step]
        return min(ways, key=lambda step: (strays(step), abs(step - turn.lift)))

    def _targets(self, turn: ThemeTurn, beats: tuple[RhythmNote, ...], kept: dict[int, int]) -> list[int]:
        """Where the idea wants each note: the way of its steps, a pickup stepping up or down to the first."""
        moves = self._motif(turn).moves
        inside = [beat for beat in beats if beat.at >= 0]
        steps = list(accumulate(moves[at % len(moves)] for at in range(len(inside))))
        lead = len(beats) - len(inside)
        way = -1 if steps[-1] >= 0 else 1
        wanted = [*(way * at for at in range(lead, 0, -1)), *steps]
        key = self._frame.key
        low, high = self._player.low, self._player.high - _HEADROOM
        lift = turn.lift if not kept else 0
        targets = [move(key, self._opening, step + lift) for step in wanted]
        # what goes on after notes that are kept goes on from there
        for at, beat in enumerate(beats):
            if beat.at not in kept and at and beats[at - 1].at in kept:
                shift = kept[beats[at - 1].at] - targets[at - 1]
                targets[at:] = [target + shift for target in targets[at:]]
        return [_mirrored(target, low, high) for target in targets]

    def _tone(self, slot: SoughtNote, pitch: int) -> Tone:
        part = self._player.style
        velocity = int(self._player.velocity(self._scene.energy) * accent(slot.beat.mark))
        stop = slot.start + slot.beat.length
        span = self._scene.chord_at(max(self._scene.start, slot.start))
        early = slot.start + slot.beat.length // 2 < span.end < stop
        if early and pitch not in self._scene.chord_at(span.end).chord:
            stop = span.end
        return Tone(slot.start, pitch, max(60, int((stop - slot.start) * part.gate)), velocity)


def leaning(tones: list[Tone], key: Key) -> list[Tone]:
    """The line with a long last note that begins on the tone of the key above it, or below it where the line comes from
    there; unchanged where it comes from that tone anyway."""
    if len(tones) < 2 or tones[-1].length < _LONG:
        return tones
    last, before = tones[-1], tones[-2]
    near = move(key, last.pitch, 1 if before.pitch >= last.pitch else -1)
    if near == before.pitch or abs(near - before.pitch) > _EASY:
        return tones
    return [
        *tones[:-1], structs.replace(last, pitch=near, length=_BEAT),
        structs.replace(last, start=last.start + _BEAT, length=last.length - _BEAT, velocity=max(1, last.velocity - 8)),
    ]


def _split(idea: Motif, bar: int) -> Motif:
    """The first bar of an idea, twice."""
    head = [replace(beat, length=min(beat.length, bar - beat.at)) for beat in idea.beats if beat.at < bar]
    moves = idea.moves[: len(head)]
    back = -sum(moves)
    return Motif((*head, *(replace(beat, at=beat.at + bar) for beat in head)), (*moves, back, *moves[1:]))


def _mirrored(pitch: int, low: int, high: int) -> int:
    """A pitch within a range; one beyond an edge is mirrored there."""
    if pitch > high:
        return max(low, 2 * high - pitch)
    return min(high, 2 * low - pitch) if pitch < low else pitch
