"""The built-in bidders: one idea or family a file."""
