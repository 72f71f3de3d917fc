"""Catalogues as files: what goes out comes back as the same contract; a bad file is refused."""

from __future__ import annotations

import copy
import datetime
import decimal
import importlib.util
import json
import pathlib
import pickle
import random
import sys
import types
import uuid
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st

from errkit.catalog_file import FORMAT, MAX_BYTES, MAX_DEPTH, catalog, export, load
from errkit.catalogs import agent_core, agent_device, harness
from errkit.codes import KINDS, Details, Reason, Secret, code
from errkit.errors import CodedError
from errkit.fields import MISSING, read_fields
from errkit.payload import from_payload, to_payload
from errkit.prose import code_prose, domain_prose
from errkit.registry import REGISTRY, Registry

if TYPE_CHECKING:
    from collections.abc import Callable

    Save = Callable[..., pathlib.Path]

    from errkit.codes import ErrorSpec

REGISTRIES = [REGISTRY, agent_core.REGISTRY, agent_device.REGISTRY, harness.REGISTRY]


@pytest.fixture(scope="module")
def save(tmp_path_factory: pytest.TempPathFactory) -> Save:
    """Writes a catalogue file: data as JSON, text as it is; the name may say TOML."""
    folder = tmp_path_factory.mktemp("catalogs")

    def write(content: object, name: str = "shop.json") -> pathlib.Path:
        path = folder / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
        return path

    return write


def shop(*codes: object, **domain: object) -> dict[str, Any]:
    """A catalogue of one domain."""
    return {
        "format": FORMAT,
        "registry": "shop",
        "domains": [{"domain": "shop.cart", "numbers": [1000, 1099], "codes": list(codes), **domain}],
    }


FULL_CODE = {
    "const": "EMPTY",
    "code": "shop.cart.empty",
    "title": "Cart is empty",
    "number": 1001,
    "kind": "transient",
    "alert": False,
    "public": True,
    "hint": "Add an item first.",
    "description": "Nothing was in the cart.\n\n    indented\n\nAdd an item.",
    "http_status": 409,
    "retry_after": 0.5,
    "details": [
        {
            "name": "cart",
            "type": "str",
            "required": True,
            "default": None,
            "secret": False,
            "description": "Which.",
        },
        {"name": "since", "type": "datetime | None", "required": False},
        {"name": "token", "type": "str", "secret": True, "default": "t"},
        {"name": "items", "type": "list[int]", "default": [1]},
        {"name": "model", "type": "shop.Model", "default": {"a": 1}},
    ],
    "reasons": {
        "expired": {"title": "It expired", "hint": "Start again.", "retryable": False},
        "gone": "Gone",
    },
    "example": {"cart": "c1", "since": "2024-01-02T03:04:05"},
    "aliases": ["E-CART"],
    "since": "1.2",
    "deprecated": "2.0",
    "replaced_by": "shop.cart.gone",
    "docs": "https://example.com/cart",
    "x_ours": "ignored",
}


def refusal(path: pathlib.Path) -> Any:
    """The error that a bad file gives."""
    with pytest.raises(CodedError) as caught:
        load(path)
    assert caught.value.code == "errkit.bad_catalog"
    assert caught.value.details["path"] == str(path)
    assert str(path) in caught.value.message
    assert caught.value.details_problem is None
    return caught.value


# --- there and back -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: registry.name)
def test_real_registries_come_back(registry: Registry, save: Save) -> None:
    """Every fact of errkit's own codes and of the catalogues survives export and load, prose included."""
    text = registry.export()
    found = Registry.load(save(text, f"{registry.name}.json"))
    assert found == registry
    assert found.export() == text
    assert [spec.code for spec in found] == [spec.code for spec in registry]
    for spec in registry:
        twin = found[spec.code]
        mine, theirs = code_prose(twin), code_prose(spec)
        assert (mine and mine.text) == (theirs and theirs.text)
        assert fields_of(twin) == fields_of(spec)


