"""Where the learned numbers lie in their block of float32."""

from modernart.simulator.state import MAX_ROUNDS
from modernart.strategies.learning.features import N_LOT, N_MARKET, N_PUT_UP
from modernart.strategies.learning.network import network_size

#: Features of a hand at the start of a round: `modernart.strategies.learning.outcomes`.
N_LEAF = 12
#: Bidding numbers that tuning finds, each beside the parameter that shifts it.
N_KNOBS = 16

KNOBS = 0
LEAF = KNOBS + N_KNOBS
LOT = LEAF + MAX_ROUNDS * N_LEAF
CARD = LOT + network_size(N_LOT, 1)
ADDITION = CARD + network_size(N_PUT_UP, 1)
MARKET = ADDITION + network_size(N_PUT_UP, 1)
N_NUMBERS = MARKET + network_size(N_MARKET, 2)
#: Where tuning starts: pay what the lot is worth in open auctions and at a fixed price, a little less elsewhere.
FIRST_KNOBS = (0.95, 0.95, 0.97, 0.97, 0.0, 0.0, 0.0) + (0.0,) * (N_KNOBS - 7)
