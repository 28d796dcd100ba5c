"""How the bidder `learned` comes by its weights: features, small networks, self-play with forks, fitting, files."""
