"""What annotations mean: the fields of a class, whether a value fits a type, and the way back from JSON."""

from __future__ import annotations

import json
import math
import sys
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set as AbstractSet
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, Flag, IntEnum
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Literal,
    NewType,
    Optional,
    Protocol,
    TypedDict,
    TypeVar,
)
from uuid import UUID

import pytest
from hypothesis import given, strategies as st

from errkit import CodedError, Details, ErrorCode, ErrorSpec, Secret
from errkit.fields import (
    MISSING,
    PLACEHOLDER,
    Field,
    fits,
    is_redacted,
    read_fields,
    revive,
    secret_names,
)
from errkit.safe import to_json
from tests.hostile import every_hostile_object

if TYPE_CHECKING:
    from fractions import Fraction

Token = NewType("Token", str)
SecretToken = NewType("SecretToken", Secret[str])
T = TypeVar("T")
THEN = datetime(2026, 1, 2, 3, tzinfo=UTC)


class Colour(Enum):
    RED = "red"
    BLUE = 3
    BOTH = (1, 2)


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Access(Flag):
    READ = 1
    WRITE = 2


class Point(TypedDict):
    x: int
    y: int


class Closeable(Protocol):
    """A type that can't be asked with isinstance."""

    def close(self) -> None: ...


class Moment(Details):
    """Every way to write a field."""

    kind: ClassVar[str] = "moment"
    _hidden: int = 0
    place: str
    when: datetime
    date: date | None = None
    amount: Fraction | None = None
    token: Secret[str] = ""
    later: Later | None = None
    parts: list[str] = []


class Narrow(Moment):
    """Declares a field again, and adds one."""

    place: Literal["here", "there"] = "here"
    depth: int


class Later(Details):
    """Stands below the class that names it."""

    text: str


def fields(cls: type) -> dict[str, Field]:
    """The fields of a class by name."""
    return {field.name: field for field in read_fields(cls)}


# --- reading --------------------------------------------------------------------------------------------


def test_annotations_name_the_fields_bases_first() -> None:
    """Fields come in order of declaration, bases first; class variables and hidden names are none."""
    names = ["place", "when", "date", "amount", "token", "later", "parts"]
    assert list(fields(Moment)) == names
    assert list(fields(Narrow)) == [*names, "depth"]
    assert fields(Narrow)["place"].owner is Narrow
    assert fields(Narrow)["when"].owner is Moment


def test_a_field_without_a_default_is_required() -> None:
    """Whether a field is required, and its default, are read from the class; a subclass may change both."""
    assert [name for name, field in fields(Moment).items() if field.required] == ["place", "when"]
    assert [name for name, field in fields(Narrow).items() if field.required] == ["when", "depth"]
    assert fields(Moment)["place"].default is MISSING
    assert fields(Moment)["token"].default == ""
    assert fields(Narrow)["place"].default == "here"


def test_types_resolve_field_by_field() -> None:
    """A name that exists for type checkers alone spoils its own field and no other."""
    assert fields(Moment)["when"].type is datetime
    assert fields(Moment)["amount"].type is MISSING
    assert fields(Moment)["amount"].type_text == "Fraction | None"


def test_a_default_does_not_hide_the_type_of_the_same_name() -> None:
    """In `date: date | None = None` the second `date` is the type."""
    assert fits(fields(Moment)["date"].type, date(2026, 1, 2))
    assert not fits(fields(Moment)["date"].type, "2026-01-02")


def test_a_name_that_is_defined_later_resolves_then() -> None:
    """Reading too early caches nothing that is not final."""

    class Early(Details):
        late: Late  # type: ignore[name-defined]  # pyright: ignore[reportUndefinedVariable]  # noqa: F821

    assert read_fields(Early)[0].type is MISSING
    globals()["Late"] = int
    try:
        assert read_fields(Early)[0].type is int
    finally:
        del globals()["Late"]


def test_names_inside_quotes_resolve_too() -> None:
    """A forward reference inside a type is looked up like one that stands alone."""

    class Quoted(Details):
        levels: list["Level"]  # noqa: UP037 (the quotes are the point)
        maybe: Optional["Level"] = None  # noqa: UP037, UP045

    assert fits(fields(Quoted)["levels"].type, [Level.LOW])
    assert not fits(fields(Quoted)["levels"].type, ["low"])
    assert not fits(fields(Quoted)["maybe"].type, "low")


