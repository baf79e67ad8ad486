"""Whether all that was changed is stored, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.i18n import tr

if TYPE_CHECKING:
    # The database is slow to import; the window is shown before it.
    from app.storage.records import Iteration
    from app.studio.writes import Writes

_LONGEST = 60


@dataclass(frozen=True)
class SaveState:
    """Whether changes are saved: `words` for the status bar, `why` for its tooltip; `refused` if the last change could
    not be stored."""

    words: str
    why: str = ""
    refused: bool = False


def saved_words(writes: Writes, iterations: Sequence[Iteration]) -> SaveState:
    """The state of the last change; `iterations` are those of the open project, newest first."""
    from app.viewmodels.texts.fixes import shown_fix
    from app.viewmodels.texts.moments import clock_time

    if writes.under_way:
        return SaveState(tr("Saving…"))
    if writes.refused is not None:
        error = writes.refused
        return SaveState(tr("Not saved: {reason}", reason=(error.why or error.what)[:_LONGEST]), " ".join(filter(None, (
            error.what, error.why and tr("Why: {reason}", reason=error.why),
            tr("What to do: {fix}", fix=shown_fix(error.fix)) if error.fix else "",
        ))), refused=True)
    if not iterations:
        return SaveState(tr("Nothing to save yet"))
    stored = "" if writes.done is None else writes.done.isoformat()
    return SaveState(tr("All changes saved {moment}", moment=clock_time(max(iterations[0].created, stored))))
