"""The option `--scheduler` of all long commands. Light to import: a cluster starts when its first games are played."""

import re
from typing import Annotated

import typer

from modernart.simulator.errors import UsageError

_FORM = re.compile(r"threads|dask(?::(?P<workers>[1-9][0-9]{0,3}))?|(?P<address>(?:tcp|tls)://[^\s/@]+:[0-9]{1,5})")


def _begin(ctx: typer.Context, where: str) -> str:
    """Let a cluster play for as long as the command runs."""
    match = _FORM.fullmatch(where.strip())
    if match is None:
        raise UsageError(
            f"--scheduler takes threads, dask, dask:N (N workers on this machine) or tcp://HOST:PORT, got {where[:80]}"
        )
    if where.strip() != "threads":
        from modernart.analysis.cluster.dask_scheduler import cluster

        ctx.with_resource(cluster(match["address"], int(match["workers"]) if match["workers"] else None))
    return where


SchedulerOption = Annotated[
    str,
    typer.Option(
        "--scheduler",
        metavar="threads|dask|dask:N|tcp://HOST:PORT",
        help="Where games are played: here, by workers on this machine, or by a Dask cluster (see docs/cluster.md).",
        callback=_begin,
    ),
]