def fields_of(spec: ErrorSpec) -> list[tuple[object, ...]]:
    """What the details of a code declare; the types themselves are told by their text."""
    if spec.details is None:
        return []
    return [
        (field.name, field.type_text, field.required, field.secret) for field in read_fields(spec.details)
    ]


def test_every_key_of_the_format_is_read(save: Save) -> None:
    """A code with all keys of the format has all facts, and an unknown key is ignored."""
    registry = load(save({**shop(FULL_CODE, title="Cart", description="All of carts."), "markup": "md"}))
    spec = registry["E-CART"]
    assert (registry.name, registry.markup) == ("shop", "md")
    assert (spec.code, spec.const, spec.domain) == ("shop.cart.empty", "EMPTY", "shop.cart")
    assert (spec.title, spec.number, spec.kind, spec.alert) == ("Cart is empty", 1001, "transient", False)
    assert (spec.public, spec.hint, spec.http_status) == (True, "Add an item first.", 409)
    assert (spec.retry_after, spec.since, spec.deprecated) == (0.5, "1.2", "2.0")
    assert (spec.replaced_by, spec.docs) == ("shop.cart.gone", "https://example.com/cart")
    assert spec.reasons == {
        "expired": Reason(title="It expired", hint="Start again.", retryable=False),
        "gone": Reason(title="Gone"),
    }
    assert spec.example == {"cart": "c1", "since": datetime.datetime(2024, 1, 2, 3, 4, 5)}  # noqa: DTZ001
    domain = registry.domains[0]
    assert (domain.title, domain.numbers) == ("Cart", range(1000, 1100))
    prose, domain_text = code_prose(spec), domain_prose(domain)
    assert prose is not None
    assert prose.text == FULL_CODE["description"]
    assert domain_text is not None
    assert domain_text.text == "All of carts."


def test_details_are_real_classes(save: Save) -> None:
    """Fields have the types that their texts name; a text beyond the vocabulary stands for anything."""
    spec = load(save(shop(FULL_CODE)))["shop.cart.empty"]
    assert spec.details is not None
    fields = {field.name: field for field in read_fields(spec.details)}
    assert {name: field.type for name, field in fields.items()} == {
        "cart": str,
        "since": datetime.datetime | None,
        "token": str,
        "items": list[int],
        "model": Any,
    }
    assert fields["model"].type_text == "shop.Model"
    assert {name for name, field in fields.items() if field.required} == {"cart"}
    assert (fields["cart"].default, fields["since"].default, fields["items"].default) == (MISSING, None, [1])
    assert {name for name, field in fields.items() if field.secret} == {"token"}
    exported = catalog(load(save(shop(FULL_CODE))))["domains"][0]["codes"][0]["details"]
    assert exported[0] == {"name": "cart", "type": "str", "description": "Which."}
    assert exported[2] == {
        "name": "token",
        "type": "str",
        "required": False,
        "default": "[REDACTED]",
        "secret": True,
    }


def test_loaded_codes_are_raised_like_others(save: Save) -> None:
    """A loaded code builds its domain's class, hides secrets, matches, pickles, comes over the wire."""
    registry = load(save({**shop(FULL_CODE), "registry": "raised_like_others"}))
    domain = registry.domains[0].cls
    assert domain.__name__ == "ShopCartError"
    empty: Any = getattr(domain, "EMPTY")  # noqa: B009 (only known at run time)
    error = empty("nothing there", cart="c1", token="hunter2")
    assert isinstance(error, domain)
    assert error.details_problem is None
    assert "hunter2" not in repr(error)
    assert empty(cart=7).details_problem == "cart is no str: int"
    revived = from_payload(json.loads(json.dumps(to_payload(error))), registry=registry)
    assert empty.match(revived).cart == "c1"
    twin = pickle.loads(pickle.dumps(error))
    assert (type(twin), twin.message) == (domain, "nothing there")


