"""The one local database, its backups, and keys in the operating system's keyring."""
