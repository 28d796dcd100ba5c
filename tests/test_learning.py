"""Learned weights: networks against a plain twin, features of hand-made tables, fitting, training runs, files."""

import itertools
import json
import math

import numpy as np
import pytest

from modernart.simulator.cards import card_code
from modernart.simulator.data import address_of_data
from modernart.simulator.decisions import DECLINE, Phase
from modernart.simulator.errors import UsageError
from modernart.simulator.interpreter import play_record
from modernart.simulator.jit import kernel
from modernart.simulator.rules import Rules, load_edition
from modernart.simulator.setup import games_of
from modernart.strategies.bidders import learned as bidder
from modernart.strategies.forecast import PAYS, new_view
from modernart.strategies.learning import layout, training, weights_file
from modernart.strategies.learning.features import (
    AFTER_ROWS,
    N_AFTER,
    N_LOT,
    N_PUT_UP,
    N_SCENE,
    lot_features,
    places_of,
    put_up_features,
    set_scene,
)
from modernart.strategies.learning.fitting import (
    Network,
    centred,
    chance_of_winning,
    explained,
    fit,
    squared,
    squared_in_groups,
)
from modernart.strategies.learning.hearing import OPEN_HEARD, OPEN_LEVEL, SEALED_LEVEL, hear, note_sale
from modernart.strategies.learning.iteration import NETWORKS, new_judgement
from modernart.strategies.learning.network import (
    WIDTH_1,
    WIDTH_2,
    hidden_units,
    network_size,
    output,
    output_offset,
)
from modernart.strategies.learning.outcomes import mind_rivals, relative
from modernart.strategies.specs import load_players, load_strategy

CLASSIC = load_edition("classic").rules(4)
KRYPTO_OPEN, KRYPTO_SEALED, LITE_DOUBLE = card_code(4, 0), card_code(4, 2), card_code(0, 4)


@kernel
def outputs_of(address, offset, n_inputs, x, n_outputs):
    units = np.zeros(WIDTH_2, np.float32)
    hidden_units(np.int64(address), np.int64(offset), np.int64(n_inputs), x, units)
    results = np.zeros(n_outputs)
    for k in range(n_outputs):
        results[k] = output(np.int64(address), output_offset(offset, n_inputs), units, k)
    return results


def naive_network(numbers, x, n_outputs):
    """The slow, obvious way: one multiplication at a time, in double precision."""
    numbers = [float(number) for number in numbers]

    def layer(inputs, width):
        bias = [numbers.pop(0) for _ in range(width)]
        for value in inputs:
            for unit in range(width):
                bias[unit] += value * numbers.pop(0)
        return [max(total, 0.0) for total in bias]

    units = layer(layer(list(map(float, x)), WIDTH_1), WIDTH_2)
    results = []
    for _ in range(n_outputs):
        total = numbers.pop(0)
        for unit in units:
            total += numbers.pop(0) * unit
        results.append(total)
    assert not numbers
    return results


@pytest.mark.parametrize("n_inputs", [2, 46, 64])
def test_network_equals_its_plain_twin(n_inputs):
    rng = np.random.default_rng(n_inputs)
    offset = 5
    block = rng.normal(0, 0.4, offset + network_size(n_inputs, 2)).astype(np.float32)
    for _ in range(5):
        x = rng.normal(0, 1, n_inputs).astype(np.float32)
        found = outputs_of(address_of_data(block), offset, n_inputs, x, 2)
        assert found == pytest.approx(naive_network(block[offset:], x, 2), rel=1e-4, abs=1e-4)


def test_network_in_numbers_that_can_be_checked_by_hand():
    block = np.zeros(network_size(2, 1), np.float32)
    block[0] = 1.0  # bias of the first unit
    block[WIDTH_1] = 2.0  # its weight of the first input
    block[2 * WIDTH_1] = -3.0  # and of the second
    second = 3 * WIDTH_1
    block[second] = 0.5
    block[second + WIDTH_2] = 4.0
    start = output_offset(0, 2)
    block[start], block[start + 1] = 10.0, 1.0
    address = address_of_data(block)
    # 1 + 2*3 - 3*1 = 4; 0.5 + 4*4 = 16.5; 10 + 16.5
    assert outputs_of(address, 0, 2, np.array([3, 1], np.float32), 1)[0] == 26.5
    # 1 + 2*0 - 3*1 < 0 counts as 0; 0.5; 10.5
    assert outputs_of(address, 0, 2, np.array([0, 1], np.float32), 1)[0] == 10.5