def test_the_place_of_a_code_is_its_line_in_the_file(save: Save) -> None:
    """Specs name the file and the line where the file names them, in JSON and in TOML."""
    path = save(json.dumps(shop(FULL_CODE, {"const": "GONE", "title": "Gone"}), indent=1))
    lines = path.read_text("utf-8").splitlines()
    registry = load(path)
    for spec, text in zip(registry, ('"shop.cart.empty"', '"GONE"'), strict=True):
        assert spec.file == str(path)
        assert text in lines[spec.line - 1]
    assert '"shop.cart"' in lines[registry.domains[0].line - 1]


TOML = """
format = "errkit.catalog/1"
registry = "shop"
markup = "md"

[[domains]]
domain = "shop.cart"
numbers = [1000, 1099]

[[domains.codes]]
const = "EMPTY"
title = "Cart is empty"
number = 1001
description = '''
Nothing was there.

    indented
'''
details = [{ name = "since", type = "date", required = false, default = 2024-01-02 }]

[domains.codes.reasons]
expired = "It expired"

[[domains.codes]]
code = "shop.cart.sold_out"
title = "Sold out"
"""


def test_toml_is_read(save: Save) -> None:
    """A TOML file gives the same as JSON; dates are dates, and a constant may follow from the code."""
    path = save(TOML, "shop.toml")
    registry = load(path)
    empty, sold_out = registry
    assert empty.code == "shop.cart.empty"
    assert sold_out.const == "SOLD_OUT"
    assert empty.details is not None
    assert read_fields(empty.details)[0].default == datetime.date(2024, 1, 2)
    prose = code_prose(empty)
    assert prose is not None
    assert prose.text == "Nothing was there.\n\n    indented"
    lines = TOML.splitlines()
    assert "EMPTY" in lines[empty.line - 1]
    assert "sold_out" in lines[sold_out.line - 1]
    assert load(save(registry.export())) == registry


def test_two_files_with_the_same_classes_stay_apart(save: Save) -> None:
    """Domains whose names give the same class name are kept, and equal domains of two files clash."""
    data = shop()
    data["domains"] = [{"domain": "aB"}, {"domain": "a.b"}]
    registry = load(save(data))
    assert [domain.cls.__name__ for domain in registry.domains] == ["ABError", "ABError2"]
    other = load(save(data, "other.json"))
    with pytest.raises(CodedError, match="taken by"):
        Registry("both").include(registry, other)
    assert load(save(data)) == registry


def test_defaults_are_left_out() -> None:
    """A code that says nothing beyond its title is three keys long."""
    registry = Registry("tiny")

    class _(CodedError, domain="tiny", registry=registry):
        ONE = code("One")

    assert catalog(registry) == {
        "format": FORMAT,
        "registry": "tiny",
        "domains": [{"domain": "tiny", "codes": [{"const": "ONE", "code": "tiny.one", "title": "One"}]}],
    }


def test_secrets_do_not_leave_with_an_export() -> None:
    """Values of secret fields and under secret keys are replaced, in examples and in defaults."""
    registry = Registry("bank")

    class CardDetails(Details):
        number: Secret[str] | None = "4111"
        pin: Secret[str]
        note: str = "password=hunter2"

    class _(CodedError, domain="bank", registry=registry):
        REFUSED = code(
            "Refused", CardDetails, example={"pin": "1234", "authorization": "Basic c2VjcmV0OnNlY3JldA=="}
        )

    text = registry.export()
    assert not [secret for secret in ("4111", "1234", "hunter2", "c2VjcmV0") if secret in text]
    details = catalog(registry)["domains"][0]["codes"][0]["details"]
    assert [(item["type"], item.get("secret", False)) for item in details] == [
        ("str | None", True),
        ("str", True),
        ("str", False),
    ]


