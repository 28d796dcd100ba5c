"""Say where the packages are; everything else stands in pyproject.toml.

`src/modernart/` holds links to `simulator/`, `strategies/` and `analysis/`, so that an editable install is one plain
path, which type checkers can follow. A system whose checkout makes no links gets the same packages by a mapping.
"""

from pathlib import Path

from setuptools import find_packages, setup

PARTS = ("simulator", "strategies", "analysis")

if all(Path("src", "modernart", part).is_dir() for part in PARTS):
    folders = {"": "src"}
    packages = find_packages("src")
else:
    folders = {"modernart": "src/modernart"} | {f"modernart.{part}": part for part in PARTS}
    packages = [
        "modernart",
        *(f"modernart.{name}" for name in find_packages("src/modernart")),
    ]
    for part in PARTS:
        packages += [f"modernart.{part}", *(f"modernart.{part}.{name}" for name in find_packages(part))]

setup(package_dir=folders, packages=packages)
