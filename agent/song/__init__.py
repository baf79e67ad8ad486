"""The song as immutable values: its parts, the closed list of edits, `apply`, the rules, and what changed."""
