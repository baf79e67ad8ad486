"""Changing a song that exists: it is listened to, then each task of the request works on a sketch of it."""
