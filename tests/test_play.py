"""Games with people in their seats: the session, what each seat knows, saving, and the terminal."""

import io
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest
from rich.console import Console
from typer.testing import CliRunner

from modernart.analysis.play.questions import EntryError, Question, question_of
from modernart.analysis.play.saves import Saves
from modernart.analysis.play.session import IllegalEntry, NotYourTurn, Seat, Session, parse_seats, resume
from modernart.analysis.play.terminal import Terminal
from modernart.command_line import app
from modernart.simulator.decisions import Phase, is_legal
from modernart.simulator.errors import UsageError
from modernart.simulator.interpreter import play_record
from modernart.simulator.records import read_records, replay_record
from modernart.simulator.rules import load_edition
from modernart.strategies.specs import load_players

BOTS = ("half_value", "random", "fair_share")


def new_session(seats="me,half_value,random", edition="classic", seed=4, **changes):
    who = parse_seats(seats)
    return Session(load_edition(edition, changes).rules(len(who)), who, seed)


def test_question_about_a_second_card_says_what_waits_for_it():
    session = new_session("me,half_value,random", pairing="same_kind")
    table = session.interpreter.game.table
    texts = {}
    rng = random.Random(1)
    session.advance()
    while not session.is_over:
        if session.question.phase == Phase.PAIR:
            texts[int(table.kind) == 4] = session.question.text
            assert session.question.is_legal(session.question.cards[0][1])
        session.answer(session.asked, some_answer(session.question, rng))
        session.advance()
    assert texts[False] == "Which card of the same kind do you add?"


def some_answer(question, rng):
    """A legal answer, small where it is an amount, so that games go on."""
    answers = [answer for _, answer in (*question.cards, *question.other)]
    if question.high >= question.low:
        answers += [rng.randint(question.low, min(question.high, question.low + 20))] * 2
    return rng.choice(answers)


def play_on(session, rng, n=10_000):
    """Let people answer at random, `n` times at most."""
    session.advance()
    while not session.is_over and n > 0:
        session.answer(session.asked, some_answer(session.question, rng))
        session.advance()
        n -= 1
    return session


def test_a_game_of_bots_alone_is_the_game_that_a_run_plays():
    rules = load_edition("classic").rules(3)
    session = Session(rules, [Seat(bot, bot) for bot in BOTS], 11)
    session.advance()
    run = play_record(rules, load_players(BOTS), [0, 1, 2], 11, 0)
    assert session.record() == {key: value for key, value in run.items() if key not in ("seed", "game")}


@pytest.mark.parametrize(
    ("edition", "seats", "changes"),
    [
        ("classic", "me,half_value,me:Ann,random", {}),
        ("shill", "me,half_value,random", {}),
        ("sotheby", "me,random,me:Ann,random,half_value", {}),
        ("online", "half_value,me,random", {"open_style": "outcry"}),
    ],
)
def test_games_with_people_become_records_that_the_rules_confirm(edition, seats, changes):
    session = play_on(new_session(seats, edition, **changes), random.Random(1))
    record = json.loads(json.dumps(session.record()))
    assert replay_record(record).record()["money"] == record["money"]
    assert record["players"] == [spec.removeprefix("me:") for spec in _unique(seats.split(","))]


def _unique(specs):
    return [f"{spec} #2" if spec in specs[:place] else spec for place, spec in enumerate(specs)]


@pytest.mark.parametrize("edition", ["classic", "sotheby", "shill"])
def test_every_question_offers_the_legal_answers_and_no_others(edition):
    seats = {"classic": "me,me:B,me:C,random", "sotheby": "me,me:B,me:C", "shill": "me,me:B,random"}[edition]
    session, rng = new_session(seats, edition), random.Random(2)
    phases = set()
    session.advance()
    while not session.is_over:
        game, question = session.interpreter.game, session.question
        hand = game.hands[session.asked]
        bid, money = int(game.table.high_bid), int(game.table.money[session.asked])
        tried = {*range(-2, 30), *range(bid - 1, bid + 3), *range(money - 1, money + 3)}
        legal = {answer for answer in tried if is_legal(game.table, hand, answer)}
        offered = {answer for answer in tried if question.is_legal(answer)}
        if question.cards:  # the same card in two slots is offered once
            named = {session.interpreter.card(hand.cards[slot]) for slot in legal if slot >= 0}
            assert [card for card, _ in question.cards] == sorted(named, key=_board_order(session.rules.artists))
            assert offered <= legal
        else:
            assert offered == legal
        phases.add(question.phase)
        session.answer(session.asked, some_answer(question, rng))
        session.advance()
    assert len(phases) >= 6


def _board_order(artists):
    return lambda card: (artists.index(card.partition("-")[0]), "ORSFDB".index(card.partition("-")[2][0]), card)


