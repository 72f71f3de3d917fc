"""What is shown of each object, without a kernel: HTML that nothing breaks, text beside it, no secrets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given, strategies as st

import errkit
from errkit import CodedError, Details, ErrorSpec, Reason, Registry, Secret, code
from errkit.catalogs.agent_core import REGISTRY as CORE
from errkit.diagnostics import ErrorRecord
from errkit.domains.os_fs import HostFsError
from errkit.jupyter import Records, mimebundle, show, to_html, to_text
from errkit.jupyter.markup import element, link, prose
from errkit.jupyter.style import STYLE
from tests.hostile import every_hostile_object
from tests.jupyter.reading import Page

ANYTHING = st.text(st.characters(exclude_categories=()))
ELEMENTS = {
    *("a", "br", "caption", "code", "details", "div", "li", "p", "pre", "span", "strong", "style", "summary"),
    *("table", "tbody", "td", "th", "thead", "tr", "ul"),
}
ATTRIBUTES = {"aria-label", "class", "href", "open", "rel", "role", "scope"}


def page_of(value: object) -> Page:
    page = Page(to_html(value))
    assert page.elements <= ELEMENTS
    assert page.attributes <= ATTRIBUTES
    assert all(address.startswith(("https://", "http://")) for address in page.links)
    return page


SHOP = Registry("shop", base_url="https://shop.example")


class CartDetails(Details):
    cart: str
    """The cart's id."""
    token: Secret[str] = "PLANTED"


class CartError(CodedError, domain="shop.cart", title="Cart", numbers=range(10, 20), registry=SHOP):
    """About carts."""

    EMPTY = code("Cart is empty", CartDetails, number=10, hint="Add an item first.", public=True,
                 reasons={"gone": Reason(title="Gone", hint="Wait.")}, deprecated="2.0",
                 example={"cart": "c", "token": "PLANTED"}, replaced_by="shop.cart.slow")  # fmt: skip
    """Nothing is in ``cart``.

    - first
    - second
    """
    SLOW = code("Cart did not answer", kind="transient")


class GoneError(CartError, of=CartError.EMPTY):
    """A class of its own."""


class Everything(CartError, facade=True):
    """All of them."""


def failure() -> CodedError:
    details = {"cart": "c7", "token": "PLANTED", "more": {"a": [1, 2]}}
    error = CodedError(CartError.EMPTY, "no item, password=PLANTED", details=details)
    error.__cause__ = ExceptionGroup(
        "two", [HostFsError.NOT_FOUND("<b>", path="/x", op="read"), ValueError("Bearer PLANTED-abcdef")]
    )
    error.add_note("noted")
    error.note_facts(secondary=(TimeoutError("cleanup"),), diagnostic_id="d-1", log_path="/log")
    return error.override(retry_after=2, retryable=True)


# --- what is shown ------------------------------------------------------------------------------------------


def test_a_code_is_shown_with_what_to_do_first() -> None:
    """Hint, prose and verdicts can be read at once; tables are folded; the page of the code is linked."""
    page = page_of(CartError.EMPTY)
    order = [
        "shop.cart.empty",
        " 10",
        "Cart is empty",
        "What to do: ",
        "Add an item first.",
        "Nothing is in ",
    ]
    places = [page.text.index(text) for text in order]
    assert places == sorted(places)
    assert page.links == ["https://shop.example/e/shop.cart.empty/"]
    for text in ("repeating the call does not help", "Deprecated since 2.0", "Use instead: shop.cart.slow"):
        assert text in page.text
    assert "/test_displaying.py" not in page.text, "no folder of this machine is published"
    assert to_text(CartError.EMPTY).startswith("shop.cart.empty  10\nCart is empty\n\nNothing is in `cart`.")


@pytest.mark.parametrize(
    "value", [CartError.EMPTY, CartError.EMPTY.spec, GoneError], ids=["code", "spec", "class"]
)
def test_a_code_its_spec_and_its_class_are_shown_alike(value: Any) -> None:
    """Whatever stands for the code."""
    assert to_html(value) == to_html(CartError.EMPTY)


