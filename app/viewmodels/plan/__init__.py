"""The plan: under review, as the rows of its table, and while it runs."""