AMOUNT = Question(0, Phase.BID, low=5, high=60, other=(("pass", 0),))
ARTISTS = ("LM", "YO", "CP", "KG", "KR")
CARDS = Question(0, Phase.JOIN, cards=(("KR-S", 4), ("YO-O", 1)), other=(("no card", -1),), artists=ARTISTS)
CROWNS = Question(0, Phase.CARD, cards=(("RD-O*3", 1), ("RD-O*4", 0)), artists=("BK", "BL", "GR", "YE", "RD"))
OWN = Question(0, Phase.CARD, cards=(("KR-S", 4),), artists=ARTISTS, artist_names=("a", "b", "c", "d", "Kim Oh"))
TENDER = Question(0, Phase.TENDER, high=30, other=(("stay out", -1),))
YES_NO = Question(0, Phase.ACCEPT, other=(("yes", 1), ("no", 0)))


@pytest.mark.parametrize(
    ("question", "typed", "answer"),
    [
        (AMOUNT, "17", 17),
        (AMOUNT, " pass ", 0),
        (AMOUNT, "0", 0),
        (AMOUNT, "P", 0),
        (CARDS, "1", 4),
        (CARDS, "2", 1),
        (CARDS, "kr s", 4),
        (CARDS, "Krypto sealed", 4),
        (CARDS, "silveira s", 4),
        (CARDS, "Sigrid Thaler open", 1),
        (CROWNS, "rd-o*4", 0),
        (OWN, "kim oh sealed", 4),
        (CARDS, "n", -1),
        (TENDER, "0", 0),
        (TENDER, "s", -1),
        (YES_NO, "y", 1),
        (YES_NO, "1", 1),
        (YES_NO, "0", 0),
    ],
)
def test_typed_answers(question, typed, answer):
    assert question.read(typed) == answer


@pytest.mark.parametrize("typed", ["4", "61", "-7", "1e3", "kr-s", "٣", "y", "", "99999999999999999999"])
def test_what_is_no_answer_is_refused_with_the_bounds(typed):
    with pytest.raises(EntryError, match=r"type 5-60, p = pass"):
        AMOUNT.read(typed)


def test_a_seat_sees_its_own_hand_and_no_secret_of_others():
    session = play_on(new_session("me,half_value,me:Ann,random"), random.Random(3), 40)
    truth = session._story.points
    secret = [point for point in truth if point.only not in (None, 0)]
    assert len(secret) > 5
    frames = session.frames(0)
    assert len(frames) == len(truth) - len(secret)
    for frame in frames:
        assert [hand is None for hand in frame["hands"]] == [False, True, True, True]
        assert "place" not in frame
    told = [frame["text"] for frame in frames]
    assert not any("would go to" in text for text in told if not text.startswith("You "))
    assert session.table(0)["hands"][0] == truth[-1].table["hands"][0]
    assert session.frames(0, len(frames) - 2) == frames[-2:]


def test_what_a_seat_is_sent_does_not_depend_on_what_it_cannot_know():
    """Two games that differ only in another seat's losing limit send the same."""
    sent = []
    for limit in (0, 0), (1, 0):
        session = new_session("me:A,me:B,me:C", seed=9)
        while session.question.phase != Phase.LIMIT or session.asked == 0:
            session.answer(session.asked, some_answer(session.question, random.Random(5)))
        sent.append([])
        bids = iter((limit[0],))
        while session.question.phase == Phase.LIMIT and session.asked != 0:
            session.answer(session.asked, next(bids, 7))
            sent[-1].append(json.dumps([session.frames(0), session.turn(0)]))
    assert sent[0] == sent[1]


def test_answers_out_of_turn_and_illegal_ones_change_nothing():
    session = new_session("me:A,me:B,half_value")
    session.advance()
    seat, before = session.asked, json.dumps(session.saved())
    for wrong in (1 - seat, 2, 7, -1):
        with pytest.raises(NotYourTurn):
            session.answer(wrong, 0)
    with pytest.raises(NotYourTurn):
        session.answer(seat, 0, turn=5)
    for answer in (-2, 10**9, 10**30, 1.0, True, "1", None):
        with pytest.raises(IllegalEntry, match="legal is"):
            session.answer(seat, answer, turn=0)
    assert json.dumps(session.saved()) == before
    session.answer(seat, some_answer(session.question, random.Random(1)), turn=0)
    assert session.turn(seat) == 1


