"""Colouring: towards a mood, by register, pulse, groove, loudness, sound, pace and borrowed chords; the tune stays."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Literal

from msgspec import Struct, structs

from agent.composer.changing.notes.grooves import grooved
from agent.composer.changing.notes.leading import ChordChange
from agent.composer.changing.notes.pulse import driving, driving_drums, legato, slower, thinner_drums
from agent.composer.changing.notes.shades import borrowings, coloured_chords, darkened, phrase_ends, revoiced, tilt
from agent.composer.changing.notes.thickening import doubled
from agent.composer.changing.notes.voices import Voice, louder, rewrite, voices_of
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.pacing import scaled
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.soundness import Attempt, Promise, first_sound
from agent.composer.changing.stage import Stage
from agent.composer.styles import RHYTHMIC, Role, StyleBook
from agent.composer.tones import Tone
from agent.composer.understanding.operations import Colour
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.wishes import Wish
from agent.composer.vocabulary import Mood
from agent.plan.plan import Ask
from agent.song.clip import Clip
from agent.song.palette import EffectUse
from agent.song.song import Song
from agent.song.track import Track
from agent.theory.colours import brightness_of, energy_of, groove_of
from agent.theory.mixing import REVERBS

_USUAL_ENERGY = 0.35
"""Energy of a mood that is all about energy."""
_PULSING = 0.14
"""Energy from which a mood changes how many notes there are, and not only how loud they are."""
_CALM = 0.8
"""Share of its brightness that a mood's calm must reach for notes to go."""
_FELT = 1.9
"""How much stronger feelings use light and shade than their brightness says."""
_BROKEN = 0.6
_SWELL = 0.02
"""Share of their loudness by which calm phrases swell and fade."""
_HIGH = 71
"""Mean pitch from which a tune is doubled below and no longer above."""
_OPEN, _DARKEST = 18_000.0, 300.0
"""Cutoff in Hz of a track without a lowpass, and where darkness stops."""
_DARK: dict[Role, float] = {"lead": 0.24, "counter": 0.2, "arp": 0.17, "chords": 0.15}
_DARK_GROUND = 0.11
"""What darkness leaves of the cutoff: most of the tune, so that it stays in front, least of bass and pads."""
_SHADED = 0.5
"""Amount from which a dark mood borrows chords from minor."""
_DARKER, _USUAL_CUTOFF = 0.55, 4000.0
"""What it leaves of a cutoff that is there, and the cutoff of a lowpass that states none."""
_STRENGTHS = (1.0, 0.75, 0.5, 0.3, 1.6, 2.5)
"""Shares of the asked measure, as they are tried: milder ones first, stronger ones where nothing moves."""
Direction = Literal["lower", "higher"]
Figure = Literal["brightness", "energy", "groove"]

_LIVELY = 0.6
"""Share of its brightness from which a mood's energy is what people ask it for."""


class _Pull(Struct, frozen=True):
    """How far a mood pulls here: -1.5 to 1.5, 1 is its usual measure; groove is 0 to 1.5."""

    bright: float
    drive: float
    groove: float
    feeling: float
    """Sad below 0, happy above."""
    pulses: bool
    """Whether it is so much about energy that there are more notes, or longer ones."""
    thins: bool
    """Whether it is about calm more than about light and shade, so that there are fewer notes."""

    @property
    def loudness(self) -> float:
        """Factor of all velocities."""
        return 1 + (0.17 if self.drive < 0 else 0.13) * self.drive


def measures(mood: Mood) -> tuple[tuple[Figure, Direction], ...]:
    """The figures by which a mood is measured, each with the direction it should move in; the most reliable first."""
    energetic: tuple[tuple[Figure, Direction], ...] = ()
    if abs(mood.energy) >= 0.1 and not mood.groove:
        energetic = (("energy", "lower" if mood.energy < 0 else "higher"),)
    bright: tuple[tuple[Figure, Direction], ...] = ()
    if abs(mood.brightness) >= 0.5:
        bright = (("brightness", "lower" if mood.brightness < 0 else "higher"),)
    groove: tuple[tuple[Figure, Direction], ...] = (("groove", "higher"),) if mood.groove else ()
    return (*groove, *energetic, *bright) if abs(mood.brightness) < 0.75 else (*bright, *energetic)


