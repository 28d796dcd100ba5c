"""Games played by a Dask cluster are those of threads, whatever happens to its workers."""

import json
import logging
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hostile_bots import HOSTILE
from typer.testing import CliRunner

from modernart.analysis.cluster import dask_scheduler, travelling
from modernart.analysis.cluster.travelling import baggage, code_of, grow, shrink
from modernart.analysis.measures import tallies_for
from modernart.analysis.runs import run_folder
from modernart.analysis.runs.run_folder import load_run
from modernart.command_line import app
from modernart.simulator import works
from modernart.simulator.errors import RunError
from modernart.simulator.fork_runs import play_forks
from modernart.simulator.jit import JIT_DISABLED
from modernart.simulator.lineups import BalancedSchedule
from modernart.simulator.rules import load_edition
from modernart.simulator.scheduling import Order, Piece, Threads, lanes_for, playing_elsewhere
from modernart.simulator.simulate import score, simulate
from modernart.simulator.works import ScoredBlocks
from modernart.strategies.specs import load_players, load_strategy
from modernart.strategies.tuning.focal_seat import FocalSeat

FIELD = ("random", "half_value", "fair_share", "full_value")
RULES = load_edition("classic").rules(4)
ROOT = Path(__file__).parents[1]

distributed = pytest.importorskip("distributed")


# Without a cluster


class Shuffled:
    """A scheduler that plays small pieces here, in an order of its own, and tells that nothing came now and then."""

    n_threads = 1

    def __init__(self, seed):
        self.generator = np.random.default_rng(seed)

    def pieces(self, orders):
        waiting = []
        for number, order in enumerate(orders):
            first = order.first_block
            while first < order.last_block:
                n = min(int(self.generator.integers(1, 30)), order.last_block - first)
                waiting.append((number, first, n))
                first += n
        self.generator.shuffle(waiting)
        for number, first, n in waiting:
            yield None
            part = orders[number].work.part(first, n)
            yield Piece(int(number), int(first), int(n), grow(shrink(part.play(int(first), int(n), 1))))


@pytest.mark.parametrize("seed", [1, 2])
def test_pieces_in_any_order_add_up_to_the_same_run(seed):
    field = load_players(FIELD)
    whole = simulate(field, RULES, 800, tallies=tallies_for(RULES), seed=5)
    steps = []
    with playing_elsewhere(Shuffled(seed)):
        run = simulate(field, RULES, 400, tallies=tallies_for(RULES), seed=5)
        run = simulate(field, RULES, 800, seed=5, run=run, on_progress=lambda run: steps.append(run.n_blocks))
    assert np.array_equal(run.tallies.cells, whole.tallies.cells)
    assert (run.n_blocks, run.n_decisions) == (whole.n_blocks, whole.n_decisions)
    assert steps == sorted(steps)


def test_what_waits_for_its_turn_is_counted_as_soon_as_it_may_be():
    work = works.CountedBlocks(load_players(FIELD), RULES, 5, BalancedSchedule(4, 4, 5), _blank(), True)

    class Backwards:
        n_threads = 1

        def pieces(self, orders):
            for first in (20, 40, 10, 30, 0):
                yield Piece(0, first, 10, work.play(first, 10, 1))

    steps = []
    with playing_elsewhere(Backwards()):
        simulate(work.players, RULES, 200, seed=5, on_progress=lambda run: steps.append(run.n_blocks))
    assert steps == [50]


def _blank():
    from modernart.simulator.simulate import new_run

    return new_run(RULES, FIELD, 5).tallies


def test_scores_and_forks_of_pieces_are_those_of_one_go():
    field = load_players(FIELD)
    scores = score(field, RULES, [0, 1, 2, 3], 7, 60, seed=3)
    forks = play_forks("endings", field, RULES, 120, seed=3, repeats=2)
    seat = FocalSeat(field, RULES, seed=2)
    candidates = [load_strategy(f"half_value(shade={shade})").player() for shade in (0.3, 0.6, 0.9)]
    apart = [seat.score(player, 4, 8) for player in candidates]
    with playing_elsewhere(Shuffled(3)):
        again = score(field, RULES, [0, 1, 2, 3], 7, 60, seed=3)
        assert np.array_equal(again.money, scores.money)
        assert np.array_equal(again.win_share, scores.win_share)
        other = play_forks("endings", field, RULES, 120, seed=3, repeats=2)
        assert len(forks.facts) > 20
        assert all(np.array_equal(getattr(other, name), getattr(forks, name)) for name in vars(forks))
        for one, two in zip(seat.score_all(candidates, 4, 8), apart, strict=True):
            assert np.array_equal(one.relative_money, two.relative_money)


