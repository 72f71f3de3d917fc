"""What a declaration must be: every rule that needs no other domain, and what the refusal says."""

from __future__ import annotations

import re
from typing import Any, cast

import pytest
from hypothesis import given, strategies as st

from errkit import CodedError, Details, ErrorSpec, Reason, Registry, code
from errkit.declaring import MAX_CODE_LENGTH, RESERVED_FIELDS, check_code, fold

SEGMENTS = st.text("abcXYZ019_", min_size=1, max_size=8)


class PathDetails(Details):
    path: str


def make(domain: str = "shop.cart", **keywords: Any) -> type[CodedError]:
    """A domain with one code, `X`, that has the given facts; its class keywords start with `cls_`."""
    own = {
        name.removeprefix("cls_"): keywords.pop(name) for name in list(keywords) if name.startswith("cls_")
    }

    class Made(CodedError, domain=domain, registry=Registry(), **own):
        X = code(**{"title": "A title", **keywords})

    return Made


def spec_of(**keywords: Any) -> ErrorSpec:
    """The spec of a code with these facts."""
    domain = make(**keywords).__domain__
    assert domain is not None
    return domain.codes[0]


def refusal(**keywords: Any) -> CodedError:
    """The error for a declaration that is not sound."""
    with pytest.raises(CodedError) as caught:
        make(**keywords)
    assert caught.value.code == "errkit.bad_declaration"
    return caught.value


# --- code strings ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("facts", "text"),
    [
        ({}, "shop.cart.x"),
        ({"code": "E1001"}, "E1001"),
        ({"cls_codes": "{CONST}"}, "X"),
        ({"cls_codes": "{domain}-{const}".replace("-", "_")}, "shop.cart_x"),
        ({"cls_codes": "app.{domain}.{CONST}"}, "app.shop.cart.X"),
        ({"cls_codes": "{CONST}", "code": "own"}, "own"),
    ],
)
def test_a_code_string_follows_from_domain_and_constant(facts: dict[str, Any], text: str) -> None:
    """Domain, dot, constant in lower case; a pattern on the class or `code=` on the code says otherwise."""
    assert spec_of(**facts).code == text


@given(st.lists(SEGMENTS, min_size=1, max_size=4).map(".".join))
def test_segments_of_letters_digits_and_underscores_make_a_code(text: str) -> None:
    """Any such text is a code, in upper and lower case, with digits and underscores at the front too."""
    assert check_code(text) == ""


@given(st.text(max_size=12))
def test_everything_else_is_none(text: str) -> None:
    """The grammar is exactly: segments of ASCII letters, digits and underscores, separated by single dots."""
    is_code = re.fullmatch(r"[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*", text) is not None
    assert (check_code(text) == "") == is_code


@pytest.mark.parametrize("text", ["", ".", "a.", ".a", "a..b", "a-b", "a b", "ä", "a.b\n", "a/b", 3, b"a"])
def test_what_is_no_code_is_refused_as_domain_and_as_code(text: Any) -> None:
    """A fault in either names the text and the rule."""
    assert "segments separated by dots" in refusal(domain=text).message
    assert repr(text) in refusal(code=text).message


def test_a_code_has_at_most_128_characters() -> None:
    """The longest code is taken; one character more is refused, and quoted in part."""
    assert spec_of(code="a" * MAX_CODE_LENGTH).code == "a" * 128
    message = refusal(code="a" * 129).message
    assert "has 129 characters; a code has at most 128" in message
    assert len(message) < 300


@pytest.mark.parametrize("domain", ["foo.md", "rst", "a.b.rst", "foo.MD"])
def test_a_domain_does_not_end_like_a_source_file(domain: str) -> None:
    """`errors/foo.md` would be a source file of the site, not the page of that domain."""
    assert "ends in a source file suffix" in refusal(domain=domain).message


def test_the_suffix_counts_in_the_last_segment_only() -> None:
    """Elsewhere in a domain, and in a code, `md` and `rst` are names like any other."""
    assert spec_of(domain="md.foo").code == "md.foo.x"
    assert spec_of(code="foo.md").code == "foo.md"


@given(st.text())
def test_folding_is_idempotent_and_gives_no_dots(text: str) -> None:
    """Folding lowers the case and joins segments and words by dashes."""
    assert fold(fold(text)) == fold(text)
    assert not set("._") & set(fold(text))
    assert fold("OS.fs_Not") == "os-fs-not"


