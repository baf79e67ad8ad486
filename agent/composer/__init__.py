"""The offline composer: a planner that needs no model."""
