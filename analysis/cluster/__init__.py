"""Games played on other cores and machines, by a Dask cluster."""