# --- facts ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("facts", "problem"),
    [
        ({"title": ""}, "the title is empty"),
        ({"title": " \n"}, "the title is empty"),
        ({"title": None}, "title=None is no text"),
        ({"hint": 3}, "hint=3 is no text"),
        ({"since": 1.2}, "since=1.2 is no text"),
        ({"replaced_by": ["a"]}, r"replaced_by=\['a'\] is no text"),
        ({"docs": b"x"}, "docs=b'x' is no text"),
        ({"kind": "fatal"}, "kind='fatal' is none of terminal, transient, outcome, cancelled, bug"),
        ({"kind": None}, "kind=None is no text"),
        ({"public": "no"}, "public='no' is no flag"),
        ({"alert": 1}, "alert=1 is no flag"),
        ({"number": "7"}, "number='7' is no whole number"),
        ({"number": True, "cls_numbers": range(5)}, "number=True is no whole number"),
        ({"number": 7}, "number 7 stands in a domain without a range"),
        ({"number": 7, "cls_numbers": range(5)}, "number 7 is outside the domain's range 0 to 4"),
        ({"details": int}, "details=<class 'int'> is no Details class"),
        ({"details": PathDetails(path="a")}, "is no Details class"),
        ({"aliases": "abc"}, "aliases='abc' is no tuple of texts"),
        ({"aliases": None}, "aliases=None is no tuple of texts"),
        ({"aliases": ["a b"]}, "alias 'a b' is no code"),
        ({"aliases": [3]}, "alias 3 is no code"),
        ({"example": ["path"]}, r"example=\['path'\] is no mapping"),
        ({"example": {1: 2}}, "has the key 1, which is no text"),
        ({"reasons": ["a"]}, r"reasons=\['a'\] is no mapping"),
        ({"reasons": {"a": 3}}, "reason 'a' is declared as 3"),
        ({"reasons": {3: "a"}}, "reason 3 is declared as 'a'"),
        ({"retry_after": -1}, "retry_after=-1 is no number of seconds from 0 up"),
        ({"retry_after": float("nan")}, "retry_after=nan is no number of seconds"),
        ({"retry_after": float("inf")}, "retry_after=inf is no number of seconds"),
        ({"retry_after": "soon"}, "retry_after='soon' is no number of seconds"),
        ({"retry_after": True}, "retry_after=True is no number of seconds"),
        ({"http_status": 99}, "http_status=99 is no HTTP status"),
        ({"http_status": 404.0}, "http_status=404.0 is no HTTP status"),
        ({"http_status": True}, "http_status=True is no HTTP status"),
        ({"cls_numbers": range(5, 5)}, r"numbers=range\(5, 5\) is no ascending range"),
        ({"cls_numbers": range(0, 10, 2)}, r"numbers=range\(0, 10, 2\) is no ascending range"),
        ({"cls_numbers": range(10, 0, -1)}, "is no ascending range"),
        ({"cls_numbers": (1, 9)}, r"numbers=\(1, 9\) is no ascending range"),
        ({"cls_title": 3}, "title=3 is no text"),
        ({"cls_codes": 3}, "codes=3 is no text"),
    ],
)
def test_a_fact_that_is_not_sound_refuses_the_class(facts: dict[str, Any], problem: str) -> None:
    """The refusal says what was found and what was expected, and where, as file and line."""
    error = refusal(**facts)
    assert re.search(problem, error.message)
    assert re.search(r"Made(\.X)? at .*test_declaring\.py:\d+: ", error.message)
    assert error.details["problem"] in error.message
    assert re.fullmatch(r".*test_declaring\.py:\d+", error.details["place"])
    assert error.details["owner"].endswith(("Made", "Made.X"))
    assert (error.retryable, error.kind, error.details_problem) == (False, "bug", None)


@pytest.mark.parametrize("name", sorted(RESERVED_FIELDS))
def test_reserved_names_are_no_fields(name: str) -> None:
    """`match cause code hint message` mean something else on every error and at every throw site."""
    details = type("Bad", (PathDetails,), {"__annotations__": {name: str}})
    assert f"the field {name!r} of Bad is reserved" in refusal(details=details).message
    assert {"match", "cause", "code", "hint", "message"} == RESERVED_FIELDS


