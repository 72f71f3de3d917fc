"""Protocol Buffers: the reasons of `google.rpc.ErrorInfo`, as `errkit.dialects.grpc` writes them.

https://google.aip.dev/193: a reason is unique within its domain and UPPER_SNAKE_CASE. Values of enums share
the scope around them, so each domain is a message with an enum inside, and each value is the reason itself.
The number of a value is that of its code; where it has none, one that follows from the code alone, so that
adding a code changes no other.
"""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING, Final

from errkit.dialects.grpc import upper_snake
from errkit.exports.names import Names, ascii_name, pascal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from errkit.exports.view import CodeView, View

__all__ = ["write"]

_UNSPECIFIED: Final = "REASON_UNSPECIFIED"
_LARGEST: Final = 2**31 - 1


def write(view: View) -> str:
    """The file."""
    groups: dict[str, list[CodeView]] = {}
    for domain in view.domains:
        for code in domain.codes:
            groups.setdefault(code.code.rpartition(".")[0] or domain.domain, []).append(code)
    # A message of the name of a word of the language is fine; two of one name are not.
    names = Names()
    parts = [f'// {view.origin}\n\nsyntax = "proto3";', f"package {_package(view.name)};"]
    parts += [_message(name, names.free(pascal(name)), codes) for name, codes in groups.items()]
    return "\n\n".join(parts) + "\n"


def _package(name: str) -> str:
    folded = re.sub(r"_+", "_", ascii_name(name).replace(".", "_").lower()).strip("_")
    return f"errors.{folded}" if folded[:1].isalpha() else f"errors.n{folded}"


def _message(domain: str, name: str, codes: Sequence[CodeView]) -> str:
    reasons = Names([_UNSPECIFIED])
    numbers = _numbers(codes)
    lines = [
        f"// Errors with the domain {domain}.",
        f"message {name} {{",
        "  // What stands in google.rpc.ErrorInfo.reason.",
        "  enum Reason {",
        f"    {_UNSPECIFIED} = 0;",
    ]
    for code in codes:
        reason = reasons.free(upper_snake(code.code.rpartition(".")[2]))
        mark = " [deprecated = true]" if code.farewell else ""
        lines += ["", f"    // {code.code}: {code.title}", f"    {reason} = {numbers[code.code]}{mark};"]
    return "\n".join([*lines, "  }", "}"])


def _numbers(codes: Sequence[CodeView]) -> Mapping[str, int]:
    found = {code.code: code.number for code in codes if code.number and 0 < code.number <= _LARGEST}
    taken = set(found.values())
    for code in codes:
        if code.code not in found:
            number = zlib.crc32(code.code.encode()) & _LARGEST or 1
            while number in taken:
                number = number % _LARGEST + 1
            found[code.code] = number
            taken.add(number)
    return found
