"""The application without a window: all its parts in one place, for the doors to use."""

from __future__ import annotations

from dataclasses import dataclass

from agent.errors import BandleaderError
from agent.services.registry import Registry
from agent.session.session import Session
from agent.song.palette import Palette
from app.paths import Paths
from app.services.exporting import Exporter
from app.services.plugged_in import PluggedIn
from app.services.rendering import SongRenderer
from app.services.written_files import WrittenFiles
from app.storage.records import Project
from app.studio.history import History
from app.studio.integrations.folders import Folders
from app.studio.integrations.library import Library
from app.studio.integrations.machines import Machines
from app.studio.integrations.servers import Servers
from app.studio.kept_plans import KeptPlans
from app.studio.models import Models
from app.studio.planners import Planners
from app.studio.planning import Planning
from app.studio.projects import Projects
from app.studio.replies import Replies
from app.studio.running.requests import Requests
from app.studio.running.runs import Runs
from app.studio.spending import SpendingRecord
from app.studio.store import Store
from app.studio.verdicts import Verdicts
from app.studio.workspace import Workspace


@dataclass(frozen=True)
class Studio:
    """All parts of the application without a window, for window and command line. Must be closed. `styles_left_out` are
    errors of the user's styles that cannot be used."""

    paths: Paths
    palette: Palette
    library: Library
    registry: Registry
    session: Session
    store: Store
    projects: Projects
    planning: Planning
    runs: Runs
    requests: Requests
    history: History
    renderer: SongRenderer
    exporter: Exporter
    written: WrittenFiles
    models: Models
    spending: SpendingRecord
    verdicts: Verdicts
    kept_plans: KeptPlans
    replies: Replies
    planners: Planners
    machines: Machines
    folders: Folders
    servers: Servers
    plugged_in: PluggedIn
    styles_left_out: tuple[BandleaderError, ...] = ()

    async def open(self, project: Project) -> Workspace:
        """A new workspace of a project."""
        return await Workspace.open(self.store, project)

    async def close(self) -> None:
        """End services and workers, close the database and back it up. Raises `StorageError` if that failed."""
        self.library.end()
        await self.registry.close()
        await self.renderer.close()
        self.store.close()