def colour(stage: Stage, operation: Colour) -> None:
    """Take the unlocked tracks (or those that `operation.wish` means) towards a mood; without a wish the tempo of the
    whole song changes too."""
    mood = operation.mood
    meant = frozenset(track.id for track in stage.free(operation.wish))

    def moved(before: Song, after: Song) -> bool:
        kept = [structs.replace(s, tracks=tuple(t for t in s.tracks if t.id in meant)) for s in (before, after)]
        wanted = measures(mood)[:1]
        return all(_moves(name, way, kept[0], kept[1], stage) for name, way in wanted)

    def attempt(strength: float, turns: Sequence[ChordChange] = ()) -> Attempt:
        return lambda trial: _coloured_song(trial, operation, strength, turns)

    turns = borrowings(stage) if _borrows(operation, stage.amount) else []
    attempts = [*([attempt(1.0, turns)] if turns else []), *(attempt(strength) for strength in _STRENGTHS)]
    first_sound(stage, attempts, Promise(proof=moved), f"it cannot get any {mood.name}")


def _moves(name: Figure, way: Direction, before: Song, after: Song, stage: Stage) -> bool:
    old, new = (_figure(name, song, stage) for song in (before, after))
    return new < old if way == "lower" else new > old


def _figure(name: Figure, song: Song, stage: Stage) -> float:
    spans = None if stage.whole else stage.spans
    match name:
        case "brightness":
            return brightness_of(song, stage.palette, spans)
        case "energy":
            return energy_of(song, spans)
        case "groove":
            return groove_of(song, spans)


def _borrows(operation: Colour, amount: float) -> bool:
    """Whether the mood is so dark, and the whole band so meant, that chords are borrowed from minor."""
    mood = operation.mood
    return operation.wish is None and mood.mode == "minor" and mood.brightness <= -0.5 and amount >= _SHADED


def _coloured_song(stage: Stage, operation: Colour, strength: float, turns: Sequence[ChordChange]) -> None:
    mood = operation.mood
    pull = _pull(mood, stage.amount * strength)
    if turns:
        darkened(stage, turns, mood.name)
    for voice in voices_of(stage, operation.wish):

        def changed(tones: list[Tone], clip: Clip, voice: Voice = voice) -> Sequence[Tone]:
            return _coloured(tones, voice, clip, pull)

        rewrite(stage, voice, changed, mood.name, _why(mood, voice.role))
        if stage.whole:
            uses = _effects(mood, voice.role, voice.track, stage.amount * strength)
            stage.sketch.dress(voice.track.id, uses, "")
    if stage.whole and operation.wish is None and mood.tempo != 1 and not stage.states_tempo:
        scaled(stage, 1 + (mood.tempo - 1) * stage.amount, f"the pace that goes with {mood.name}")


def _pull(mood: Mood, amount: float) -> _Pull:
    feeling = 0.0
    # a mood with a mode that is not all brightness is about feeling: sad, happy
    if mood.mode is not None and 0.3 <= abs(mood.brightness) < 0.75:
        feeling = 2 * mood.brightness
    drive = mood.energy / _USUAL_ENERGY
    bright = mood.brightness * (_FELT if feeling else 1.0)
    if bright > 0 or feeling:
        # light and feeling are subtle: a little of them must still be heard
        amount = max(amount, min(1.0, amount) ** 0.7)
    pulses = abs(mood.energy) >= _PULSING and not mood.groove
    thins = pulses and _calms(mood)
    return _Pull(bright * amount, drive * amount, mood.groove * amount, feeling * amount, pulses, thins)


def _calms(mood: Mood) -> bool:
    """Whether a mood is about calm more than about light and shade."""
    return -mood.energy > _CALM * abs(mood.brightness)


def _coloured(tones: list[Tone], voice: Voice, clip: Clip, pull: _Pull) -> list[Tone]:
    changed: list[Tone] = _pulsed(tones, voice, clip, pull)
    if pull.feeling and voice.role == "lead":
        changed = phrase_ends(changed, voice, pull.feeling)
    if pull.feeling and voice.role in ("chords", "pad"):
        changed = coloured_chords(changed, voice, pull.feeling)
    changed = revoiced(changed, voice, pull.bright)
    if pull.groove:
        changed = grooved(changed, voice, clip, pull.groove)
    breathes = pull.pulses and pull.drive < 0

    def level(tone: Tone) -> float:
        swell = _breath(tone, voice) if breathes else 1.0
        return pull.loudness * swell * tilt(tone, pull.bright, drum=voice.rhythmic)

    return [louder(tone, level(tone)) for tone in changed]


