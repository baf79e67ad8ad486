"""Messages and their search, settings, locks."""

from __future__ import annotations

import pytest
from examples import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.plan.plan import Clause
from agent.song.ids import ClipId, ProjectId, RunId, TrackId
from agent.song.locks import BarsLock, ClipLock, Lock, TrackLock
from app.storage import locks, message_clauses, messages, preferences, projects
from app.storage.database import Database
from app.storage.driver import raw
from app.storage.errors import Damaged, StorageError
from app.storage.records import ChatMessage


def say(database: Database, text: str, project: ProjectId) -> ChatMessage:
    return database.write_now(lambda c: messages.append(c, ChatMessage(project, "user", text)))


def found(database: Database, words: str, project: ProjectId | None = None) -> list[str]:
    return [message.text for message in database.read_now(lambda c: messages.search(c, words, project))]


def test_messages_come_back_in_order(database: Database, project: ProjectId) -> None:
    said = [say(database, text, project) for text in ("one", "two", "three")]
    answer = ChatMessage(project, "assistant", "four", RunId("r1"))
    said.append(database.write_now(lambda c: messages.append(c, answer)))
    assert database.read_now(lambda c: messages.all_of(c, project)) == tuple(said)
    assert database.read_now(lambda c: messages.all_of(c, project, 2)) == tuple(said[2:])
    assert len({message.id for message in said}) == 4


def test_search_finds_words_and_beginnings_in_one_project_or_all(database: Database, project: ProjectId) -> None:
    database.write_now(lambda c: projects.create(c, ProjectId("ptwo"), "Two"))
    say(database, "make it more ambient and atmospheric", project)
    say(database, "louder drums, please", project)
    say(database, "ambient drums", ProjectId("ptwo"))
    assert found(database, "atmos") == ["make it more ambient and atmospheric"]
    assert set(found(database, "AMBIENT")) == {"make it more ambient and atmospheric", "ambient drums"}
    assert found(database, "ambient", project) == ["make it more ambient and atmospheric"]
    assert found(database, "drums ambient") == ["ambient drums"]
    assert found(database, "trumpet") == []


def test_clauses_of_messages_are_replaced_and_damaged_ones_hide_no_others(
    database: Database, project: ProjectId
) -> None:
    one, two, damaged = (say(database, text, project) for text in ("louder and frob", "slower", "softer"))
    marks = (Clause("louder", 0, 6, "done", ("s1",)), Clause("frob", 11, 15, "told", reason="I do not know “frob”"))
    for message, clauses in ((one, marks[:1]), (one, marks), (two, ()), (damaged, marks)):
        database.write_now(lambda c, at=message.id, found=clauses: message_clauses.put(c, at, found))
    database.write_now(lambda c: raw(c).execute(
        "UPDATE message_clauses SET body = '[{' WHERE message = ?", (damaged.id,)
    ))
    assert database.read_now(lambda c: message_clauses.all_of(c, project)) == {one.id: marks, two.id: ()}
    assert database.read_now(lambda c: message_clauses.all_of(c, ProjectId("ptwo"))) == {}


HOSTILE = [
    "it's", "don't (", "AND", "OR NOT", "NEAR(a b)", '"', '""', "C#", "a-b", "*", "a*", "^a", "text:ambient", "-", "+",
    "ambient AND", "{a b}", "a:b:c", "\x00", "ambient\x00x", "\ud800", "%", "';DROP TABLE message;--", "🎹",
    "a " * 5000,
]  # fmt: skip


@pytest.mark.parametrize("words", HOSTILE, ids=ascii)
def test_any_text_is_a_valid_search(database: Database, project: ProjectId, words: str) -> None:
    say(database, "it's in C# AND a-b", project)
    assert set(found(database, words)) <= {"it's in C# AND a-b"}


@pytest.mark.parametrize("words", ["it's", "C#", "AND", "a-b", 'say "it\'s'])
def test_signs_are_searched_as_words(database: Database, project: ProjectId, words: str) -> None:
    say(database, "they say it's in C# AND a-b", project)
    say(database, "nothing of the kind", project)
    assert found(database, words) == ["they say it's in C# AND a-b"]


@settings(max_examples=examples(80), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.text(max_size=40))
def test_no_text_breaks_the_search(database: Database, words: str) -> None:
    assert found(database, words) == []


def test_words_beyond_the_32nd_do_not_count(database: Database, project: ProjectId) -> None:
    text = " ".join(f"word{number}" for number in range(32))
    say(database, text, project)
    assert found(database, f"{text} and more") == [text]
    assert found(database, f"and more {text}") == []


def test_the_search_follows_what_is_deleted_and_changed(database: Database, project: ProjectId) -> None:
    first, second = say(database, "alpha", project), say(database, "beta", project)
    database.write_now(lambda c: raw(c).execute("DELETE FROM message WHERE id = ?", (first.id,)))
    change = "UPDATE message SET text = 'gamma', digest = NULL WHERE id = ?"
    database.write_now(lambda c: raw(c).execute(change, (second.id,)))
    assert [found(database, word) for word in ("alpha", "beta", "gamma")] == [[], [], ["gamma"]]


def test_a_message_by_nobody_is_refused(database: Database, project: ProjectId) -> None:
    with pytest.raises(StorageError):
        database.write_now(lambda c: messages.append(c, ChatMessage(project, "ghost", "boo")))  # type: ignore[arg-type]
    with pytest.raises(StorageError):
        say(database, "boo", ProjectId("nobody"))


def test_settings_are_set_replaced_and_forgotten(database: Database) -> None:
    for value in ("a", "b"):
        database.write_now(lambda c, v=value: preferences.put(c, "theme", v))
    assert database.read_now(lambda c: preferences.find(c, "theme")) == "b"
    database.write_now(lambda c: preferences.forget(c, "theme"))
    assert database.read_now(lambda c: preferences.find(c, "theme")) is None


def test_locks_are_kept_in_order_and_replaced(database: Database, project: ProjectId) -> None:
    wanted: tuple[Lock, ...] = (
        TrackLock(TrackId("t2")), BarsLock(9, 16), ClipLock(ClipId("c1")), TrackLock(TrackId("t1"))
    )
    assert database.read_now(lambda c: locks.all_of(c, project)) == ()
    for kept in (wanted, wanted[1:], ()):
        database.write_now(lambda c, k=kept: locks.put(c, project, k))
        assert database.read_now(lambda c: locks.all_of(c, project)) == kept


@pytest.mark.parametrize("text", ["{", '{"lock": "moon"}', '{"lock": "bars", "first": 0, "last": 1}'])
def test_a_damaged_lock_is_never_taken_for_no_lock(database: Database, project: ProjectId, text: str) -> None:
    database.write_now(lambda c: raw(c).execute("INSERT INTO lock VALUES (?, 0, ?)", (project, text)))
    with pytest.raises(Damaged, match="lock"):
        database.read_now(lambda c: locks.all_of(c, project))