def test_a_registry_and_its_domains_are_shown_in_tables() -> None:
    """Each code with its verdicts; a domain says its range; few domains are unfolded, many are folded."""
    page = page_of(SHOP)
    for text in (
        "shop: 1 domain, 2 codes",
        "2 codes, numbers 10 to 19",
        "About carts.",
        "Number",
        "transient",
    ):
        assert text in page.text
    assert page_of(CartError).text == page_of(CartError.__domain__).text == page_of(Everything).text
    assert "<details open" in to_html(SHOP)
    assert "<details open" not in to_html(CORE)
    assert [line.split()[:2] for line in to_text(SHOP).splitlines()[2:5]] == [
        ["shop.cart", "Cart"],
        ["Code", "Number"],
        ["shop.cart.empty", "10"],
    ]


def test_what_is_large_is_capped_and_the_rest_is_counted() -> None:
    """132 codes of 33 domains: a hundred rows at most, every domain named."""
    html, text = to_html(CORE), to_text(CORE)
    assert html.count('<tr><th scope="row">') == 100
    assert all(domain.domain in html for domain in CORE.domains)
    left = [int(number) for number in re.findall(r"(\d+) more code", html)]
    assert sum(left) == 32
    assert text.count("more code") == len(left)


def test_a_failure_is_shown_with_all_that_it_carries() -> None:
    """Message, hint, verdicts, details, notes, causes, the group among them, failures of cleanup, ids."""
    page = page_of(failure())
    for text in (
        "no item, password=[REDACTED]",
        "Add an item first.",
        "yes, after 2 s",
        "Details: cart, token, more",
        "c7",
        "Note: noted",
        "Caused by internal two (2 sub-exceptions)",
        "In the group: 2 failures",
        "os.fs.not_found",
        "While cleaning up: 1 failure",
        "Diagnostic id: d-1",
        "Log: /log",
    ):
        assert text in page.text, text
    assert to_text(failure()).startswith("[shop.cart.empty] no item, password=[REDACTED]\nHint: ")


def test_a_payload_is_shown_like_the_failure_that_it_came_from() -> None:
    """Also after a trip over the wire; one that was made elsewhere is redacted first."""
    payload = errkit.to_payload(failure())
    assert to_html(payload) == to_html(json.loads(json.dumps(payload))) == to_html(failure())
    text = page_of({"code": "other.code", "message": "token=PLANTED", "details": ["x"]}).text
    assert "token=[REDACTED]" in text
    assert "other.code" in to_text({"code": "other.code", "message": "m"})


def test_records_are_shown_the_latest_first_and_capped() -> None:
    """Fifty rows, and how many more there are."""
    records = Records([ErrorRecord.of(failure()) for _ in range(60)])
    page = page_of(records)
    assert "60 records of 1 code" in page.text
    assert "10 more records" in page.text
    assert len(to_text(records).splitlines()) == 53
    assert page_of(Records([])).text == "0 records"


@pytest.mark.parametrize(
    "value",
    [
        SHOP,
        CartError,
        CartError.EMPTY,
        failure(),
        Records([ErrorRecord.of(failure())]),
        errkit.to_payload(failure()),
    ],
    ids=["registry", "domain", "code", "error", "records", "payload"],
)
def test_no_secret_is_shown(value: object) -> None:
    """Neither in HTML nor in text."""
    assert "PLANTED" not in to_html(value) + to_text(value)


def test_ipython_finds_the_reprs() -> None:
    """Objects answer for themselves, and a domain class as its instances do, through a bound method."""
    for value in (SHOP, CartError, CartError.EMPTY, CartError.EMPTY.spec, CartError.__domain__, failure()):
        bundle = value._repr_mimebundle_(include=None, exclude=None)  # type: ignore[union-attr]
        assert set(bundle) == {"text/plain", "text/html"}
    assert mimebundle(CodedError) == mimebundle(5) == mimebundle({"a": 1}) == mimebundle(int) == {}
    with pytest.raises(TypeError, match="found int"):
        to_html(5)


