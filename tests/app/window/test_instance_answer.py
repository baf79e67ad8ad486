"""A second start is answered by the first, however soon, and by nobody in its place."""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.window import instance
from app.window.errors import WindowError
from app.window.instance import ClaimFile, Instance
from app.window.meeting_place import bsd_user, linux_user, new_address, peer_of, remove_left

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="local sockets are named pipes there"),
    pytest.mark.usefixtures("qapp"),
]
_ROOT_ONLY = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may act as another user"
)
NOBODY = 65534


@pytest.fixture
def running(tmp_path: Path) -> Path:
    return tmp_path / "running"


def an_instance(running: Path, raised: list[str] | None = None) -> Instance:
    return Instance(running, lambda: None if raised is None else raised.append("raised"), {})


@contextmanager
def held(running: Path) -> Iterator[ClaimFile]:
    """The claim of another program that is alive."""
    file = ClaimFile(running / "window.lock")
    assert file.take()
    yield file
    file.release()


@contextmanager
def listener(place: Path, answer: bytes) -> Iterator[None]:
    """What answers whoever connects."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(place))
        server.listen()

        def hear() -> None:
            line, _ = server.accept()
            with line:
                line.sendall(answer)
                while line.recv(1 << 16):
                    pass

        hears = threading.Thread(target=hear)
        hears.start()
        yield
        QApplication.processEvents()
        hears.join(10)
        assert not hears.is_alive()


def test_an_answer_that_comes_before_the_question_is_out_is_heard(
    running: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    # So long a question is still on its way when the answer is there.
    monkeypatch.setattr(instance, "_RAISE", b"x" * 4_000_000)
    place = Path(new_address(running, {}))
    with held(running) as file, listener(place, b"raised\n"):
        file.write(str(place))
        second = an_instance(running)
        assert not second.claim()
        second.deleteLater()
        del second
    remove_left(str(place))
    assert not place.parent.exists()


def test_the_answer_comes_when_the_window_was_raised(running: Path) -> None:
    raised: list[str] = []
    first = an_instance(running, raised)
    assert first.claim()
    first.listen()
    address = ClaimFile(running / "window.lock").read()[1]
    second = subprocess.Popen([sys.executable, "-c", _SECOND, str(running)], stdout=subprocess.PIPE, text=True)
    while second.poll() is None:
        QApplication.processEvents()
    assert second.communicate()[0] == "False\n"
    assert raised == ["raised"]
    first.release()
    assert not Path(address).exists()


_SECOND = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from app.window.instance import Instance
app = QCoreApplication([])
print(Instance(Path(sys.argv[1]), lambda: None, {}).claim())
"""


def test_a_file_that_names_a_living_process_and_is_not_locked_says_nothing(running: Path) -> None:
    running.mkdir(0o700)
    (running / "window.lock").write_text(f"\n{os.getppid()}\n/tmp/nowhere\n")
    (running / "window.lock").chmod(0o600)
    first = an_instance(running)
    assert first.claim()
    assert ClaimFile(running / "window.lock").read() == (os.getpid(), "")
    first.release()


