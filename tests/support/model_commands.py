"""What a person at the command line gives to have a model plan."""

from __future__ import annotations

from model_server import Form, ModelServer

KEY = "sk-canary-9c1d7e5b3f20486aa1"
MODEL = "model-one"


def given(server: ModelServer, form: Form, key: str = KEY) -> dict[str, str]:
    """The environment of somebody who has a key, and a server instead of the provider's own."""
    family = "ANTHROPIC" if form == "anthropic" else "OPENAI"
    keys = {f"{family}_API_KEY": key} if key else {}
    keyring = {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
    return {f"{family}_BASE_URL": server.url(form), **keys, **keyring}


def by(form: str) -> tuple[str, ...]:
    """The options that name the model."""
    return ("--provider", form, "--model", MODEL)
