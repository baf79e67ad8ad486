"""Addresses of servers: taken in one form, refused with a secret in them, told when others can read along."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.studio.addresses import parse_address
from app.studio.errors import StudioError


@pytest.mark.parametrize(
    ("text", "url", "origin"),
    [
        ("http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1", "http://127.0.0.1:11434"),
        (" https://openrouter.ai/api/v1/ ", "https://openrouter.ai/api/v1", "https://openrouter.ai:443"),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1", "http://[::1]:8080"),
        ("HTTPS://Example.ORG", "HTTPS://Example.ORG", "https://example.org:443"),
        ("http://studio", "http://studio", "http://studio:80"),
    ],
)
def test_an_address_and_its_origin(text: str, url: str, origin: str) -> None:
    address = parse_address(text)
    assert (address.url, address.origin, address.open) == (url, origin, False)


@pytest.mark.parametrize("host", ["example.org", "8.8.8.8", "192.168.0.1.example.org", "localhost.example.org"])
def test_plain_http_beyond_the_own_network_is_open(host: str) -> None:
    assert parse_address(f"http://{host}/v1").open
    assert not parse_address(f"https://{host}/v1").open


@pytest.mark.parametrize("host", ["localhost", "127.0.0.9", "10.1.2.3", "192.168.0.7", "studio.local", "[fd00::1]"])
def test_plain_http_in_the_own_network_is_not(host: str) -> None:
    assert not parse_address(f"http://{host}:1234/v1").open


@pytest.mark.parametrize(
    "text",
    [
        "", "localhost:1234", "ftp://host/v1", "https://", "https:///v1", "http://host:port/", "http://host:99999",
        "https://me:canary@host/v1", "https://canary@host/v1", "https://host/v1?key=canary", "https://host/#canary",
        "https://host/v1?", "https://ho st/canary", "https://host/\ncanary", "https://hö.st/canary", "http://[::1/canary",
        "https://host/" + "canary" * 300, "javascript:canary", "file:///canary",
    ],
)
def test_what_is_no_address_or_holds_a_secret_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(StudioError) as caught:
        parse_address(text)
    assert "canary" not in f"{caught.value} {caught.value.advice}"
    assert caught.value.advice


@given(st.text() | st.text(alphabet="http://:@[]?#%.1a").map(lambda end: f"http://{end}"))
def test_any_text_is_an_address_or_one_error(text: str) -> None:
    try:
        address = parse_address(text)
    except StudioError:
        return
    assert parse_address(address.url) == address
    assert address.origin.startswith(("http://", "https://"))