PROSE = '''
from errkit import CodedError, Details, code
from errkit.registry import Registry

REG = Registry("told")

class Where(Details):
    """Where."""
    path: "str"
    """Which file.

    For example::

        indented
    """

class ToldError(CodedError, domain="told", registry=REG):
    """
    Told::

        code
    """

    ONE = code("One", Where)
    """
    First::

        x = "é\\\\n"

    Last.
    """
'''


def test_prose_in_the_source_goes_with_the_export(tmp_path: pathlib.Path, save: Save) -> None:
    """Docstrings of codes, domains and fields are exported, and keep their inner indentation."""
    file = tmp_path / "told_errors.py"
    file.write_text(PROSE, "utf-8")
    spec = importlib.util.spec_from_file_location("told_errors", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["told_errors"] = module
    spec.loader.exec_module(module)
    registry: Registry = module.REG
    domain = catalog(registry)["domains"][0]
    assert domain["description"] == "Told::\n\n    code"
    assert domain["codes"][0]["description"] == 'First::\n\n    x = "é\\n"\n\nLast.'
    assert domain["codes"][0]["details"][0]["description"] == "Which file.\n\nFor example::\n\n    indented"
    assert load(save(registry.export())) == registry


# --- any registry -------------------------------------------------------------------------------------------

TEXT = st.text(st.characters(exclude_categories=()), max_size=20) | st.sampled_from(
    ["  a\n b", "\n\n\tx\n", "a::\n\n    b\n", "\x1b[31m", "\ud800", "é", "\x0b\n  a", "password=hunter2"]
)
WORD = st.from_regex(r"[a-z][a-z0-9_]{0,6}", fullmatch=True).filter(lambda word: word not in ("md", "rst"))
CONST = WORD.map(str.upper)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)
VALUE = JSON | st.sampled_from(
    [
        datetime.datetime(2024, 1, 2, tzinfo=datetime.UTC),
        datetime.timedelta(seconds=3),
        pathlib.PurePosixPath("/a"),
        decimal.Decimal("1.50"),
        uuid.UUID(int=5),
        b"abc",
        frozenset({"a", "b"}),
        (1, 2),
        object,
    ]
)
TYPES = st.sampled_from(
    [
        "str",
        "int | None",
        "list[str]",
        "dict[str, Any]",
        "Secret[str]",
        "Secret[bytes] | None",
        "datetime.datetime",
        "pathlib.PurePosixPath | None",
        "typing.Literal['a', 1]",
        "decimal.Decimal",
        "tuple[int, ...]",
        "frozenset[str]",
        "NotThere",
        "list[",
        "Annotated[str, 1]",
    ]
)
FIELD_NAME = WORD.filter(
    lambda name: not hasattr(Details, name) and name not in ("match", "cause", "code", "hint", "message")
)


@st.composite
def details_classes(draw: st.DrawFn) -> type[Details]:
    """A Details class as Python makes it: annotations as text, defaults of any kind."""
    fields = draw(st.dictionaries(FIELD_NAME, TYPES, max_size=3))
    defaults = {name: draw(VALUE) for name in fields if draw(st.booleans())}
    body = {"__module__": __name__, "__annotations__": fields, **defaults}
    return types.new_class("Drawn", (Details,), exec_body=lambda scope: scope.update(body))


REASON = TEXT | st.builds(Reason, title=TEXT, hint=TEXT, retryable=st.none() | st.booleans())


@st.composite
def declarations(draw: st.DrawFn, number: int) -> Any:
    """What `code()` gives for facts that are allowed together."""
    optional: dict[str, st.SearchStrategy[Any]] = {
        "number": st.just(number),
        "kind": st.sampled_from(KINDS),
        "public": st.booleans(),
        "hint": TEXT,
        "alert": st.booleans(),
        "retry_after": st.floats(min_value=0, max_value=1e9) | st.integers(0, 99),
        "http_status": st.integers(100, 599),
        "reasons": st.dictionaries(TEXT, REASON, max_size=2),
        "example": st.dictionaries(TEXT | FIELD_NAME, VALUE, max_size=3),
        "aliases": st.just([f"E-{number}"]),
        "since": TEXT,
        "deprecated": TEXT,
        "replaced_by": TEXT,
        "docs": TEXT,
        "code": st.just(f"whole{number}.code"),
    }
    facts: dict[str, Any] = draw(st.fixed_dictionaries({}, optional=optional))
    return code(draw(TEXT.filter(str.strip)), draw(st.none() | details_classes()), **facts)


