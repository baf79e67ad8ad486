"""Services with effects on the world."""