def test_layout_has_every_number_once():
    sizes = {name: network_size(n, len(start)) for name, (n, start, _) in NETWORKS.items()}
    places = sorted((offset, offset + sizes[name]) for name, (_, _, offset) in NETWORKS.items())
    # Each starts where a cache line of 64 bytes does, with less than a line of room before it.
    assert places[0][0] == layout.LOT == 112
    assert all(start % 16 == 0 and 0 <= start - end < 16 for (_, end), (start, _) in itertools.pairwise(places))
    assert 0 <= layout.N_NUMBERS - places[-1][1] < 16
    block = layout.block_of(np.arange(layout.N_NUMBERS))
    assert block.ctypes.data % 64 == 0
    assert block.tolist() == list(range(layout.N_NUMBERS))


def lot_game():
    """Seat 2 sells a Krypto; two Kryptos and a Lite Metal are out; seat 0 holds three cards."""
    game = games_of(CLASSIC, 1)[0]
    table = game.table
    table.phase, table.seat, table.auctioneer = Phase.SEALED, 3, 2
    table.round_index = 1
    table.kind, table.artist, table.n_lot, table.lot_crowns = 2, 4, 1, 1
    table.cards_out[:5] = [1, 0, 0, 0, 2]
    table.values[:5] = [10, 0, 0, 20, 30]
    table.money[:4] = [90, 120, 100, 80]
    table.stakes[1, 4] = 1
    table.gallery[1, 4] = 1
    hand = game.hands[0]
    hand.seat = 0
    hand.cards[:3] = KRYPTO_OPEN, KRYPTO_SEALED, LITE_DOUBLE
    hand.n_cards = 3
    table.hand_sizes[:4] = [3, 5, 4, 6]
    table.cards_in_hands = 18
    return game


def test_a_new_kind_of_auction_looks_sealed_to_the_networks_and_moves_no_other():
    assert places_of("ORSFDB") == (0, 1, 2, 3, 4, 5)
    assert places_of("ORSFVDB") == (0, 1, 2, 3, 2, 4, 5)


def test_features_of_a_lot_in_literal_numbers():
    game = lot_game()
    table, hand = game.table, game.hands[0]
    view = new_view(table, hand, True)
    scene = np.zeros(N_SCENE, np.float32)
    set_scene(table, hand, view, scene)
    x = np.zeros(N_LOT, np.float32)
    lot_features(table, hand, view, scene, x)
    pays = view[PAYS, 4]
    # Two rounds to come, neither the last nor the one before; cards still to be dealt; own and rivals' cards.
    assert x[:7].tolist() == [2.0, 0.0, 0.0, 4.0, 3.0, 5.0, 5.0]
    assert x[7:9] == pytest.approx([0.9, 1.2])
    # Own wealth 90; seat 1 has 120 and a Krypto.
    assert x[10] == pytest.approx(0.01 * (90 - 120 - pays), abs=1e-5)
    assert x[11] == 0.0
    assert x[13] == pytest.approx(-0.1 * pays / 3, abs=1e-5)
    # Krypto: pays, two out, two in the own hand, a third of a crown behind, 30 on the board.
    assert x[14] == pytest.approx(0.1 * pays)
    assert x[15:17].tolist() == [2.0, 2.0]
    assert x[18] == pytest.approx(-1 / 3)
    assert x[19] == 3.0
    # None of the own, one in all; now it would pay 30 + 30; one at most, none ahead, level or double; three to the end.
    assert x[20:29].tolist() == [0.0, 1.0, 6.0, 1.0, 0.0, 0.0, 0.0, 3.0, 0.0]
    # The seat to the left holds one.
    assert x[29] == 1.0
    # The others by what they should pay: falling.
    others = x[30:66:9].tolist()
    assert others == sorted(others, reverse=True)
    # Own cards of Krypto by kind, then all.
    assert x[66:78].tolist() == [1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 1, 0]
    # Worth, crowns; not the seller, nor left of the seller; the seller holds none; one card.
    assert x[78] == pytest.approx(0.1 * pays)
    assert x[79:84].tolist() == [1.0, 0.0, 0.0, 0.0, 1.0]
    # Nobody was heard yet.
    assert not x[84:].any()


