"""The models of an installation: settings, where keys come from, the choice, and providers over the real SDKs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import keyring
import pytest
from awaiting import awaited
from key_rings import Locked, Memory
from keyring.backend import KeyringBackend
from keyring.backends import fail
from model_server import Fails, Text, Tokens, model_server
from studios import paths_in

from agent.conversation.messages import UserTurn
from agent.fixes import FixKind
from agent.providers.errors import ProviderError
from agent.providers.provider import Finished, Provider, Query, Usage
from agent.song.ids import ProjectId, RunId
from app.bootstrap import open_studio
from app.storage import preferences
from app.storage.errors import BadKey, Damaged, KeyringError, NoKeyring
from app.storage.keyring import Keys
from app.storage.usage import UsageSum
from app.studio.errors import StudioError
from app.studio.models import Caps, Chosen, Given, ModelError, Models, ProviderSettings
from app.studio.studio import Studio

KEY = "sk-ant-canary-0123456789"
QUERY = Query("You write music.", (UserTurn("make a beat"),))
Make = Callable[..., Studio]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Studios over one home, each a program of its own with these variables and this keyring."""
    with ExitStack() as ends:
        def opened(backend: KeyringBackend | None = None, **environment: str) -> Studio:
            keys = Keys(backend=backend or Memory())
            studio = open_studio(paths_in(tmp_path / "home"), environment=environment, keys=keys)
            ends.callback(lambda: asyncio.run(studio.close()))
            return studio

        yield opened


@pytest.fixture
def models(make: Make) -> Models:
    return make().models


async def answered(provider: Provider) -> str:
    try:
        async for event in provider.reply(QUERY):
            if isinstance(event, Finished):
                return event.reply.text
    finally:
        await provider.close()
    raise AssertionError("no reply")


@awaited
async def test_settings_caps_and_choice_outlive_the_program(make: Make) -> None:
    first = make().models
    assert await first.settings("anthropic") == ProviderSettings("anthropic")
    assert await first.caps() == Caps()
    assert await first.chosen() == Chosen("local", "")
    wanted = ProviderSettings("openai-chat", "http://127.0.0.1:11434/v1/", " llama4 ", 0.4, 8192, small=True)
    await first.keep(wanted)
    await first.keep_caps(Caps(0.5, 20.0))
    await first.choose("openai-chat", "llama4")
    second = make().models
    kept = ProviderSettings("openai-chat", "http://127.0.0.1:11434/v1", "llama4", 0.4, 8192, small=True)
    assert await second.settings("openai-chat") == kept
    assert await second.settings("openai") == ProviderSettings("openai")
    assert await second.caps() == Caps(0.5, 20.0)
    assert await second.chosen() == Chosen("openai-chat", "llama4")


@awaited
async def test_a_server_by_its_url_has_the_settings_of_the_same_server_only(models: Models) -> None:
    await models.keep(ProviderSettings("openai-chat", "http://127.0.0.1:11434/v1", "llama4", small=True))
    same = await models.settings("http://127.0.0.1:11434/other/")
    assert same == ProviderSettings("openai-chat", "http://127.0.0.1:11434/other", "llama4", small=True)
    other = await models.settings("http://127.0.0.1:8080/v1")
    assert other == ProviderSettings("openai-chat", "http://127.0.0.1:8080/v1")


@pytest.mark.parametrize(
    "settings",
    [
        ProviderSettings("anthropic", base_url="https://me:canary@host"),
        ProviderSettings("anthropic", base_url="nonsense"),
        ProviderSettings("anthropic", model=KEY),
        ProviderSettings("anthropic", model="a\nb"),
        ProviderSettings("anthropic", model="x" * 300),
        ProviderSettings("anthropic", temperature=3.0),
        ProviderSettings("anthropic", temperature=float("nan")),
        ProviderSettings("anthropic", context=5),
    ],
)
@awaited
async def test_settings_that_cannot_be_are_refused(models: Models, settings: ProviderSettings) -> None:
    with pytest.raises(StudioError) as caught:
        await models.keep(settings)
    assert "canary" not in f"{caught.value} {caught.value.advice}"
    assert await models.settings("anthropic") == ProviderSettings("anthropic")


@pytest.mark.parametrize("cap", [-1.0, float("nan"), float("inf")])
@awaited
async def test_a_cap_that_is_no_amount_is_refused(models: Models, cap: float) -> None:
    with pytest.raises(StudioError):
        await models.keep_caps(Caps(per_month=cap))


@pytest.mark.parametrize("name", ["", "nobody", "Anthropic", KEY, "http://", "https://me:canary@host"])
@awaited
async def test_a_name_that_is_no_provider_is_refused_and_not_repeated(models: Models, name: str) -> None:
    asked = (models.settings, models.key_place, models.test, models.forget_key, models.choose)
    for ask in asked:
        with pytest.raises(StudioError) as caught:
            await ask(name)
        assert "canary" not in f"{caught.value} {caught.value.advice}"


