"""Rule sets and strategies compared."""
