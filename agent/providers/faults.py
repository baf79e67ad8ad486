"""Turns every error of a provider into one kind of error with advice and without the key."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from agent.fixes import Fix
from agent.message import msg
from agent.plan.plan import Json
from agent.providers.errors import Fault, ProviderError
from agent.providers.routes import BadRoute, causes, distrust_of
from agent.providers.secret import Secret

_LONGEST = 300

_ADVICE: dict[Fault, tuple[str, str]] = {
    "authentication": ("did not accept the key", "check the key in the settings, or paste a new one"),
    "permission": ("does not allow this with this key", "choose another model, or check the account's rights"),
    "no_such_model": ("has no such model at this address", "choose a model from its list, and check the address"),
    "bad_request": ("did not accept the request", "choose another model; if that does not help, report this message"),
    "too_large": ("found the request too large", "ask for less at once: fewer tracks or fewer bars"),
    "rate_limit": ("gets too many requests from you", "wait a minute, then retry"),
    "overloaded": ("is overloaded", "wait a minute, then retry"),
    "server": ("had a failure of its own", "retry; if it goes on, choose another model"),
    "network": ("cannot be reached", "check the connection and the address in the settings, then retry"),
    "endless": ("does not come to an end", "choose a faster model, or ask for less at once"),
    "untrusted": ("was sent nothing, because nobody can tell who it is", "check the address in the settings"),
    "route": ("cannot be reached from here", "check the proxies and certificates of the environment"),
    "stalled": ("has gone silent", "retry, or choose a faster model"),
    "cut_off": ("broke off before the answer was complete", "retry; nothing of it was used"),
    "not_a_model": ("does not answer as a language model", "check the address in the settings; many end in /v1"),
    "malformed": ("sent something that cannot be read", "retry; if it goes on, choose another model or server"),
    "refused": ("refused to answer", "put the request in other words"),
    "context_full": ("has no room for so long a talk", "start a new talk, or choose a model with a larger context"),
    "cap": ("would cost more than the cap", "raise the cap in the settings"),
    "repeats_key": (
        "repeated the key that was sent to it, so nothing of its answer is used",
        "look at who runs this server, and change the key",
    ),
    "quota": ("has no credit left for this key", "check the account's plan and credit"),
    "unknown": ("failed in a way nobody foresaw", "retry; if it goes on, report this message"),
}

_BY_STATUS: dict[int, Fault] = {
    401: "authentication", 402: "quota", 403: "permission", 404: "no_such_model", 405: "not_a_model",
    408: "server", 409: "server", 413: "too_large", 425: "server", 429: "rate_limit", 503: "overloaded",
    529: "overloaded",
}

_BY_CODE: dict[str, Fault] = {
    "insufficient_quota": "quota", "billing_error": "quota", "billing_hard_limit_reached": "quota",
    "context_length_exceeded": "context_full", "exceed_context_size_error": "context_full",
    "model_not_found": "no_such_model", "not_found_error": "no_such_model",
    "invalid_api_key": "authentication", "authentication_error": "authentication",
    "permission_error": "permission", "request_too_large": "too_large",
    "rate_limit_error": "rate_limit", "rate_limit_exceeded": "rate_limit",
    "overloaded_error": "overloaded", "server_is_overloaded": "overloaded", "slow_down": "overloaded",
    "api_error": "server", "server_error": "server", "internal_error": "server", "timeout_error": "server",
    "invalid_request_error": "bad_request", "invalid_prompt": "bad_request",
    "content_filter": "refused", "content_policy_violation": "refused", "bio_policy": "refused",
    "misalignment_policy_violation": "refused",
}

_SHARPER: frozenset[Fault] = frozenset({"quota", "context_full", "no_such_model", "refused", "authentication"})
"""Faults that an error code tells more precisely than the HTTP status does."""

_CONTEXT = re.compile(
    r"context (length|window|size)|maximum context|prompt is too long|too many tokens|input is too long"
    r"|exceeds? the (available |model'?s? )?context|reduce the length|n_ctx",
    re.IGNORECASE,
)
_CREDIT = re.compile(r"credit balance|insufficient (credits|quota|balance)", re.IGNORECASE)


class Faults:
    """Makes the errors of one provider, from which its key, the `secret`, is removed."""

    def __init__(self, name: str, secret: Secret) -> None:
        self._name = name
        self._secret = secret

    @property
    def secret(self) -> Secret:
        """The key."""
        return self._secret

    def make(
        self, fault: Fault, why: str = "", *, fix: Fix | str | None = None, wait: float | None = None
    ) -> ProviderError:
        """The error of this kind with its usual advice, or with `fix`; `why` is the reason in words, `wait` the seconds
        that the server asked to wait, None if it did not."""
        what, advice = _ADVICE[fault]
        return ProviderError(
            fault, msg("{name} {what}", name=self._name, what=what), why=self._clean(why), fix=fix or advice, wait=wait
        )

    def repeated_key(self) -> ProviderError:
        """The error for an answer that contains the key."""
        return self.make("repeats_key", "what holds a key is shown and stored nowhere")

    def check_key(self, *, needed: bool) -> None:
        """Raise `ProviderError` if the key is `needed` and missing, or cannot be sent in a header."""
        if needed and not self._secret:
            raise self.make("authentication", "no key is set", fix="set a key in the settings")
        if not self._secret.fits_a_header:
            raise self.make("authentication", "the key holds spaces or characters that no key has")

    def told(self, error: Json) -> ProviderError:
        """The error that a server reports within a stream: its `error` object or text."""
        code, message = _code_and_message(error)
        fault = _BY_CODE.get(code) or (_by_status(int(code)) if code.isdecimal() and int(code) >= 400 else None)
        if fault in (None, "bad_request", "server"):
            fault = _by_words(message) or fault or "server"
        return self.make(fault, message or code)

    def of(self, error: BaseException) -> ProviderError:
        """Any exception as `ProviderError`, without chained exceptions that could contain a key."""
        if isinstance(error, ProviderError):
            error.__cause__ = error.__context__ = None
            return error.with_traceback(None)
        status = getattr(error, "status_code", None)
        if isinstance(status, int) and hasattr(error, "response"):
            return self._of_status(status, error)
        if isinstance(error, BadRoute):
            return self.make("route", f"{error.what}: {error.why}", fix=error.fix)
        if distrust := distrust_of(error):
            return self.make("untrusted", distrust.why, fix=distrust.fix)
        for cause in causes(error):
            fault = _of_cause(cause)
            if fault is not None:
                return self.make(fault, _why(cause) or ("nothing came in time" if fault == "stalled" else "it hung up"))
        return self.make("unknown", f"{type(error).__name__}: {error}")

    def _of_status(self, status: int, error: BaseException) -> ProviderError:
        body: Json = getattr(error, "body", None)
        headers: Mapping[str, str] = getattr(getattr(error, "response", None), "headers", {})
        code, message = _code_and_message(body)
        if 300 <= status < 400:
            host = urlsplit(headers.get("location", "")).netloc or "another address"
            return self.make(
                "not_a_model", f"it sends the call on to {host}, which was not followed",
                fix="put the final address into the settings",
            )
        fault = _by_status(status)
        sharper = _BY_CODE.get(code)
        if sharper in _SHARPER:
            fault = sharper
        elif fault == "no_such_model" and _is_page(body):
            fault = "not_a_model"
        elif fault in ("bad_request", "server", "permission", "too_large"):
            fault = _by_words(message) or fault
        said = "" if _is_page(body) else message
        return self.make(fault, f"HTTP {status}: {said}" if said else f"HTTP {status}", wait=retry_after(headers))

    def _clean(self, text: str) -> str:
        """One line without the key; scrubbed first, so that no cut leaves half a key."""
        line = " ".join(self._secret.scrub(text[: 40 * _LONGEST]).split())
        return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the server asks to wait, given as seconds or as a date; None if it says nothing."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "")
        try:
            seconds = float(value) * unit
        except ValueError:
            seconds = _until(value)
        if math.isfinite(seconds):
            return max(0.0, seconds)
    return None


def _until(date: str) -> float:
    try:
        moment = parsedate_to_datetime(date)
    except (ValueError, IndexError, TypeError):
        return math.nan
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - datetime.now(UTC)).total_seconds()


def _by_status(status: int) -> Fault:
    return _BY_STATUS.get(status) or ("server" if status >= 500 else "bad_request")


def _by_words(message: str) -> Fault | None:
    if _CONTEXT.search(message):
        return "context_full"
    return "quota" if _CREDIT.search(message) else None


def _code_and_message(body: Json) -> tuple[str, str]:
    """A server's error code and words, from any of the shapes that servers give them."""
    if isinstance(body, dict) and isinstance(body.get("error"), dict | str):
        body = body["error"]
    if isinstance(body, str):
        return "", body
    if not isinstance(body, dict):
        return "", ""
    message = body.get("message") or body.get("detail") or ""
    codes = [str(body[key]) for key in ("code", "type") if isinstance(body.get(key), str | int)]
    code = next((one for one in codes if one in _BY_CODE and _BY_CODE[one] != "bad_request"), codes[0] if codes else "")
    text = message if isinstance(message, str) else json.dumps(message, ensure_ascii=False, default=str)
    param = body.get("param")
    return code, f"{text} [{param}]" if isinstance(param, str) and param and param not in text else text


