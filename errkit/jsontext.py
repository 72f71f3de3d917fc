"""JSON text of payloads: written and read by the standard library, or by orjson where that gives the same.

orjson is the extra `fast`. It writes some numbers in another way and reads very long ones less exactly; texts
with such numbers, and all that it refuses, are left to the standard library. So the extra changes how long
things take, and nothing else.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from json import JSONDecoder, JSONEncoder

__all__ = ["read", "write"]


def write(payload: dict[str, Any]) -> str:
    """The compact JSON text of exact built-ins, in which every float is finite and every text well formed."""
    orjson = _orjson()
    if orjson is not None:
        try:
            data: bytes = orjson.dumps(payload)
        except Exception:  # such as nesting that is too deep for it
            return write_slowly(payload)
        if _EXPONENT not in data.translate(_OUTLINE) and _TINY not in data:
            return data.decode()
    return write_slowly(payload)


def write_slowly(payload: dict[str, Any]) -> str:
    """`write` by the standard library, the measure of all."""
    return _encoder().encode(payload)


def read(text: str | bytes | bytearray) -> Any:
    """The JSON value of a text; raises whatever its reader raises for a text that is none."""
    orjson = _orjson()
    if orjson is not None:
        try:
            data = text.encode() if isinstance(text, str) else text
            if _LONG not in data.translate(_OUTLINE):
                return orjson.loads(data)
        except ValueError:  # refused, but not necessarily by the standard library
            return read_slowly(text)
    return read_slowly(text)


def read_slowly(text: str | bytes | bytearray) -> Any:
    """`read` by the standard library, the measure of all but whole numbers that it finds too long."""
    import json

    try:
        if type(text) is str and text[:1] == "{":
            value, end = _decoder().raw_decode(text)
            if end == len(text):
                return value
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except ValueError:
        return json.loads(text, parse_int=_whole)


def _whole(digits: str) -> int | str:
    """A whole number, or its digits where they are more than the interpreter turns into one."""
    try:
        return int(digits)
    except ValueError:
        return digits


@cache
def _orjson() -> Any:
    """The module, where it is installed."""
    try:
        import orjson
    except ImportError:
        return None
    return orjson


@cache
def _encoder() -> JSONEncoder:
    """One encoder for all payloads: `json.dumps` would make a new one for each."""
    from json import JSONEncoder

    return JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":"))


@cache
def _decoder() -> JSONDecoder:
    from json import JSONDecoder

    return JSONDecoder()


def _outline() -> bytes:
    """A table that makes one character of all that numbers are made of, but for the exponent's letter."""
    table = bytearray(b" " * 256)
    for char in b"0123456789-+.":
        table[char] = ord("0")
    for char in b"eE":
        table[char] = ord("e")
    return bytes(table)


_OUTLINE: Final = _outline()
_EXPONENT: Final = b"0e0"
"""In outline: a number with an exponent, which versions of orjson write in different ways. Texts may hold it
too, and then cost more."""
_TINY: Final = b"0.0000"
"""1e-05 in Python, 0.00001 in orjson."""
_LONG: Final = b"0" * 19
"""In outline: a whole number that may not fit into 64 bits, which orjson reads as a float."""
