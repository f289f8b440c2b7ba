"""The rules of poker as pure functions: commands in, events out. Standard library only."""
