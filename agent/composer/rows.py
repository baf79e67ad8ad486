"""Rows: plan steps as the tools take them, none of which changes nothing."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from agent.composer.guard import Guard
from agent.composer.parts import PlannedTrack
from agent.composer.tones import outside, tidy, written
from agent.plan.plan import Inputs, Json, Step, StepId
from agent.song.chart import ChordSymbol, in_brief, within_stretch
from agent.song.key import Key
from agent.song.palette import EffectUse, Palette
from agent.song.song import Song
from agent.song.time import to_beats

FRAME, FORM, MASTER, CLEARING = "Frame", "Form", "Master", "Clearing"
NO_PALETTE = Palette()
"""An empty palette, with which effects are called by their own names."""


class Rows:
    """Collects the rows of a plan in order. Rows for the song's own fields (tempo, key, …) are added only if they would
    change the song."""

    def __init__(
        self, song: Song, guard: Guard, palette: Palette = NO_PALETTE, taken: Collection[StepId] = ()
    ) -> None:
        self._song = song
        self._taken = taken
        """Ids of rows that are there already."""
        self._palette = palette
        self.guard = guard
        self.steps: list[Step] = []

    def add(self, tool: str, inputs: Inputs, *, title: str, group: str, why: str) -> StepId:
        """Append a row that calls `tool` with `inputs`, and return its id. The row is shown with `title` and the reason
        `why`, under the heading `group`."""
        number = len(self.steps) + 1
        while f"s{number}" in self._taken or any(step.id == f"s{number}" for step in self.steps):
            number += 1
        step = Step(f"s{number}", tool, inputs, title=title, group=group, why=why)
        self.steps.append(step)
        return step.id

    def tempo(self, bpm: float, why: str) -> None:
        """Add rows that set every tempo of the song to this one, from its start on."""
        for change in self._song.tempos:
            if change.bpm != bpm:
                inputs: Inputs = {"bpm": bpm}
                if change.at:
                    inputs["at_beat"] = to_beats(change.at)
                place = f" from beat {to_beats(change.at):g}" if change.at else ""
                self.add("set_tempo", inputs, title=f"Tempo {bpm:g} BPM{place}", group=FRAME, why=why)

    def tempo_from(self, at: int, bpm: float, why: str) -> None:
        """Add a row for a tempo from a tick on."""
        beat = to_beats(at)
        self.add(
            "set_tempo", {"bpm": bpm, "at_beat": beat}, title=f"Tempo {bpm:g} BPM from beat {beat:g}", group=FRAME,
            why=why,
        )

    def key(self, key: Key, why: str) -> None:
        """Add a row for the key, if the song's is another."""
        if key != self._song.key:
            self.add(
                "set_key", {"tonic": key.tonic, "mode": key.mode}, title=f"Key {key}", group=FRAME, why=why
            )

    def meter(self, beats: int, unit: int, why: str) -> None:
        """Add rows that set every meter of the song to `beats` beats of a 1/`unit` note; none if bars are locked."""
        for change in self._song.meters:
            if not self.guard.spans and (change.beats, change.unit) != (beats, unit):
                inputs: Inputs = {"beats": beats, "unit": unit}
                if change.at:
                    inputs["at_beat"] = to_beats(change.at)
                place = f" from beat {to_beats(change.at):g}" if change.at else ""
                self.add(
                    "set_time_signature", inputs, title=f"Meter {beats}/{unit}{place}", group=FRAME, why=why
                )

    def meters(self, changes: Sequence[tuple[int, tuple[int, int]]], why: str) -> None:
        """Add rows for the meters, each (tick, (beats, unit)); the first counts from the start of the song. Later ones
        are left out if bars are locked."""
        (_, first), *later = changes
        self.meter(*first, why)
        for at, (beats, unit) in later if not self.guard.spans else ():
            beat = to_beats(at)
            self.add(
                "set_time_signature", {"beats": beats, "unit": unit, "at_beat": beat},
                title=f"Meter {beats}/{unit} from beat {beat:g}", group=FRAME, why=why,
            )

    def loudness(self, target: float, why: str) -> None:
        """Add a row for the loudness target in LUFS, if the song's is another."""
        if target != self._song.loudness_target:
            words = f"Loudness {target:g} LUFS".replace("-", "\N{MINUS SIGN}")
            self.add("set_loudness", {"target": target}, title=words, group=FRAME, why=why)

    def name(self, name: str) -> None:
        """Add a row for the song's name, if it is another and not empty."""
        if name and name != self._song.name:
            self.add("rename_song", {"name": name}, title=f"Name it {name!r}", group=FRAME, why="you named it")

    def section(self, name: str, start: int, end: int, why: str) -> None:
        """Add a row for a section from `start` to `end` in ticks."""
        self.add(
            "add_section",
            {"name": name, "start_time": to_beats(start), "duration": to_beats(end - start)},
            title=f"Section {name}", group=FORM, why=why,
        )

    def chords(self, stated: Sequence[ChordSymbol], end: int, why: str) -> None:
        """Add rows that state these chords, in place of those stated up to the tick `end` or later; the chords of
        locked bars stay."""
        first = min((one.start for one in stated), default=0)
        for start, stop in self.guard.open_spans(first, max(end, *(one.end for one in self._song.chords), 0)):
            new, old = within_stretch(stated, start, stop), within_stretch(self._song.chords, start, stop)
            if new != old:
                inputs: Inputs = {
                    "start_time": to_beats(start), "duration": to_beats(stop - start),
                    "chords": [{"c": one.symbol, "s": to_beats(one.start), "d": to_beats(one.duration)} for one in new],
                }
                title = f"Chords {in_brief(one.symbol for one in new)}" if new else "No stated chords"
                self.add("set_chords", inputs, title=title, group=FORM, why=why)

    def track(self, new: PlannedTrack) -> StepId | None:
        """Add rows for a track with its clips, effects and automation, and return the id of its first row; None where
        locked bars leave nothing to play."""
        pieces = [
            (passage, start, end, tones)
            for passage in new.passages
            for start, end in self.guard.open_spans(passage.start, passage.end)
            if (tones := tidy(outside(passage.tones, self.guard.spans), start, end))
        ]
        if not pieces:
            return None
        inputs: Inputs = {"name": new.name, "instrument": new.instrument, "volume_db": new.volume_db}
        if new.pan:
            inputs["pan"] = new.pan
        inputs["color"] = new.color
        step = self.add("create_track", inputs, title=f"Track {new.name}", group=new.group, why=new.why)
        reference = f"{{{{{step}.track_id}}}}"
        for passage, start, end, tones in pieces:
            self.add(
                "create_midi_clip",
                {
                    "track_id": reference, "start_time": to_beats(start), "duration": to_beats(end - start),
                    "notes": written(tones, start), "name": passage.name,
                },
                title=f"{new.name}: {passage.name}", group=new.group, why=passage.why,
            )
        for use in new.effects:
            self.effect(reference, use, owner=new.name, group=new.group)
        for lane in new.lanes if not self.guard.spans else ():
            points: list[Json] = [{"at": to_beats(at), "value": value} for at, value in lane.points]
            self.add(
                "set_automation", {"track_id": reference, "target": lane.target, "points": points},
                title=f"{lane.target.replace('_', ' ').capitalize()} of {new.name}", group=new.group, why=lane.why,
            )
        return step

    def effect(self, track_id: str, use: EffectUse, *, owner: str, group: str, why: str = "") -> StepId:
        """Add a row for the effect `use` on a track (its id or a reference to its row) or on `master`; `owner` is its
        name in the title, `group` the heading of the row."""
        params: Json = dict(use.params)
        return self.add(
            "add_effect", {"track_id": track_id, "effect_name": use.effect, "params": params},
            title=f"{self._palette.label(use.effect)} on {owner}", group=group,
            why=why or EFFECT_REASONS.get(use.effect, ""),
        )


EFFECT_REASONS = {
    "reverb": "puts it into a room",
    "room": "the players share one room",
    "delay": "echoes in time with the tempo",
    "chorus": "widens and softens it",
    "phaser": "keeps the sound moving",
    "compressor": "holds the level together",
    "limiter": "keeps the peaks in",
    "eq": "shapes the balance of lows and highs",
    "highpass": "clears the lows for the bass",
    "lowpass": "takes off the edge",
    "distortion": "adds grit",
    "gain": "sets the level in the chain",
}
"""Why an effect is added, in a few words, by its name."""
