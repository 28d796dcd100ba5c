"""The Python API: what `import modernart` offers, a theme a file. The commands call the same functions."""
