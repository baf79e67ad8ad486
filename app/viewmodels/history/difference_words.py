"""What differs between two versions apart from notes, in words: mix, effects, automation, clips, the song's frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from agent.song.clip import Clip
from agent.song.palette import EffectKind, Palette
from agent.song.song import Song
from agent.song.time import to_beats
from agent.song.track import Automation, Effect, Track
from app.i18n import tr, trn
from app.viewmodels.edits.effect_values import parameter_in_words
from app.viewmodels.texts.color_words import color_in_words
from app.viewmodels.texts.figures import bars_text, decibels, number, panned
from app.viewmodels.texts.key_words import key_in_words
from app.viewmodels.texts.palette_words import effect_label, instrument_label
from app.viewmodels.texts.places import bar_and_beat, touched_bars

_SHARES = ("mix", "amount")
"""Units of effect parameters that go from 0 to 1, shown in percent."""


class Line(Struct, frozen=True):
    """A difference: what, from which value to which. Without `before`, `after` says what happened to it ("added")."""

    what: str
    before: str = ""
    after: str = ""

    @property
    def change(self) -> str:
        """The change of value, or what happened to it."""
        return f"{self.before} → {self.after}" if self.before else self.after

    @property
    def text(self) -> str:
        """The whole line."""
        return f"{self.what}: {self.change}" if self.after else self.what


def track_lines(a: Song, b: Song, was: Track, now: Track, palette: Palette) -> tuple[Line, ...]:
    """Differences, apart from notes, of a track that both versions have."""
    return (
        *_mix(was, now, palette),
        *_effects(was.effects, now.effects, palette),
        *_automation(was, now, palette),
        *_clips(a, b, was, now),
    )


def song_lines(a: Song, b: Song, palette: Palette) -> tuple[Line, ...]:
    """Differences outside the tracks."""
    return (
        *([Line(tr("Name"), a.name, b.name)] if a.name != b.name else []),
        *_changes(a, b, tr("Tempo"), [(one.at, f"{number(one.bpm)} BPM") for one in a.tempos],
                  [(one.at, f"{number(one.bpm)} BPM") for one in b.tempos]),
        *_changes(a, b, tr("Meter"), [(one.at, f"{one.beats}/{one.unit}") for one in a.meters],
                  [(one.at, f"{one.beats}/{one.unit}") for one in b.meters]),
        *([Line(tr("Key"), key_in_words(a.key), key_in_words(b.key))] if a.key != b.key else []),
        *_sections(a, b),
        *_effects(a.master_effects, b.master_effects, palette, tr("Whole song")),
        *([Line(tr("Loudness"), number(a.loudness_target), f"{number(b.loudness_target)} LUFS")]
          if a.loudness_target != b.loudness_target else []),
        *([Line(tr("SoundFont"), a.soundfont or _bank(), b.soundfont or _bank())]
          if a.soundfont != b.soundfont else []),
        *_order(a, b),
    )


def _bank() -> str:
    return tr("the bank")


def _mix(was: Track, now: Track, palette: Palette) -> Iterator[Line]:
    if was.name != now.name:
        yield Line(tr("Name"), was.name, now.name)
    if was.instrument != now.instrument:
        yield Line(tr("Instrument"), instrument_label(was.instrument, palette),
                   instrument_label(now.instrument, palette))
    if was.soundfont != now.soundfont:
        yield Line(tr("SoundFont"), was.soundfont or _bank(), now.soundfont or _bank())
    if was.volume_db != now.volume_db:
        yield Line(tr("Volume"), decibels(was.volume_db), f"{decibels(now.volume_db)} dB")
    if was.pan != now.pan:
        yield Line(tr("Pan"), panned(was.pan), panned(now.pan))
    if was.mute != now.mute:
        yield Line(tr("Mute"), _switch(was.mute), _switch(now.mute))
    if was.color != now.color:
        yield Line(tr("Colour"), color_in_words(was.color), color_in_words(now.color))


def _switch(on: bool) -> str:
    return tr("on") if on else tr("off")


def _effects(
    before: Sequence[Effect], after: Sequence[Effect], palette: Palette, owner: str = ""
) -> Iterator[Line]:
    old, new = {one.id: one for one in before}, {one.id: one for one in after}
    prefix = f"{owner}, " if owner else ""
    for one in before:
        if one.id not in new:
            yield Line(f"{prefix}{effect_label(one.name, palette)}", "", tr("removed"))
    for one in after:
        label = f"{prefix}{effect_label(one.name, palette)}"
        was = old.get(one.id)
        if was is None:
            values = _values(one, palette)
            yield Line(label, "", tr("added: {values}", values=values) if values else tr("added"))
        elif was.name != one.name:
            yield Line(label, effect_label(was.name, palette), effect_label(one.name, palette))
        else:
            yield from _effect(label, was, one, palette)
    kept_before = [one.id for one in before if one.id in new]
    kept_after = [one.id for one in after if one.id in old]
    if kept_before != kept_after:
        said = [", ".join(effect_label(known[i].name, palette) for i in ids)
                for known, ids in ((old, kept_before), (new, kept_after))]
        yield Line(f"{prefix}{tr('Order of effects')}", *said)


def _effect(label: str, was: Effect, now: Effect, palette: Palette) -> Iterator[Line]:
    if was.enabled != now.enabled:
        yield Line(label, _switch(was.enabled), _switch(now.enabled))
    old, new = dict(was.params), dict(now.params)
    kind = _kind(now, palette)
    for name in sorted(old.keys() | new.keys()):
        if old.get(name) != new.get(name):
            what = f"{label}, {parameter_in_words(name)}"
            yield Line(what, _value(old.get(name), name, kind), _value(new.get(name), name, kind))


def _kind(effect: Effect, palette: Palette) -> EffectKind | None:
    return next((one for one in palette.effects if one.name == effect.name), None)


def _values(effect: Effect, palette: Palette) -> str:
    kind = _kind(effect, palette)
    return ", ".join(f"{parameter_in_words(name)} {_value(value, name, kind)}" for name, value in effect.params)


def _value(value: float | None, name: str, kind: EffectKind | None) -> str:
    known = next((one for one in kind.params if one.name == name), None) if kind is not None else None
    if value is None and known is not None:
        value = known.default
    if value is None:
        return tr("not set")
    unit = "" if known is None else known.unit
    return f"{value:.0%}" if unit in _SHARES else f"{number(value)} {unit}".rstrip()


def _automation(was: Track, now: Track, palette: Palette) -> Iterator[Line]:
    old, new = {one.target: one for one in was.automation}, {one.target: one for one in now.automation}
    for target in (*new, *(target for target in old if target not in new)):
        before, after = old.get(target), new.get(target)
        if before == after:
            continue
        what = tr("{name} curve", name=_automated(target, now if after else was, palette))
        if before is None and after is not None:
            yield Line(what, "", trn("added, {count} point", "added, {count} points", len(after.points)))
        elif after is None:
            yield Line(what, "", tr("removed"))
        elif before is not None:
            yield Line(what, "", _points(before, after))


def _automated(target: str, track: Track, palette: Palette) -> str:
    head, _, param = target.partition(".")
    if not param:
        known = {"volume_db": tr("Volume"), "pan": tr("Pan"), "pedal": tr("Pedal"), "bend": tr("Pitch bend"),
                 "expression": tr("Expression"), "modulation": tr("Modulation")}
        return known.get(target, target)
    effect = next((one for one in track.effects if one.id == head), None)
    words = parameter_in_words(param)
    return words if effect is None else f"{effect_label(effect.name, palette)} {words}"


def _points(before: Automation, after: Automation) -> str:
    gone, come = set(before.points) - set(after.points), set(after.points) - set(before.points)
    moved = min(len(gone), len(come))
    parts = (
        (moved, trn("{count} point moved", "{count} points moved", moved)),
        (len(come) - moved, trn("{count} point added", "{count} points added", len(come) - moved)),
        (len(gone) - moved, trn("{count} point removed", "{count} points removed", len(gone) - moved)),
    )
    said = [words for count, words in parts if count > 0]
    if before.curve != after.curve:
        said.append(tr("steps") if after.curve == "hold" else tr("straight lines"))
    return ", ".join(said)


def _clips(a: Song, b: Song, was: Track, now: Track) -> Iterator[Line]:
    old, new = {one.id: one for one in was.clips}, {one.id: one for one in now.clips}
    for clip in was.clips:
        if clip.id not in new:
            yield Line(_clip(clip), "", tr("removed"))
    for clip in now.clips:
        before = old.get(clip.id)
        if before is None:
            yield Line(_clip(clip), "", tr("added"))
            continue
        if before.name != clip.name:
            yield Line(_clip(before), before.name or tr("no name"), clip.name or tr("no name"))
        if before.start != clip.start:
            yield Line(_clip(clip), _place(a, before.start), _place(b, clip.start))
        if before.duration != clip.duration:
            beats = [tr("{count} beats", count=number(to_beats(one.duration))) for one in (before, clip)]
            yield Line(tr("{clip}, length", clip=_clip(clip)), *beats)


def _clip(clip: Clip) -> str:
    return tr("Clip “{name}”", name=clip.name) if clip.name else tr("A clip")


def _place(song: Song, at: int) -> str:
    """A bar, or a bar and a beat where it does not stand at the bar's beginning."""
    bar, beat = bar_and_beat(song.bar_map, at)
    return tr("bar {bar}", bar=bar) if beat == 1 else tr("bar {bar}, beat {beat}", bar=bar, beat=number(beat))


