"""The plan as the rows of its table."""
