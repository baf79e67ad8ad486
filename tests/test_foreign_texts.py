"""What reads texts of models, servers, machines and plan files takes time in proportion to them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest

from agent.composer.changing.time.form import base_name
from agent.errors import BandleaderError
from agent.model_planner.reading.answer import AnswerReader, read_answer
from agent.model_planner.reading.splicing import is_whole, resume_words, spliced
from agent.plan.plan import Step
from agent.plan.references import references_in
from agent.plan.secret_texts import holds_secret
from agent.review.secrets import secret_in
from agent.session.repairing import inputs_in
from app.services.machines.nonsense import Nonsense
from app.services.machines.posix_answers import linux_memory, linux_volumes, mac_memory, processes
from tests.support.growth import grows_in_proportion

ROW = '{"id":"s1","tool":"set_tempo","inputs":{"bpm":91}}'


def text(unit: str, lead: str = "", end: str = "") -> Callable[[int], str]:
    return lambda length: lead + unit * (length // len(unit)) + end


def read_in_pieces(answer: str) -> None:
    reader = AnswerReader(())
    for start in range(0, len(answer), 1000):
        reader.feed(answer[start : start + 1000])


def repair(answer: str) -> object:
    return inputs_in(answer, "s1")


def going_on(answer: str) -> str:
    return spliced('{"steps":[{"tool":"x","inputs":{"a":"', answer)


def fields(name: str) -> str:
    return secret_in(Step("s1", "x", {name: {str(number): 1 for number in range(len(name) // 10)}}))


WORST: tuple[tuple[str, Callable[[str], object], Callable[[int], str]], ...] = (
    ("an address with a password", holds_secret, text(".", "a:b@", " x")),
    ("one without an end", holds_secret, text("a", "a:b@")),
    ("two signs at", holds_secret, text("@a", "a:b")),
    ("a private key", holds_secret, text("BEGIN ")),
    ("a token that begins often", holds_secret, text("-eyJ")),
    ("a token that goes on", holds_secret, text("eyJaaaaaaaaaa.bbbbbb.")),
    ("a link with a password", holds_secret, text("://a:")),
    ("a password's gaps", holds_secret, text(" ", "sshpass")),
    ("a long name of many fields", fields, text("a")),
    ("a fence of empty lines", repair, text("\n", "```\n")),
    ("many fences", repair, text("```\n")),
    ("gaps in a section's name", base_name, text(" ", "a", "b")),
    ("numbers in a section's name", base_name, text(" 1", "a", "b")),
    ("gaps in a line of df", linux_volumes, text("1 ", "title\na ")),
    ("words of meminfo", linux_memory, text("a")),
    ("words of vm_stat", mac_memory, text("Pages ", "1\n")),
    ("gaps in a line of ps", processes, text(" ", "1", "x")),
    ("braces", lambda answer: read_answer(answer, ()), text("{")),
    ("names without a value", lambda answer: read_answer(answer, ()), text("{a:")),
    ("empty lines in a fence", lambda answer: read_answer(answer, ()), text("\n", "```\n")),
    ("lists that stay open", lambda answer: read_answer(answer, ()), text("a: [\n", "Step 1: set_tempo\n")),
    ("rows in pieces", read_in_pieces, text(ROW + ",", '{"steps":[')),
    ("quotes in pieces", read_in_pieces, text('\\"', '{"a":"')),
    ("gaps that go on", going_on, text(" ")),
    ("dots that go on", going_on, text(".")),
    ("an end of gaps", is_whole, text("[{")),
    ("notes so far", resume_words, text('{"n":60},', '{"steps":[{"tool":"x","inputs":{"notes":[')),
    ("references", lambda answer: list(references_in(answer)), text("{{a.")),
)


@pytest.mark.parametrize(("worst", "reads", "text_of"), WORST, ids=[name for name, _, _ in WORST])
def test_a_text_ten_times_as_long_takes_about_ten_times_as_long(
    worst: str, reads: Callable[[str], object], text_of: Callable[[int], str]
) -> None:
    def read(foreign: str) -> None:
        with suppress(BandleaderError, Nonsense):
            reads(foreign)

    assert not grows_in_proportion(read, text_of), worst


def test_what_grows_faster_is_told() -> None:
    assert grows_in_proportion(lambda foreign: [foreign.count("b", at) for at in range(len(foreign))], text("a"))