@st.composite
def registries(draw: st.DrawFn) -> Registry:
    """A registry of a few domains, declared as in a program."""
    registry = Registry(draw(WORD), markup=draw(st.sampled_from(["rst", "md"])))
    for index, name in enumerate(
        draw(st.lists(WORD, max_size=3, unique_by=lambda word: word.replace("_", "")))
    ):
        first = 100 * index
        consts = draw(
            st.lists(
                CONST.filter(lambda const: not hasattr(CodedError, const)),
                max_size=3,
                unique_by=lambda word: word.replace("_", ""),
            )
        )
        body = {const: draw(declarations(first + place)) for place, const in enumerate(consts)}
        keywords = {
            "domain": f"d{index}.{name}",
            "title": draw(st.none() | TEXT),
            "numbers": range(first, first + draw(st.integers(10, 100))),
            "registry": registry,
            "description": draw(st.none() | TEXT),
        }
        body |= {"__module__": __name__, "__doc__": draw(st.none() | st.text())}
        types.new_class(f"Drawn{index}", (CodedError,), keywords, partial(dict.update, **body))
    return registry


@given(registry=registries())
def test_any_registry_comes_back(registry: Registry, save: Save) -> None:
    """`load(export(r)) == r` for every registry, and what is read is written in the same way again."""
    text = export(registry)
    found = load(save(text))
    assert catalog(found) == catalog(registry)
    assert found == registry
    assert export(found) == text


@given(data=st.data())
def test_a_drawn_description_comes_back(data: st.DataObject, save: Save) -> None:
    """Whatever a file says as prose is the same after export and load, whatever its white space."""
    item = {**FULL_CODE, "description": data.draw(TEXT)}
    item["details"] = [{"name": "a", "type": data.draw(TEXT | TYPES), "description": data.draw(TEXT)}]
    registry = load(save(shop(item, description=data.draw(TEXT))))
    assert load(save(export(registry))) == registry


# --- bad files ----------------------------------------------------------------------------------------------


def nodes(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all nodes of some JSON."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, item in items for found in nodes(item, (*path, key)))]


BASE = shop(FULL_CODE, {"const": "GONE", "title": "Gone"})
BASE["domains"].append({"domain": "shop.till", "codes": [{"code": "TILL_OPEN", "title": "Till is open"}]})


@st.composite
def mutations(draw: st.DrawFn) -> Any:
    """The base catalogue with a few nodes replaced, doubled, renamed or removed."""
    data = copy.deepcopy(BASE)
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from([path for path in nodes(data) if path]))
        *above, last = path
        parent: Any = data
        for step in above:
            parent = parent[step]
        action = draw(st.sampled_from(["replace", "remove", "rename", "double"]))
        if action == "replace":
            parent[last] = draw(
                JSON | st.sampled_from([10**400, -1, 2**60, "\x00", "md", [], {}, "__class__", "args"])
            )
        elif action == "remove":
            del parent[last]
        elif isinstance(parent, list):
            parent.append(copy.deepcopy(parent[last]))
        else:
            parent[draw(TEXT)] = parent.pop(last) if action == "rename" else parent[last]
    return data


def loads_or_refuses(path: pathlib.Path) -> None:
    """Either the file is a catalogue, and comes back as one, or it is refused with the one code for that."""
    try:
        registry = load(path)
    except CodedError:
        assert refusal(path).details["place"]
    else:
        text = export(registry)
        again = path.with_name("again.json")
        again.write_text(text, "utf-8")
        assert load(again) == registry


