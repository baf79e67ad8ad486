"""The plan under review: decided on, scaled, and seen as ghosts."""
