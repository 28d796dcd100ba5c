"""Tables, statistics, plots and reports: frames in, tables and figures out."""