@pytest.mark.parametrize("n_lanes", [64, 96])
def test_more_lanes_than_batches_count_the_same(n_lanes, monkeypatch):
    field = load_players(FIELD)
    whole = simulate(field, RULES, 700, tallies=tallies_for(RULES), seed=5)
    scores = score(field, RULES, [0, 1, 2, 3], 7, 60, seed=3)
    monkeypatch.setattr(works, "lanes_for", lambda threads: n_lanes)
    for chunk in (None, 45):
        run = simulate(field, RULES, 700, tallies=tallies_for(RULES), seed=5, chunk=chunk)
        assert np.array_equal(run.tallies.cells, whole.tallies.cells)
    assert np.array_equal(score(field, RULES, [0, 1, 2, 3], 7, 60, seed=3).money, scores.money)


def test_lanes_are_enough_for_all_threads():
    assert [lanes_for(threads) for threads in (1, 2, 32, 33, 64, 65, 1000)] == [32, 32, 32, 64, 64, 96, 1024]


def test_threads_play_orders_in_pieces_of_the_chunk():
    line_ups = BalancedSchedule(4, 4, 1).line_ups(0, 100)
    order = Order(ScoredBlocks(load_players(FIELD), RULES, 1, line_ups, 0), 10, 75)
    pieces = list(Threads(1, chunk=30).pieces([order, order]))
    assert [(p.order, p.first_block, p.n_blocks) for p in pieces] == [
        (number, first, n) for number in (0, 1) for first, n in ((10, 30), (40, 30), (70, 5))
    ]


@pytest.mark.parametrize(
    "text", ["", "dusk", "dask:", "dask:0", "dask:-1", "tcp://", "tcp://a b:1", "http://a:1", "threads:2"]
)
def test_scheduler_that_is_none_is_refused(text):
    done = CliRunner().invoke(app, ["duel", "random", "half_value", "--scheduler", text])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--scheduler takes threads, dask, dask:N" in done.stderr


