"""The composition root: builds the studio from its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.composer.composer import Composer
from agent.services.registry import Registry
from agent.services.song_service import SongService
from agent.session.session import Session
from app.paths import Paths
from app.services.exporting import Exporter
from app.services.library_files import read_palette
from app.services.library_service import LibraryItem, LibraryService, shelf_of
from app.services.rendering import SongRenderer
from app.services.sound_service import SoundService
from app.services.style_files import read_styles, read_vocabulary
from app.services.versions_service import VersionsService
from app.storage.database import Database
from app.storage.objects import SongObjects
from app.storage.presence import Presence
from app.studio.history import History
from app.studio.planning import Planning
from app.studio.projects import Projects
from app.studio.runs import Runs
from app.studio.store import Store
from app.studio.studio import Studio

if TYPE_CHECKING:
    # Commands need no desktop.
    from app.desktop.desktop import Desktop
    from app.desktop.troubles import Troubles


def open_studio(paths: Paths) -> Studio:
    """Everything but a window, over the database of `paths`. Raises a `BandleaderError` that says what is wrong."""
    palette = read_palette(paths.resources)
    styles = read_styles(paths.resources, paths.data / "styles")
    words = read_vocabulary(paths.resources)
    library = (*shelf_of(palette), *(LibraryItem("style", one.name, one.label) for one in styles.styles))
    store = Store(Database.open(paths.database, paths.backups), SongObjects(), Presence.begin(paths.data / "running"))
    history, projects = History(store), Projects(store)
    renderer = SongRenderer(paths.cache, palette)
    exporter = Exporter(paths.exports, palette, renderer)
    services = (
        SongService(palette),
        LibraryService(lambda: library),
        SoundService(renderer, exporter, projects.name_of),
        VersionsService(history),
    )
    registry = Registry(services)
    session = Session(Composer(styles, words), registry, palette)
    return Studio(
        paths, palette, library, registry, session, store, projects,
        Planning(store, session, registry, palette), Runs(store, session, history), history, renderer, exporter,
    )


def open_desktop(paths: Paths, troubles: Troubles) -> Desktop:
    """The application behind a window: the studio with playback. Raises as `open_studio` does."""
    from app.desktop.desktop import Desktop
    from app.desktop.playback import Playback
    from app.services.playing import PlaybackEngine

    studio = open_studio(paths)
    engine = PlaybackEngine(paths.cache, studio.palette)
    return Desktop(studio, lambda: Playback(engine, troubles), troubles, end=engine.close)
