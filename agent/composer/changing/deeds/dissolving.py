"""Taking a song to a style without a beat: dissolve what is there, add held sound and space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.composer.changing.deeds.pacing import at_tempo
from agent.composer.changing.dissolve import held_chords, slow_bass, slow_chords, slow_melody
from agent.composer.changing.listening import Heard
from agent.composer.changing.reshape import fitted
from agent.composer.changing.sounds import allowed, effects_for, sound_for
from agent.composer.changing.stage import Stage
from agent.composer.parts import NewTrack, Passage, in_time
from agent.composer.styles import RHYTHMIC, Style
from agent.composer.tones import SHORTEST, Tone, outside, tidy
from agent.composer.writing.backing import colours
from agent.composer.writing.bass import nearest
from agent.composer.writing.frame import Player
from agent.song.ids import MASTER, ClipId, TrackId
from agent.song.palette import Instrument
from agent.song.track import Track
from agent.theory.measures import sustained_share

_FLOATING = (50.0, 76.0)
"""Tempo in BPM of a song that has lost its beat."""
_LEVELS = 4
_HELD = 0.8
_FEWER, _LONGER = 0.56, 2.1
"""What the composer holds itself to: a margin beyond "at most 0.6 of the onsets, twice the length"."""


@dataclass(frozen=True)
class _Scene:
    """Everything that is needed to dissolve, fixed before the first note."""

    stage: Stage
    heard: Heard
    free: tuple[Track, ...]
    style: Style
    sounds: dict[TrackId, Instrument]


@dataclass(frozen=True)
class _Draft:
    """The notes of one attempt."""

    clips: dict[ClipId, tuple[Tone, ...]]
    added: tuple[NewTrack, ...]


def dissolve(stage: Stage, style: Style) -> None:
    """Thin and hold what is there, more and more until it floats, then add pad and air."""
    _frame(stage, style)
    heard = stage.heard()
    used: set[str] = set()
    sounds: dict[TrackId, Instrument] = {}
    for track in stage.free():
        sound = sound_for(stage, track, heard.roles[track.id], style, used)
        if sound is not None:
            sounds[track.id] = sound
            used.add(sound.name)
    scene = _Scene(stage, heard, stage.free(), style, sounds)
    players = _new_players(scene, used)
    draft = _attempt(scene, players, 0)
    for level in range(1, _LEVELS):
        if _floats(scene, draft):
            break
        draft = _attempt(scene, players, level)
    for track in scene.free:
        _write_track(scene, track, draft)
    for new in draft.added:
        stage.sketch.add_track(new)
    present = {effect.name for effect in stage.song.master_effects}
    missing = [use for use in style.master if use.effect not in present]
    stage.sketch.dress(MASTER, missing, "takes the edge off the whole")


def _frame(stage: Stage, style: Style) -> None:
    low, high = _FLOATING
    if not stage.states_tempo:
        now = stage.song.tempos[0].bpm
        target = min(now, float(round(max(low, min(high, now * 0.75)))))
        at_tempo(stage, float(round(now + (target - now) * min(1.0, stage.amount))), "the pace that goes with it")
    stage.sketch.loudness(style.loudness, f"the usual level of {style.label.lower()}")


def _attempt(scene: _Scene, players: Sequence[Player], level: int) -> _Draft:
    clips: dict[ClipId, tuple[Tone, ...]] = {}
    for track in scene.free:
        if scene.heard.roles[track.id] in RHYTHMIC:
            continue
        for clip in track.clips:
            tones = scene.stage.sketch.tones(clip)
            slowed = _slowed(scene, track, tones, clip.start, clip.end, level) if tones else []
            clips[clip.id] = tidy(outside(slowed, scene.stage.sketch.guard.spans), clip.start, clip.end)
    added = tuple(_new_track(scene, player, level) for player in players)
    return _Draft(clips, tuple(new for new in added if new.passages))


def _slowed(
    scene: _Scene, track: Track, tones: Sequence[Tone], start: int, end: int, level: int
) -> list[Tone]:
    chords = scene.heard.chords_in(start, end)
    instrument = scene.sounds.get(track.id)
    low, high = (instrument.low, instrument.high) if instrument is not None else (0, 127)
    match scene.heard.roles[track.id]:
        case "bass":
            slow = slow_bass(tones, chords)
        case "lead":
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
    missing = {"texture"}
    if not any(role == "bass" for role in roles.values()):
        missing.add("bass")
    if sustained_share(scene.heard.song, [t for t, role in roles.items() if role == "pad"]) < _HELD:
        missing.add("pad")
    players = []
    for part in scene.style.parts:
        options = allowed(scene.stage, part) if part.role in missing else []
        fresh = [instrument for instrument in options if instrument.name not in used] or options
        if fresh:
            players.append(Player(part, scene.stage.dice.of(f"new {part.name}").pick(fresh)))
    return tuple(players)


def _new_track(scene: _Scene, player: Player, level: int) -> NewTrack:
    heard, part = scene.heard, player.style
    song = heard.song
    end = int(song.bar_map.start_of(song.bars + 1))
    tones: list[Tone] = []
    if part.role == "pad":
        for start, stop in scene.stage.sketch.guard.open_spans(0, end):
            spans = heard.chords_in(start, stop)
            tones += held_chords(spans, 57, max(46, player.instrument.low), 72, 3, sum(part.velocity) // 2)
    elif part.role == "bass":
        for start, stop in scene.stage.sketch.guard.open_spans(0, end):
            for span in heard.chords_in(start, stop):
                pitch = nearest(span.chord.lowest, part.centre, player.low, player.high)
                tones.append(Tone(span.start, pitch, span.end - span.start, sum(part.velocity) // 2))
    elif level < 3:
        for one in heard.scenes:
            tones += colours(player, one, heard.frame, scene.stage.dice.of(f"{part.name} {one.index}"))
    clean = tidy(tones, 0, end)
    passages = (Passage("Whole song", 0, end, clean, part.why),) if clean else ()
    return NewTrack(
        part.name, player.instrument.name, part.volume_db, part.pan, part.color, passages,
        in_time(part.effects, heard.frame.bpm), "Colour" if part.role == "texture" else "Harmony", part.why,
    )


def _write_track(scene: _Scene, track: Track, draft: _Draft) -> None:
    sketch, role = scene.stage.sketch, scene.heard.roles[track.id]
    if role in RHYTHMIC:
        why = f"{scene.style.label.lower()} has no beat: the pulse comes from pad and echo"
        sketch.remove_track(track.id, why)
        return
    if not any(draft.clips.get(clip.id) for clip in track.clips) and not sketch.guard.spans:
        sketch.remove_track(track.id, "nothing of it is left when the music slows")
        return
    reason = "the tune stays, with fewer and longer notes" if role == "lead" else "fewer, longer, softer notes"
    for clip in track.clips:
        sketch.rewrite(clip.id, draft.clips.get(clip.id, ()), "held and thinned", reason)
    sound = scene.sounds.get(track.id)
    if sound is not None:
        sketch.update_track(track.id, f"{sound.label.lower()} is softer here", instrument=sound.name)
    for effect in track.effects:
        if effect.name == "distortion":
            sketch.remove_effect(track.id, effect, "grit would break the calm")
    sketch.dress(track.id, in_time(effects_for(role, scene.style), scene.heard.frame.bpm))


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