def test_types_are_kept_as_they_are_written() -> None:
    """Pages show a type in the words of its author, without the module of `typing`."""
    assert fields(Moment)["date"].type_text == "date | None"
    assert fields(Moment)["token"].type_text == "Secret[str]"


def test_types_that_were_never_text_have_one() -> None:
    """A class made without postponed annotations shows its types as text all the same."""
    types = [
        int,
        Secret[str],
        list[str],
        None,
        Secret[str] | None,
        list[Secret[str]],
        tuple[Secret[int], ...],
    ]
    cls = type("Made", (Details,), {"__annotations__": dict(zip("abcdefg", types, strict=True))})
    assert [field.type_text for field in read_fields(cls)] == [
        *("int", "Secret[str]", "list[str]", "None", "Secret[str] | None"),
        *("list[Secret[str]]", "tuple[Secret[int], ...]"),
    ]


# --- secrets --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "annotation",
    [
        "Secret",
        "Secret[str]",
        "Secret[str] | None",
        "Optional[Secret[str]]",
        "list[Secret[str]]",
        "dict[str, Secret[bytes]]",
        "dict[str, list[tuple[int, Secret[str]]]]",
        "Annotated[Secret[str], 'a note']",
        "SecretToken",
        "Callable[[], Secret[str]]",
    ],
)
def test_secret_counts_wherever_it_stands(annotation: str) -> None:
    """A field is secret if any part of its type is."""
    cls = type("Vault", (Details,), {"__annotations__": {"value": annotation}, "__module__": __name__})
    assert secret_names(cls) == {"value"}


@pytest.mark.parametrize("annotation", ["str", "Token", "Annotated[str, 'a note']", "list[str]", "Any"])
def test_what_is_not_marked_is_not_secret(annotation: str) -> None:
    """Other metadata, and names that sound secret, are no mark."""
    cls = type("Open", (Details,), {"__annotations__": {"token": annotation}, "__module__": __name__})
    assert secret_names(cls) == frozenset()


def test_what_cannot_be_resolved_is_secret() -> None:
    """A type that can't be read may have been a secret one, so its value is not shown."""
    assert secret_names(Moment) == {"amount", "token"}
    assert fields(Moment)["amount"].secret


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the type statement came with Python 3.12")
def test_an_alias_may_hold_itself() -> None:
    """A recursive alias is read, and a value checked against it, without end of the stack."""
    scope: dict[str, Any] = {"Secret": Secret}
    exec("type Json = str | list[Json]\ntype Hidden = Secret[str]\ntype Broken = list[Nowhere]", scope)
    annotations = {"plain": scope["Json"], "hidden": scope["Hidden"], "broken": scope["Broken"]}
    cls = type("Aliased", (Details,), {"__annotations__": annotations})
    assert secret_names(cls) == {"hidden", "broken"}
    assert fits(fields(cls)["plain"].type, [["a"], "b"])
    assert not fits(fields(cls)["plain"].type, [["a"], 1])


# --- values against types -------------------------------------------------------------------------------

SHAPES: list[tuple[Any, st.SearchStrategy[Any]]] = [
    (str, st.text()),
    (int, st.integers()),
    (float, st.floats()),
    (bool, st.booleans()),
    (bytes, st.binary()),
    (bytearray, st.binary().map(bytearray)),
    (Decimal, st.decimals(allow_nan=False)),
    (UUID, st.uuids()),
    (Path, st.sampled_from([Path("/a/b"), Path("c"), Path()])),
    (PurePosixPath, st.sampled_from([PurePosixPath("/a b"), PurePosixPath("..")])),
    (PureWindowsPath, st.sampled_from([PureWindowsPath("C:\\a")])),
    (datetime, st.datetimes(timezones=st.sampled_from([None, UTC]))),
    (date, st.dates()),
    (time, st.times()),
    (timedelta, st.timedeltas(min_value=timedelta(days=-9999), max_value=timedelta(days=9999))),
    (Colour, st.sampled_from(Colour)),
    (Level, st.sampled_from(Level)),
    (Access, st.sampled_from([Access.READ, Access.WRITE, Access.READ | Access.WRITE])),
    (Literal["a", 1] | None, st.sampled_from(["a", 1, None])),
    (Literal[Level.LOW, Colour.RED], st.sampled_from([Level.LOW, Colour.RED])),
    (Token, st.text().map(Token)),
    (Annotated[date, "a note"], st.dates()),
    (Any, st.none() | st.integers(-9, 9)),
    (None, st.none()),
]


