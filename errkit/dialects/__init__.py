"""Other people's wire shapes for errors. Each dialect encodes any error, and decodes what it meets.

=================== ==================================================================== =========
name                when it applies                                                      audience
=================== ==================================================================== =========
``problem``         an HTTP API answers with ``application/problem+json`` (RFC 9457)     public
``jsonrpc``         a JSON-RPC 2.0 server answers with an ``error`` object               public
``grpc``            a gRPC service answers with a ``google.rpc.Status``                  public
``mcp``             a tool of the Model Context Protocol fails                           internal
``agent_core``      a peer speaks the payload of Kimi Code's ``agent-core-v2``           internal
``agent_core_http`` a peer speaks the numbered envelope of that system's HTTP server     internal
``agent_device``    a peer speaks the normalized error of ``agent-device``               internal
``harness``         a peer speaks the thrown form of the Pleach harness                  internal
``harness_stream``  a peer speaks the ``error`` event of that harness's stream           internal
=================== ==================================================================== =========

Between two programs that both use errkit none of them is needed: the native payload (`errkit.payload`) loses
nothing. What each dialect loses stands in the table of its module, and as data in its `LOST`;
one that may say more in a key than it was given names that in `EXTENDED`.

A dialect is a module with `encode`, `decode` and `LOST`. It is imported when somebody asks for it, registers
nothing, and never raises: not for what it encodes, not for what it decodes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol, cast

if TYPE_CHECKING:
    from errkit.errors import CodedError
    from errkit.payload import Audience
    from errkit.registry import Registry

__all__ = ["Dialect", "get", "names"]

_NAMES: Final = (
    "problem",
    "jsonrpc",
    "grpc",
    "mcp",
    "agent_core",
    "agent_core_http",
    "agent_device",
    "harness",
    "harness_stream",
)


class Dialect(Protocol):
    """What every dialect can do; the modules of this package are such objects."""

    @property
    def LOST(self) -> frozenset[str]:  # noqa: N802 (a constant of each module)
        """The keys of the native payload that do not come back from this form."""
        ...

    def encode(self, error: object, *, audience: Audience = ...) -> dict[str, Any]:
        """The error in this form, of exact built-in types, redacted and bounded. Never raises."""
        ...

    def decode(self, obj: object, *, registry: Registry | None = None) -> CodedError:
        """The error behind this form; junk gives `errkit.malformed_payload`. Never raises."""
        ...


def names() -> tuple[str, ...]:
    """The names of all dialects."""
    return _NAMES


def get(name: str) -> Dialect:
    """The dialect of that name.

    Raises
    ------
    CodedError
        `errkit.unknown_dialect`, with the names that there are.
    """
    if name not in _NAMES:
        from errkit.own import ErrkitError

        raise ErrkitError.UNKNOWN_DIALECT(
            f"there is no dialect {name!r}; the dialects are {', '.join(_NAMES)}",
            wanted=str(name),
            known=list(_NAMES),
        )
    from importlib import import_module

    return cast("Dialect", import_module(f"errkit.dialects.{name}"))