def _is_page(body: Json) -> bool:
    return isinstance(body, str) and body.lstrip()[:1] == "<"


def _why(error: BaseException) -> str:
    """What a person is told of a cause: never how our own code stumbled over it."""
    if isinstance(error, LookupError | TypeError | AttributeError | AssertionError):
        return "it sent something in a shape that this API does not have"
    return str(error)


def _of_cause(error: BaseException) -> Fault | None:
    # Loaded here: the library is heavy, and whoever meets its errors has it loaded already.
    import httpx2

    match error:
        case httpx2.ConnectTimeout() | httpx2.PoolTimeout():
            return "network"
        case httpx2.TimeoutException() | TimeoutError():
            return "stalled"
        case httpx2.UnsupportedProtocol() | httpx2.InvalidURL() | httpx2.TooManyRedirects():
            return "not_a_model"
        case httpx2.LocalProtocolError():
            return "bad_request"
        case httpx2.RemoteProtocolError() if "disconnected" not in str(error):
            return "not_a_model"
        case httpx2.DecodingError():
            return "malformed"
        case httpx2.HTTPError() | OSError():
            return "network"
        case (
            ValueError() | ArithmeticError() | RecursionError() | LookupError() | TypeError() | AttributeError()
            | AssertionError()
        ):
            # What a server sends in a shape that no code expected.
            return "malformed"
    return None