@given(data=mutations())
def test_data_is_read_or_refused_as_its_file_is(data: Any, save: Save) -> None:
    """A registry made from data equals that of a file, and what the file may not hold the data may not."""
    path = save(data)
    try:
        registry = load(path)
    except CodedError as refused:
        with pytest.raises(CodedError) as caught:
            Registry.from_catalog(data)
        wanted, found = refused.details, caught.value.details
        assert found["place"] == wanted["place"] or "no JSON" in found["problem"]
        assert found["path"].startswith(f"{__file__}:")
    else:
        made = Registry.from_catalog(data)
        # Without a name, each is called after the file that it stands in.
        assert {**catalog(made), "registry": ""} == {**catalog(registry), "registry": ""}


def test_codes_from_data_are_declared_where_it_was_read() -> None:
    """The line of the call is their place; they are raised, found and pickled like others."""
    registry = Registry.from_catalog(types.MappingProxyType({**BASE, "registry": "market"}))
    spec = next(iter(registry))
    assert spec.place.startswith(f"{__file__}:")
    assert pickle.loads(pickle.dumps(spec)) is spec
    assert spec.cls is not None
    assert spec.cls.__module__ == __name__
    prose = code_prose(spec)
    assert prose is None or prose.escaped


@pytest.mark.parametrize("value", [{1, 2}, float("nan"), object(), datetime.datetime(2026, 1, 1)])  # noqa: DTZ001
def test_data_that_json_has_no_word_for_is_refused(value: object) -> None:
    """What `json.dumps` takes is data; a cycle is none either."""
    with pytest.raises(CodedError) as caught:
        Registry.from_catalog({**BASE, "note": value})
    assert caught.value.code == "errkit.bad_catalog"
    cycle: list[Any] = []
    cycle.append(cycle)
    with pytest.raises(CodedError):
        Registry.from_catalog({**BASE, "note": cycle})


@given(data=mutations())
def test_a_mutated_catalogue_is_read_or_refused(data: Any, save: Save) -> None:
    """No data in place of a catalogue raises anything but `errkit.bad_catalog`."""
    loads_or_refuses(save(data))


@given(seed=st.integers(0), toml=st.booleans())
def test_mutated_text_is_read_or_refused(seed: int, toml: bool, save: Save) -> None:
    """No bytes in place of a file raise anything but `errkit.bad_catalog`."""
    chance = random.Random(seed)
    data = bytearray((TOML if toml else json.dumps(BASE)).encode())
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(data))
        end = start + chance.choice([0, 1, 2, 20])
        data[start:end] = chance.choice(
            [b"", b'"', b"{", b"]", b"\xff", b"\x00", b"9" * 5000, b"nan", data[end : end + 30]]
        )
    loads_or_refuses(save(bytes(data), "shop.toml" if toml else "shop.json"))


