"""Where the links of an answer lead in the window."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from agent.chat.answer import BarsLink, CommandLink, Link, RowLink, RunLink, TrackLink, VersionLink
from app.i18n import tr
from app.viewmodels.open_project import OpenProject


class LinkFollowing(QObject):
    """Follows links in answers: selects what they name, or emits a signal for what another view shows."""

    plan_wanted = Signal(object)
    """Emitted with the id of a run whose plan is to be shown."""
    row_wanted = Signal(str, str)
    """Emitted with the id of a run (empty: the plan under review) and the id of a row to show."""
    iteration_wanted = Signal(str)

    def __init__(self, opened: OpenProject, parent: QObject) -> None:
        super().__init__(parent)
        self._opened = opened

    def follow(self, link: Link) -> None:
        """Select the track, clip or other object that a link names, or ask another view to show it."""
        opened = self._opened
        match link:
            case BarsLink(first, last):
                opened.focus.bars.set((first, last))
                opened.focus.sought.emit((first, last))
            case TrackLink(track, name):
                if any(one.id == track for one in opened.workspace.song.tracks):
                    opened.focus.track.set(track)
                else:
                    opened.focus.refused.set(tr("The song has no {name} any more", name=name))
            case RowLink(step, _, run):
                if run is None and opened.reviewing.proposal.value is None:
                    opened.focus.refused.set(tr("That plan is no longer under review"))
                else:
                    self.row_wanted.emit(run or "", step)
            case VersionLink(version, _):
                self.iteration_wanted.emit(version)
            case RunLink(run):
                self.plan_wanted.emit(run)
            case CommandLink():
                pass
