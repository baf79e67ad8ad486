"""The version tree."""
