"""Taking a song to a style without a beat: dissolve what is there, add held sound and space."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.composer.changing.dissolve import held_chords, slow_bass, slow_chords, slow_melody
from agent.composer.changing.listening import Heard
from agent.composer.changing.reshape import fitted, in_key, weighted
from agent.composer.changing.rewriting import dress, free_tones, remove_track, rewrite, update_sound
from agent.composer.changing.sounds import effects_for, sound_for
from agent.composer.dice import Dice
from agent.composer.parts import NewTrack, Passage, in_time
from agent.composer.rows import MASTER, Rows
from agent.composer.styles import RHYTHMIC, PartStyle, Style
from agent.composer.tones import SHORTEST, Tone, outside, tidy
from agent.composer.understanding.intent import Intent
from agent.composer.writing.backing import colours
from agent.composer.writing.bass import nearest
from agent.composer.writing.frame import Player
from agent.song.ids import ClipId, TrackId
from agent.song.key import Key
from agent.song.palette import Instrument, Palette
from agent.song.track import Track
from agent.theory.measures import sustained_share

_LEVELS = 4
_HELD = 0.8
_FEWER, _LONGER = 0.56, 2.1
"""What the composer holds itself to: a margin beyond "at most 0.6 of the onsets, twice the length"."""


@dataclass(frozen=True)
class _Scene:
    """Everything that is needed to dissolve, fixed before the first note."""

    heard: Heard
    free: tuple[Track, ...]
    style: Style
    intent: Intent
    key: Key
    palette: Palette
    rows: Rows
    sounds: dict[TrackId, Instrument]


@dataclass(frozen=True)
class _Draft:
    """The notes of one attempt."""

    clips: dict[ClipId, tuple[Tone, ...]]
    added: tuple[NewTrack, ...]


def dissolve_song(
    heard: Heard, free: tuple[Track, ...], style: Style, intent: Intent, key: Key, palette: Palette, rows: Rows,
    dice: Dice,
) -> Iterator[None]:
    """Rows that thin and hold what is there, more and more until it floats, then add pad and air."""
    used: set[str] = set()
    sounds: dict[TrackId, Instrument] = {}
    for track in free:
        sound = sound_for(track, heard.roles[track.id], style, intent, palette, rows.guard, used, dice)
        if sound is not None:
            sounds[track.id] = sound
            used.add(sound.name)
    scene = _Scene(heard, free, style, intent, key, palette, rows, sounds)
    players = _new_players(scene, used, dice)
    draft = _attempt(scene, players, 0, dice)
    for level in range(1, _LEVELS):
        if _floats(scene, draft):
            break
        draft = _attempt(scene, players, level, dice)
    for track in free:
        _write_track(scene, track, draft)
        yield
    for new in draft.added:
        rows.track(new)
        yield
    present = {effect.name for effect in heard.song.master_effects}
    for use in style.master:
        if use.effect not in present:
            rows.effect("master", use, owner="the mix", group=MASTER, why="takes the edge off the whole")
    yield


def _attempt(scene: _Scene, players: Sequence[Player], level: int, dice: Dice) -> _Draft:
    clips: dict[ClipId, tuple[Tone, ...]] = {}
    for track in scene.free:
        if scene.heard.roles[track.id] in RHYTHMIC:
            continue
        for clip in track.clips:
            tones = free_tones(clip, scene.rows.guard)
            slowed = _slowed(scene, track, tones, clip.start, clip.end, level) if tones else []
            clips[clip.id] = tidy(outside(slowed, scene.rows.guard.spans), clip.start, clip.end)
    added = tuple(_new_track(scene, player, level, dice) for player in players)
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
    return _recoloured(scene, slow)


def _recoloured(scene: _Scene, tones: Sequence[Tone]) -> list[Tone]:
    moved = list(tones) if scene.key == scene.heard.key else in_key(tones, scene.heard.key, scene.key)
    return weighted(moved, scene.intent.energy, scene.intent.brightness)


def _new_players(scene: _Scene, used: set[str], dice: Dice) -> tuple[Player, ...]:
    """A shimmer; a pad where none holds the song yet, a drone where it has no bass."""
    roles = scene.heard.roles
    missing = {"texture"}
    if not any(role == "bass" for role in roles.values()):
        missing.add("bass")
    if sustained_share(scene.heard.song, [t for t, role in roles.items() if role == "pad"]) < _HELD:
        missing.add("pad")
    known = {instrument.name: instrument for instrument in scene.palette.instruments}
    players = []
    for part in scene.style.parts:
        if part.role not in missing:
            continue
        options = [
            known[name] for name in part.instruments
            if name in known
            and not any(wish.covers(part.role, known[name].family) for wish in scene.intent.refused)
        ]
        fresh = [instrument for instrument in options if instrument.name not in used] or options
        if fresh:
            players.append(Player(part, dice.of(f"new {part.name}").pick(fresh)))
    return tuple(players)


def _new_track(scene: _Scene, player: Player, level: int, dice: Dice) -> NewTrack:
    heard, part = scene.heard, player.style
    song = heard.song
    end = int(song.bar_map.start_of(song.bars + 1))
    tones: list[Tone] = []
    if part.role == "pad":
        for start, stop in scene.rows.guard.open_spans(0, end):
            spans = heard.chords_in(start, stop)
            tones += held_chords(spans, 57, max(46, player.instrument.low), 72, 3, sum(part.velocity) // 2)
    elif part.role == "bass":
        for start, stop in scene.rows.guard.open_spans(0, end):
            for span in heard.chords_in(start, stop):
                pitch = nearest(span.chord.lowest, part.centre, player.low, player.high)
                tones.append(Tone(span.start, pitch, span.end - span.start, sum(part.velocity) // 2))
    elif level < 3:
        for one in heard.scenes:
            tones += colours(player, one, heard.frame, dice.of(f"{part.name} {one.index}"))
    clean = tidy(_recoloured(scene, tones), 0, end)
    passages = (Passage("Whole song", 0, end, clean, part.why),) if clean else ()
    return NewTrack(
        _free_name(part, scene), player.instrument.name, part.volume_db, part.pan, part.color, passages,
        in_time(part.effects, heard.frame.bpm), "Colour" if part.role == "texture" else "Harmony", part.why,
    )


def _free_name(part: PartStyle, scene: _Scene) -> str:
    taken = {track.name for track in scene.heard.song.tracks}
    return part.name if part.name not in taken else f"{part.name} 2"


def _write_track(scene: _Scene, track: Track, draft: _Draft) -> None:
    rows, role = scene.rows, scene.heard.roles[track.id]
    if role in RHYTHMIC:
        remove_track(track, rows, f"{scene.style.label.lower()} has no beat: the pulse comes from pad and echo")
        return
    if not any(draft.clips.get(clip.id) for clip in track.clips) and not rows.guard.spans:
        remove_track(track, rows, "nothing of it is left when the music slows")
        return
    for clip in track.clips:
        reason = "the tune stays, with fewer and longer notes" if role == "lead" else "fewer, longer, softer notes"
        rewrite(
            track, clip, draft.clips.get(clip.id, ()), rows, group=_group(role),
            title=f"{track.name}: {clip.name} held and thinned", why=reason,
        )
    sound = scene.sounds.get(track.id)
    if sound is not None:
        update_sound(
            track, {"instrument": sound.name}, rows, group=_group(role), why=f"{sound.label.lower()} is softer here"
        )
    for effect in track.effects:
        if effect.name == "distortion":
            rows.add(
                "remove_effect", {"effect_id": effect.id}, title=f"No distortion on {track.name}",
                group=_group(role), why="grit would break the calm",
            )
    uses = in_time(effects_for(role, scene.style), scene.heard.frame.bpm)
    dress(track, uses, rows, scene.palette, group=_group(role))


def _group(role: str) -> str:
    return {"lead": "Melody", "bass": "Bass"}.get(role, "Harmony")


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
