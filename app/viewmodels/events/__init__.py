"""The events of a run, as a window lists them."""