def test_without_ipython_show_prints(capsys: pytest.CaptureFixture[str]) -> None:
    """The text."""
    show(CartError.SLOW)
    assert capsys.readouterr().out.startswith("shop.cart.slow\nCart did not answer\n")


def test_show_shows_something_where_a_view_fails(capsys: pytest.CaptureFixture[str]) -> None:
    """What the object says of itself, without its secrets and without what steers a terminal."""

    class Broken(Registry):
        @property
        def domains(self) -> Any:
            raise LookupError

        def __repr__(self) -> str:
            return "<Broken: token=PLANTED \x1b[31m>"

    broken = Broken("broken_shop")
    assert mimebundle(broken) == {}
    show(broken)
    assert capsys.readouterr().out == "<Broken: token=[REDACTED] \\x1b[31m>\n"
    with pytest.raises(TypeError, match="found int"):
        show(5)


# --- nothing breaks it --------------------------------------------------------------------------------------


@every_hostile_object
def test_no_object_breaks_a_repr(value: object) -> None:
    """As a value to show, and inside the details of an error; what can't be shown gives nothing."""
    assert set(mimebundle(value)) <= {"text/plain", "text/html"}
    page_of(CodedError(CartError.EMPTY, details={"cart": value}))


@given(text=ANYTHING)
def test_any_text_is_text(text: str) -> None:
    """Whatever an error says can be read, and is no markup; no element is left open."""
    page_of(CartError.EMPTY(text, cart=text).override(hint=text))
    page_of(
        {"code": text, "message": text, "name": text, "docs": text, "kind": text, "details": {text: text}}
    )
    assert Page(element("p", text)).text.replace("\n", "") == "".join(
        Page(element("p", line)).text for line in text.replace("\r\n", "\n").split("\n")
    )


@given(text=ANYTHING)
def test_any_prose_is_shown_whole(text: str) -> None:
    """No word of documentation is lost, whatever its markup."""
    page = Page("".join(prose(text)))
    assert page.elements <= ELEMENTS
    shown = "".join(letter for letter in page.text if letter.isalnum())
    words = "".join(letter for letter in text if letter.isalnum())
    assert len(shown) >= len(words) - sum(len(role) for role in text.split() if ":" in role or "{" in role)


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "//evil.example",
        "https://a b",
        'https://a"onclick=x',
        "/x",
        "",
    ],
)
def test_only_addresses_of_the_web_become_links(address: str) -> None:
    """Everything else stays text."""
    assert "<a" not in link(address, "text")


def test_no_text_of_a_catalogue_becomes_markup(evil: Registry) -> None:
    """Whoever wrote it: title, hint, prose, types, reasons, versions and addresses stay text."""
    for value in (evil, evil.domains[0], evil.domains[0].cls, next(iter(evil)), Everywhere(evil)):
        page = page_of(value)
        assert page.links == []
        assert "<script>hacked=1</script>" in page.text
        assert "\x1b" not in to_text(value)


class Everywhere(Mapping[str, Any]):
    """A payload whose every text is markup."""

    def __init__(self, evil: Registry) -> None:
        text = next(iter(evil)).title
        inner = {"code": text, "message": text, "name": text, "retryable": text, "details": {text: [text]}}
        outer = {**inner, "hint": text, "docs": text, "kind": text, "number": text, "notes": [text]}
        self._data = {
            **outer,
            "cause": outer,
            "group": [outer, inner],
            "secondary": [outer],
            "log_path": text,
        }

    def __getitem__(self, key: str) -> Any:
        return self._data[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)


def test_the_style_sheet_ends_where_it_should() -> None:
    """It holds nothing that ends it early, loads nothing, and touches nothing outside the output."""
    assert "<" not in STYLE
    assert "url(" not in STYLE
    assert "@" not in STYLE
    selectors = [part.strip() for rule in STYLE.split("}")[:-1] for part in rule.split("{")[0].split(",")]
    assert [one for one in selectors if not one.startswith(".errkit")] == []


def test_spec_of_an_unknown_code_is_shown() -> None:
    """A code that is registered nowhere has a card as well."""
    spec: ErrorSpec = CodedError("no.such_code", "m").spec
    assert "no.such_code" in page_of(spec).text
