"""A request that names no song goes to the one used last where it is about a song, and makes a new one where not."""

from __future__ import annotations

from commandline import CommandLine


def test_a_change_goes_to_the_song_used_last_and_says_so(command_line: CommandLine) -> None:
    first = command_line.ask("compose", "a waltz for piano at 120 bpm, 8 bars", "--yes", "--seed", "3")
    said = command_line.run("compose", "make it slower, 90 bpm", "--yes", "--json")
    assert said.status == 0
    assert said.json["project"] == first["project"]
    assert command_line.song().tempos[0].bpm == 90
    assert "changes a waltz for piano" in said.stderr
    assert "the song used last" in said.stderr
    assert len(command_line.ask("projects")["projects"]) == 1

    command_line.ask("compose", "a lullaby for harp, 8 bars", "--yes", "--seed", "3")
    assert len(command_line.ask("projects")["projects"]) == 2


def test_a_change_where_there_is_no_song_asks_for_one_and_stores_nothing(command_line: CommandLine) -> None:
    error = command_line.refused(2, "compose", "make it slower", "--yes")
    assert error["what"] == "there is nothing to change"
    assert command_line.ask("projects")["projects"] == []
