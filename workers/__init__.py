"""Processes that fold commands into events, and the chores beside them. Imports services and engine."""
