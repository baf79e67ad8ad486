"""What is read whole from a server, an error or a list of models, cannot fill the memory."""

from __future__ import annotations

import gzip
import json

import pytest
from asking import error_of, provider_at, ran
from model_server import FORMS, Form, Page, model_server

from agent.providers.errors import ProviderError
from agent.providers.provider import Provider

each_form = pytest.mark.parametrize("form", FORMS)
PADDING = "x" * 3_000_000
PACKED = (("Content-Encoding", "gzip"),)


async def _names(provider: Provider) -> tuple[str, ...]:
    try:
        return await provider.models()
    finally:
        await provider.close()


@each_form
@pytest.mark.parametrize("packed", [False, True])
def test_of_a_long_error_only_the_beginning_is_read(form: Form, packed: bool) -> None:
    # What stands behind the padding would make it another fault, were it read.
    body = json.dumps({"error": {"message": "no", "pad": PADDING, "code": "insufficient_quota"}}).encode()
    page = Page(gzip.compress(body) if packed else body, "application/json", 400, PACKED if packed else ())
    with model_server(page) as server:
        error = error_of(provider_at(form, server.url(form)))
    assert error.fault == "bad_request"
    assert "HTTP 400" in error.why
    assert len(error.why) < 400


@each_form
def test_a_list_of_models_that_is_too_long_is_one_clear_error(form: Form) -> None:
    entries = [{"id": "model-one", "object": "model", "pad": PADDING}] * 7
    body = gzip.compress(json.dumps({"data": entries, "has_more": False}).encode())
    assert len(body) < 100_000
    with (
        model_server([], models=Page(body, "application/json", headers=PACKED)) as server,
        pytest.raises(ProviderError, match="cannot be read") as caught,
    ):
        ran(_names(provider_at(form, server.url(form))))
    assert caught.value.fault == "malformed"
    assert caught.value.why == "more than 16 MB for one list"


@each_form
def test_a_packed_error_and_a_packed_list_are_read(form: Form) -> None:
    listed = gzip.compress(json.dumps({"data": [{"id": "model-one", "type": "model"}], "has_more": False}).encode())
    refused = gzip.compress(json.dumps({"error": {"message": "a credit balance of 0", "type": "error"}}).encode())
    with model_server(
        Page(refused, "application/json", 400, PACKED), models=Page(listed, "application/json", headers=PACKED)
    ) as server:
        assert ran(_names(provider_at(form, server.url(form)))) == ("model-one",)
        assert error_of(provider_at(form, server.url(form))).fault == "quota"


@each_form
@pytest.mark.parametrize("event", [{"choices": [None]}, {"type": "message_start", "message": 7}, {"type": 3}])
def test_an_answer_of_another_shape_is_told_without_the_inside_of_the_program(form: Form, event: object) -> None:
    page = Page(f"data: {json.dumps(event)}\n\n".encode(), "text/event-stream", 200)
    with model_server(page) as server:
        error = error_of(provider_at(form, server.url(form)))
    assert "object" not in error.why
    assert "attribute" not in error.why
