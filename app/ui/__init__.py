"""The window's parts: a kit, features that are strangers to each other, and a shell that places them."""
