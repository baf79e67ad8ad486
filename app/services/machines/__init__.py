"""Studio machines: a fixed list of commands over SSH or WinRM."""
