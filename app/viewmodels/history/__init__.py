"""The tree of versions, and two of them compared."""
