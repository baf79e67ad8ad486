"""Everything that can be advised."""

from __future__ import annotations

from agent.fixes.advice import Say
from agent.fixes.outside import FolderFix, InstallExtra, KeyFix, MachineFix, ServerFix
from agent.fixes.songs import NameFix, PlanFix, RunFix, SongFix, UsualIntensity, WritingFix

Fix = (
    Say | RunFix | PlanFix | SongFix | WritingFix | UsualIntensity | NameFix | KeyFix | ServerFix | MachineFix
    | FolderFix | InstallExtra
)
"""Closed: each door has words for every one."""
