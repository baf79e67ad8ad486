"""Projects and their versions as JSON documents."""

from __future__ import annotations

from typing import Any

from agent.song.changes import Changes
from app.cli.output import Document
from app.storage.records import Project, StoredHistory


def project_shape(project: Project) -> Document:
    """One project in the JSON document of `projects`."""
    return {"id": project.id, "name": project.name, "created": project.created, "head": project.head}


def history_shape(project: Project, history: StoredHistory) -> Document:
    """The JSON document of `history`, newest first."""
    fields = ("id", "parent", "source", "author", "message", "label", "actions", "run", "created", "number")
    return {
        "project": project.id,
        "head": project.head,
        "iterations": [{name: getattr(one, name) for name in fields} for one in history.iterations],
        "damaged": list(history.damaged),
    }


def diff_shape(a: str, b: str, changes: Changes) -> Document:
    """The JSON document of `diff`; `a` and `b` name the two iterations."""
    tracks: list[dict[str, Any]] = [
        {
            "track": track.name,
            "id": track.track_id,
            "change": track.change,
            "notes_added": track.notes_added,
            "notes_removed": track.notes_removed,
            "notes_moved": track.notes_moved,
            "fields": {one.field: [one.before, one.after] for one in track.fields},
        }
        for track in changes.tracks
    ]
    return {"a": a, "b": b, "tracks": tracks, "song": {one.field: [one.before, one.after] for one in changes.song}}
