"""The plans whose runs are killed: one of sixty rows for the song, one of fourteen over all services of the house."""

from __future__ import annotations

from typing import Any

Row = dict[str, Any]
EARLY = "early"
"""The row of the mixed plan that leaves the first file, before half of the song is there."""


def long_steps() -> list[Row]:
    """Sixty rows that change the song, with a search, a fan-out over what it finds and a row that is skipped."""
    rows: list[Row] = [
        {"id": "tempo", "tool": "set_tempo", "inputs": {"bpm": 97}},
        {"id": "key", "tool": "set_key", "inputs": {"tonic": "D", "mode": "minor"}},
    ]
    for n in range(18):
        track = f"{{{{t{n}.track_id}}}}"
        notes = [{"n": 50 + n, "s": beat, "d": 1, "v": 60 + beat} for beat in range(16)]
        clip = {"track_id": track, "start_time": 0, "duration": 16, "notes": notes}
        rows += [
            {"id": f"t{n}", "tool": "create_track", "inputs": {"name": f"Pad {n}", "instrument": "pad_warm"}},
            {"id": f"c{n}", "tool": "create_midi_clip", "inputs": clip},
            {"id": f"u{n}", "tool": "update_track", "inputs": {"track_id": track, "volume_db": -n - 1}},
        ]
    return [
        *rows,
        {"id": "found", "tool": "find_tracks", "inputs": {"family": "pad"}},
        _wide(),
        _never(),
        {"id": "named", "tool": "save_iteration", "inputs": {"label": "Long"}},
    ]


def mixed_steps() -> list[Row]:
    """Fourteen rows: what the library has becomes a track, a search is fanned out over, one row is skipped, and rows
    in the middle and near the end leave files in the project's export folder."""
    notes = [{"n": 45 + beat % 5, "s": beat, "d": 1, "v": 70 + beat} for beat in range(16)]
    return [
        {"id": "tempo", "tool": "set_tempo", "inputs": {"bpm": 97}},
        {"id": "shelf", "tool": "query_library", "inputs": {"kind": "instrument", "tags": ["pad"]}},
        {"id": "pad", "tool": "create_track", "inputs": {"name": "Pad", "instrument": "{{shelf.items[0].name}}"}},
        {"id": "padclip", "tool": "create_midi_clip", "inputs": _clip("pad", notes)},
        {"id": EARLY, "tool": "export_midi", "inputs": {"path": "Early.mid"}},
        {"id": "bass", "tool": "create_track", "inputs": {"name": "Bass", "instrument": "bass_sub"}},
        {"id": "bassclip", "tool": "create_midi_clip", "inputs": _clip("bass", notes)},
        {"id": "found", "tool": "find_tracks", "inputs": {}},
        _wide(),
        _never(),
        *_leaving_files(),
        {"id": "named", "tool": "save_iteration", "inputs": {"label": "Mixed"}},
    ]


def _clip(track: str, notes: list[Row]) -> Row:
    return {"track_id": f"{{{{{track}.track_id}}}}", "start_time": 0, "duration": 16, "notes": notes}


def _wide() -> Row:
    return {"id": "wide", "tool": "update_track", "for_each": "{{found.items}}",
            "inputs": {"track_id": "{{item.track_id}}", "pan": 0.25}}


def _never() -> Row:
    return {"id": "never", "tool": "set_tempo", "inputs": {"bpm": 60},
            "when": {"left": "{{found.items}}", "op": "empty"}}


def _leaving_files() -> list[Row]:
    return [
        {"id": "note", "tool": "write_text", "inputs": {"path": "Note.txt", "text": "{{found.items}}"}},
        {"id": "each", "tool": "write_text", "for_each": "{{found.items}}",
         "inputs": {"path": "{{item.name}}.txt", "text": "{{item.track_id}}"}},
        {"id": "sound", "tool": "export_audio", "inputs": {"format": "mid", "name": "By sound"}},
    ]


def sounding_steps() -> list[Row]:
    """A few rows with rendered files among them; of the last, a person must say whether a crash has left it."""
    notes = [{"n": 60, "s": 0, "d": 2, "v": 80}]
    return [
        {"id": "pad", "tool": "create_track", "inputs": {"name": "Pad", "instrument": "pad_warm"}},
        {"id": "padclip", "tool": "create_midi_clip", "inputs": _clip("pad", notes)},
        {"id": "heard", "tool": "render"},
        {"id": "wav", "tool": "export_audio", "inputs": {"format": "wav", "name": "Heard"}},
        {"id": "later", "tool": "set_tempo", "inputs": {"bpm": 80}},
        {"id": "flac", "tool": "export_audio", "inputs": {"format": "flac", "name": "Later"}},
        {"id": "ogg", "tool": "export_audio", "inputs": {"format": "ogg", "name": "Never alike"}},
        {"id": "named", "tool": "save_iteration", "inputs": {"label": "Heard"}},
    ]
