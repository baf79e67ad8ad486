"""The health of this installation, each part with what to do about it."""

from __future__ import annotations

import os
import platform
import shlex
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

from msgspec import Struct

from agent.errors import BandleaderError
from app.paths import Paths
from app.private_files import changeable_by_others, mine, open_to_others
from app.sound.devices import default_output
from app.sound.soundfont import find_samples, find_soundfont, missing_packages
from app.sound.sources import bank_remark
from app.storage.backups import Backups
from app.storage.database import Database
from app.storage.keyring import Keys
from app.storage.projects import read_songs
from app.studio.key_order import KeyName, KeyOrder


class Check(Struct, frozen=True):
    """One checked part: whether it works, what was found, and what to do if it does not."""

    name: str
    ok: bool
    detail: str
    fix: str = ""


class Health(Struct, frozen=True):
    """The result of all checks. `ok` means that composing, running and rendering will work."""

    ok: bool
    checks: tuple[Check, ...]


_REPORT = "look at the file or folder that is named; if it is in order, report this"
_OPTIONAL = ("good sounds", "sound device", "keyring", "own styles", "added services", "privacy")
"""Parts whose failure costs only the best sound, listening, paid models, a style of one's own or privacy."""


def examine(paths: Paths, keys: Keys, environment: Mapping[str, str]) -> Health:
    """Check every part; never raises. `environment` may contain keys of models, which are not shown."""
    parts: tuple[tuple[str, Callable[[], tuple[bool, str, str]]], ...] = (
        ("python", _python),
        ("synth", _synth),
        ("soundfont", _soundfont),
        ("good sounds", lambda: _good_sounds(paths)),
        ("sound device", _sound_device),
        ("keyring", lambda: _keyring(keys)),
        ("model keys", lambda: _model_keys(keys, environment)),
        ("privacy", lambda: _privacy(paths)),
        ("database", lambda: _database(paths)),
        ("exports folder", lambda: _folder(paths.exports)),
        ("resources", lambda: _resources(paths)),
        ("own styles", lambda: _own_styles(paths)),
        ("added services", lambda: _added_services(paths)),
    )
    checks = tuple(_check(name, look) for name, look in parts)
    return Health(all(check.ok for check in checks if check.name not in _OPTIONAL), checks)


def _check(name: str, look: Callable[[], tuple[bool, str, str]]) -> Check:
    try:
        ok, detail, fix = look()
        return Check(name, ok, detail, "" if ok else fix)
    except BandleaderError as problem:
        return Check(name, ok=False, detail=str(problem), fix=problem.advice or _REPORT)
    except OSError as problem:
        return Check(name, ok=False, detail=str(problem), fix=_REPORT)


def _python() -> tuple[bool, str, str]:
    found = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    return sys.version_info >= (3, 11), found, "Bandleader needs Python 3.11 or newer"


def _synth() -> tuple[bool, str, str]:
    from app.sound.fluid_library import library_version

    return True, f"FluidSynth {library_version()} is found", ""


def _soundfont() -> tuple[bool, str, str]:
    from app.sound.fluid import Bank

    found = find_soundfont().path
    Bank(found).close()
    return True, str(found), ""


def _good_sounds(paths: Paths) -> tuple[bool, str, str]:
    """Whether more than the small bank of last resort plays, and which sampled kits."""
    from app.services.library_files import read_palette

    kits = [one for one in read_palette(paths.resources).instruments if one.samples is not None]
    lacking = [one.label for one in kits if one.samples and find_samples(one.samples.file) is None]
    bank = bank_remark()
    missing = [*([bank] if bank else []), *(f"not installed: {label}" for label in lacking)]
    if not missing:
        return True, ", ".join((find_soundfont().path.stem, *(one.label for one in kits))), ""
    packages = " ".join(missing_packages())
    fix = f"make setup, or apt install {packages}; docs/sound.md says where files go on other systems"
    return False, "; ".join(missing), fix


def _sound_device() -> tuple[bool, str, str]:
    device = default_output()
    detail = device.name if device.usable else f"no sound device ({device.why or 'none found'})"
    return device.usable, detail, "plug in or choose an output; rendering and export work without one"


def _keyring(keys: Keys) -> tuple[bool, str, str]:
    health = keys.describe()
    return health.usable, health.name, health.fix


