"""Disk and keys: the database, content-addressed versions, the keyring."""
