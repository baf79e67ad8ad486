"""What the settings of services work on: servers of tools, machines, folders, the library."""

from __future__ import annotations

from app.desktop.doors.machine_list import MachineList
from app.desktop.doors.project_folders import FolderList
from app.desktop.doors.server_list import ServerList
from app.desktop.doors.user_library import UserLibrary
from app.desktop.open_project import OpenProject
from app.desktop.watched import Watched
from app.studio.studio import Studio
from app.studio.workspace import Workspace


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
