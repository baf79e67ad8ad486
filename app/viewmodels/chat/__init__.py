"""The conversation: requests, what waits, answers."""
