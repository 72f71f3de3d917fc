"""JSON-RPC: the reserved range, foreign errors, and a real client and server over a pipe."""

from __future__ import annotations

import os
import threading
from typing import Any

import pytest
from pylsp_jsonrpc.endpoint import Endpoint  # type: ignore[import-untyped]
from pylsp_jsonrpc.exceptions import JsonRpcException  # type: ignore[import-untyped]
from pylsp_jsonrpc.streams import JsonRpcStreamReader, JsonRpcStreamWriter  # type: ignore[import-untyped]

from errkit import CodedError, Registry, code, to_payload
from errkit.dialects import jsonrpc
from tests.dialects.samples import REG, ShopError, chained, every_error


class Peers:
    """A client and a server of the library, each with its own thread, joined by two pipes."""

    def __init__(self, serve: Any) -> None:
        to_server, to_client = os.pipe(), os.pipe()
        self.writers = os.fdopen(to_client[1], "wb"), os.fdopen(to_server[1], "wb")
        self.readers = os.fdopen(to_server[0], "rb"), os.fdopen(to_client[0], "rb")
        self.server = Endpoint({"call": serve}, JsonRpcStreamWriter(self.writers[0]).write)
        self.client = Endpoint({}, JsonRpcStreamWriter(self.writers[1]).write)
        self.threads = [
            threading.Thread(target=JsonRpcStreamReader(stream).listen, args=(peer.consume,))
            for stream, peer in zip(self.readers, (self.server, self.client), strict=True)
        ]
        for thread in self.threads:
            thread.start()

    def close(self) -> None:
        """End both."""
        for writer in self.writers:
            writer.close()
        for thread in self.threads:
            thread.join(5)
        for reader in self.readers:
            reader.close()
        for peer in (self.server, self.client):
            peer._executor_service.shutdown()


def test_an_error_crosses_a_real_connection() -> None:
    """A server of another library sends our error object, and its client gives the error back."""

    def serve(params: dict[str, int]) -> None:
        form = jsonrpc.encode(every_error()[params["number"]], audience="internal")
        raise JsonRpcException(**form)

    peers = Peers(serve)
    try:
        for number, error in enumerate(every_error()):
            if not error.message:
                continue  # the library has no errors without words
            with pytest.raises(JsonRpcException) as caught:
                peers.client.request("call", {"number": number}).result(timeout=5)
            found = jsonrpc.decode(caught.value.to_dict(), registry=REG)
            assert to_payload(found) == to_payload(error)
        with pytest.raises(JsonRpcException) as caught:
            peers.client.request("nothing", {}).result(timeout=5)
        assert jsonrpc.decode(caught.value.to_dict()).code == "jsonrpc.method_not_found"
    finally:
        peers.close()


class NumberedError(
    CodedError, domain="numbered", registry=Registry("test_jsonrpc"), numbers=range(-33000, 0)
):
    """Numbers around the reserved range."""

    BELOW = code("Below", number=-32769)
    LOWEST = code("Lowest", number=-32768)
    HIGHEST = code("Highest", number=-32000)
    ABOVE = code("Above", number=-31999)


@pytest.mark.parametrize(
    ("error", "number"),
    [
        (ShopError.EMPTY(), 4001),
        (ShopError.REFUSED(), -32000),
        (CodedError("nobody.knows", "m"), -32000),
        (ValueError("m"), -32603),
        ("text", -32603),
        (NumberedError.BELOW(), -32769),
        (NumberedError.LOWEST(), -32000),
        (NumberedError.HIGHEST(), -32000),
        (NumberedError.ABOVE(), -31999),
    ],
)
def test_the_reserved_range_is_respected(error: object, number: int) -> None:
    """The number of the code where it is free to use, else what the specification provides."""
    form = jsonrpc.encode(error, audience="internal")
    assert form["code"] == number
    assert form["data"]["code"] == getattr(error, "code", "internal")
    assert set(form) == {"code", "message", "data"}


@pytest.mark.parametrize(
    ("form", "code_", "details"),
    [
        ({"code": -32700, "message": "Parse error"}, "jsonrpc.parse_error", {}),
        ({"code": -32600, "message": "Invalid Request"}, "jsonrpc.invalid_request", {}),
        ({"code": -32601, "message": "Method not found"}, "jsonrpc.method_not_found", {}),
        ({"code": -32602, "message": "Invalid params", "data": [1]}, "jsonrpc.invalid_params", {"data": [1]}),
        ({"code": -32603, "message": "Internal error", "data": "x"}, "jsonrpc.internal_error", {"data": "x"}),
        ({"code": -32050, "message": "busy", "data": {"queue": 3}}, "jsonrpc.server_error", {"queue": 3}),
        ({"code": -32500, "message": "m"}, "jsonrpc.reserved", {}),
        ({"code": 4001, "message": "m"}, "shop.cart.empty", {}),
        ({"code": 77, "message": "m"}, "jsonrpc.error", {}),
        ({"code": 77.0, "message": "m"}, "jsonrpc.error", {}),
    ],
)
def test_a_foreign_error_is_read(form: dict[str, Any], code_: str, details: dict[str, Any]) -> None:
    """The specification's own numbers have names, a known number its code; number and data are kept."""
    response = {"jsonrpc": "2.0", "id": 1, "error": form}
    for given in (form, response):
        error = jsonrpc.decode(given, registry=REG)
        assert (error.code, error.number, dict(error.details)) == (code_, form["code"], details)
        assert not error.retryable
    again = jsonrpc.encode(jsonrpc.decode(form, registry=REG), audience="internal")
    assert again["code"] == form["code"]
    assert again["data"]["code"] == code_


def test_data_holds_the_whole_payload_nested() -> None:
    """Causes, notes and details are under `data`, in the shape of the native payload."""
    data = jsonrpc.encode(chained(), audience="internal")["data"]
    expected = to_payload(chained())
    assert data == {key: value for key, value in expected.items() if key not in ("v", "message")}
