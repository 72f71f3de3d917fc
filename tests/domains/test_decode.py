"""The domain `decode`: each row by a real decoder, each place as a person counts it."""

from __future__ import annotations

import asyncio
import base64
import codecs
import configparser
import csv
import json
import pickle
import plistlib
import tomllib
import xml.dom.minidom
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Any

import pytest

from errkit import Translator, from_payload, to_payload, translating
from errkit.domains import decode
from errkit.domains.decode import DecodeError, to_decode_error
from errkit.prose import domain_prose

if TYPE_CHECKING:
    from collections.abc import Callable

yaml: Any = pytest.importorskip("yaml")

MALFORMED: dict[str, tuple[Callable[[], object], dict[str, Any]]] = {
    "json": (lambda: json.loads('{"a": 1,\n "b": x}'), {"format": "json", "line": 2, "column": 7}),
    "toml": (lambda: tomllib.loads("a = 1\nb = ="), {"format": "toml", "line": 2, "column": 5}),
    "ini": (lambda: configparser.ConfigParser().read_string("x = 1"), {"format": "ini", "line": 1}),
    "ini twice": (lambda: configparser.ConfigParser().read_string("[a]\n[a]"), {"format": "ini", "line": 2}),
    "csv": (lambda: list(csv.reader(['"a"b'], strict=True)), {"format": "csv"}),
    "xml": (lambda: ET.fromstring("<a>\n<b></a>"), {"format": "xml", "line": 2, "column": 6}),
    "dom": (lambda: xml.dom.minidom.parseString("<a></b>"), {"format": "xml", "line": 1}),
    "yaml": (lambda: yaml.safe_load("a: 1\nb: : 2"), {"format": "yaml", "line": 2, "column": 4}),
    "yaml tag": (lambda: yaml.safe_load("!x 1"), {"format": "yaml", "line": 1, "column": 1}),
    "pickle": (lambda: pickle.loads(b"zzz"), {"format": "pickle"}),
    "base64": (lambda: base64.b64decode("a$b", validate=True), {"format": "base64"}),
    "plist": (lambda: plistlib.loads(b"none"), {"format": "plist"}),
}

CUT_OFF: dict[str, Callable[[], object]] = {
    "json open": lambda: json.loads('{"a": [1, '),
    "json text": lambda: json.loads('{"a": "b'),
    "json empty": lambda: json.loads(""),
    "toml": lambda: tomllib.loads('a = "b'),
    "toml array": lambda: tomllib.loads("a = [1,"),
    "xml": lambda: ET.fromstring("<a>"),
    "xml empty": lambda: ET.fromstring(""),
    "csv": lambda: list(csv.reader(['"a'], strict=True)),
    "pickle": lambda: pickle.loads(b"\x80\x04X"),
    "pickle empty": lambda: pickle.loads(b""),
    "base64": lambda: base64.b64decode("YWJ"),
}


def caught(fail: Callable[[], object], **context: Any) -> DecodeError:
    """The error that leaves a boundary around a decoder."""
    with pytest.raises(DecodeError) as found, translating(to_decode_error, **context):
        fail()
    assert found.value.details_problem is None
    assert not isinstance(found.value.__cause__, DecodeError)
    return found.value


@pytest.mark.parametrize("name", MALFORMED)
def test_what_is_not_valid_has_its_place(name: str) -> None:
    """Format, line and column from 1, wherever the decoder keeps them."""
    fail, place = MALFORMED[name]
    error = caught(fail, source="the source")
    assert error.code == "decode.malformed"
    found = dict(error.details)
    assert found.pop("source") == "the source"
    assert {key: found[key] for key in place} == place
    assert found.keys() - place.keys() <= {"column", "line"}


@pytest.mark.parametrize("name", CUT_OFF)
def test_what_ends_too_early_is_told_apart(name: str) -> None:
    """It may be whole when it is read again, so it has a code of its own."""
    error = caught(CUT_OFF[name])
    assert (error.code, error.retryable) == ("decode.cut_off", False)


def test_bytes_in_another_encoding() -> None:
    """The encoding and the first byte that does not belong are told."""
    error = caught(b"na\xefve".decode, source="names.csv")
    assert error.code == "decode.wrong_encoding"
    assert dict(error.details) == {"source": "names.csv", "encoding": "utf-8", "offset": 2}
    assert caught(lambda: codecs.decode(b"\xff", "ascii")).details["encoding"] == "ascii"


def test_a_document_that_is_too_deep() -> None:
    """The decoder gives up, and nobody has to know `RecursionError` for it."""
    error = caught(lambda: json.loads("[" * 200_000), format="json")
    assert (error.code, error.details["format"]) == ("decode.too_deep", "json")


def test_what_the_caller_says_wins() -> None:
    """Format and source of the call go before those of the error."""
    assert caught(lambda: json.loads("{"), format="har").details["format"] == "har"


def test_the_document_itself_is_nowhere_in_the_error() -> None:
    """It may hold anything; what the decoder quotes stays with the cause."""
    error = caught(lambda: json.loads('{"pin": 4711x}'))
    shown = to_payload(error)
    del shown["cause"]
    assert "4711" not in str(shown)
    assert str(error) == "json failed: document is not valid in its format, line 1, column 13"


@pytest.mark.parametrize("error", [KeyError("a"), ValueError("no decoder"), OSError(2, "x")])
def test_other_failures_come_back_as_they_are(error: object) -> None:
    """A boundary around decoding hides no mistakes of the code beside it."""
    found: object = to_decode_error(error, source="s")
    assert found is error


def test_it_is_a_translator_like_the_others() -> None:
    """Idempotent, also for a revived error; cancellations pass; the text of a decoder is never copied."""
    error = caught(lambda: json.loads("{"))
    assert to_decode_error(error) is error
    revived = from_payload(to_payload(error))
    assert to_decode_error(revived) is revived
    stop: object = to_decode_error(asyncio.CancelledError())
    assert isinstance(stop, asyncio.CancelledError)
    assert isinstance(decode.TRANSLATOR, Translator)


def test_the_prose_names_each_code() -> None:
    """The table on the domain's page leads to every code."""
    assert DecodeError.__domain__ is not None
    prose = domain_prose(DecodeError.__domain__)
    assert prose is not None
    assert all(f"``{spec.code}``" in prose.text for spec in DecodeError.__domain__.codes)
