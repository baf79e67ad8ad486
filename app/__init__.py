"""The application: everything that touches the world."""