def _breath(tone: Tone, voice: Voice) -> float:
    """The swell of a calm phrase of four bars, which fewer notes would else lose."""
    start, end = voice.grid.bar(tone.start)
    return 1 + _SWELL * (1.5 - abs(start // (end - start) % 4 - 2))


def _pulsed(tones: list[Tone], voice: Voice, clip: Clip, pull: _Pull) -> list[Tone]:
    """Fewer and longer, or more and shorter notes, as the role has them; fewer only of what is about calm."""
    drive = pull.drive if pull.pulses else 0.0
    if voice.rhythmic:
        if drive <= -0.2:
            return thinner_drums(tones, voice, -drive) if pull.thins else tones
        return driving_drums(tones, voice, drive) if drive >= 0.2 else tones
    if drive <= -0.15:
        if voice.role in ("lead", "counter"):
            return legato(tones, -drive)
        if not pull.thins:
            return tones
        # a broken chord without most of its notes is no chord any more
        return slower(tones, voice, -drive * (_BROKEN if voice.role == "arp" else 1.0))
    if drive >= 0.2 and voice.role in ("bass", "chords"):
        return driving(tones, voice, clip, drive)
    if drive >= 0.7 and voice.role == "lead":
        high = sum(tone.pitch for tone in tones) > _HIGH * len(tones)
        return doubled(tones, voice, -12 if high else 12, 0.7)
    return tones


def _why(mood: Mood, role: Role) -> str:
    if mood.groove:
        return "off the beat, with the tune as it was" if role not in RHYTHMIC else "ghost notes, and a late backbeat"
    if role in RHYTHMIC:
        fewer = mood.energy <= -_PULSING and _calms(mood)
        return "fewer strokes" if fewer else "more strokes" if mood.energy > 0.05 else "played another way"
    if role in ("chords", "pad", "arp"):
        seldom = mood.energy <= -_PULSING and _calms(mood)
        return "the same chords, struck less often" if seldom else "the same chords, played another way"
    return "the same notes, played another way"


def _effects(mood: Mood, role: Role, track: Track, amount: float) -> list[EffectUse]:
    uses = []
    if role in RHYTHMIC:
        return [EffectUse("compressor", {"threshold": -20, "ratio": 4})] if mood.energy >= 0.3 else []
    if mood.brightness <= -0.5:
        uses.append(_darker(track, role, amount * -mood.brightness))
    elif mood.brightness >= 0.5:
        gain = round(4 * min(1.5, amount * mood.brightness), 1)
        present = [float(dict(e.params).get("high_gain", 0.0)) for e in track.effects if e.name == "eq"]
        uses.append(EffectUse("eq", {"high_gain": min(12.0, max([0.0, *present]) + gain), "high_freq": 5000}))
    if mood.energy <= -0.14 and role != "bass" and not any(effect.name in REVERBS for effect in track.effects):
        uses.append(EffectUse("reverb", {"room_size": 0.75, "mix": round(0.12 + 0.18 * min(1.0, amount), 2)}))
    return uses


def _darker(track: Track, role: Role, amount: float) -> EffectUse:
    """A lowpass that is lower than the one the track has."""
    cutoff = _OPEN * _DARK.get(role, _DARK_GROUND) ** amount
    for effect in track.effects:
        if effect.name == "lowpass":
            now = float(dict(effect.params).get("cutoff", _USUAL_CUTOFF))
            cutoff = max(min(now, _DARKEST), min(cutoff, now * _DARKER**amount))
    return EffectUse("lowpass", {"cutoff": float(round(cutoff))})


def coloured(filled: Filled, mood: str, wishes: Sequence[Wish | None]) -> tuple[Colour, ...]:
    """The operations that change the character of parts, one `Colour` for each of `wishes` (None: the whole song),
    towards the mood named `mood`. Where the request negates the mood ("not so sad"), towards its opposite; empty if it
    has no opposite."""
    words = filled.lexicon.words
    towards = words.mood(mood)
    if filled.words.sign < 0:
        if not towards.opposite:
            return ()
        towards = words.mood(towards.opposite)
    return tuple(Colour(towards, wish) for wish in wishes)


def _read(filled: Filled) -> tuple[Colour, ...]:
    return coloured(filled, str(filled.words.mood or filled.value("mood")), filled.each)


def _asks(served: Served, operation: Colour, _: StyleBook) -> list[Ask]:
    mood = operation.mood
    if mood.groove:
        return served.of_parts(operation.wish, "groove", "higher")
    if not mood.brightness and not mood.energy:
        return served.plain()
    name = "energy" if abs(mood.energy) >= _LIVELY * abs(mood.brightness) else "brightness"
    pull = mood.brightness if name == "brightness" else mood.energy
    return served.of_parts(operation.wish, name, "lower" if pull < 0 else "higher")


KINDS = (OperationKind(Colour, 10, colour, MappingProxyType({"colour": SlotReading(_read)}), _asks),)
