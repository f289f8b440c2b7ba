"""The event log and everything built on it. Imports engine."""
