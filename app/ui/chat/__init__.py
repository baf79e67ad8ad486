"""The conversation and the request box."""