@pytest.mark.parametrize(
    ("change", "place", "problem"),
    [
        (lambda data: data.pop("format"), "format", "found nothing"),
        (lambda data: data.update(format="errkit.catalog/2"), "format", "update errkit"),
        (lambda data: data.update(format="errkit.lock/1"), "format", "expected 'errkit.catalog/1'"),
        (lambda data: data.update(format=1), "format", "a whole number"),
        (lambda data: data.pop("domains"), "domains", "is missing"),
        (lambda data: data.update(domains={}), "domains", "expected an array, found an object"),
        (lambda data: data.update(registry="../up"), "registry", "no name of a registry"),
        (lambda data: data.update(markup="html"), "markup", "expected rst, md or text"),
        (lambda data: data["domains"].append(3), "domains[2]", "expected an object, found a whole number"),
        (lambda data: data["domains"][0].update(domain="a.md"), "domains[0].domain", "source file suffix"),
        (lambda data: data["domains"][0].update(domain="a b"), "domains[0].domain", "is no code"),
        (
            lambda data: data["domains"][0].update(numbers=[5, 1]),
            "domains[0].numbers",
            "smaller than the first",
        ),
        (lambda data: data["domains"][0].update(numbers=[1, 2**60]), "domains[0].numbers", "beyond"),
        (lambda data: data["domains"][1].update(numbers=[1090, 1200]), "domains[1].numbers", "taken by"),
        (lambda data: data["domains"][1].update(domain="shop.cart"), "domains[1].domain", "taken by"),
        (lambda data: data["domains"][0].update(code=[]), "domains[0].code", "did you mean 'codes'?"),
        (lambda data: first(data).update(nubmer=3), "domains[0].codes[0].nubmer", "did you mean 'number'?"),
        (lambda data: first(data).update(retryable=True), "domains[0].codes[0].retryable", "kind"),
        (
            lambda data: first(data).update(number=7),
            "domains[0].codes[0].number",
            "outside the domain's range",
        ),
        (
            lambda data: first(data).update(number="7"),
            "domains[0].codes[0].number",
            "a whole number, found text",
        ),
        (lambda data: first(data).update(kind="fatal"), "domains[0].codes[0].kind", "none of terminal"),
        (lambda data: first(data).update(title=" "), "domains[0].codes[0].title", "the title is empty"),
        (lambda data: first(data).pop("title"), "domains[0].codes[0].title", "is missing"),
        (lambda data: first(data).update(const="args"), "domains[0].codes[0].const", "can't name a code"),
        (lambda data: first(data).update(code="a..b"), "domains[0].codes[0].code", "is no code"),
        (lambda data: first(data).update(aliases=["a b"]), "domains[0].codes[0].aliases", "alias"),
        (lambda data: first(data).update(aliases="E-1"), "domains[0].codes[0].aliases", "an array of texts"),
        (lambda data: first(data).update(http_status=-1), "domains[0].codes[0].http_status", "HTTP status"),
        (lambda data: first(data).update(retry_after=-0.5), "domains[0].codes[0].retry_after", "no number"),
        (lambda data: first(data)["reasons"].update(x={}), "domains[0].codes[0].reasons.x.title", "missing"),
        (
            lambda data: first(data)["reasons"].update({"a b": 1}),
            'domains[0].codes[0].reasons."a b"',
            "object",
        ),
        (lambda data: field(data).update(name="cause"), "domains[0].codes[0].details[0].name", "can't name"),
        (
            lambda data: field(data).update(name="items"),
            "domains[0].codes[0].details[3].name",
            "stands twice",
        ),
        (lambda data: field(data).update(default="x"), "domains[0].codes[0].details[0].default", "required"),
        (lambda data: second(data).update(code="shop-cart"), "domains[0].codes[1].code", "is no code"),
        (
            lambda data: second(data).update(code="shop_cart_empty"),
            "domains[0].codes[1].code",
            "taken by",
        ),
        (lambda data: second(data).update(number=1001), "domains[0].codes[1].number", "taken by"),
        (lambda data: second(data).update(const="EMPTY"), "domains[0].codes[1].const", "stands twice"),
        (
            lambda data: second(data).update(aliases=["E_CART"]),
            "domains[0].codes[1].aliases",
            "taken by",
        ),
    ],
)
def test_a_fault_is_named_with_its_place(
    change: Callable[[Any], object], place: str, problem: str, save: Save
) -> None:
    """The refusal says which key of which code is at fault, and what is wrong with it."""
    data = copy.deepcopy(BASE)
    change(data)
    error = refusal(save(data))
    assert error.details["place"] == place
    assert problem in error.details["problem"]


def first(data: Any) -> Any:
    """The first code of the base catalogue."""
    return data["domains"][0]["codes"][0]


def second(data: Any) -> Any:
    """The second code of the base catalogue."""
    return data["domains"][0]["codes"][1]


def field(data: Any) -> Any:
    """The first details field of the first code."""
    return first(data)["details"][0]