def test_what_a_killed_window_left_is_taken_over_and_removed(running: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", _KILLED, str(running)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    address = Path(child.stdout.readline().strip())
    assert address.exists()
    other = an_instance(running)
    assert not ClaimFile(running / "window.lock").take()
    child.send_signal(signal.SIGKILL)
    child.communicate()
    assert other.claim()
    assert not address.exists()
    other.release()


_KILLED = """
import sys, time
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from app.window.instance import ClaimFile
from app.window.instance import Instance
app = QCoreApplication([])
running = Path(sys.argv[1])
first = Instance(running, lambda: None, {})
first.claim()
first.listen()
print(ClaimFile(running / "window.lock").read()[1], flush=True)
time.sleep(60)
"""


def test_one_that_does_not_answer_is_named(running: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instance, "_PATIENCE", 0.2)
    with held(running) as file:
        file.write("")
        with pytest.raises(WindowError, match="does not answer") as caught:
            an_instance(running).claim()
    assert f"process {os.getpid()}" in caught.value.advice


def _foreign_folder(running: Path) -> None:
    running.mkdir(0o755)
    os.chown(running, NOBODY, NOBODY)


def _foreign_file(running: Path) -> None:
    running.mkdir(0o700)
    (running / "window.lock").touch()
    os.chown(running / "window.lock", NOBODY, NOBODY)


def _link(running: Path) -> None:
    running.mkdir(0o700)
    (running / "window.lock").symlink_to("/dev/null")


def _pipe(running: Path) -> None:
    running.mkdir(0o700)
    os.mkfifo(running / "window.lock")


_BY_ROOT = [pytest.param(plant, marks=_ROOT_ONLY) for plant in (_foreign_folder, _foreign_file)]


@pytest.mark.parametrize("plant", [*_BY_ROOT, _link, _pipe])
def test_what_another_user_planted_is_told(running: Path, plant: object) -> None:
    plant(running)  # type: ignore[operator]
    with pytest.raises(WindowError, match="cannot be trusted") as caught:
        an_instance(running).claim()
    assert caught.value.why
    assert str(running) in caught.value.what
    assert str(running) in caught.value.advice


def test_a_folder_that_others_may_change_is_closed_first(running: Path) -> None:
    running.mkdir()
    running.chmod(0o777)
    first = an_instance(running)
    assert first.claim()
    assert running.stat().st_mode & 0o777 == 0o700
    first.release()


def test_a_place_where_nothing_can_be_locked_keeps_no_window_from_opening(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    first = an_instance(tmp_path / "file" / "running")
    assert first.claim()
    first.listen()
    first.release()


@_ROOT_ONLY
def test_another_user_that_answers_raised_is_not_believed(
    running: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(instance, "_PATIENCE", 0.3)
    place = Path(new_address(running, {}))
    place.parent.chmod(0o777)
    squatter = subprocess.Popen(
        [sys.executable, "-c", _SQUATTER, str(place), str(NOBODY)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert squatter.stdout is not None
        assert squatter.stdout.readline() == "listening\n"
        with held(running) as file:
            file.write(str(place))
            with pytest.raises(WindowError, match="another user answers"):
                an_instance(running).claim()
    finally:
        squatter.kill()
        squatter.communicate()
        place.unlink()
        place.parent.rmdir()


_SQUATTER = """
import os, socket, sys
os.setgid(int(sys.argv[2]))
os.setuid(int(sys.argv[2]))
server = socket.socket(socket.AF_UNIX)
server.bind(sys.argv[1])
server.listen()
print("listening", flush=True)
lines = []
while True:
    lines.append(server.accept()[0])
    lines[-1].sendall(b"raised\\n")
"""


def test_the_users_runtime_folder_is_preferred(running: Path, tmp_path: Path) -> None:
    with _short_folder() as runtime:
        assert Path(new_address(running, {"XDG_RUNTIME_DIR": str(runtime)})).parent == runtime
        runtime.chmod(0o755)
        for refused in (str(runtime), ".", "", str(runtime / "nothing")):
            made = Path(new_address(runtime / "data", {"XDG_RUNTIME_DIR": refused})).parent
            assert made not in (runtime, Path())
            made.rmdir()
        (runtime / "own").mkdir(0o700)
        (runtime / "link").symlink_to(runtime / "own")
        address = new_address(runtime / "own", {"XDG_RUNTIME_DIR": str(runtime / "link")})
        assert Path(address).parent == runtime / "own"


def test_no_address_is_longer_than_a_socket_takes(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 100)
    deep.mkdir(0o700)
    place = Path(new_address(deep, {}))
    assert len(str(place)) < 90
    assert place.parent.stat().st_mode & 0o777 == 0o700
    place.parent.rmdir()


def test_on_windows_the_address_is_a_name_that_nobody_can_guess() -> None:
    names = {new_address(Path("C:/data/running"), {}, "win32") for _ in range(9)}
    assert len(names) == 9
    assert all(name.startswith("bandleader-") and len(name) == 27 for name in names)


@contextmanager
def _short_folder() -> Iterator[Path]:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(dir="/tmp") as name:
        yield Path(name)


def test_the_user_at_the_other_end_is_known() -> None:
    one, other = socket.socketpair()
    with one, other:
        assert peer_of(one.fileno()) == os.geteuid()
    assert peer_of(-1) is None
    assert linux_user(struct.pack("3i", 7, 1001, 5)) == 1001
    assert bsd_user(struct.pack("=IIh2x16I", 0, 501, 1, *([20] * 16))) == 501
    assert bsd_user(struct.pack("=IIh2x16I", 9, 501, 1, *([20] * 16))) is None
