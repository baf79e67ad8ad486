"""What a call costs: by the list where it knows, nothing at home, and unknown said as unknown."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.providers.prices import cost_of, is_free
from agent.providers.provider import Usage

MILLION = Usage(1_000_000, 1_000_000, calls=1)


@pytest.mark.parametrize(("model", "provider"), [("claude-sonnet-5-5", "anthropic"), ("gpt-5.5", "openai")])
def test_known_models_have_prices_and_more_tokens_cost_more(model: str, provider: str) -> None:
    low, high = cost_of(model, provider, Usage(1000, 1000)), cost_of(model, provider, Usage(1000, 2000))
    assert low is not None
    assert high is not None
    assert 0 < low < high


def test_what_came_from_the_cache_is_cheaper_and_what_went_into_it_dearer() -> None:
    plain, read, wrote = (
        cost_of("claude-sonnet-5-5", "anthropic", usage)
        for usage in (Usage(10_000, 0), Usage(10_000, 0, cached=9_000), Usage(10_000, 0, written=9_000))
    )
    assert plain is not None
    assert read is not None
    assert wrote is not None
    assert read < plain < wrote


@pytest.mark.parametrize(
    ("model", "provider", "address"),
    [
        ("my-own-model", "openai", None),
        ("my-own-model", "anthropic", None),
        ("gpt-5.5", "somebody", None),
        ("gpt-5.5", "openai-chat", None),
        ("gpt-5.5", "openai-chat", "https://models.example.com/v1"),
        ("", "openai", None),
    ],
)
def test_an_unknown_price_is_none_and_not_nothing(model: str, provider: str, address: str | None) -> None:
    assert cost_of(model, provider, MILLION, address) is None


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:11434/v1", "http://localhost:1234/v1", "http://[::1]:8080/v1", "http://192.168.1.20/v1",
        "http://10.0.0.7:8000", "http://studio-mac.local:1234/v1", "http://gpubox:8000/v1", "http://[fd00::1]/v1",
    ],
)
def test_a_server_at_home_costs_nothing(address: str) -> None:
    assert cost_of("gpt-5.5", "openai-chat", MILLION, address) == 0.0
    assert not is_free("openai", address), "a proxy to a paid service may stand at home"


@pytest.mark.parametrize(
    "address", ["https://8.8.8.8/v1", "https://api.openai.com/v1", "https://local.example.com", "http://[", ""]
)
def test_a_server_elsewhere_is_not_free(address: str) -> None:
    assert not is_free("openai-chat", address)


def test_a_compatible_server_that_the_list_knows_has_its_own_prices() -> None:
    cost = cost_of("openai/gpt-5.5", "openai-chat", MILLION, "https://openrouter.ai/api/v1")
    assert cost is not None
    assert cost > 0


counts = st.integers(0, 10**7)


@given(counts, counts, counts, counts)
def test_figures_that_contradict_each_other_never_break_it(read: int, made: int, cached: int, written: int) -> None:
    cost = cost_of("claude-sonnet-5-5", "anthropic", Usage(read, made, cached, written))
    assert cost is not None
    assert cost >= 0


def test_the_list_is_not_loaded_before_it_is_needed() -> None:
    code = "import sys; import agent.providers.metered; sys.exit('genai_prices' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
