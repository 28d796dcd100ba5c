"""The strategy interface, the built-in bidders, and their tuning."""