def test_hearing_moves_the_level_of_who_was_heard():
    game = lot_game()
    table, hand = game.table, game.hands[0]
    table.kind, table.n_sold = 0, 7
    note_sale(table, hand, 40.0)
    hear(table, hand)
    assert not hand.notes[16:].any()
    # Seat 1 dropped out at 20, seat 2 at 30, seat 3 bought at 31: it would have gone at least so far.
    table.n_sold, table.last_buyer = 8, 3
    table.heard[:4] = [10, 20, 30, 31]
    hear(table, hand)
    # Half a level of 0.5 against half of the first thought, 0.85.
    assert hand.notes[OPEN_LEVEL : OPEN_LEVEL + 4].tolist() == pytest.approx([0, -0.175, -0.05, 0])
    assert hand.notes[OPEN_HEARD : OPEN_HEARD + 4].tolist() == [0, 1, 1, 0]
    hear(table, hand)
    assert hand.notes[OPEN_HEARD + 1] == 1
    # A sealed lot shows all amounts, also the buyer's; another lot in between is not learned from.
    table.kind = 2
    note_sale(table, hand, 40.0)
    table.n_sold, table.heard[:4] = 9, [5, 0, 20, 54]
    hear(table, hand)
    assert hand.notes[SEALED_LEVEL : SEALED_LEVEL + 4].tolist() == pytest.approx([0, -0.425, -0.175, 0.25])
    note_sale(table, hand, 40.0)
    table.n_sold = 11
    hear(table, hand)
    assert hand.notes[SEALED_LEVEL + 1] == pytest.approx(-0.425)


def test_bid_is_the_best_of_chance_times_gain():
    prices = np.linspace(0, 1.6, 160_001)
    for middle, width, worth in [
        (0.8, 0.05, 1.1),
        (0.8, 0.2, 1.0),
        (0.9, 0.1, 0.7),
        (0.5, 0.02, 1.4),
        (0.8, 0.15, 0.75),
    ]:
        gains = (worth - prices) / (1 + np.exp((middle - prices) / width))
        best = prices[np.argmax(gains)]
        assert bidder.best_bid(worth, middle, width) == pytest.approx(best, abs=2e-5)
    # Rivals who surely pay 0.6 are outbid, and by no more than it takes.
    assert bidder.best_bid(1.0, 0.6, 0.001) == pytest.approx(0.606, abs=1e-3)
    assert bidder.best_bid(0.02, 0.9, 0.1) == 0.0


def test_price_is_what_sells_dearest():
    prices = np.linspace(0, 1.6, 16_001)
    for middle, width, worth, n in [
        (0.9, 0.1, 0.9, 4.0),
        (0.7, 0.2, 1.2, 3.0),
        (1.0, 0.05, 0.4, 5.0),
        (0.5, 0.3, 0.0, 4),
    ]:
        sold = n / (n - 1)
        refused = 1 / (1 + np.exp((middle - prices) / width))
        gains = (1 - refused) * prices * sold + refused * (worth * sold - prices)
        found = bidder.best_price(worth, middle, width, n)
        assert found == pytest.approx(prices[np.argmax(gains)], abs=1.6 / 2**8)
    # All pay up to 0.9: it asks a little less; a lot worth much more to oneself is priced out of reach.
    assert bidder.best_price(0.9, 0.9, 0.001, 4.0) == pytest.approx(0.893, abs=0.004)
    assert bidder.best_price(3.0, 0.9, 0.001, 4.0) == pytest.approx(0.907, abs=0.004)


