"""What the extension reports is documented, kind by kind."""

from __future__ import annotations

import re

from sphinx.pycode import ModuleAnalyzer

from errkit.sphinx import reports
from errkit.sphinx.reports import Report
from tests.story import ROOT


def test_every_kind_of_warning_is_documented_in_its_own_words() -> None:
    """The table of the reference holds each type with the text under it in the source, and no other."""
    page = (ROOT / "docs" / "reference" / "directives.md").read_text("utf-8")
    table = page[page.index("## Warnings") :]
    documented = dict(re.findall(r"^\| `errkit\.(\w+)` \| (.*) \|$", table, re.MULTILINE))
    analyzer = ModuleAnalyzer.for_module(reports.__name__)
    texts = {
        name: " ".join(text) for (cls, name), text in analyzer.find_attr_docs().items() if cls == "Report"
    }
    expected = {kind.value: texts[kind.name].strip().removesuffix(".") for kind in Report}
    assert {name: text.lower() for name, text in documented.items()} == {
        name: text.lower() for name, text in expected.items()
    }
