"""Catalogues as files: a registry written as `errkit.catalog/1`, and read back from JSON or TOML.

What a file declares becomes real domain classes with the core's own checks, so a loaded registry serves
every face like one that was written in Python. A file is data from elsewhere: no text in it is ever run, and
nothing is imported by a name that stands in it. A file with any fault is refused whole.

`writing.py` makes the data, `parsing.py` and `shapes.py` check what a file holds, `reading.py` makes the
classes, `vocabulary.py` knows types as text. Which files a project has is said in `config.py`.
"""

from __future__ import annotations

from errkit.catalog_file.parsing import MAX_BYTES, MAX_DEPTH
from errkit.catalog_file.reading import from_data, load
from errkit.catalog_file.shapes import FORMAT
from errkit.catalog_file.writing import catalog, code_data, export, json_line, json_text

__all__ = [
    "FORMAT",
    "MAX_BYTES",
    "MAX_DEPTH",
    "catalog",
    "code_data",
    "export",
    "from_data",
    "json_line",
    "json_text",
    "load",
]
