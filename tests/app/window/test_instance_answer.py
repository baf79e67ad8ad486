"""A second start is answered by the first, however soon."""

from __future__ import annotations

import socket
import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QDir
from PySide6.QtWidgets import QApplication

from app.window import instance
from app.window.instance import Instance, _name


@pytest.mark.skipif(sys.platform == "win32", reason="local sockets are named pipes there")
@pytest.mark.usefixtures("qapp")
def test_an_answer_that_comes_before_the_question_is_out_is_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # So long a question is still on its way when the answer is there.
    monkeypatch.setattr(instance, "_RAISE", b"x" * 4_000_000)
    place = QDir.temp().filePath(_name(tmp_path))
    first, second = Instance(tmp_path, lambda: None), Instance(tmp_path, lambda: None)
    assert first.claim()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(place)
        server.listen()

        def answer() -> None:
            line, _ = server.accept()
            with line:
                line.sendall(b"raised\n")
                while line.recv(1 << 16):
                    pass

        hears = threading.Thread(target=answer)
        hears.start()
        try:
            assert not second.claim()
        finally:
            second.deleteLater()
            del second
            first.release()
            QApplication.processEvents()
            Path(place).unlink()
            hears.join(10)
    assert not hears.is_alive()
