"""`raisers`: which function raises which code, found in the source."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from errkit import REGISTRY
from errkit.registry import Registry
from errkit.source import Place, raisers

if TYPE_CHECKING:
    from tests.source.conftest import Granary

GONE = "granary.stock.gone"

WAYS = {
    "the class": "from granary.errors import StockError\ndef f(): raise StockError.GONE('m', grain='rye')",
    "a name of its own": "from granary.errors import StockError as S\ndef f(): raise S.GONE('m')",
    "a module": "import granary.errors\ndef f(): raise granary.errors.StockError.GONE('m')",
    "a module under another name": "import granary.errors as e\ndef f(): raise e.StockError.GONE('m')",
    "a package that exports it again": "from granary import StockError\ndef f(): raise StockError.GONE('m')",
    "a star": "from granary.errors import *\ndef f(): raise StockError.GONE('m')",
    "an assigned name": "from granary import StockError\nE = StockError\ndef f(): raise E.GONE('m')",
    "an assigned code": "from granary import StockError\nG = StockError.GONE\ndef f(): raise G('m')",
    "the facade": "from granary.codes import ErrorCodes\ndef f(): raise ErrorCodes.GONE('m')",
    "a facade that a function makes": (
        "from errkit import facade\nfrom granary.errors import StockError\nALL = facade(StockError)\n"
        "def f(): raise ALL.GONE('m')"
    ),
    "a facade of a registry": (
        "from errkit import facade\nfrom granary.errors import REGISTRY\nALL = facade(REGISTRY)\n"
        "def f(): raise ALL.GONE('m')"
    ),
    "a subclass": (
        "from granary import StockError\nclass Rye(StockError): pass\ndef f(): raise Rye.GONE('m')"
    ),
    "a class bound to it": "from granary.errors import GrainGone\ndef f(): raise GrainGone('m')",
    "its text": "from errkit import CodedError\ndef f(): raise CodedError('granary.stock.gone', 'm')",
    "a fallback": "from errkit import as_coded\ndef f(e): raise as_coded(e, fallback='granary.stock.gone')",
    "an import where it is needed": (
        "def f():\n    from granary.errors import StockError\n    raise StockError.GONE('m')"
    ),
    "a variable": "from granary import StockError as S\ndef f():\n    e = S.GONE('m')\n    raise e",
    "an override": "from granary import StockError\ndef f(): raise StockError.GONE('m').override(hint='h')",
    "a choice": "from granary import StockError as S\ndef f(x): raise S.GONE() if x else S.LOCKED()",
    "a chosen code": (
        "from granary import StockError as S\ndef f(x):\n    c = S.GONE if x else S.LOCKED\n    raise c()"
    ),
    "a signal": "from granary import StockError as S\ndef f(x): x.set_exception(S.GONE('m'))",
    "a function that takes the code": "from granary import StockError as S\ndef f(): refuse(S.GONE, 'm')",
    "an attribute of the class": (
        "from granary import StockError as S\nclass f:\n    E = S\n    def x(self): raise self.E.GONE('m')"
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_reach_a_code_is_followed(way: str, granary: Granary) -> None:
    """A function raises a code by whatever name it reaches it."""
    assert [name.partition(".")[0] for name in granary.raised(WAYS[way])[GONE]] == ["f"]


HELPER = """
from granary import StockError

def missing(grain):
    return StockError.GONE("gone", grain=grain)

def twice(grain):
    return missing(grain)

class Mill:
    def _missing(self):
        return StockError.GONE("gone", grain="rye")

    def grind(self):
        raise self._missing()

async def later():
    return StockError.LOCKED("locked")