def test_what_details_classes_need_themselves_is_no_field() -> None:
    """A field that would hide a method of `Details` is refused like a reserved one."""
    details = type("Bad", (Details,), {"__annotations__": {"field_names": str}})
    assert "'field_names' of Bad is reserved" in refusal(details=details).message


@pytest.mark.parametrize(
    "const", ["message", "details", "args", "override", "domain", "with_traceback", "__str__"]
)
def test_a_constant_hides_nothing_that_errors_have(const: str) -> None:
    """A code called `details` would take the details of every error of its domain away."""
    with pytest.raises(CodedError, match=f"hides .*{const}; give the code another one"):
        type("Bad", (CodedError,), {const: code("Bad")}, domain="bad", registry=Registry())


def test_an_alias_may_hold_dashes() -> None:
    """Former spellings come from elsewhere, so they are a little freer than codes."""
    assert spec_of(aliases=["E-1", "old.spelling-2"]).aliases == ("E-1", "old.spelling-2")
    assert "is no code" in refusal(code="E-1").message


def test_numbers_are_optional() -> None:
    """A domain may have a range and a code no number; the first and the last of the range belong to it."""
    assert spec_of(cls_numbers=range(10, 20)).number is None
    assert spec_of(cls_numbers=range(10, 20), number=10).number == 10
    assert spec_of(cls_numbers=range(10, 20), number=19).number == 19


def test_a_plain_reason_becomes_a_record() -> None:
    """A reason that is only a text is its title; a code with reasons takes `reason=` without more."""
    spec = spec_of(reasons={"late": "Too late", "lock": Reason(title="Locked", retryable=True)})
    assert spec.reasons == {"late": Reason(title="Too late"), "lock": Reason(title="Locked", retryable=True)}
    assert spec.details is not None
    assert spec.details.field_names()[0] == {"reason"}
    assert spec_of(reasons={"a": "A"}, details=PathDetails).details is PathDetails


def test_a_domain_knows_its_facts() -> None:
    """The record of a domain: name, title (the name if none is given), range, codes, class and place."""
    cls = make(cls_title="Cart", cls_numbers=range(1, 9), cls_description="Prose.")
    domain = cast("Any", cls).__domain__
    assert (domain.domain, domain.title, domain.numbers, domain.description) == (
        "shop.cart",
        "Cart",
        range(1, 9),
        "Prose.",
    )
    assert [spec.const for spec in domain.codes] == ["X"]
    assert domain.cls is cls
    assert cls.domain == "shop.cart"
    assert cast("Any", make()).__domain__.title == "shop.cart"
    assert repr(domain) == "<DomainSpec shop.cart: 1 codes>"


def test_codes_stay_in_the_order_of_declaration() -> None:
    """The order in the class body is the order of the domain."""

    class Ordered(CodedError, domain="ordered", registry=Registry()):
        ZULU = code("Z")
        ALPHA = code("A")
        MIKE = code("M")

    assert [spec.const for spec in cast("Any", Ordered).__domain__.codes] == ["ZULU", "ALPHA", "MIKE"]


def test_a_refused_class_leaves_nothing_behind() -> None:
    """One bad code among good ones keeps the whole class out of the registry."""
    registry = Registry()
    with pytest.raises(CodedError, match="kind='odd'"):

        class Partly(CodedError, domain="partly", registry=registry):  # pyright: ignore[reportUnusedClass]
            GOOD = code("Good")
            BAD = code("Bad", kind=cast("Any", "odd"))

    assert len(registry) == 0
    assert registry.domains == ()


def test_declaring_works_under_a_tracer() -> None:
    """A debugger or a coverage tool that looks at local variables changes nothing of what is declared."""
    import sys

    seen = []

    def trace(frame: Any, event: str, argument: object) -> Any:
        seen.append(len(frame.f_locals))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        spec = spec_of(hint="Look.", aliases=["old"])
    finally:
        sys.settrace(before)
    assert (spec.hint, spec.aliases, spec.code) == ("Look.", ("old",), "shop.cart.x")
    assert seen


def test_a_place_is_file_and_line_or_says_that_it_is_unknown() -> None:
    """Records made by hand may have no place."""
    assert ErrorSpec(code="a", title="A").place == "an unknown place"
    assert ErrorSpec(code="a", title="A", file="x.py", line=3).place == "x.py:3"
