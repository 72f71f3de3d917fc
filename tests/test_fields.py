"""Records: frozen, built from keywords, and free of `typing` until somebody asks what annotations mean."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

import pytest

import errkit.fields
import errkit.typed
from errkit import Details, Reason, Secret
from errkit.errors import CodedError
from errkit.fields import MISSING, PLACEHOLDER, SECRET, Record, class_name, dict_of
from tests.hostile import EndlessDict, EndlessMapping, NamelessError

ROOT = Path(__file__).parent.parent
THEN = datetime(2026, 1, 2, 3, tzinfo=UTC)


class Moment(Details):
    place: str
    when: datetime
    token: Secret[str] = ""
    parts: list[str] = []


class Narrow(Moment):
    depth: int = 0


def test_a_record_is_frozen() -> None:
    """Neither setting nor deleting a field of a record works."""
    reason = Reason(title="Locked")
    with pytest.raises(AttributeError, match=r"Reason\.title"):
        reason.title = "Open"  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(AttributeError, match="frozen"):
        del reason.title  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize(
    ("values", "fields_at_fault"),
    [({}, ["title"]), ({"title": "a", "tilte": "b"}, ["tilte"]), ({"tilte": "b"}, ["tilte", "title"])],
)
def test_a_record_takes_its_own_keywords_only(values: dict[str, Any], fields_at_fault: list[str]) -> None:
    """A keyword that is missing or unknown is refused with `errkit.bad_record`, which names it."""
    with pytest.raises(CodedError, match="Reason can't be built") as caught:
        Reason(**values)
    assert caught.value.code == "errkit.bad_record"
    assert caught.value.details == {"record": "Reason", "fields": fields_at_fault}


def test_records_are_equal_by_value() -> None:
    """Two records of one class with the same values are equal and hash alike; another class is not equal."""
    one, other = Moment(place="a", when=THEN), Moment(place="a", when=THEN)
    assert one == other
    assert hash(one) == hash(other)
    assert one != Moment(place="b", when=THEN)
    assert one != Narrow(place="a", when=THEN)
    assert one != "a"


def test_repr_hides_secrets() -> None:
    """`repr` of a record shows its fields, and none that is secret."""
    shown = repr(Moment(place="a", when=THEN, token="hunter2"))
    assert "place='a'" in shown
    assert f"token={PLACEHOLDER}" in shown
    assert "hunter2" not in shown


def test_pickles_of_details_hold_no_secret_and_copies_do() -> None:
    """Declared secrets stay in copies and deep copies; a pickle leaves the process without them."""
    moment = Moment(place="a", when=THEN, token="hunter2", parts=["b"])
    assert b"hunter2" not in pickle.dumps(moment)
    assert pickle.loads(pickle.dumps(moment)) == Moment(place="a", when=THEN, token=PLACEHOLDER, parts=["b"])
    assert copy.copy(moment) == copy.deepcopy(moment) == moment
    assert copy.deepcopy(moment).parts is not moment.parts


def test_marks_survive_copies_and_pickles() -> None:
    """A mark is known by identity, so there is one of each."""
    assert copy.deepcopy(MISSING) is MISSING
    assert pickle.loads(pickle.dumps(MISSING)) is MISSING
    assert repr(MISSING) == "MISSING"


def test_a_record_built_from_known_values_is_like_any_other() -> None:
    """The short way to build thousands of records gives the same record."""
    assert Reason.from_known({"title": "Locked"}) == Reason(title="Locked")
    assert issubclass(Details, Record)


def test_declaring_and_raising_load_no_typing() -> None:
    """`typing` takes longer to load than errkit; it comes when somebody asks what annotations mean."""
    script = (
        "import sys\n"
        "from errkit import REGISTRY, CodedError, Details, Reason, Registry, Secret, code\n"
        "class D(Details):\n"
        "    __annotations__ = {'path': 'str', 'token': 'Secret[str]'}\n"
        "class ShopError(CodedError, domain='shop', numbers=range(9)):\n"
        "    LOST = code('Lost', D, number=1, reasons={'a': Reason(title='A')})\n"
        "try:\n"
        "    raise ShopError.LOST('gone', path='a', token='t') from ValueError('x')\n"
        "except ShopError as error:\n"
        "    assert (error.code, error.hint, error.details['path']) == ('shop.lost', '', 'a')\n"
        "    assert REGISTRY['shop.lost'] is error.spec\n"
        "    caught = error\n"
        "print('typing' in sys.modules, 're' in sys.modules, 'collections' in sys.modules)\n"
        "assert ShopError.LOST.match(caught).path == 'a'\n"
        "print('typing' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n{script}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout.split(), done.stderr) == (["False", "False", "False", "True"], "")


def test_what_annotations_mean_is_found_here_too() -> None:
    """The names of `typed.py` can be imported from here, and no others."""
    for name in ("Field", "fits", "is_redacted", "read_fields", "revive", "secret_names"):
        assert getattr(errkit.fields, name) is getattr(errkit.typed, name)
    with pytest.raises(AttributeError, match="reed_fields"):
        getattr(errkit.fields, "reed_fields")  # noqa: B009


def test_secret_is_a_mark_on_a_type() -> None:
    """`Secret[T]` is an annotated `T`, for whoever reads it."""
    found: Any = Secret[str]
    assert get_origin(found) is Annotated
    assert get_args(found) == (str, SECRET)


def test_values_of_classes_of_their_own_are_read_to_an_end() -> None:
    """Whatever a class says of its items, as many are read as there are, or as a bound allows."""
    assert dict_of(EndlessDict(x=1)) == {"x": 1}
    assert len(dict_of(EndlessMapping(), most=10)) == 10
    assert dict_of([("a", 1), ["b", 2]]) == {"a": 1, "b": 2}
    with pytest.raises(ValueError, match="length"):
        dict_of([("a",)])
    assert class_name(NamelessError("x")) == "NamelessError"
