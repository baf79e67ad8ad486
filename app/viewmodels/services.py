"""What the settings of services work on: servers of tools, machines, folders, the library."""

from __future__ import annotations

from app.studio.studio import Studio
from app.studio.workspace import Workspace
from app.viewmodels.integrations.machine_list import MachineList
from app.viewmodels.integrations.project_folders import FolderList
from app.viewmodels.integrations.server_list import ServerList
from app.viewmodels.integrations.user_library import UserLibrary
from app.viewmodels.open_project import OpenProject
from app.viewmodels.watched import Watched


class Services:
    """The models of the settings pages about services; results of tests stay while the program runs."""

    def __init__(self, studio: Studio, opened: Watched[OpenProject | None]) -> None:
        self.opened = opened
        self.servers = ServerList(studio.servers, studio.store)
        self.machines = MachineList(studio.machines)
        self.folders = FolderList(studio.folders, self._workspace)
        self.library = UserLibrary(studio.library)

    def _workspace(self) -> Workspace | None:
        opened = self.opened.value
        return None if opened is None else opened.workspace
