"""One file per game; each defines `GAME`. Nothing else in the engine names a game."""
