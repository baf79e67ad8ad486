"""A request is read once: what cannot be planned, or must not be stored, is none."""

from __future__ import annotations

import pytest

from agent.plan.bounds import MAX_REQUEST
from agent.plan.errors import PlanError
from agent.plan.request import parse_request

SECRET = "sk-ant-" + "a" * 24


@pytest.mark.parametrize("words", ["louder bass", "  a calm piece\n", "Ü" * MAX_REQUEST])
def test_a_request_is_kept_as_it_was_said(words: str) -> None:
    assert parse_request(words) == words


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("", "the request is empty"), (" \n\t", "the request is empty"),
        ("a" * (MAX_REQUEST + 1), "the request has 20,001 characters"), ("louder \ud800", "the request is no text"),
        (f"use {SECRET} for it", "the words hold a password, token or key"),
    ],
)
def test_what_is_none_says_why_and_what_to_do(words: str, what: str) -> None:
    with pytest.raises(PlanError) as refusal:
        parse_request(words)
    assert refusal.value.what == what
    assert refusal.value.advice
    assert SECRET not in str(refusal.value)
