"""What a first call needs can be loaded ahead of it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from model_server import FORMS, Form

CODE = """
import asyncio, sys
from agent.conversation.messages import UserTurn
from agent.providers.errors import ProviderError
from agent.providers.making import make_provider
from agent.providers.provider import Query
from agent.providers.making import preload

async def ask():
    provider = make_provider("{form}", "any", key="a-key-of-nobody", base_url="http://127.0.0.1:9")
    try:
        async for _ in provider.reply(Query("", (UserTurn("hello"),))):
            pass
    except ProviderError as error:
        print(error.fault)
    await provider.close()

libraries = ("anthropic", "openai", "httpx2", "pydantic")
assert not [name for name in sys.modules if name.startswith(libraries)]
preload("{form}")
loaded = set(sys.modules)
asyncio.run(ask())
print(sorted(name for name in set(sys.modules) - loaded if name.startswith(libraries)))
"""


@pytest.mark.parametrize("form", FORMS)
def test_a_warm_library_needs_no_more_loading_at_the_first_call(form: Form) -> None:
    code = CODE.format(form=form)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["network", "[]"]