def test_without_dask_the_option_says_what_to_install(monkeypatch):
    monkeypatch.setattr("modernart.analysis.cluster.dask_scheduler.find_spec", lambda name: None)
    done = CliRunner().invoke(app, ["duel", "random", "half_value", "--scheduler", "dask"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "pip install 'modern-art-simulator[cluster]'" in done.stderr


def test_no_scheduler_at_an_address_is_told_in_a_sentence(monkeypatch):
    monkeypatch.setattr("modernart.analysis.cluster.dask_scheduler._ANSWER_SECONDS", 1.0)
    done = CliRunner().invoke(app, ["duel", "random", "half_value", "--scheduler", "tcp://127.0.0.1:9"])
    assert (done.exit_code, done.stdout) == (1, "")
    assert "error: no Dask scheduler answers at tcp://127.0.0.1:9" in done.stderr.splitlines()[-1]


def test_tls_without_a_certificate_says_what_to_set():
    done = CliRunner().invoke(app, ["duel", "random", "half_value", "--scheduler", "tls://127.0.0.1:9"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "tls:// needs your certificate: set DASK_DISTRIBUTED__COMM__TLS__CA_FILE" in done.stderr


def test_player_without_a_spec_cannot_travel():
    from modernart.simulator.players import Player

    player = Player("mine", load_strategy("random").act)
    work = ScoredBlocks([player], RULES, 1, np.zeros((1, 4), np.int64), 0)
    with pytest.raises(RunError, match='strategy "mine" cannot travel to workers: only those that a spec names can'):
        code_of(work)


# With a cluster: two workers on this machine, reached as any other cluster is


@pytest.fixture(scope="module")
def address():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MODERNART_PATIENCE", "3")
        with distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
        ) as cluster:
            yield cluster.scheduler_address


@pytest.fixture
def elsewhere(address, tmp_path, monkeypatch):
    """Let the cluster play; small pieces, so that there are several."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(dask_scheduler, "LEAST_SECONDS", 0.05)
    with dask_scheduler.cluster(address):
        yield address


def tournament(folder, *more, games=2000):
    words = ["tournament", *FIELD, "--games", games, "--no-report", "--output", folder, *more]
    done = CliRunner().invoke(app, list(map(str, words)))
    assert done.exit_code == 0, done.stderr
    return {path.name: path.read_bytes() for path in (Path(folder) / "tables").glob("*.parquet")}


def assert_same_run(one, two):
    (run, _), (other, _) = load_run(Path(one)), load_run(Path(two))
    assert (run.n_blocks, run.n_decisions) == (other.n_blocks, other.n_decisions)
    assert np.array_equal(run.tallies.cells, other.tallies.cells)


@pytest.mark.filterwarnings("ignore")
def test_tables_of_a_cluster_are_those_of_threads_to_the_byte(elsewhere):
    on_cluster = ("--scheduler", elsewhere)
    here = tournament("one", "--threads", 1)
    assert set(here) == {"ranking.parquet", "differences.parquet"}
    assert tournament("two", "--threads", 2) == here
    assert tournament("cluster", *on_cluster) == here
    tournament("first", "--blocks", "0:130", *on_cluster)
    tournament("second", "--blocks", "130:500")
    merged = CliRunner().invoke(app, ["merge", "first", "second", "--output", "merged"])
    assert merged.exit_code == 0
    assert {path.name: path.read_bytes() for path in Path("merged/tables").glob("*.parquet")} == here
    tournament("resumed", *on_cluster, games=800)
    assert tournament("resumed", *on_cluster) == here
    for folder in ("two", "cluster", "merged", "resumed"):
        assert_same_run("one", folder)


BOT = '''"""A bot with a helper module and a number in a file."""

from pathlib import Path

from my_share import SHARE

from modernart.strategies.base import Param, strategy
from modernart.strategies.bidders.shares import play_by_share
from modernart.strategies.valuation import value_now

NUMBER = float(Path("numbers/share.txt").read_text()) * float(Path(__file__).with_name("half.txt").read_text())


@strategy(params={"more": Param(0.1)})
def bot(table, hand):
    """Bids a share of what the lot pays now."""
    return play_by_share(table, hand, value_now(table), SHARE * NUMBER + hand.params[0])
'''


def write_bot():
    for folder in ("bots", "numbers", "modules"):
        Path(folder).mkdir()
    Path("bots/bot.py").write_text(BOT)
    Path("bots/my_share.py").write_text("from my_half import HALF\n\nSHARE = HALF\n")
    Path("modules/my_half.py").write_text("HALF = 0.5\n")
    sys.path.append(str(Path("modules").resolve()))
    Path("bots/half.txt").write_text("0.5")
    Path("numbers/share.txt").write_text("1.5")


@pytest.fixture
def _forgets_modules():
    before, places = set(sys.modules), list(sys.path)
    yield
    sys.path[:] = places
    for name in set(sys.modules) - before:
        if name.startswith(("my_", "modernart_user_")):
            del sys.modules[name]


@pytest.mark.usefixtures("_forgets_modules")
def test_files_of_a_bot_travel_with_it(elsewhere, tmp_path, monkeypatch):
    write_bot()
    specs = ["bots/bot.py:bot(more=0.2)", f"{tmp_path}/bots/bot.py:bot", "half_value"]
    field = load_players(specs)
    whole = score(field, RULES, [0, 1, 2, 2], 0, 40)

    def baggage_and_no_files_left():
        found = baggage()
        for folder in ("bots", "numbers", "modules"):
            Path(folder).rename(f"{folder} gone")
        names = [Path(name).name for name in found.files if name.startswith(str(tmp_path))]
        assert sorted(names) == ["bot.py", "half.txt", "my_half.py", "my_share.py", "share.txt"]
        return found

    monkeypatch.setattr(travelling, "baggage", baggage_and_no_files_left)
    with dask_scheduler.cluster(elsewhere):
        assert np.array_equal(score(field, RULES, [0, 1, 2, 2], 0, 40).money, whole.money)
    assert len(np.unique(whole.money)) > 100


@pytest.mark.usefixtures("_forgets_modules")
def test_bot_that_was_edited_meanwhile_is_refused(elsewhere):
    write_bot()
    field = load_players(["bots/bot.py:bot", "half_value"])
    Path("modules/my_half.py").write_text("HALF = 0.25\n")
    with pytest.raises(RunError, match="a worker has other code"):
        score(field, RULES, [0, 1, 1, 1], 0, 40)


@pytest.mark.skipif(JIT_DISABLED, reason="plain Python answers by itself")
@pytest.mark.usefixtures("_forgets_modules")
def test_bot_that_hangs_on_a_worker_is_named(elsewhere):
    Path("hangs.py").write_text(HOSTILE["loops"].text())
    field = load_players(["hangs.py:bot", "half_value"])
    with pytest.raises(RunError, match=r'strategy "hangs.py:bot" does not answer at seat \d .* for 3 s .*; see it: '):
        score(field, RULES, [0, 1, 1, 1], 0, 40)


@pytest.mark.usefixtures("_forgets_modules")
def test_what_a_bot_raises_on_a_worker_is_told_as_here(elsewhere):
    Path("raises.py").write_text(HOSTILE["raises_late"].text())
    Path("bids.py").write_text(HOSTILE["bids_too_much"].text())
    told = {"raises": "ValueError: no; see it: modernart check-bot raises.py:bot", "bids": "answered 1000000 to"}
    for name, words in told.items():
        with pytest.raises(RunError, match=f'strategy "{name}.py:bot" .*{words}'):
            score(load_players([f"{name}.py:bot", "half_value"]), RULES, [0, 1, 1, 1], 0, 40)


def test_worker_that_is_killed_costs_its_piece_alone(elsewhere):
    field = load_players(FIELD)
    whole = simulate(field, RULES, 4000, tallies=tallies_for(RULES), seed=6)
    with distributed.Client(elsewhere, set_as_default=False) as client:
        killed = []

        def kill_a_worker(run):
            if run.n_blocks >= 100 * (1 + len(killed)) and len(killed) < 3:
                for process in list(client.run(os.getpid, on_error="ignore").values())[:1]:
                    os.kill(process, signal.SIGKILL)
                    killed.append(process)

        with dask_scheduler.cluster(elsewhere):
            run = simulate(field, RULES, 4000, tallies=tallies_for(RULES), seed=6, on_progress=kill_a_worker)
    assert len(set(killed)) == 3
    assert np.array_equal(run.tallies.cells, whole.tallies.cells)


@pytest.fixture
def other_cluster(tmp_path):
    """A scheduler and a worker as processes of their own."""
    command = [sys.executable, "-m", "dask", "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    command += ["--no-show", "--scheduler-file", "scheduler.json"]
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    scheduler = subprocess.Popen(command, **streams)
    worker = [sys.executable, "-m", "dask", "worker", "--scheduler-file", "scheduler.json", "--nthreads", "1"]
    worker = subprocess.Popen([*worker, "--no-dashboard", "--death-timeout", "60"], **streams)
    until = time.monotonic() + 60
    while not (tmp_path / "scheduler.json").exists() and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(0.5)
    yield json.loads((tmp_path / "scheduler.json").read_text())["address"], scheduler
    for process in (worker, scheduler):
        process.terminate()
        process.wait(30)


def test_scheduler_that_is_lost_ends_the_command_and_the_checkpoint_stays(other_cluster, tmp_path, monkeypatch):
    address, scheduler = other_cluster
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(dask_scheduler, "LEAST_SECONDS", 0.05)
    monkeypatch.setattr(run_folder, "CHECKPOINT_SECONDS", 0.0)
    plan = run_folder.plan_run(load_players(FIELD), games=4000)

    def kill(run):
        if run.n_blocks > 100:
            scheduler.kill()

    with (
        dask_scheduler.cluster(address),
        pytest.raises(RunError, match=f"the Dask scheduler at {address} was lost; what was saved is kept"),
    ):
        run_folder.play(plan, tmp_path / "run", on_progress=kill)
    kept, told = load_run(tmp_path / "run")
    assert 100 < kept.n_blocks < 1000
    assert told["complete"] is False
    run_folder.play(plan, tmp_path / "run")
    run_folder.play(plan, tmp_path / "whole")
    assert_same_run(tmp_path / "run", tmp_path / "whole")


# The whole of it, by the command line


@pytest.mark.slow
@pytest.mark.parametrize("where", ["dask:1", "dask:2", "dask:4"])
def test_every_long_command_says_the_same_on_workers(where, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    commands = (
        "duel half_value random --fixed 2000 --json",
        "endings half_value random --games 400 --json",
        "auctions half_value random --games 200 --json",
        "metagame half_value random --games 4000 --json --study {}/meta",
        "tune half_value --against random --budget 3000 --json --study {}/tune",
        "claims --games 400 --field weak --json",
        "editions compare classic online --games 8000 --json",
        "sensitivity half_value --games 2000 --json --study {}/curves",
    )
    for command in commands:
        outputs = []
        for place, more in (("here", []), ("there", ["--scheduler", where])):
            words = [sys.executable, "-m", "modernart", *command.format(place).split(), *more]
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
            outputs.append(done.stdout.replace(place, "place"))
        assert outputs[0] == outputs[1], command
