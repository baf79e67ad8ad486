"""Taking a song to a style without a beat: dissolve what is there, add held sound and space."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, structs

from agent.composer.changing.hearing.listening import SongAnalysis
from agent.composer.changing.notes.dissolve import held_chords, slow_bass, slow_chords, slow_melody
from agent.composer.changing.notes.reshape import calmer_beat, fitted
from agent.composer.changing.operations.pacing import at_tempo
from agent.composer.changing.parts.room import colour_for, level_for
from agent.composer.changing.parts.sounds import allowed, effects_for, sound_for
from agent.composer.changing.stage import Stage
from agent.composer.parts import PlannedClip, PlannedTrack, in_time
from agent.composer.styles import RHYTHMIC, Style
from agent.composer.tones import SHORTEST, Tone, outside, tidy
from agent.composer.writing.backing import colours
from agent.composer.writing.bass import nearest
from agent.composer.writing.frame import Player
from agent.song.clip import Clip
from agent.song.ids import MASTER, ClipId, TrackId
from agent.song.palette import Instrument
from agent.song.track import Track
from agent.theory.measures import sustained_share

_FLOATING = (50.0, 76.0)
"""Tempo in BPM of a song that has lost its beat."""
_LEVELS = 4
_HELD = 0.8
_SOUNDS, _MILD, _FULL = 0.4, 0.6, 0.9
"""Amounts from which sounds and bass change, the tune is thinned, and the whole has to float."""
_BEATLESS = 0.75
"""The amount from which nothing beats any more."""
_SOFT = 0.9
_FEWER, _LONGER = 0.56, 2.1
"""What the composer holds itself to: a margin beyond "at most 0.6 of the onsets, twice the length"."""


class _Scene(Struct, frozen=True):
    """Everything that is needed to dissolve, fixed before the first note."""

    stage: Stage
    heard: SongAnalysis
    free: tuple[Track, ...]
    style: Style
    sounds: dict[TrackId, Instrument]


class _Draft(Struct, frozen=True):
    """The notes of one attempt."""

    clips: dict[ClipId, tuple[Tone, ...]]
    added: tuple[PlannedTrack, ...]


def dissolve(stage: Stage, style: Style) -> None:
    """Turn the song ambient: thin and hold what plays, more and more until no beat is felt, then add pad and texture.

    With a scope only its bars change. At small amounts only harmony and beat change, below full measure the drums stay,
    calmer, and the melody is kept.
    """
    if stage.whole:
        _frame(stage, style)
    heard = stage.heard()
    used: set[str] = set()
    sounds: dict[TrackId, Instrument] = {}
    for track in stage.free() if stage.whole and stage.amount >= _SOUNDS else ():
        sound = sound_for(stage, track, heard.roles[track.id], style, used)
        if sound is not None:
            sounds[track.id] = sound
            used.add(sound.name)
    scene = _Scene(stage, heard, stage.free(), style, sounds)
    players = _new_players(scene, used)
    draft = _attempt(scene, players, 0)
    for level in range(1, _LEVELS if stage.whole and stage.amount >= _FULL else 1):
        if _floats(scene, draft):
            break
        draft = _attempt(scene, players, level)
    for track in scene.free:
        _write_track(scene, track, draft)
    for new in draft.added:
        stage.sketch.add_track(new)
    if stage.whole and stage.amount >= _SOUNDS:
        present = {effect.name for effect in stage.song.master_effects}
        missing = [use for use in style.master if use.effect not in present]
        stage.sketch.dress(MASTER, missing, "takes the edge off the whole")


def _frame(stage: Stage, style: Style) -> None:
    low, high = _FLOATING
    if not stage.states_tempo:
        now = stage.song.bpm
        target = min(now, float(round(max(low, min(high, now * 0.75)))))
        at_tempo(stage, float(round(now + (target - now) * min(1.0, stage.amount))), "the pace that goes with it")
    was = stage.song.loudness_target
    target = round(was + (style.loudness - was) * min(1.0, stage.amount), 1)
    stage.sketch.loudness(target, f"the usual level of {style.label.lower()}")


def _attempt(scene: _Scene, players: Sequence[Player], level: int) -> _Draft:
    clips: dict[ClipId, tuple[Tone, ...]] = {}
    sketch = scene.stage.sketch
    for track in scene.free:
        if scene.heard.roles[track.id] in RHYTHMIC:
            continue
        for clip in track.clips:
            tones = sketch.tones(clip)
            slowed: list[Tone] = []
            for begin, stop in scene.stage.spans:
                start, end = max(begin, int(clip.start)), min(stop, int(clip.end))
                inside = [tone for tone in tones if start <= tone.start < end]
                if inside:
                    slowed += tidy(_slowed(scene, track, inside, start, end, level), start, end)
            others = outside(tones, scene.stage.spans)
            clips[clip.id] = tidy(outside((*others, *slowed), sketch.guard.spans), clip.start, clip.end)
    added = tuple(_new_track(scene, player, level) for player in players)
    return _Draft(clips, tuple(new for new in added if new.passages))


def _slowed(
    scene: _Scene, track: Track, tones: Sequence[Tone], start: int, end: int, level: int
) -> list[Tone]:
    chords = scene.heard.chords_in(start, end)
    instrument = scene.sounds.get(track.id)
    low, high = (instrument.low, instrument.high) if instrument is not None else (0, 127)
    amount, role = scene.stage.amount, scene.heard.roles[track.id]
    match role:
        case "bass" | "lead" | "counter" if amount < _SOUNDS or (amount < _MILD and role != "bass"):
            return [structs.replace(tone, velocity=max(1, round(tone.velocity * _SOFT))) for tone in tones]
        case "bass":
            slow = slow_bass(tones, chords)
        case "counter" if level:
            slow = slow_chords(tones, chords, max(low, 48), min(high, 79), 2)
        case "lead" | "counter":
            slow = slow_melody(tones, chords, end, level)
        case "arp" | "texture":
            slow = slow_chords(tones, chords, max(low, 55), high, 2)
        case "pad":
            slow = slow_chords(tones, chords, max(low, 48), min(high, 79), 3)
        case _:
            slow = slow_chords(tones, chords, max(low, 48), min(high, 79), 3 if level == 0 else 2)
    if instrument is not None:
        slow = fitted(slow, low, high, scene.heard.key)
    return slow


def _new_players(scene: _Scene, used: set[str]) -> tuple[Player, ...]:
    """A shimmer; a pad where none holds the song yet, a drone where it has no bass."""
    roles = scene.heard.roles
    missing = {"texture"} if scene.stage.amount >= _MILD else set()
    if not any(role == "bass" for role in roles.values()):
        missing.add("bass")
    pads = [track for track, role in roles.items() if role == "pad"]
    if scene.stage.amount >= _SOUNDS and sustained_share(scene.heard.song, pads) < _HELD:
        missing.add("pad")
    players = []
    for part in scene.style.parts:
        options = allowed(scene.stage, part) if part.role in missing else []
        fresh = [instrument for instrument in options if instrument.name not in used] or options
        if fresh:
            players.append(Player(part, scene.stage.dice.of(f"new {part.name}").pick(fresh)))
    return tuple(players)


def _new_track(scene: _Scene, player: Player, level: int) -> PlannedTrack:
    heard, part, stage = scene.heard, player.style, scene.stage
    tones: list[Tone] = []
    for start, stop in (piece for span in stage.spans for piece in stage.sketch.guard.open_spans(*span)):
        spans = heard.chords_in(start, stop)
        if part.role == "pad":
            tones += held_chords(spans, 57, max(46, player.instrument.low), 72, 3, sum(part.velocity) // 2)
        elif part.role == "bass":
            for span in spans:
                pitch = nearest(span.chord.lowest, part.centre, player.low, player.high)
                tones.append(Tone(span.start, pitch, span.end - span.start, sum(part.velocity) // 2))
    if part.role == "texture" and level < 3:
        for one in heard.scenes:
            tones += colours(player, one, heard.frame, stage.dice.of(f"{part.name} {one.index}"))
    passages = tuple(
        PlannedClip("Whole song" if stage.whole else "Held sound", start, end, clean, part.why)
        for start, end in stage.spans
        if (clean := tidy((tone for tone in tones if start <= tone.start < end), start, end))
    )
    return PlannedTrack(
        part.name, player.instrument.name, level_for(part, scene.style, heard.song, stage.amount), part.pan,
        colour_for(part, heard.song), passages, in_time(part.effects, heard.frame.bpm),
        "Colour" if part.role == "texture" else "Harmony", part.why,
    )


def _write_track(scene: _Scene, track: Track, draft: _Draft) -> None:
    sketch, role = scene.stage.sketch, scene.heard.roles[track.id]
    if role in RHYTHMIC:
        _still(scene.stage, track, scene.style)
        return
    held = sketch.guard.spans or any(clip.id in sketch.guard.clips for clip in track.clips)
    if not any(draft.clips.get(clip.id) for clip in track.clips) and not held:
        sketch.remove_track(track.id, "nothing of it is left when the music slows")
        return
    reason = "the tune stays, with fewer and longer notes" if role == "lead" else "fewer, longer, softer notes"
    for clip in track.clips:
        sketch.rewrite(clip.id, draft.clips.get(clip.id, ()), "held and thinned", reason)
    sound = scene.sounds.get(track.id)
    if sound is not None:
        sketch.update_track(track.id, f"{sound.label.lower()} is softer here", instrument=sound.name)
    if not scene.stage.whole or scene.stage.amount < _SOUNDS:
        return
    for effect in track.effects:
        if effect.name == "distortion":
            sketch.remove_effect(track.id, effect, "grit would break the calm")
    sketch.dress(track.id, in_time(effects_for(role, scene.style), scene.heard.frame.bpm))


def _still(stage: Stage, track: Track, style: Style) -> None:
    """The beat goes, rests in the scope, or below full measure plays less and softer."""
    why = f"{style.label.lower()} has no beat: the pulse comes from pad and echo"
    if stage.amount < _BEATLESS:
        factor = 1 - 0.3 * stage.amount

        def calmed(tones: list[Tone], clip: Clip) -> list[Tone]:
            fewer = calmer_beat(tones, clip.start)
            return [structs.replace(tone, velocity=max(1, round(tone.velocity * factor))) for tone in fewer]

        stage.sketch.each_clip(track, stage.spans, calmed, "calmer", "fewer and softer strokes")
    elif stage.whole:
        stage.sketch.remove_track(track.id, why)
    else:
        stage.sketch.each_clip(track, stage.spans, lambda _tones, _clip: (), "resting", why)


def _floats(scene: _Scene, draft: _Draft) -> bool:
    """Whether the attempt is sparse and long enough against the song as it was."""
    song, heard = scene.heard.song, scene.heard
    pitched = [track for track in song.tracks if heard.roles[track.id] != "drums"]
    before = [note.duration for track in pitched for clip in track.clips for note in clip.notes]
    free = {track.id for track in scene.free}
    after = [tone.length for tones in draft.clips.values() for tone in tones if tone.length >= SHORTEST]
    after += [tone.length for new in draft.added for passage in new.passages for tone in passage.tones]
    staying = [
        note.duration
        for track in song.tracks
        if track.id not in free
        for clip in track.clips
        for note in clip.notes
    ]
    count = len(after) + len(staying)
    mean = sum(before) / max(1, len(before))
    return count <= _FEWER * song.note_count and sum(after) / max(1, len(after)) >= _LONGER * mean
