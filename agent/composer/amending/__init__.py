"""Amending: a remark on a plan that waits changes a value, a place or a part in what the plan was asked for."""
