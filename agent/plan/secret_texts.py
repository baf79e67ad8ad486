"""Tells whether a text holds a password, token or key, by its looks."""

from __future__ import annotations

import re

_VALUES = re.compile(
    r"\b(sk-(ant-)?[A-Za-z0-9_-]{16}|[rs]k_(live|test)_\w{16}|gh[oprsu]_[A-Za-z0-9]{20}|github_pat_\w{20}"
    r"|glpat-[\w-]{20}|hf_[A-Za-z0-9]{20}|npm_[A-Za-z0-9]{30}|ya29\.[\w-]{20}|xox[abeoprs]-[\w-]{10}"
    r"|xapp-[\w-]{10}|AKIA[A-Z0-9]{12}|AIza[\w-]{30}|(?i:bearer|basic) [A-Za-z0-9+/=._~-]{16})"
    r"|BEGIN [A-Z ]{0,40}PRIVATE KEY|://[^/\s:@]{1,1000}+:[^/\s@]{1,2000}+@"
    r"|(?i:\b(pass(word|wd|phrase)|pwd|secret|api[_-]?key|(access|auth|api)[_-]?token)=['\"]?[^\s'\"{$<%*&]{4})"
    r"|\bsshpass {1,80}-p|(?i: -password {1,80}['\"]?[^\s{-])"
)
_STRETCH, _LONGEST_VALUE = 50_000, 4_000
"""Letters that are looked through at a time, so that other threads get their turn; and the most that one of
`_VALUES` is long, by which stretches overlap."""
_SIGNED_TOKEN = re.compile(r"(?<![\w-])([\w-]{13,}+)(?=\.[\w-]{10,}+\.)")
_TOKEN_HEAD = re.compile(r"\beyJ[\w-]{10}")
_USER_AT_HOST = re.compile(r"[^\s:@/]++:[^\s@/]++@(?=[^\s@]++$)[^\s@][^\s@.]*+\.[^\s@]")


def holds_secret(text: str) -> bool:
    """Whether something in the text looks like a secret; takes time in proportion to its length."""
    return (
        any(_VALUES.search(text, at, at + _STRETCH + _LONGEST_VALUE) for at in range(0, len(text), _STRETCH))
        or _USER_AT_HOST.match(text) is not None
        or any(_TOKEN_HEAD.search(found[1]) for found in _SIGNED_TOKEN.finditer(text))
    )