def _model_keys(keys: Keys, environment: Mapping[str, str]) -> tuple[bool, str, str]:
    order = KeyOrder(keys, environment)
    names = KeyName("anthropic", "ANTHROPIC_API_KEY"), KeyName("openai", "OPENAI_API_KEY")
    said = "; ".join(f"{name.name}: {order.find_now(name).place.said}" for name in names)
    return True, f"{said} (the composer needs none)", ""


def _database(paths: Paths) -> tuple[bool, str, str]:
    if not paths.database.exists() and not Backups(paths.backups).files():
        return True, f"{paths.database} will be made when it is first needed", ""
    database = Database.open(paths.database, paths.backups)
    try:
        songs = database.read_now(read_songs)
    finally:
        trouble = database.close()
    if trouble is not None:
        return False, str(trouble), trouble.advice
    size = paths.database.stat().st_size
    return True, f"{paths.database} is sound ({size / 1e6:.1f} MB), and so are its songs ({songs})", ""


def _privacy(paths: Paths) -> tuple[bool, str, str]:
    """Whether other users of this machine can read what is stored here, or put something else in its place."""
    if sys.platform == "win32":
        return True, "this user's profile keeps others out", ""
    exposed = [path for path in dict.fromkeys((paths.data, *paths.private_folders)) if _exposes(path, paths)]
    exposed += [path for path in paths.private_files() if _readable(path)]
    if not exposed:
        return True, "only this user can read songs, chat, backups and logs", ""
    strangers = [path for path in exposed if not mine(os.lstat(path))]
    if strangers:
        fix = "let its owner give it to you, or set BANDLEADER_HOME to a folder of your own"
        return False, f"{strangers[0]} belongs to another user", fix
    named = " ".join(shlex.quote(str(path)) for path in exposed)
    right = "change" if changeable_by_others(os.lstat(exposed[0])) else "read"
    more = f", and {len(exposed) - 1} more" if len(exposed) > 1 else ""
    return False, f"other users of this machine can {right} {exposed[0]}{more}", f"chmod go-rwx {named}"


def _exposes(folder: Path, paths: Paths) -> bool:
    """Whether others own a folder, may change it, or may see what is only Bandleader's."""
    if not folder.is_dir():
        return False
    found = os.lstat(folder)
    seen = folder in paths.private_folders and open_to_others(found)
    return seen or changeable_by_others(found) or not mine(found)


def _readable(file: Path) -> bool:
    found = os.lstat(file)
    return open_to_others(found) or not mine(found)


def _folder(folder: Path) -> tuple[bool, str, str]:
    home = folder
    while not home.exists() and home != home.parent:
        home = home.parent
    try:
        TemporaryFile(dir=home).close()
    except OSError as error:
        return False, f"{folder} cannot be written: {error.strerror}", "choose another folder with BANDLEADER_HOME"
    return True, str(folder), ""


def _resources(paths: Paths) -> tuple[bool, str, str]:
    styles = len(list((paths.resources / "styles").glob("*.toml")))
    return styles > 0, f"{styles} styles in {paths.resources}", "reinstall Bandleader" if not styles else ""


def _own_styles(paths: Paths) -> tuple[bool, str, str]:
    from app.services.library_files import read_palette
    from app.services.style_files import gather_styles

    found = gather_styles(paths.resources, paths.styles, read_palette(paths.resources))
    if found.left_out:
        first, more = found.left_out[0], len(found.left_out) - 1
        said = f"{first} is left out" + (f", and {more} more" if more else "")
        return False, said, f"{first.advice or 'mend the file'}; docs/styles.md explains every key"
    if not found.own:
        return True, f"none in {paths.styles}", ""
    replaced = f"; in place of those that ship: {', '.join(found.replaced)}" if found.replaced else ""
    return True, f"{', '.join(found.own)} from {paths.styles}{replaced}", ""


def _added_services(paths: Paths) -> tuple[bool, str, str]:
    from agent.services.registry import Registry
    from agent.services.song_service import SongService
    from app.services.library_files import read_palette
    from app.services.plugged_in import plug_in
    from app.studio.integrations.servers import faults_of

    palette = read_palette(paths.resources)
    with TemporaryDirectory() as folder:
        found = plug_in(Registry((SongService(palette),)), palette, Path(folder))
    servers, faults = faults_of(paths)
    left_out = (*faults, *found.left_out)
    if left_out:
        more = f", and {len(left_out) - 1} more" if len(left_out) > 1 else ""
        return False, f"{left_out[0]} is left out{more}", left_out[0].advice
    names = (*(f"mcp:{name}" for name in servers), *(one.name for one in found.used))
    return True, ", ".join(names) or "none", ""
