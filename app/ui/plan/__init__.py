"""The plan as a person reviews it and watches it run."""