def of(generic: Any, *parts: Any) -> Any:
    """A generic with types that are known at run time only."""
    return generic[parts] if len(parts) > 1 else generic[next(iter(parts))]


def few(values: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    """Short lists."""
    return st.lists(values, max_size=3)


CONTAINERS: list[Callable[[Any, st.SearchStrategy[Any]], tuple[Any, st.SearchStrategy[Any]]]] = [
    lambda kind, items: (of(list, kind), few(items)),
    lambda kind, items: (of(Sequence, kind), few(items)),
    lambda kind, items: (of(tuple, kind, ...), few(items).map(tuple)),
    lambda kind, items: (of(tuple, str, kind), st.tuples(st.text(), items)),
    lambda kind, items: (of(dict, str, kind), st.dictionaries(st.text(max_size=5), items, max_size=3)),
    lambda kind, items: (of(Mapping, int, kind), st.dictionaries(st.integers(), items, max_size=3)),
    lambda kind, items: (of(Optional, kind), items | st.none()),
]
SETS: list[tuple[Any, Any]] = [
    (set[UUID], st.sets(st.uuids(), max_size=3)),
    (frozenset[date], st.frozensets(st.dates(), max_size=3)),
    (AbstractSet[int], st.frozensets(st.integers(), max_size=3)),
    (set[tuple[int, ...]], st.sets(st.lists(st.integers()).map(tuple), max_size=3)),
]


@st.composite
def typed_values(draw: st.DrawFn) -> tuple[Any, Any]:
    """A type and a value of it, in up to two containers."""
    declared, values = draw(st.sampled_from(SHAPES + SETS))
    for _ in range(draw(st.integers(0, 2))):
        declared, values = draw(st.sampled_from(CONTAINERS))(declared, values)
    return declared, draw(values)


def same(one: Any, other: Any) -> bool:
    """Equality in which NaN equals itself, at any depth."""
    return bool(one == other) or ("nan" in repr(one).lower() and repr(one) == repr(other))


@pytest.mark.parametrize("shape", range(len(SHAPES + SETS)))
@given(st.data())
def test_a_value_comes_back_from_json(shape: int, data: st.DataObject) -> None:
    """A value fits its type, and its JSON form, read back as the declared type, is the value."""
    declared, values = (SHAPES + SETS)[shape]
    check_both_ways(declared, data.draw(values))


@given(typed_values())
def test_containers_come_back_from_json(pair: tuple[Any, Any]) -> None:
    """The same holds for lists, tuples, mappings and optional values of any of these types."""
    check_both_ways(*pair)


def check_both_ways(declared: Any, value: Any) -> None:
    """A value is taken as it is; from its JSON form it comes back, unless it was redacted."""
    assert fits(declared, value)
    assert revive(declared, value) is value
    wire = json.loads(json.dumps(to_json(value)))
    if PLACEHOLDER not in str(wire):
        found = revive(declared, wire)
        assert same(found, value)
        assert fits(declared, found)


@given(typed_values(), st.one_of([values for _, values in SHAPES]))
def test_neither_check_ever_raises(pair: tuple[Any, Any], value: Any) -> None:
    """A value of another type is refused, or taken where the types overlap; nothing is raised."""
    declared, _ = pair
    assert fits(declared, value) in (True, False)
    assert revive(declared, value) is MISSING or fits(declared, revive(declared, value))


@every_hostile_object
def test_hostile_values_raise_nothing(value: Any) -> None:
    """Objects whose methods raise or lie are refused or taken, and never reach the caller as an exception."""
    for declared in (
        str,
        int,
        list[int],
        dict[str, int],
        Colour,
        Path,
        Literal["a"],
        bytes | None,
        Closeable,
    ):
        assert fits(declared, value) in (True, False)
        revive(declared, value)


def test_neighbours_are_told_apart() -> None:
    """A bool is no int, an int is a float, a text is no list, and a tuple has its length."""
    assert not fits(int, True)
    assert not fits(Literal[1], True)
    assert fits(float, 1)
    assert not fits(list[str], "text")
    assert not fits(tuple[int, int], (1, 2, 3))
    assert not fits(list[int], [1, "2"])
    assert not fits(dict[str, int], {"a": "b"})
    assert not fits(Point, {"x": 1})
    assert fits(Point, {"x": 1, "y": 2})
    assert not fits(str, None)


def test_iterators_are_not_used_up() -> None:
    """Checking a generator leaves its items to the program."""
    items = (number for number in range(3))
    assert fits(Iterator[str], items)
    assert fits(Iterable[str], items)
    assert list(items) == [0, 1, 2]


def test_types_that_cannot_be_asked_take_anything() -> None:
    """A plain Protocol, a type variable and a class that refuses `isinstance` are no reason to complain."""

    class Sulky(type):
        def __instancecheck__(cls, instance: object) -> bool:
            raise RuntimeError("ask somebody else")

    assert fits(Closeable, 3)
    assert fits(T, 3)
    assert fits(Secret, 3)
    assert fits(Literal["os.fs.busy"], ErrorCode(ErrorSpec(code="os.fs.busy", title="B"), CodedError))
    assert fits(list[Closeable], [3])
    assert fits(deque[int], deque([3]))
    assert fits(Sulky("Odd", (), {}), 3)


def test_enum_members_come_back_by_value_text_or_name() -> None:
    """A member is known by its value, by the text of its value, or by its name where the value is no JSON."""
    assert revive(Colour, "red") is Colour.RED
    assert revive(Colour, "3") is Colour.BLUE
    assert revive(Colour, "BOTH") is Colour.BOTH
    assert revive(Colour, "green") is MISSING


def test_numbers_that_json_cannot_hold_come_back() -> None:
    """NaN, the infinities and huge integers travel as text; other text is no number."""
    assert math.isnan(revive(float, "NaN"))
    assert revive(float, "-Infinity") == -math.inf
    assert revive(int, to_json(10**30)) == 10**30
    assert revive(int, "12") is MISSING
    assert revive(float, "1.5") is MISSING


def test_details_inside_details_come_back() -> None:
    """A field may be a Details class itself; a missing or wrong part of it makes it missing."""
    moment = Moment(place="a", when=THEN, parts=["b"])
    wire = to_json(moment)
    hidden: Any = PLACEHOLDER
    assert revive(Moment, wire) == Moment(place="a", when=THEN, token=hidden, amount=hidden, parts=["b"])
    assert revive(Moment, {**wire, "when": PLACEHOLDER}).when == PLACEHOLDER
    assert revive(Moment, {**wire, "when": "never"}) is MISSING
    assert revive(Moment, {"place": "a"}) is MISSING
    assert revive(list[Moment], [wire])[0].when == THEN


def test_junk_stays_junk() -> None:
    """What is no JSON form of the type is missing."""
    assert revive(datetime, "yesterday") is MISSING
    assert revive(UUID, 3) is MISSING
    assert revive(bytes, "no prefix") is MISSING
    assert revive(bytes, "1234567AAAA") is MISSING
    assert revive(Path, ["a"]) is MISSING
    assert revive(list[int], {"a": 1}) is MISSING
    assert revive(tuple[int, int], [1]) is MISSING
    assert revive(dict[int, int], {"a": 1}) is MISSING
    assert revive(OrderedDict, 3) is MISSING


def test_redacted_values_are_known() -> None:
    """The placeholder is recognized as text of its own, whatever else compares equal to it."""

    class Equal:
        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = None  # type: ignore[assignment]

    assert is_redacted(PLACEHOLDER)
    assert not is_redacted(Equal())
    assert not is_redacted("redacted")
