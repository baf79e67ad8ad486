"""Edits that a row has gathered and that wait for the person: what they would make of the song."""

from __future__ import annotations

from msgspec import Struct

from agent.errors import BandleaderError
from agent.plan.document import Plan
from agent.review.preview import Preview, RowPreview
from agent.review.review import Review
from agent.session.gathering import gathered_edits
from agent.session.ports import RowReport
from agent.song.apply import apply_all
from agent.song.changes import Changes, TrackChanges, compare
from agent.song.song import Song
from app.studio.running.run_view import RunView
from app.viewmodels.plan.proposal import Proposal
from app.viewmodels.plan.sentences import changes_text
from app.viewmodels.texts.figures import counted

_MOST_NAMES = 2


class PendingEdits(Struct, frozen=True):
    """The edits of one row that wait for approval: `edits` is their number, `proposal` holds the song with them.
    `words` are the model's own comment.

    `finished` is False if the model that worked on the row was cut off."""

    step: str
    edits: int
    proposal: Proposal
    words: str = ""
    finished: bool = True

    @property
    def ghost(self) -> Preview:
        """The song before and after the edits, as a preview."""
        assert self.proposal.judged.preview is not None
        return self.proposal.judged.preview

    @property
    def changes(self) -> str:
        """ "Changes 1 track, bars 1–4: 12 notes added, 3 removed." """
        return effect_words(self.proposal.song, self.ghost)


def pending_edits_of(view: RunView, song: Song, shown: Plan | None = None) -> dict[str, PendingEdits]:
    """Edits that wait for approval, by step id, previewed on `song`; those that no longer fit it are left out.

    `shown` is the plan by which rows are numbered; without it the run's own."""
    found: dict[str, PendingEdits] = {}
    for row in view.rows:
        one = _pending(row, song, shown or view.plan)
        if one is not None:
            found[row.step] = one
    return found


def _pending(row: RowReport, song: Song, plan: Plan) -> PendingEdits | None:
    try:
        edits = gathered_edits(row)
        after = apply_all(song, edits)
    except (BandleaderError, ValueError):
        return None
    if not edits:
        return None
    ghost = Preview(after, compare(song, after), (RowPreview(row.step, song, after, edits),))
    judged = Review(plan, ghost)
    words, finished = row.result.get("words"), row.result.get("finished")
    return PendingEdits(
        row.step, len(edits), Proposal(plan, judged, judged, song), words if isinstance(words, str) else "",
        finished is not False,
    )


def effect_words(song: Song, ghost: Preview) -> str:
    """What a preview adds, removes and moves, and in which bars: "Changes 1 track, bars 1–4: 12 notes added, 3
    removed."."""
    said = changes_text(song, ghost.song, ghost.changes).rstrip(".")
    tracks = ghost.changes.tracks
    if 0 < len(tracks) <= _MOST_NAMES:
        said = said.replace(counted(len(tracks), "track"), " and ".join(_named(track) for track in tracks), 1)
    counts = [(number, word) for number, word in _notes(ghost.changes) if number]
    parts = [f"{f'{number:,}' if at else counted(number, 'note')} {word}" for at, (number, word) in enumerate(counts)]
    if parts:
        said += f": {', '.join(parts)}"
    return f"{said}."


def _named(track: TrackChanges) -> str:
    """A track with what is other in it besides its clips: "Pad (volume)"."""
    fields = ", ".join(one.field.removesuffix("_db").replace("_", " ") for one in track.fields)
    return f"{track.name} ({fields})" if fields else track.name


def _notes(changes: Changes) -> tuple[tuple[int, str], ...]:
    return (
        (sum(track.notes_added for track in changes.tracks), "added"),
        (sum(track.notes_removed for track in changes.tracks), "removed"),
        (sum(track.notes_moved for track in changes.tracks), "moved"),
    )