@awaited
async def test_a_damaged_setting_is_told(make: Make) -> None:
    studio = make()
    await studio.store.write(lambda c: preferences.put(c, "model.caps", '{"per_run": "much"}'))
    with pytest.raises(Damaged, match=r"model\.caps"):
        await studio.models.caps()


@awaited
async def test_a_key_comes_from_the_environment_then_the_keyring_then_this_session(make: Make) -> None:
    ring = Memory()
    models = make(ring).models
    assert (await models.key_place("anthropic")).where == "none"
    assert (await models.put_session_key("anthropic", KEY)).where == "session"
    assert "this session only" in (await models.key_place("anthropic")).said
    assert not ring.kept
    place = await models.put_key("anthropic", f" {KEY} ")
    assert place.where == "keyring"
    assert list(ring.kept.values()) == [KEY]
    assert (await models.key_place("anthropic")).where == "keyring"
    assert (await models.key_place("openai")).where == "none"
    given = make(ring, ANTHROPIC_API_KEY="other").models
    assert (await given.key_place("anthropic")).where == "environment"
    assert "ANTHROPIC_API_KEY" in (await given.key_place("anthropic")).said
    assert "goes before it" in (await given.put_key("anthropic", KEY)).trouble
    assert await models.forget_key("anthropic")
    assert not await models.forget_key("anthropic")
    assert (await models.key_place("anthropic")).where == "none"


@awaited
async def test_where_the_keyring_refuses_the_key_is_kept_nowhere_but_can_be_for_the_session(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = make(Locked()).models
    with pytest.raises(KeyringError, match="locked"):
        await models.put_key("anthropic", KEY)
    place = await models.key_place("anthropic")
    assert place.where == "none"
    assert "locked" in place.trouble
    with pytest.raises(KeyringError, match="locked"):
        await models.test("anthropic")
    await models.put_session_key("anthropic", KEY)
    place = await models.key_place("anthropic")
    assert (place.where, "locked" in place.trouble) == ("session", True)
    with pytest.raises(KeyringError, match="locked"):
        await models.forget_key("anthropic")
    assert (await models.key_place("anthropic")).where == "none"


@awaited
async def test_without_a_keyring_a_session_key_is_forgotten_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyring, "get_keyring", fail.Keyring)
    studio = open_studio(paths_in(tmp_path), environment={}, keys=Keys())
    try:
        with pytest.raises(NoKeyring):
            await studio.models.put_key("openai", KEY)
        with pytest.raises(NoKeyring):
            await studio.models.forget_key("openai")
        await studio.models.put_session_key("openai", KEY)
        assert await studio.models.forget_key("openai")
    finally:
        await studio.close()


@pytest.mark.parametrize("key", ["", " ", "two words", "schlüssel"])
@awaited
async def test_a_text_that_is_no_key_is_refused_in_both_places(models: Models, key: str) -> None:
    for put in (models.put_key, models.put_session_key):
        with pytest.raises(BadKey):
            await put("anthropic", key)


@awaited
async def test_keys_of_servers_are_kept_by_their_origin(make: Make) -> None:
    ring = Memory()
    models = make(ring, OPENAI_API_KEY="for-openai").models
    await models.keep(ProviderSettings("openai-chat", "https://one.example/v1"))
    await models.put_key("openai-chat", "one")
    await models.put_key("https://two.example/v1", "two")
    names = {name: key for (_, name), key in ring.kept.items()}
    assert names == {"openai-chat:https://one.example:443": "one", "openai-chat:https://two.example:443": "two"}
    assert (await models.key_place("https://one.example/other")).where == "keyring"
    # The key of OpenAI in the environment is for OpenAI alone.
    assert (await models.key_place("https://three.example/v1")).where == "none"
    assert (await models.key_place("https://api.openai.com/v1")).where == "environment"
    both = make(ring, OPENAI_API_KEY="theirs", OPENAI_BASE_URL="https://three.example/v1").models
    assert (await both.key_place("https://three.example/v1")).where == "environment"
    assert (await both.key_place("https://four.example/v1")).where == "none"


@awaited
async def test_an_address_in_the_environment_goes_first_and_a_bad_one_is_named(make: Make) -> None:
    with model_server([], models=("there",)) as server:
        models = make(ANTHROPIC_BASE_URL=f" {server.url('anthropic')}/ ", ANTHROPIC_API_KEY=KEY).models
        await models.keep(ProviderSettings("anthropic", "https://elsewhere.example"))
        assert await models.test("anthropic") == ("there",)
        assert models.given("anthropic") == Given("ANTHROPIC_BASE_URL", await models.address("anthropic"))
        assert models.given("openai") is models.given("https://three.example/v1") is None
    bad = make(ANTHROPIC_BASE_URL="https://me:canary@host", ANTHROPIC_API_KEY=KEY).models
    told = bad.given("anthropic")
    assert told is not None
    assert told.trouble
    assert "canary" not in repr(told)
    with pytest.raises(StudioError, match="ANTHROPIC_BASE_URL") as caught:
        await bad.test("anthropic")
    assert "canary" not in f"{caught.value} {caught.value.advice}"


