"""Pages made of a template, with styles and scripts of this folder put in: a page asks for nothing else."""

import base64
import hashlib
from pathlib import Path
from typing import Any

import jinja2

_TEMPLATES = Path(__file__).parent / "templates"


def build_page(name: str, **values: Any) -> str:
    """Return a page.

    Parameters
    ----------
    name : str
        Of `NAME.html.j2`, which is put together with `table.css`, `NAME.css`, `table.js` and `NAME.js`.
    **values
        What the template shows. Text is escaped; `data` becomes JSON that no text in it can break out of.
    """
    script = _read("table.js") + _read(f"{name}.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES), autoescape=True, undefined=jinja2.StrictUndefined
    )
    css = _read("table.css") + _read(f"{name}.css")
    return environment.get_template(f"{name}.html.j2").render(css=css, script=script, script_digest=digest, **values)


def _read(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")
