"""The composition root: builds the studio from its parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from agent.chat.reading.language import Language
from agent.composer.composer import Composer
from agent.composer.vocabulary import Vocabulary
from agent.services.goal_service import GoalService
from agent.services.registry import Registry
from agent.services.song_service import SongService
from agent.session.session import Session
from app.paths import Paths
from app.services.exporting import Exporter
from app.services.files.files_service import FilesService
from app.services.kept_tables import KeptTables
from app.services.library.library_service import LibraryService
from app.services.library.shelf import LibraryItem, shelf_of
from app.services.library_files import read_palette
from app.services.plugged_in import plug_in
from app.services.prompt_files import read_prompts
from app.services.rendering import SongRenderer
from app.services.sayings_files import kept_model, read_manual, read_sayings
from app.services.sound_service import SoundService
from app.services.style_files import Styles, gather_styles, read_chat_words, read_vocabulary
from app.services.versions_service import VersionsService
from app.services.written_files import WrittenFiles
from app.storage.key_variables import take_environment, without_keys
from app.storage.keyring import Keys
from app.studio.archive import close_installation, open_store
from app.studio.history import History
from app.studio.integrations.connected import Connected
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
from app.studio.studio import Studio
from app.studio.verdicts import Verdicts

if TYPE_CHECKING:
    # Commands need no desktop.
    from app.studio.doctor import Health
    from app.viewmodels.desktop import Desktop
    from app.viewmodels.texts.troubles import ErrorReporter


def look_around(paths: Paths) -> Health:
    """The health of this installation; opens nothing that stays open."""
    from app.studio.doctor import examine

    return examine(paths, Keys(patience=5.0), take_environment())


def read_language(resources: Path, cache: Path, words: Vocabulary, kept: KeptTables | None = None) -> Language:
    """The language of requests and questions; what sayings mean is learned when it is first asked, once for a `cache`
    unless the installation brings it (`scripts/learn.py`). Raises `StyleError`."""
    talk = read_chat_words(resources, kept=kept)
    sayings, manual = read_sayings(resources, kept=kept), read_manual(resources, kept=kept)
    learn = kept_model(cache, resources / "learned", talk.contractions, sayings, manual)
    return Language(talk, words, sayings, manual, learn)


def open_studio(
    paths: Paths, *, environment: Mapping[str, str] | None = None, keys: Keys | None = None, to_read: bool = False
) -> Studio:
    """Everything but a window, over the database of `paths`. Raises a `BandleaderError` that says what is wrong.

    Keys of models are looked for in `environment`, by itself that of this process, then in `keys`. `to_read` is content
    with reading where nothing can be stored (`Database.unwritable`).
    """
    variables = take_environment() if environment is None else environment
    close_installation(paths)
    palette = read_palette(paths.resources)
    kept = KeptTables(paths.cache)
    styles = gather_styles(paths.resources, paths.styles, palette, kept)
    words = read_vocabulary(paths.resources, kept=kept)
    language = read_language(paths.resources, paths.cache, words, kept)
    store = open_store(paths, to_read=to_read)
    kept.write()
    history, projects = History(store), Projects(store)
    folders = Folders(store, projects, paths)
    library = Library(store, paths, palette, (*shelf_of(palette), *_style_items(styles)))
    renderer = SongRenderer(paths.cache, palette)
    written = WrittenFiles(store.database)
    exporter = Exporter(paths.exports, palette, renderer, written)
    services = (
        SongService(palette),
        GoalService(),
        LibraryService(lambda: library.shelf, library),
        FilesService(folders, palette),
        SoundService(renderer, exporter, projects.export_folder_now),
        VersionsService(history),
    )
    registry = Registry(services)
    composer = Composer(styles.book, words)
    session = Session(composer, registry, palette)
    spending, verdicts = SpendingRecord(store), Verdicts(store)
    secrets = Keys() if keys is None else keys
    models = Models(store, spending, secrets, variables)
    planners = Planners(
        composer, models, registry, palette, lambda: read_prompts(paths.resources, paths.data / "prompts")
    )
    servers = Servers(store, registry, secrets, paths.logs, without_keys(variables))
    servers.take_in()
    machines = Machines(store, secrets, registry, palette, paths.plug_ins)
    connected = Connected(servers, machines)
    planning = Planning(store, session, registry, palette, planners, verdicts, connected)
    runs = Runs(store, session, history, planners, registry, connected, renderer.lacks_of)
    kept_plans = KeptPlans(store)
    replies = Replies(
        store, paths, palette, styles.book, language, projects, planning,
        planners, runs, history, kept_plans, spending,
    )
    plugged_in = plug_in(registry, palette, paths.plug_ins)
    return Studio(
        paths, palette, library, registry, session, store, projects,
        planning, runs, Requests(store, session, planning, runs), history, renderer, exporter, written, models,
        spending, verdicts, kept_plans, replies, planners, machines, folders,
        servers, plugged_in, styles.left_out,
    )


def _style_items(styles: Styles) -> Iterator[LibraryItem]:
    for one in styles.book.styles:
        tags = ("yours",) * (one.name in styles.own) + ("replaces the one that ships",) * (one.name in styles.replaced)
        yield LibraryItem("style", one.name, one.label, tags)


def open_desktop(paths: Paths, troubles: ErrorReporter) -> Desktop:
    """The application behind a window: the studio with playback. Raises as `open_studio` does."""
    from app.services.playing import PlaybackEngine
    from app.viewmodels.desktop import Desktop
    from app.viewmodels.transport.playback import Playback

    studio = open_studio(paths)
    engine = PlaybackEngine(paths.cache, studio.palette)
    return Desktop(studio, lambda: Playback(engine, troubles), troubles, leave=engine.leave, end=engine.close)