def _changes(a: Song, b: Song, what: str, old: list[tuple[int, str]], new: list[tuple[int, str]]) -> Iterator[Line]:
    """Values that hold from a tick on."""
    if old == new:
        return
    if len(old) == len(new) == 1:
        yield Line(what, old[0][1], new[0][1])
        return
    before, after = {int(at): value for at, value in old}, {int(at): value for at, value in new}
    for at in sorted(before.keys() | after.keys()):
        if before.get(at) != after.get(at):
            song = b if at in after else a
            name = tr("{what}, {place}", what=what, place=_place(song, at))
            yield Line(name, before.get(at, tr("no change")), after.get(at, tr("no change")))


def _sections(a: Song, b: Song) -> Iterator[Line]:
    old, new = {one.id: one for one in a.sections}, {one.id: one for one in b.sections}
    for one in a.sections:
        if one.id not in new:
            yield Line(tr("Section “{name}”", name=one.name), "", tr("removed"))
    for one in b.sections:
        was = old.get(one.id)
        what = tr("Section “{name}”", name=one.name)
        if was is None:
            yield Line(what, "", tr("added"))
            continue
        if was.name != one.name:
            yield Line(what, was.name, one.name)
        if (was.start, was.duration) != (one.start, one.duration):
            yield Line(what, _bars(a, was.start, was.end), _bars(b, one.start, one.end))


def _bars(song: Song, start: int, end: int) -> str:
    return bars_text(*touched_bars(song.bar_map, start, end))


def _order(a: Song, b: Song) -> Iterator[Line]:
    old, new = {one.id for one in a.tracks}, {one.id for one in b.tracks}
    before = [one for one in a.tracks if one.id in new]
    after = [one for one in b.tracks if one.id in old]
    if [one.id for one in before] != [one.id for one in after]:
        yield Line(tr("Order of tracks"), ", ".join(one.name for one in before), ", ".join(one.name for one in after))
