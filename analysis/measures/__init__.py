"""What a run counts, one measure a file: its tally, tables, figures, findings and the meaning of its columns.

A file of this folder with a `MEASURE` takes part by itself: in what runs count, the page, the summary, the tables'
files and the dictionary of columns.
"""

import functools
import importlib
import pkgutil
from collections.abc import Mapping

from modernart.analysis.measures.measure import SECTIONS, Measure, Tables
from modernart.simulator.rules import Rules
from modernart.simulator.simulate import Run
from modernart.simulator.tallies import Tally


@functools.cache
def all_measures() -> tuple[Measure, ...]:
    """Return every measure, in the order of the page."""
    modules = [importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__)]
    found = [module.MEASURE for module in modules if hasattr(module, "MEASURE")]
    return tuple(sorted(found, key=lambda measure: (SECTIONS.index(measure.section), measure.order, measure.name)))


def tallies_for(rules: Rules) -> tuple[Tally, ...]:
    """Return what a run of these rules counts, for `modernart.simulator.simulate.simulate`."""
    return tuple(tally for measure in all_measures() if measure.applies(rules) for tally in measure.tallies)


def tables_of(run: Run, added: Mapping | None = None) -> Tables:
    """Return the tables of a run, as far as it was counted; `added` are those that studies have made."""
    measures = [measure for measure in all_measures() if measure.applies(run.rules) and measure.is_counted(run)]
    return Tables(run, measures, added)
