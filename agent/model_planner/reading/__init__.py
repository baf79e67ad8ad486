"""What a model answers, read: whole or while it streams, cut or sloppy, until it is a draft or a question."""
