"""The first page: what can be asked for, what can be opened, what was open before."""