@pytest.mark.parametrize("n", [0, 1, 25, 10_000])
def test_a_saved_game_goes_on_as_if_it_had_not_been_left(n):
    whole = play_on(new_session(seed=6), random.Random(7))
    rng = random.Random(7)
    session = play_on(new_session(seed=6), rng, n)
    again = resume(json.loads(json.dumps(session.saved())))
    assert again.answers == session.answers
    assert again.frames(0) == session.frames(0)
    assert play_on(again, rng).record() == whole.record()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "x"}, "must have"),
        ({"answers": [99]}, "answer 1 of the unfinished game contradicts the rules"),
        ({"answers": [True]}, "list of whole numbers"),
        ({"seed": -1}, "seed must be from 0"),
        ({"seats": [{"name": "me"}, 3, 4]}, "seats must be a list"),
        ({"seats": [{"name": "me", "spec": None}]}, "needs as many seats"),
        ({"rules": None}, "rules must be an object"),
        ({"artist_names": [1]}, "artist_names must be a list of texts"),
        ({"artist_names": ["a"]}, "artists must be 5 names"),
    ],
)
def test_damaged_saves_are_refused_with_the_reason(change, message):
    with pytest.raises(UsageError, match=message):
        resume({**new_session().saved(), **change})


def test_saves_are_found_by_name_and_lead_nowhere_else(tmp_path):
    saves = Saves(tmp_path / "games")
    with pytest.raises(UsageError, match="no unfinished game in"):
        saves.last()
    first, second = saves.new_name(), saves.new_name()
    for name in (first, second):
        saves.save(name, new_session())
        os.utime(saves.path(name), ns=(1, 10**9 + (name == second)))
    assert saves.last() == second
    saves.remove(second)
    assert saves.names() == [first]
    for name in ("../secrets", "a/b", "", "A" * 10, "x" * 11):
        with pytest.raises(UsageError, match="no unfinished game of this name"):
            saves.load(name)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("me,me,random", "a name of their own"),
        ("me:" + "x" * 31, "1 to 30 printable characters"),
        ("me:\x1b[2J,random", "printable"),
    ],
)
def test_wrong_seats_are_refused(text, message):
    with pytest.raises(UsageError, match=message):
        parse_seats(text)


def test_people_and_parameters_in_seats():
    assert parse_seats("me, me:Ann ,half_value(shade=0.6, raise=1)") == [
        Seat("me", None),
        Seat("Ann", None),
        Seat("half_value(shade=0.6, raise=1)", "half_value(shade=0.6, raise=1)"),
    ]


class Typist:
    """Types what a rule makes of each prompt, and keeps all that is shown."""

    def __init__(self, rule, width=80):
        self.file = io.StringIO()
        self.console = Console(file=self.file, width=width, highlight=False)
        self.rule = rule

    def __call__(self, prompt):
        self.file.write(prompt)
        line = self.rule(prompt)
        if line is None:
            raise EOFError
        self.file.write(line + "\n")
        return line

    @property
    def text(self):
        return self.file.getvalue()


def small_answer(prompt):
    """The least that a prompt allows; cards and passing come first."""
    bounds = re.search(r"\[([^\]]+)\] $", prompt)
    if not bounds:
        return ""
    for sign in ("p = pass", "y = yes"):
        if sign in bounds[1]:
            return sign[0]
    return bounds[1].partition("-")[0]


def front(session, typist, tmp_path, confirms=False):
    return Terminal(session, Saves(tmp_path / "saves"), "0123456789", typist.console, typist, confirms)


@pytest.mark.parametrize("width", [40, 80, 120])
def test_terminal_plays_to_the_end_at_any_width(tmp_path, width):
    session, typist = new_session(), Typist(small_answer, width)
    assert front(session, typist, tmp_path).play()
    assert session.is_over
    assert "The game is over" in typist.text
    table = [line for line in typist.text.splitlines() if "[" not in line and "Enter" not in line]
    assert max(map(len, table)) <= width


def test_an_entry_is_taken_back_before_it_counts(tmp_path):
    lines = iter(["1", "u", "2", "", None])
    session, typist = new_session(seed=1), Typist(lambda prompt: next(lines))
    session.advance()
    wanted = session.question.read("2")
    assert not front(session, typist, tmp_path, confirms=True).play()
    assert typist.text.count("u to take it back") == 2
    assert session.turn(0) == 1
    assert wanted in session.answers


def test_commands_explain_show_and_hint_without_answering(tmp_path):
    lines = iter(["?", "h", "t", "u", "nonsense", None])
    session, typist = new_session(seed=1), Typist(lambda prompt: next(lines))
    session.advance()
    assert not front(session, typist, tmp_path).play()
    assert session.turn(0) == 0
    assert session.question.explanation[:30] in typist.text
    assert "no entry to take back" in typist.text
    assert "no answer here" in typist.text
    assert typist.text.count("Your hand:") == 2
    assert re.search(r"Best: .+ win chance \d+%", typist.text.replace("\n", " "))


