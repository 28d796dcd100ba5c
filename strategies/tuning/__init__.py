"""How strategies are tuned: the focal seat, the search, files of tuned parameters."""