@pytest.mark.parametrize("is_second_price", [True, False])
def test_reserve_gains_most_over_drawn_rivals(is_second_price):
    """The slow way: draw three rivals' prices again and again, and sell at every reserve."""
    worth, n = 0.9, 4.0
    rng = np.random.default_rng(3)
    middle, width = 0.7, 0.12
    # Three draws whose best is logistic: the chance that one lies below is the cube root.
    u = rng.random((40_000, 3)) ** 3
    rivals = middle - width * np.log(1 / u - 1)
    top, second = np.sort(rivals, axis=1)[:, -1], np.sort(rivals, axis=1)[:, -2]
    sold = n / (n - 1)
    gains = []
    for reserve in np.arange(0, 65) * 0.025:
        keeps = top < reserve
        price = np.maximum(second, reserve) if is_second_price else top
        paid = top if is_second_price else reserve
        gains.append(np.where(keeps, worth * sold - paid, np.maximum(price, 0) * sold).mean())
    found = bidder.best_reserve(worth, middle, width, n, is_second_price)
    assert gains[round(found / 0.025)] > max(gains) - 0.002
    assert found == pytest.approx(0.025 * np.argmax(gains), abs=0.05)


def test_a_seller_bids_nothing_in_secret_where_any_bid_loses():
    # Worth 0.2 against rivals who may bid anything: to pay for it costs more than to keep it gains.
    assert bidder.best_reserve(0.2, 0.2, 0.4, 4.0, False) == 0.0
    # Rivals who bid next to nothing: it keeps the lot, for as little as that takes.
    assert bidder.best_reserve(0.5, 0.02, 0.01, 4.0, False) == pytest.approx(0.05, abs=0.02)


def test_fitting_finds_a_function_and_keeps_its_scale():
    rng = np.random.default_rng(1)
    x = rng.normal(5, 3, (20_000, 6)).astype(np.float32)
    target = (np.abs(x[:, 0] - 5) + 0.5 * x[:, 1]).astype(np.float32)
    network = Network.blank(6, (0.0,), rng)
    network.learn_scale(x)
    fit(network, x, np.arange(len(x) + 1), squared(target), 60, 5e-3, 1)
    assert explained(target, network.predict(x)[:, 0]) > 0.98
    # Written out, it takes the inputs as they are.
    row = x[7]
    numbers = network.numbers()
    assert naive_network(numbers, row, 1)[0] == pytest.approx(network.predict(x[7:8])[0, 0], abs=1e-3)
    played = outputs_of(address_of_data(numbers), 0, 6, row, 1)[0]
    assert played == pytest.approx(network.predict(x[7:8])[0, 0], abs=1e-3)


def test_weights_that_were_written_can_be_fitted_on():
    rng = np.random.default_rng(4)
    x = rng.normal(5, 3, (500, 6)).astype(np.float32)
    x[:, 2] = 1.5  # never changes, but did when the weights were fitted
    network = Network.blank(6, (0.3, -1.0), rng)
    network.learn_scale(rng.normal(4, 2, (500, 6)).astype(np.float32))
    network.layers = [(layer + rng.normal(0, 0.3, layer.shape)).astype(np.float32) for layer in network.layers]
    again = Network.from_numbers(network.numbers(), 6, 2, x)
    assert again.mean == pytest.approx(x.mean(axis=0), rel=1e-4)
    assert again.predict(x) == pytest.approx(network.predict(x), rel=1e-3, abs=1e-3)
    assert naive_network(again.numbers(), x[3], 2) == pytest.approx(network.predict(x[3:4])[0], rel=1e-3, abs=1e-3)