def test_people_at_one_machine_hand_over_before_a_hand_is_shown(tmp_path):
    shown = []

    def rule(prompt):
        shown.append(prompt)
        return small_answer(prompt)

    session = new_session("me:Ann,me:Bob,half_value")
    typist = Typist(rule)
    assert front(session, typist, tmp_path).play()
    text = typist.text
    for name, seat in (("Ann", 0), ("Bob", 1)):
        hand = session._story.points[0].table["hands"][seat]
        first = text.index(" ".join(hand))
        assert (
            text.rindex("it is your turn", 0, first)
            == text.rindex(f"{name}, it is your turn", 0, first) + len(name) + 2
        )
    asks = [prompt for prompt in shown if "it is your turn" in prompt]
    assert len(asks) > 10


def run(*arguments, code=0, **options):
    done = CliRunner().invoke(app, list(map(str, arguments)), **options)
    assert done.exit_code == code, done.output
    return done


def test_play_over_a_pipe_is_saved_and_resumed_to_a_record(tmp_path):
    folder = ("--saves", tmp_path / "saves")
    done = run("play", "--seats", "me,half_value,random", "--seed", 3, *folder, input="zzz\n")
    assert "Saved. Go on with: modernart play --resume" in done.stdout
    out = tmp_path / "game.jsonl"
    done = run("play", "--resume", "last", *folder, "--output", out, input="1\n0\np\ny\n" * 500)
    assert "The game is over" in done.stdout
    ((_, record),) = read_records(out)
    assert record["players"] == ["me", "half_value", "random"]
    replay_record(record)
    assert "no unfinished game" in run("play", "--resume", "last", *folder, code=2).stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seats", "random,random,random"], "nobody plays"),
        (["--seats", "me"], "players must be from 2 to 8"),
        (["--seats", "me,nobody,random"], 'there is no strategy "nobody"'),
        (["--resume", "last", "--seed", "3"], "leave --seats, --seed and rules out"),
        (["--resume", "../x"], "no unfinished game of this name"),
    ],
)
def test_wrong_calls_are_one_sentence(tmp_path, arguments, message):
    assert message in run("play", *arguments, "--saves", tmp_path, "--output", tmp_path / "x.jsonl", code=2).stderr


def spawn(*arguments):
    root = Path(__file__).parent.parent
    environment = {**os.environ, "PYTHONPATH": str(root / "src"), "PROMPT_TOOLKIT_NO_CPR": "1", "TERM": "xterm"}
    command = [sys.executable, "-m", "modernart", "play", *map(str, arguments)]
    return pexpect.spawn(command[0], command[1:], env=environment, timeout=120, dimensions=(50, 100), encoding="utf-8")


BOUNDS = r"\[([0-9a-z =,-]+)\]"


def play_in_terminal(child, most):
    """Answer `most` questions in a terminal; returns how many were answered, and whether the game ended."""
    for n in range(most):
        found = child.expect([BOUNDS, "The game is over", pexpect.EOF])
        if found:
            return n, True
        child.sendline(small_answer(f"[{child.match[1]}] "))
        child.expect("u to take it back")
        child.sendline("")
    return most, False


@pytest.mark.skipif(sys.platform == "win32", reason="there are no terminals of this kind")
def test_a_whole_game_in_a_terminal_left_and_resumed(tmp_path):
    folder, out = ("--saves", tmp_path / "saves"), tmp_path / "game.jsonl"
    child = spawn("--seats", "me,half_value,random", "--seed", 8, "--rule", "deal=[5,3,2,0]", *folder)
    assert play_in_terminal(child, 6) == (6, False)
    child.expect(BOUNDS)
    child.sendline(small_answer(f"[{child.match[1]}] "))
    child.expect("u to take it back")
    child.sendline("u")
    child.expect(BOUNDS)
    child.sendline("q")
    child.expect("Go on with: modernart play --resume ([0-9a-f]+)")
    name = child.match[1]
    child.expect(pexpect.EOF)
    n_saved = len(json.loads((tmp_path / "saves" / f"{name}.json").read_text())["answers"])
    child = spawn("--resume", name, *folder, "--output", out)
    n, is_over = play_in_terminal(child, 300)
    assert is_over
    assert n > 10
    child.expect(pexpect.EOF)
    ((_, record),) = read_records(out)
    replay_record(record)
    assert n_saved > 6
    assert not list((tmp_path / "saves").iterdir())


def test_help_of_play_needs_no_terminal_library():
    code = (
        "import sys, modernart.command_line as c\ntry:\n    c.app(['play', '--help'])\nexcept SystemExit:\n    pass\n"
    )
    code += "print('prompt_toolkit' in sys.modules, 'starlette' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False False"


def test_question_of_is_the_sessions_question():
    session = new_session()
    session.advance()
    assert question_of(session.interpreter, session.artist_names) == session.question
