"""What assistive programs are told about the painted notes."""

from __future__ import annotations

from app.i18n import tr, trn
from app.ui.pianoroll.scene import RollScene
from app.viewmodels.pianoroll.roll_words import clip_in_words, note_in_words, pitch_in_words
from app.viewmodels.texts.places import beat_in_words


def scene_in_words(scene: RollScene) -> str:
    """The focused note, else the keyboard's cell, else the clip in words."""
    shown = scene.shown
    if shown is None:
        return tr("No clip chosen")
    note, count = scene.focused(), len(scene.selected.value)
    more = ", " + trn("{count} note selected", "{count} notes selected", count) if count > 1 else ""
    at, pitch = scene.cell
    where = beat_in_words(scene.bars, shown.clip.start + at)
    if scene.settings.value.stepping:
        return tr("Step input at {where}", where=where)
    if note is not None:
        return note_in_words(note, shown.clip, scene.bars, scene.key, kit=shown.kit) + more
    if scene.on_cell:
        name = pitch_in_words(pitch, scene.key, kit=shown.kit)
        return tr("Empty place {name}, {where}. Enter draws a note", name=name, where=where) + more
    return clip_in_words(shown.clip, shown.track, scene.bars) + more