"""


def test_who_raises_what_a_helper_returns_is_named(granary: Granary) -> None:
    """The place is the function that raises, through any number of helpers; not the helper."""
    raised = granary.raised(HELPER + "def f(): raise twice('rye')\nasync def g(): raise await later()\n")
    assert raised == {GONE: ["Mill.grind", "f"], "granary.stock.locked": ["g"]}


def test_a_helper_that_nobody_is_seen_to_use_stays(granary: Granary) -> None:
    """Where no raise of its result is found, the helper itself is the best answer."""
    assert granary.raised(HELPER)["granary.stock.locked"] == ["later"]


def test_a_helper_of_another_file_is_followed(granary: Granary) -> None:
    """Helpers are found through imports, relative ones as well."""
    granary.file(HELPER, "mill/tools.py")
    granary.file("", "mill/__init__.py")
    granary.file("from .tools import missing\ndef f(): raise missing('rye')", "mill/work.py")
    assert granary.raised()[GONE] == ["Mill.grind", "f"]


def test_a_translator_raises_the_codes_of_its_rules(granary: Granary) -> None:
    """Rules and the fallback count under the translator's name."""
    found = raisers([granary.home], [granary.registry])
    assert found["granary", "granary.stock.locked"] == (
        Place(
            module="granary.errors",
            qualname="to_stock_error",
            file=str(granary.home / "granary" / "errors.py"),
            line=28,
        ),
    )
    assert [place.qualname for place in found["granary", "granary.stock.failed"]] == ["to_stock_error"]


def test_a_table_is_named_where_nothing_better_is_known(granary: Granary) -> None:
    """A code that only stands in a table of the module is raised by the table."""
    text = "from granary import StockError as S\nTABLE = {404: S.GONE, 423: S.LOCKED}\n"
    assert granary.raised(text + "def f(): raise S.GONE('m')") == {
        GONE: ["f"],
        "granary.stock.locked": ["TABLE"],
    }


@pytest.mark.parametrize(
    "text",
    [
        "def f(e): return e.code == StockError.GONE",
        "def f(e): return e.code in (StockError.GONE, StockError.LOCKED)",
        "def f(e): return StockError.GONE.match(e)",
        "def f(e):\n    match e:\n        case StockError.GONE: return 1",
        "def f(): return StockError.GONE.spec.title",
        "def f():\n    with raises_code(StockError.GONE): g()",
        "def f(StockError): raise StockError.GONE('m')",
        "def f():\n    StockError = other()\n    raise StockError.GONE('m')",
        "from elsewhere import StockError\ndef f(): raise StockError.GONE('m')",
    ],
)
def test_who_only_looks_at_a_code_does_not_raise_it(text: str, granary: Granary) -> None:
    """Comparing, matching and asking is no raise; neither is another thing of the same name."""
    assert granary.raised(f"from granary import StockError\n{text}").get(GONE) is None


def test_a_catalogue_is_tied_by_the_name_of_the_domain(granary: Granary) -> None:
    """Codes of a catalogue file are found in the source that declares the same domain."""
    path = granary.folder / "codes.json"
    path.write_text(granary.registry.export(), "utf-8")
    granary.file("from granary import StockError\ndef f(): raise StockError.GONE('m')")
    found = raisers([granary.folder, granary.home], [Registry.load(path)])
    assert [place.qualname for place in found["granary", GONE]] == ["f"]


def test_a_file_is_parsed_again_only_when_it_changed(granary: Granary) -> None:
    """The content decides: the same text in a new file time costs nothing, another text counts."""
    from errkit.source.reading import read_outline

    path = granary.file("from granary import StockError\ndef f(): raise StockError.GONE('m')")
    first = read_outline(str(path), "mill")
    path.touch()
    assert read_outline(str(path), "mill") is first
    assert granary.raised("from granary import StockError\ndef g(): raise StockError.GONE('m')")[GONE] == [
        "g"
    ]


def test_nothing_is_imported(granary: Granary) -> None:
    """A file that would end the program when imported is read like any other."""
    text = (
        "import sys\nsys.exit('imported')\nfrom granary import StockError\ndef f(): raise StockError.GONE()"
    )
    assert granary.raised(text)[GONE] == ["f"]
    assert "mill" not in sys.modules


def test_the_codes_of_errkit_itself_are_found() -> None:
    """Of errkit's own codes, each is raised somewhere, but the one that is there for others."""
    import errkit

    found = raisers([errkit.__path__[0]], [REGISTRY])
    own = [spec.code for spec in REGISTRY if spec.domain in ("core", "errkit")]
    assert [code for code in own if ("errkit", code) not in found] == ["validation.failed"]
