"""A run from its approval to its end: begun, carried out, paused, stopped, taken up again, queued."""
