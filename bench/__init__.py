"""What Croupier costs, measured beside its peers and beside the bare parts it stands on: `make bench`."""
