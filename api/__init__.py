"""The HTTP face of Croupier. Imports services and engine."""
