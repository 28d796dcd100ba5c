"""What a run counts, as tables and figures."""
