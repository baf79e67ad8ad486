"""The figures of the campaigns: summed over their parts and told in the end, so that a person can quote them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable

import pytest

Figures = Callable[..., None]


@pytest.fixture
def figures(request: pytest.FixtureRequest) -> Figures:
    """Tell counts of a campaign; those of its parts, which may run in processes of their own, are added up."""

    def tell(campaign: str, **counts: int) -> None:
        request.node.user_properties.append(("campaign", [campaign, counts]))

    return tell


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line for each campaign."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, [])]
    for report in reports:
        for name, told in report.user_properties if report.when == "call" else []:
            if name == "campaign":
                found[told[0]].update(told[1])
    if found:
        terminalreporter.section("figures")
    for campaign, counts in sorted(found.items()):
        told = ", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in counts.items())
        terminalreporter.write_line(f"{campaign}: {told}")
