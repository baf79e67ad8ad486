"""A bug becomes one message and a local report without values."""

from __future__ import annotations

from pathlib import Path

from app.crash import reported


def _fault(secret: str) -> Exception:
    try:
        raise KeyError(secret)
    except KeyError as fault:
        return fault


def test_a_report_names_places_but_holds_no_values(tmp_path: Path) -> None:
    error = reported(_fault("sk-ant-very-secret"), tmp_path / "logs")
    (report,) = (tmp_path / "logs").glob("crash-*.txt")
    text = report.read_text()
    assert str(report) in error.advice
    assert "KeyError" in text
    assert "in _fault" in text
    assert "secret" not in text + str(error)


def test_only_the_newest_reports_are_kept(tmp_path: Path) -> None:
    for _ in range(25):
        reported(_fault("x"), tmp_path)
    assert len(list(tmp_path.glob("crash-*.txt"))) == 20


def test_a_report_is_kept_also_when_the_clock_went_back(tmp_path: Path) -> None:
    for number in range(25):
        (tmp_path / f"crash-29990101T0000000000{number:02}.txt").touch()
    told = reported(_fault("x"), tmp_path).advice
    [report] = [one for one in tmp_path.glob("crash-*.txt") if "2999" not in one.name]
    assert str(report) in told
    assert len(list(tmp_path.glob("crash-*.txt"))) == 20


def test_a_folder_that_refuses_still_gives_a_message(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert "could not be written" in reported(_fault("x"), blocked / "logs").advice