def test_a_clash_names_both_lines(save: Save) -> None:
    """Two codes with one number are named with file and line, and the core's error is the cause."""
    data = copy.deepcopy(BASE)
    second(data)["number"] = 1001
    path = save(json.dumps(data, indent=1))
    error = refusal(path)
    assert f"{path}:" in error.details["problem"]
    assert isinstance(error.__cause__, CodedError)
    assert error.__cause__.code == "errkit.clash"


@pytest.mark.parametrize(
    ("name", "content", "place", "problem"),
    [
        ("a.json", "{", "line 1, column 2", "is no JSON"),
        ("a.json", "", "line 1, column 1", "is no JSON"),
        ("a.json", '{"retry_after": NaN}', "the file", "NaN is no JSON"),
        ("a.json", f'{{"a": {"9" * 5000}}}', "the file", "too long"),
        ("a.json", "[" * 100_000, "the file", "nested"),
        ("a.json", '{"a": ' * 70 + "1" + "}" * 70, ".".join("a" * (MAX_DEPTH + 1)), "nested"),
        ("a.json", '{"format": "errkit.catalog/1", "domains": [], "domains": []}', "domains", "twice"),
        ("a.json", "[]", "the file", "expected an object, found an array"),
        ("a.json", b'{"a": "\xff"}', "byte 7", "UTF-8"),
        ("a.toml", "a = \nb = 1", "line 1, column 5", "is no TOML"),
        ("a.toml", "a = [", "end of document", "is no TOML"),
        ("a.toml", "a = " + "[" * 5000, "the file", "nested"),
        ("a.yaml", "format: 1", "the file", "ends in .json or .toml"),
    ],
)
def test_an_unreadable_file_is_refused(name: str, content: Any, place: str, problem: str, save: Save) -> None:
    """What is no JSON or TOML, or beyond the bounds, is refused with its line where there is one."""
    error = refusal(save(content, name))
    assert error.details["place"] == place
    assert problem in error.details["problem"]


def test_a_file_that_is_not_there_is_refused(tmp_path: pathlib.Path) -> None:
    """A missing file, a folder and a name that can't exist are refused, with the system's error as cause."""
    (tmp_path / "folder.json").mkdir()
    for name in ("none.json", "folder.json", "a\x00.json"):
        assert isinstance(refusal(tmp_path / name).__cause__, (OSError, ValueError))


def test_a_huge_file_is_refused(tmp_path: pathlib.Path) -> None:
    """A file beyond the bound is not read into memory."""
    path = tmp_path / "huge.json"
    with path.open("wb") as stream:
        stream.truncate(MAX_BYTES + 1)
    assert "split the catalogue" in refusal(path).details["problem"]


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').abort()",
        "exit()",
        "[x for x in ()]",
        "Literal[exit()]",
        "list[lambda: 0]",
        "a" * 10_000,
        "(" * 500,
    ],
)
def test_text_of_a_file_is_never_run(text: str, save: Save) -> None:
    """A type text that is a program stays a text, in details and in annotations."""
    item = {"const": "ONE", "title": "One", "details": [{"name": "a", "type": text}]}
    spec = load(save(shop(item)))["shop.cart.one"]
    assert spec.details is not None
    found = read_fields(spec.details)[0]
    assert (found.type, found.type_text, found.secret) == (Any, text, False)

    class Sub(spec.details):  # type: ignore[misc,name-defined]
        pass

    assert read_fields(Sub)[0].type is Any


def test_a_refused_file_leaves_nothing_behind(save: Save) -> None:
    """After a refusal no registry of that name is found, and the default registry is as it was."""
    from errkit.registry import find_registry

    before = list(REGISTRY)
    data = shop({"const": "ONE", "title": "One"}, {"const": "TWO", "title": ""})
    refusal(save({**data, "registry": "left_behind"}))
    assert find_registry("left_behind") is None
    assert list(REGISTRY) == before
