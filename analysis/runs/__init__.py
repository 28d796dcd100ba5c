"""Tournaments and the folders that keep them."""
