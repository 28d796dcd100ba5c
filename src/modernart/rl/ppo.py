"""Proximal policy optimisation in one file, in the manner of CleanRL: one seat learns to beat three strategies.

    python -m modernart.rl.ppo --output results/ppo

Needs the extra `[rl]` and PyTorch (`pip install torch`; the CPU version is enough). Writes `policy.npz`, the bot
`policy.py` that plays by it, and the curve of its training as `curve.csv` and `curve.svg`.

Sources: Schulman et al., "Proximal Policy Optimization Algorithms" (2017); Huang et al., "CleanRL" (2022), and "The 37
implementation details of PPO" (2022); masks as in Huang and Ontanon, "A closer look at invalid action masking" (2020).
"""

import argparse
import csv
import time
from dataclasses import dataclass, fields
from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd
import torch
from matplotlib.figure import Figure
from torch import nn
from torch.distributions import Categorical

from modernart.rl import save_policy, vector_env
from modernart.rl.actions import N_ACTIONS
from modernart.rl.observations import N_OBSERVED
from modernart.rl.vector import ModernArtVectorEnv


@dataclass
class Settings:
    """What a training depends on; each is an option of the command line."""

    output: str = "results/ppo"
    edition: str = "classic"
    players: int = 4
    opponents: str = "half_value"
    steps: int = 3_000_000
    games: int = 512  # played at once
    rollout: int = 32  # steps of each game between two updates
    width: int = 64  # units of a hidden layer
    epochs: int = 3
    minibatches: int = 8
    learning_rate: float = 1e-3
    gae_lambda: float = 0.95
    clip: float = 0.2
    entropy: float = 0.01
    seed: int = 1


class Agent(nn.Module):
    """Two hidden layers that the policy and the value share."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(N_OBSERVED, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy = nn.Linear(width, N_ACTIONS)
        self.value = nn.Linear(width, 1)
        # Small first logits: training starts with all legal actions about alike likely.
        nn.init.orthogonal_(self.policy.weight, 0.01)
        nn.init.zeros_(self.policy.bias)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """Return the distribution over legal actions, and the value of the state."""
        units = self.trunk(x)
        logits = self.policy(units).masked_fill(mask == 0, -1e9)
        return Categorical(logits=logits, validate_args=False), self.value(units).squeeze(-1)

    def layers(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return weights and biases of the policy as `modernart.rl.save_policy` takes them."""
        linear = [self.trunk[0], self.trunk[2], self.policy]
        return [(one.weight.detach().numpy().T.copy(), one.bias.detach().numpy().copy()) for one in linear]


class Rollout:
    """The decisions of all games between two updates."""

    def __init__(self, settings: Settings) -> None:
        shape = (settings.rollout, settings.games)
        self.x = torch.zeros(*shape, N_OBSERVED)
        self.mask = torch.zeros(*shape, N_ACTIONS, dtype=torch.int8)
        self.action = torch.zeros(shape, dtype=torch.int64)
        self.log_prob = torch.zeros(shape)
        self.value = torch.zeros(shape)
        self.reward = torch.zeros(shape)
        self.is_over = torch.zeros(shape)
        self.wins: list[float] = []  # of games that ended: the learner's share of the win
        self.gains: list[float] = []  # and its reward

    @torch.no_grad()
    def collect(self, env: ModernArtVectorEnv, agent: Agent, shown: dict[str, np.ndarray]) -> None:
        """Play on; `shown` are the environment's own arrays, which every step updates."""
        self.wins, self.gains = [], []
        for t in range(len(self.x)):
            # Copied into the rollout, since the environment overwrites its arrays.
            self.x[t] = torch.from_numpy(shown["observation"])
            self.mask[t] = torch.from_numpy(shown["action_mask"])
            chances, self.value[t] = agent(self.x[t], self.mask[t])
            self.action[t] = chances.sample()
            self.log_prob[t] = chances.log_prob(self.action[t])
            _, rewards, is_over, _, infos = env.step(self.action[t].numpy())
            self.reward[t] = torch.from_numpy(rewards)
            self.is_over[t] = torch.from_numpy(is_over)
            money = infos["money"][is_over]
            best = money == money.max(axis=1, keepdims=True)
            self.wins += (best[:, 0] / best.sum(axis=1)).tolist()
            self.gains += rewards[is_over].tolist()

    @torch.no_grad()
    def advantages(self, agent: Agent, shown: dict[str, np.ndarray], gae_lambda: float) -> torch.Tensor:
        """Return how much better each action was than expected: generalised advantage estimates, undiscounted."""
        _, following = agent(torch.from_numpy(shown["observation"]), torch.from_numpy(shown["action_mask"]))
        result = torch.zeros_like(self.value)
        running = torch.zeros_like(following)
        for t in reversed(range(len(self.value))):
            goes_on = 1 - self.is_over[t]
            error = self.reward[t] + goes_on * following - self.value[t]
            running = error + goes_on * gae_lambda * running
            result[t] = running
            following = self.value[t]
        return result


