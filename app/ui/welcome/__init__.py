"""The first page: what to ask, and the recent projects."""
