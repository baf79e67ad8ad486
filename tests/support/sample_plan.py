"""A sample song as a plan that a person wrote: drums, bass, chords and a lead, sixteen bars of A minor."""

from __future__ import annotations

from typing import Any

Row = dict[str, Any]

_ROOTS = (33, 29, 36, 31)
_CHORDS = ((57, 60, 64), (57, 60, 65), (55, 60, 64), (55, 59, 62))
_TUNE = (
    (76, 0, 0.5), (74, 0.5, 0.5), (72, 1, 1), (69, 2, 1), (72, 3, 0.5), (74, 3.5, 0.5), (72, 4, 1), (69, 5, 0.5),
    (65, 5.5, 0.5), (69, 6, 2), (67, 8, 0.5), (72, 8.5, 0.5), (76, 9, 1), (79, 10, 1.5), (76, 11.5, 0.5),
    (74, 12, 1), (71, 13, 1), (67, 14, 1.5),
)
BEATS = 64


def sample_steps(bpm: float = 112) -> list[Row]:
    """The rows, with references from clip to track."""
    rows: list[Row] = [
        {"id": "tempo", "tool": "set_tempo", "title": "Tempo", "inputs": {"bpm": bpm}},
        {"id": "key", "tool": "set_key", "title": "Key", "inputs": {"tonic": "A", "mode": "minor"}},
    ]
    parts = (
        ("drums", "Drums", "kit_standard", -4, _drums()),
        ("bass", "Bass", "bass_finger", -5, _bass()),
        ("chords", "Chords", "piano_grand", -6, _chords()),
        ("lead", "Lead", "lead_saw", -8, _lead()),
    )
    for step, name, instrument, volume, notes in parts:
        rows.append({
            "id": step, "tool": "create_track", "title": name,
            "inputs": {"name": name, "instrument": instrument, "volume_db": volume},
        })
        rows += [
            _clip(f"{step}_{half + 1}", step, f"{name} {half + 1}", notes, half * BEATS // 2) for half in (0, 1)
        ]
    return rows


def _clip(step: str, track: str, name: str, notes: list[Row], start: int) -> Row:
    length = BEATS // 2
    inside = [{**note, "s": note["s"] - start} for note in notes if start <= note["s"] < start + length]
    return {
        "id": step, "tool": "create_midi_clip", "title": name,
        "inputs": {"track_id": f"{{{{{track}.track_id}}}}", "name": name, "start_time": start, "duration": length,
                   "notes": inside},
    }


def _note(pitch: int, start: float, length: float, velocity: int) -> Row:
    return {"n": pitch, "s": start, "d": length, "v": velocity}


def _drums() -> list[Row]:
    kicks = [_note(36, beat, 0.25, 100) for beat in range(0, BEATS, 2)]
    snares = [_note(38, beat, 0.25, 95) for beat in range(1, BEATS, 2)]
    hats = [_note(42, eighth / 2, 0.2, 66 + eighth % 7) for eighth in range(BEATS * 2)]
    return kicks + snares + hats


def _bass() -> list[Row]:
    return [_note(_ROOTS[eighth // 8 % 4], eighth / 2, 0.4, 84 + eighth % 8) for eighth in range(BEATS * 2)]


def _chords() -> list[Row]:
    return [_note(pitch, beat, 0.9, 76 + beat % 6) for beat in range(BEATS) for pitch in _CHORDS[beat // 4 % 4]]


def _lead() -> list[Row]:
    return [
        _note(pitch, start + again, length, 90 + number % 9)
        for again in range(0, BEATS, 16)
        for number, (pitch, start, length) in enumerate(_TUNE)
    ]