def test_gradients_are_those_of_the_loss():
    rng = np.random.default_rng(2)
    x = rng.normal(0, 1, (40, 4)).astype(np.float64)
    groups = np.repeat(np.arange(10), 4)
    network = Network.blank(4, (0.3, -1.0), rng)
    network.layers = [layer.astype(np.float64) + 0.1 for layer in network.layers]
    losses = {
        "market": chance_of_winning(rng.random(40), rng.integers(0, 2, 40).astype(float)),
        "groups": squared_in_groups(rng.normal(0, 1, 40), groups),
    }
    for name, loss in losses.items():
        layers = network.forward(x)
        out = layers[-1]
        _, slope = loss(out, slice(None))
        if name == "groups":
            slope = np.c_[2 * slope, np.zeros(40)]
        gradients = network.gradients(layers, slope)
        for k, layer in enumerate(network.layers):
            index = tuple(n // 2 for n in layer.shape)
            kept = layer[index]
            values = []
            for step in (1e-5, -1e-5):
                layer[index] = kept + step
                values.append(loss(network.forward(x)[-1], slice(None))[0])
            layer[index] = kept
            assert gradients[k][index] == pytest.approx((values[0] - values[1]) / 2e-5, rel=1e-3, abs=1e-7)


def test_centred_takes_the_mean_of_each_group_off():
    assert centred(np.array([1.0, 3.0, 10.0, 5.0, 6.0]), np.array([0, 0, 1, 2, 2])).tolist() == [-1, 1, 0, -0.5, 0.5]


def test_rivals_are_minded_alike_or_the_richest_most():
    weights = np.zeros((8, 8))
    mind_rivals(np.array([100.0, 150.0, 50.0, 0, 0, 0, 0, 0]), 3, 0.0, weights)
    assert weights[0, :3].tolist() == pytest.approx([0, 0.5, 0.5])
    values = np.zeros(8)
    relative(np.array([100.0, 150.0, 50.0, 0, 0, 0, 0, 0]), weights, 3, values)
    assert values[:3].tolist() == pytest.approx([0, 75, -75])
    mind_rivals(np.array([100.0, 150.0, 50.0, 0, 0, 0, 0, 0]), 3, 0.1, weights)
    assert weights[0, 1] == pytest.approx(1 / (1 + math.exp(-10)), abs=1e-6)
    assert weights[1, 0] == pytest.approx(1 / (1 + math.exp(-5)), abs=1e-6)


def test_tables_of_training_hold_the_learner_and_every_kind_of_rival():
    line_ups = training.draw_line_ups(np.random.default_rng(1), 4000, 4, 2)
    assert (line_ups == 0).any(axis=1).all()
    seats = np.bincount(line_ups.ravel(), minlength=1 + len(training.RIVALS) + 2) / line_ups.size
    assert len(seats) == 1 + len(training.RIVALS) + 2
    assert seats[0] == pytest.approx((1 + 3 * 0.25) / 4, abs=0.02)
    alone = line_ups[(line_ups == 0).sum(axis=1) == 1]
    alike = np.mean([len(set(row[row > 0])) == 1 for row in alone])
    # Half of the tables by design, some of the others by chance.
    assert 0.5 < alike < 0.7


TINY = dict(minutes=0.0, games=20, seed=3, threads=2)


def tiny_plan():
    return training.Plan(load_edition("classic", {"deal": "[3,2]"}).rules(3), "modernart learn", **TINY)


def test_a_stopped_training_goes_on_with_the_same_numbers(tmp_path):
    plan = tiny_plan()
    whole = training.State(new_judgement(plan.seed))
    part = training.State(new_judgement(plan.seed))
    for state in (whole, part):
        training.lay_foundation(plan, state)
        training.iterate(plan, state)
    training.write_state(tmp_path, plan, part)
    again = training.read_state(tmp_path, plan)
    assert again.n_steps == 2
    assert again.history == part.history
    training.iterate(plan, whole)
    training.iterate(plan, again)
    assert np.array_equal(again.judgement.block(), whole.judgement.block())
    assert again.history[0]["rows_cards"] > 100
    training.write_state(tmp_path, plan, again)
    assert sorted(path.name for path in tmp_path.glob("rows*")) == ["rows-0.npz", "rows-1.npz", "rows-2.npz"]


def test_a_training_writes_weights_that_play_and_tell_their_origin(tmp_path):
    steps = []

    def tell(what, seconds):
        steps.append(what.partition(":")[0])

    state, table = training.train(tiny_plan(), tmp_path, tell, judges=("random",))
    assert steps == ["step 1", "bidding numbers tuned"]
    assert table[0]["rivals"] == "random"
    weights = weights_file.read_weights(tmp_path / "learned.npz", "x")
    assert np.array_equal(weights.numbers, state.judgement.block())
    assert weights.facts["command"] == "modernart learn"
    assert weights.facts["rules"]["deal"] == [3, 2]
    assert weights.facts["digest"] == weights_file.digest_of(weights.numbers)
    assert not list(tmp_path.glob("rows*"))
    # A finished training does not begin again.
    again, _ = training.train(tiny_plan(), tmp_path, tell, judges=("random",))
    assert len(steps) == 2
    assert again.n_steps == 1


def test_a_training_goes_on_from_shipped_weights(tmp_path):
    plan = training.Plan(tiny_plan().rules, "modernart learn", **TINY, start="classic-3")
    state = training.State(new_judgement(plan.seed))
    training.lay_foundation(plan, state)
    shipped = weights_file.load_weights("classic-3").numbers
    block = state.judgement.block()
    # The same networks and bidding numbers, but for rounding; the money to come is that of these rules.
    assert block[: layout.LEAF] == pytest.approx(shipped[: layout.LEAF])
    assert block[layout.LOT :] == pytest.approx(shipped[layout.LOT :], rel=1e-3, abs=2e-3)
    assert not np.allclose(block[layout.LEAF : layout.LOT], shipped[layout.LEAF : layout.LOT], atol=1.0)
    assert plan.identity["digest"] == weights_file.load_weights("classic-3").facts["digest"]
    with pytest.raises(UsageError, match="there is no file"):
        _ = training.Plan(plan.rules, "", **TINY, start="classic-33").identity


def test_a_response_meets_those_it_answers_in_all_other_seats(monkeypatch):
    seen = {}

    def note(players, learns, rules, line_ups, *args, **options):
        seen.update(names=[player.name for player in players], line_ups=line_ups)
        raise RuntimeError

    plan = training.Plan(CLASSIC, "x", games=3000, against=("half_value", "random"))
    state = training.State(new_judgement(1), history=[{}])
    monkeypatch.setattr(training, "gather_rows", note)
    with pytest.raises(RuntimeError):
        training.iterate(plan, state)
    assert seen["names"] == ["learned", "half_value", "random"]
    assert (np.sort(seen["line_ups"])[:, 0] == 0).all()
    assert ((seen["line_ups"] == 0).sum(axis=1) == 1).all()
    counts = np.bincount(seen["line_ups"].ravel())
    assert counts[1] == pytest.approx(4500, abs=200)
    assert counts[0] == 3000


def test_another_training_in_the_folder_is_refused(tmp_path):
    plan = tiny_plan()
    training.write_state(tmp_path, plan, training.State(new_judgement(1)))
    other = training.Plan(plan.rules, "modernart learn", **{**TINY, "seed": 4})
    with pytest.raises(UsageError, match=r"holds another training \(other seed\); name another --study"):
        training.read_state(tmp_path, other)
    (tmp_path / "state.npz").write_bytes(b"no archive")
    with pytest.raises(UsageError, match=r"state\.npz is damaged; delete it"):
        training.read_state(tmp_path, plan)


def blank_file(path, rules=CLASSIC, **changes):
    numbers = np.zeros(layout.N_NUMBERS, np.float32)
    weights_file.write_weights(path, numbers, {"command": "none", "rules": rules.to_record(), **changes})
    return path


def test_files_of_weights_that_are_none_are_refused(tmp_path):
    path = tmp_path / "learned.npz"
    with pytest.raises(UsageError, match=r"there is no file .* weights of learned; did you mean learned@classic-4\?"):
        weights_file.load_weights("clasic-4")
    path.write_bytes(b"PK no")
    with pytest.raises(UsageError, match="is not a file of weights; `modernart learn` makes such files"):
        weights_file.read_weights(path, "x")
    # An array of objects would have to be unpickled.
    np.savez(path, numbers=np.array([{}], object), facts=np.zeros(1, np.uint8))
    with pytest.raises(UsageError, match="is not a file of weights"):
        weights_file.read_weights(path, "x")
    weights_file.write_weights(path, np.zeros(7, np.float32), {"rules": CLASSIC.to_record()})
    with pytest.raises(UsageError, match="holds weights of another version of the program"):
        weights_file.read_weights(path, "x")
    blank_file(path)
    with np.load(path) as data:
        facts = json.loads(data["facts"].tobytes())
    ones = np.ones(layout.N_NUMBERS, np.float32)
    np.savez(path, numbers=ones, facts=np.frombuffer(json.dumps(facts).encode(), np.uint8))
    with pytest.raises(UsageError, match="is damaged: its numbers are not those that were written"):
        weights_file.read_weights(path, "x")


def test_weights_are_refused_where_the_number_of_artists_is_another(tmp_path):
    path = blank_file(tmp_path / "learned.npz")
    player = load_strategy(f"learned@{path}").player()
    assert player.name == f"learned@{path}"
    assert player.data(CLASSIC).shape == (layout.N_NUMBERS,)
    deck = {card: n for card, n in CLASSIC.deck.items() if not card.startswith("KR")}
    fewer = CLASSIC.to_record() | {"artists": ["LM", "YO", "CP", "KG"], "deck": deck, "deal": [9, 0, 0, 0]}
    fewer = Rules.from_record(fewer)
    with pytest.raises(UsageError, match="was trained with 5 artists, edition classic has 4"):
        player.data(fewer)


def test_alone_it_takes_the_nearest_weights_and_says_which(capsys):
    # The house rules have no weights of their own; those of classic for as many players are nearest.
    assert weights_file.nearest_shipped(CLASSIC) == "classic-4"
    assert weights_file.nearest_shipped(load_edition("classic").rules(5)) == "classic-5"
    house = load_edition("classic", {"end_count": "6"}).rules(5)
    numbers = load_strategy("learned").player().data(house)
    assert np.array_equal(numbers, weights_file.load_weights("classic-5").numbers)
    assert "learned plays with the weights of classic-5 here" in capsys.readouterr().err
    load_strategy("learned").player().data(load_edition("classic").rules(5))
    assert capsys.readouterr().err == ""


def test_nearness_counts_players_and_options(tmp_path):
    weights = weights_file.read_weights(blank_file(tmp_path / "learned.npz"), "x")
    assert weights.distance(CLASSIC) == 0
    assert weights.distance(load_edition("classic").rules(5)) == 1.5
    assert weights.distance(load_edition("classic", {"open_style": "outcry"}).rules(4)) == 1
    # no_bid_price, sealed_tie, double_revenue
    assert weights.distance(load_edition("online").rules(4)) == 3


def test_put_up_features_leave_the_view_as_it_was():
    game = lot_game()
    table, hand = game.table, game.hands[0]
    table.phase, table.seat, table.n_lot = Phase.CARD, 0, 0
    view = new_view(table, hand, True)
    before = view.copy()
    scene, x = np.zeros(N_SCENE, np.float32), np.full(N_PUT_UP, 9, np.float32)
    set_scene(table, hand, view, scene)
    after = np.zeros((AFTER_ROWS, N_AFTER))
    base = put_up_features(table, hand, view, scene, 0, DECLINE, after, x)
    assert np.array_equal(view[: PAYS + 1], before[: PAYS + 1])
    # An open Krypto, the third: one crown, not ending, two more would be.
    assert x[78:84].tolist() == [1, 0, 0, 0, 0, 0]
    assert x[84:89].tolist() == [1, 0, 0, 1, 0]
    assert x[90] == pytest.approx(0.1 * base, rel=1e-5)
    table.cards_out[4] = 4
    put_up_features(table, hand, view, scene, 1, DECLINE, after, x)
    # A sealed one that would be the fifth: it ends the round.
    assert x[78:84].tolist() == [0, 0, 1, 0, 0, 0]
    assert x[84:89].tolist() == [1, 1, 0, 1, 0]


def test_shipped_weights_are_the_very_ones_and_play_as_they_did():
    digests = {name: weights_file.load_weights(name).facts["digest"] for name in weights_file.shipped_names()}
    assert digests["classic-4"] == "ca9266c57c81d912"
    assert digests["classic-3"] == "222402abc68ff8b5"
    assert digests["classic-5"] == "040dd37bdccc8ad3"
    record = play_record(CLASSIC, load_players(["learned@classic-4", "predictive"]), [0, 1, 0, 1], 1, 0)
    assert record["money"] == [726, 298, 530, 546]