def update(agent: Agent, optimizer: torch.optim.Optimizer, rollout: Rollout, gains: torch.Tensor, s: Settings) -> None:
    """Improve the agent by a rollout and its advantages."""
    x, mask = rollout.x.flatten(0, 1), rollout.mask.flatten(0, 1)
    action, old_log_prob = rollout.action.flatten(), rollout.log_prob.flatten()
    advantage, returns = gains.flatten(), (gains + rollout.value).flatten()
    for _ in range(s.epochs):
        for part in torch.randperm(len(x)).chunk(s.minibatches):
            chances, value = agent(x[part], mask[part])
            ratio = (chances.log_prob(action[part]) - old_log_prob[part]).exp()
            scaled = (advantage[part] - advantage[part].mean()) / (advantage[part].std() + 1e-8)
            policy_loss = -torch.min(scaled * ratio, scaled * ratio.clamp(1 - s.clip, 1 + s.clip)).mean()
            value_loss = 0.5 * (value - returns[part]).square().mean()
            loss = policy_loss + 0.5 * value_loss - s.entropy * chances.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()


def train(settings: Settings) -> Path:
    """Train and write the policy and the curve; returns the bot's file."""
    torch.manual_seed(settings.seed)
    torch.set_num_threads(1)
    env = vector_env(settings.games, edition=settings.edition, players=settings.players, opponents=settings.opponents)
    shown, _ = env.reset(seed=settings.seed)
    agent = Agent(settings.width)
    optimizer = torch.optim.Adam(agent.parameters(), lr=settings.learning_rate, eps=1e-5)
    rollout = Rollout(settings)
    n_updates = max(settings.steps // (settings.games * settings.rollout), 1)
    folder = Path(settings.output)
    folder.mkdir(parents=True, exist_ok=True)
    bot = folder / "policy.py"
    start = time.process_time()
    with (folder / "curve.csv").open("w", newline="") as file:
        curve = csv.writer(file)
        curve.writerow(["steps", "games", "win_share", "money_lead", "cpu_seconds"])
        for number in range(1, n_updates + 1):
            optimizer.param_groups[0]["lr"] = settings.learning_rate * (1 - (number - 1) / n_updates)
            rollout.collect(env, agent, shown)
            update(agent, optimizer, rollout, rollout.advantages(agent, shown, settings.gae_lambda), settings)
            steps = number * settings.games * settings.rollout
            row = [steps, len(rollout.wins), np.mean(rollout.wins), 100 * np.mean(rollout.gains)]
            seconds = time.process_time() - start
            curve.writerow([*row[:2], f"{row[2]:.4f}", f"{row[3]:.1f}", f"{seconds:.1f}"])
            if number % 10 == 0 or number == n_updates:
                print(f"{steps:>9,} steps {seconds:6.0f} s: win share {row[2]:.1%}, money {row[3]:+.0f}", flush=True)
                file.flush()
                bot = save_policy(folder / "policy.npz", agent.layers())
    return bot


def draw_curve(folder: Path, settings: Settings) -> None:
    """Draw `curve.csv` as `curve.svg`: win shares, with a 95 % interval of the games between two updates."""
    curve = pd.read_csv(folder / "curve.csv")
    # Ten updates a point: the games of one are too few to see much.
    groups = curve.groupby(np.arange(len(curve)) // 10)
    games = groups["games"].sum()
    share = groups.apply(lambda rows: np.average(rows["win_share"], weights=rows["games"]))
    half = 1.96 * np.sqrt(share * (1 - share) / games)
    steps = groups["steps"].last() / 1e6
    figure = Figure(figsize=(7, 3.6), layout="constrained")
    axes = figure.subplots()
    axes.fill_between(steps, 100 * (share - half), 100 * (share + half), alpha=0.25, linewidth=0)
    axes.plot(steps, 100 * share)
    axes.axhline(100 / settings.players, color="grey", linestyle="dashed", linewidth=1)
    axes.annotate("fair share", (steps.iloc[-1], 100 / settings.players), ha="right", va="bottom", color="grey")
    axes.set(
        title=f"PPO learns to beat {settings.players - 1} {settings.opponents}",
        xlabel="decisions of the learner, in millions",
        ylabel="win share in training, %",
        ylim=(0, 100),
        xlim=(0, None),
    )
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "curve"}):
        figure.savefig(folder / "curve.svg", metadata={"Date": None})


def main() -> None:
    """Read the options and train."""
    parser = argparse.ArgumentParser(description="Train a policy by PPO on games of Modern Art.")
    for one in fields(Settings):
        parser.add_argument(f"--{one.name.replace('_', '-')}", type=type(one.default), default=one.default)
    settings = Settings(**vars(parser.parse_args()))
    bot = train(settings)
    draw_curve(bot.parent, settings)
    # A tournament of the same seed would judge the policy on deals that it was trained on.
    print(f"Wrote {bot}; next: modernart tournament {bot}:policy half_value --seed {settings.seed + 1}")


if __name__ == "__main__":
    main()
