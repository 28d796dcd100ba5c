"""Estimates, intervals and tests: pure functions."""