@awaited
async def test_without_key_or_model_nothing_is_asked_and_the_way_out_is_said(models: Models) -> None:
    with pytest.raises(ModelError, match="no key of anthropic") as caught:
        await models.provider(Chosen("anthropic", "large"))
    assert caught.value.fix == FixKind.SET_PROVIDER_KEY("anthropic", "ANTHROPIC_API_KEY")
    await models.put_session_key("anthropic", KEY)
    with pytest.raises(ModelError, match="no model of anthropic is chosen") as caught:
        await models.provider(Chosen("anthropic"))
    assert caught.value.fix is not None
    assert caught.value.fix.kind is FixKind.CHOOSE_MODEL
    with pytest.raises(ModelError, match="no key of openai"):
        await models.test("openai-chat")


@awaited
async def test_no_key_goes_over_an_open_line(models: Models) -> None:
    url = "http://models.example.org/v1"
    assert "not encrypted" in (await models.key_place(url)).trouble
    await models.put_session_key(url, KEY)
    with pytest.raises(ModelError, match="no key is sent to http://models"):
        await models.test(url)
    with pytest.raises(ModelError, match="no key is sent"):
        await models.provider(Chosen(url, "any"))


@pytest.mark.parametrize("kind", ["anthropic", "openai", "openai-chat"])
@awaited
async def test_a_key_test_lists_the_models_of_the_server(make: Make, kind: str) -> None:
    with model_server([], models=("small", "large")) as server:
        variable = "ANTHROPIC_BASE_URL" if kind == "anthropic" else "OPENAI_BASE_URL"
        models = make(**{variable: server.url(kind)}).models
        await models.put_key(kind, KEY)
        assert set(await models.test(kind)) == {"small", "large"}
        assert server.asked_models == 1


@awaited
async def test_a_key_that_is_not_accepted_is_an_error_without_it(make: Make) -> None:
    refusal = Fails(401, f"invalid key {KEY}")
    with model_server([], models=refusal) as server:
        models = make(ANTHROPIC_BASE_URL=server.url("anthropic"), ANTHROPIC_API_KEY=KEY).models
        with pytest.raises(ProviderError) as caught:
            await models.test("anthropic")
    assert caught.value.fault == "authentication"
    assert KEY not in f"{caught.value} {caught.value.advice}"


@awaited
async def test_a_provider_is_counted_and_stored(make: Make) -> None:
    heard: list[tuple[Usage, float | None]] = []
    with model_server([Text("one", tokens=Tokens(1000, 500, cached=400))]) as server:
        studio = make(ANTHROPIC_BASE_URL=server.url("anthropic"), ANTHROPIC_API_KEY=KEY)
        run = RunId("rone")
        provider = await studio.models.provider(
            Chosen("anthropic", "claude-sonnet-5-5"), project=ProjectId("pone"), run=run, purpose="run",
            on_usage=lambda usage, cost: heard.append((usage, cost)),
        )
        assert await answered(provider) == "one"
    [(usage, cost)] = heard
    assert cost
    assert usage.output == 500
    used = await studio.spending.of_run(run)
    assert used == UsageSum(1, usage.input, 500, 400, pytest.approx(cost), 0)
    assert await studio.spending.month() == used


@awaited
async def test_a_server_of_ones_own_needs_no_key_and_costs_nothing(make: Make) -> None:
    with model_server([Text("one")]) as server:
        studio = make(OPENAI_API_KEY=KEY)
        await studio.models.keep_caps(Caps(0.0, 0.0))
        assert await answered(await studio.models.provider(Chosen(server.url("openai-chat"), "any"))) == "one"
        assert KEY not in str(server.requests[0].headers)
    used = await studio.spending.month()
    assert (used.calls, used.cost, used.unpriced) == (1, 0.0, 0)


@awaited
async def test_caps_stop_before_and_between_calls(make: Make) -> None:
    dear = Text("one", tokens=Tokens(1_000_000, 0))
    with model_server([dear, dear]) as server:
        studio = make(ANTHROPIC_BASE_URL=server.url("anthropic"), ANTHROPIC_API_KEY=KEY)
        await studio.models.keep_caps(Caps(per_run=0.5, per_month=100.0))
        chosen, run = Chosen("anthropic", "claude-sonnet-5-5"), RunId("rone")
        provider = await studio.models.provider(chosen, run=run)
        assert await answered(provider) == "one"
        with pytest.raises(ProviderError) as between:
            await answered(provider)
        with pytest.raises(ProviderError, match="one run is reached") as before:
            await studio.models.provider(chosen, run=run)
        assert (between.value.fault, before.value.fault) == ("cap", "cap")
        assert len(server.requests) == 1
        # Another run has its own cap; the month is counted over all.
        await studio.models.provider(chosen, run=RunId("rtwo"))
        await studio.models.keep_caps(Caps(per_run=50.0, per_month=0.5))
        with pytest.raises(ProviderError, match="a month is reached"):
            await studio.models.provider(chosen, run=RunId("rthree"))
        assert len(server.requests) == 1
