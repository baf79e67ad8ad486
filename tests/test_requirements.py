"""What is installed is one exact, hashed, freely licensed set of libraries, the same for everyone."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from email.message import Message
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import cast

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
LOCKS = ("run", "dev", "bench")
SYSTEMS = ("linux", "darwin", "win32")
PYTHONS = ("3.11", "3.12", "3.13")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))

GPL_COMPATIBLE = {
    "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "GPL-3.0-only", "GPL-2.0-or-later",
    "GPL-3.0-or-later", "ISC", "LGPL-2.1-or-later", "LGPL-3.0-only", "LGPL-3.0-or-later", "MIT", "MIT-0",
    "MPL-2.0", "PSF-2.0", "Unlicense", "Zlib",
}
"""SPDX names of licences whose works may be part of a work under GPL-3.0-or-later."""
CLASSIFIED = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "GNU General Public License v3 (GPLv3)": "GPL-3.0-only",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
DECIDED = {
    "httpx2-jsfetch": "BSD-3-Clause",  # in browsers alone, where Bandleader does not run
    "pywin32": "PSF-2.0",  # on Windows alone, so not here to be asked
    "pywin32-ctypes": "BSD-3-Clause",  # likewise
    "sspilib": "MIT",  # likewise
    "backports-tarfile": "MIT",  # on Python 3.11 alone
    "lazy-importer": "Apache-2.0",  # likewise
    "importlib-metadata": "Apache-2.0",  # likewise
    "zipp": "MIT",  # likewise
    "jeepney": "MIT",  # on Linux alone
    "secretstorage": "BSD-3-Clause",  # likewise
}
"""Licences of libraries that are not on every machine, as read in their archives."""


def pins(lock: str) -> list[tuple[Requirement, list[str]]]:
    """Each requirement of a lock file with its hashes."""
    text = (ROOT / "requirements" / f"{lock}.txt").read_text("utf-8")
    entries = re.findall(r"^(\w\S+==.*?)((?: \\\n +--hash=\S+)*)$", text, re.MULTILINE)
    return [(Requirement(line), re.findall(r"--hash=(\S+)", hashes)) for line, hashes in entries]


def needs() -> list[tuple[str, Requirement]]:
    """What pyproject.toml asks for, each with the lock that has to hold it."""
    project = PROJECT["project"]
    extras = {"mcp": "run", "machines": "run", "dev": "dev", "bench": "bench"}
    assert set(project["optional-dependencies"]) == set(extras)
    lines = [("run", line) for line in (*project["dependencies"], *PROJECT["build-system"]["requires"])]
    lines += [(extras[name], line) for name, own in project["optional-dependencies"].items() for line in own]
    return [(lock, need) for lock, line in lines if (need := Requirement(line)).name != project["name"]]


def environment(system: str, python: str) -> dict[str, str]:
    return {"sys_platform": system, "python_version": python, "python_full_version": f"{python}.9"}


def applies(requirement: Requirement, where: dict[str, str]) -> bool:
    return requirement.marker is None or requirement.marker.evaluate(cast("dict[str, str | set[str]]", where))


def versions(where: dict[str, str], *locks: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for pin, _ in (entry for lock in locks for entry in pins(lock)):
        if applies(pin, where):
            found[canonicalize_name(pin.name)].add(next(iter(pin.specifier)).version)
    return found


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_exact_versions_with_their_hashes_and_no_place(lock: str) -> None:
    lines = (ROOT / "requirements" / f"{lock}.txt").read_text("utf-8").splitlines()
    other = [line for line in lines if not re.match(r"(#|    --hash=sha256:[0-9a-f]{64}( \\)?$|\w\S+==)", line)]
    assert other == ["--only-binary :all:"]
    assert pins(lock)
    for pin, hashes in pins(lock):
        assert pin.url is None, pin
        assert [part.operator for part in pin.specifier] == ["=="], pin
        assert hashes, pin


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_each_system_gets_one_version_of_all_that_the_project_asks_for(system: str, python: str) -> None:
    where = environment(system, python)
    assert not {name: found for name, found in versions(where, *LOCKS).items() if len(found) > 1}
    for lock, need in needs():
        if applies(need, where):
            held = versions(where, *LOCKS[: LOCKS.index(lock) + 1]).get(canonicalize_name(need.name))
            assert held, f"{need} is not in {lock}.txt: make lock"
            assert need.specifier.contains(next(iter(held))), f"{need} is pinned to {held}: make lock"


def test_no_library_lacks_one_that_it_needs() -> None:
    """The project is installed without its dependencies, so what the lock forgets is not there."""
    asked = subprocess.run([sys.executable, "-m", "pip", "check"], capture_output=True, text=True, check=False)
    assert asked.returncode == 0, asked.stdout


def test_python_3_11_keeps_the_qt_that_does_not_abort() -> None:
    """PySide6 6.12 loses a reference to None at each void call on 3.11, whose None is not immortal yet."""
    held = versions(environment("linux", "3.11"), "run")
    for name in ("pyside6-essentials", "shiboken6"):
        assert all(version.startswith("6.11.") for version in held[name])


@pytest.mark.parametrize("pin", [pin for pin, _ in pins("run")], ids=str)
def test_the_licence_of_what_runs_goes_with_ours(pin: Requirement) -> None:
    try:
        licence = licence_of(cast("Message", metadata(pin.name)))
    except PackageNotFoundError:
        licence = DECIDED.get(canonicalize_name(pin.name), "")
        assert licence, f"{pin.name} is not installed here: read its licence in its archive, then add it to DECIDED"
    assert allowed(licence), f"{pin.name} is under {licence or 'no licence that it names'}"


def licence_of(package: Message) -> str:
    """The package's SPDX expression; from its classifiers where it has none; empty where nothing is said."""
    told = str(package.get("License-Expression") or package.get("License") or "")
    if re.fullmatch(r"[A-Za-z0-9.+-]+( (AND|OR) [A-Za-z0-9.+-]+)*", told):
        return told
    words = [line.rsplit(" :: ", 1)[-1] for line in package.get_all("Classifier") or () if line.startswith("License")]
    return " AND ".join(CLASSIFIED.get(word, f"'{word}'") for word in words)


def allowed(licence: str) -> bool:
    """Whether one of the choices that an expression without brackets gives consists of compatible licences."""
    return any(set(choice.split(" AND ")) <= GPL_COMPATIBLE for choice in licence.split(" OR "))


@pytest.mark.parametrize(
    ("licence", "good"),
    [
        ("MIT", True), ("EPL-2.0 OR GPL-2.0-or-later", True), ("BSD-3-Clause AND MIT", True), ("GPL-2.0-only", False),
        ("SSPL-1.0", False), ("MIT AND CC-BY-NC-4.0", False), ("", False), ("'OSI Approved'", False),
    ],
)
def test_a_licence_is_weighed_by_its_choices(licence: str, good: bool) -> None:
    assert allowed(licence) is good
