"""A planner that asks a language model: prompts out, checked plans in."""
