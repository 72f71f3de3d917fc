"""gRPC: the JSON mapping against protobuf itself, a real server and client, and the limit of trailers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import grpc
import pytest
from google.protobuf import json_format
from grpc_status import rpc_status
from hypothesis import given, strategies as st

from errkit import CodedError, to_payload
from errkit.dialects import grpc as dialect
from tests.dialects.samples import REG, AnyError, ShopError, chained, every_error
from tests.hostile import every_hostile_object

if TYPE_CHECKING:
    from collections.abc import Iterator

Status = import_module("google.rpc.status_pb2").Status
details_pb2 = import_module("google.rpc.error_details_pb2")
import_module("google.protobuf.struct_pb2")


def through_protobuf(form: dict[str, Any]) -> dict[str, Any]:
    """The form after a trip through the binary message."""
    message = json_format.ParseDict(form, Status())
    found: dict[str, Any] = json_format.MessageToDict(Status.FromString(message.SerializeToString()))
    return found


@pytest.mark.parametrize("audience", ["internal", "public"])
def test_protobuf_takes_the_form(audience: Any) -> None:
    """Every error fits the message type and all of its details."""
    for error in [*every_error(), ValueError("x"), "text", None]:
        form = dialect.encode(error, audience=audience)
        assert through_protobuf(form)["code"] == form["code"] > 0


@every_hostile_object
def test_protobuf_takes_the_form_of_anything(value: Any) -> None:
    """Whatever was raised, the message can be built."""
    through_protobuf(dialect.encode(ShopError.BUSY(value, path=value), audience="internal"))
    through_protobuf(dialect.encode(value))


def test_an_error_comes_back_from_the_binary_message() -> None:
    """What protobuf makes of the form decodes to the same error."""
    for error in every_error():
        found = dialect.decode(through_protobuf(dialect.encode(error, audience="internal")), registry=REG)
        assert to_payload(found) == to_payload(error)


def test_the_details_are_those_of_the_standard() -> None:
    """`ErrorInfo`, `RetryInfo`, `Help` and `LocalizedMessage` parse as such and say what they should."""
    form = dialect.encode(ShopError.BUSY("in use", path="/a", line=3), locale="en-GB")
    message = json_format.ParseDict(form, Status())
    info, retry, link, said = (
        details_pb2.ErrorInfo(),
        details_pb2.RetryInfo(),
        details_pb2.Help(),
        details_pb2.LocalizedMessage(),
    )
    for detail, target in zip(message.details, (info, retry, link, said), strict=False):
        assert detail.Unpack(target)
    assert (info.reason, info.domain) == ("BUSY", "shop.cart")
    assert dict(info.metadata) == {
        "code": "shop.cart.busy",
        "retryable": "true",
        "number": "4003",
        "hint": "Try again.",
    }
    assert retry.retry_delay.ToMilliseconds() == 1500
    assert link.links[0].url == "https://shop.example/e/busy"
    assert (said.locale, said.message) == ("en-GB", "in use\nTry again.")
    assert (message.code, grpc.StatusCode.UNAVAILABLE.value[0]) == (14, 14)


def test_users_are_told_only_what_is_public() -> None:
    """`LocalizedMessage` is for users, so a code that is not public has none, even inside."""
    form = dialect.encode(ShopError.BROKEN("m", path="p"), audience="internal")
    assert not [detail for detail in form["details"] if "LocalizedMessage" in detail["@type"]]


@pytest.mark.parametrize(
    ("code_", "reason", "domain"),
    [
        ("os.fs.not_found", "NOT_FOUND", "os.fs"),
        ("modelsDev.catalogUnavailable", "CATALOG_UNAVAILABLE", "modelsDev"),
        ("SESSION_NOT_FOUND", "SESSION_NOT_FOUND", ""),
        ("x", "ERROR_X", ""),
        ("a.7up", "ERROR_7UP", "a"),
        ("https://example.com/probs/out-of-credit", "COM_PROBS_OUT_OF_CREDIT", "https://example"),
        ("x." + "long_" * 20, ("LONG_" * 12 + "LON"), "x"),
        ("дом.кот", "ERROR", "дом"),
    ],
)
def test_the_reason_is_upper_snake(code_: str, reason: str, domain: str) -> None:
    """Reasons match `[A-Z][A-Z0-9_]+[A-Z0-9]` and have at most 63 characters; the exact code is beside."""
    form = dialect.encode(AnyError(code_, "m"), audience="internal")
    info = form["details"][0]
    assert (info["reason"], info.get("domain", "")) == (reason, domain)
    assert info["metadata"]["code"] == code_
    assert dialect.decode(form).code == code_


# --- a real server ----------------------------------------------------------------------------------


class Failing(grpc.GenericRpcHandler):
    """A service whose every call fails with the error that the test put there."""

    error: object = None

    def service(self, handler_call_details: Any) -> Any:
        """The handler of a call."""
        return grpc.unary_unary_rpc_method_handler(self._fail)

    def _fail(self, _request: bytes, context: Any) -> bytes:
        message = json_format.ParseDict(dialect.encode(self.error, audience="internal"), Status())
        context.abort_with_status(rpc_status.to_status(message))
        return b""


@pytest.fixture(scope="module")
def service() -> Iterator[tuple[Failing, Any]]:
    """A server on a free port of this machine, and a call to it."""
    handler = Failing()
    server = grpc.server(ThreadPoolExecutor(1), handlers=[handler])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    channel = grpc.insecure_channel(f"127.0.0.1:{port}")
    yield handler, channel.unary_unary("/shop.Cart/Open")
    channel.close()
    server.stop(None).wait()


def failure(call: Any) -> CodedError:
    """The error behind a failed call, as a client reads it."""
    with pytest.raises(grpc.RpcError) as caught:
        call(b"", timeout=10)
    error: Any = caught.value
    status = rpc_status.from_call(error)
    assert status is not None, f"the trailers did not arrive: {error.details()}"
    assert error.code().value[0] == status.code
    return dialect.decode(json_format.MessageToDict(status), registry=REG)


def test_an_error_crosses_a_real_grpc_call(service: tuple[Failing, Any]) -> None:
    """A server aborts with the status, and the client's trailers give the error back."""
    handler, call = service
    for error in every_error():
        handler.error = error
        assert to_payload(failure(call)) == to_payload(error)


HUGE = [
    ShopError.BROKEN("no " * 50_000, path="/a" * 50_000),
    ShopError.BROKEN("ключ " * 5_000, path="дом" * 5_000),
    ShopError.BROKEN("m", path="p").override(context={f"key {n:050}": "я" * 300 for n in range(300)}),
    ShopError.BROKEN("m", path="p").override(context={f"key{n}": list(range(100)) for n in range(100)}),
    AnyError("a" * 500, "m" * 9_000, details={"x": "😀" * 9_000}).override(hint="ы" * 5_000),
    ExceptionGroup("many", [ValueError("v" * 500) for _ in range(200)]),
]


@pytest.mark.parametrize("number", range(len(HUGE)))
def test_the_largest_error_fits_the_trailers(service: tuple[Failing, Any], number: int) -> None:
    """HTTP/2 readers limit trailers to 8 KiB; code and verdict arrive whatever is in the error."""
    handler, call = service
    handler.error = HUGE[number]
    sent, found = to_payload(HUGE[number]), failure(call)
    assert (found.code, found.retryable) == (sent["code"], sent["retryable"])
    rest = dialect.encode(HUGE[number], audience="internal")["details"][-1]["value"]
    assert any(rest["elided"].values())
    assert found.message[:20] == sent["message"][:20]


@given(
    st.text(max_size=3_000),
    st.dictionaries(st.text(max_size=80), st.text(max_size=400) | st.integers(), max_size=40),
)
def test_no_status_is_larger_than_the_limit(message: str, facts: dict[str, Any]) -> None:
    """The estimate of what goes over the wire stays below 8 KiB for any error."""
    form = dialect.encode(AnyError("a.b", message, details=facts), audience="internal")
    binary = json_format.ParseDict(form, Status()).SerializeToString()
    assert len(binary) * 4 / 3 + len(quote(form["message"])) < 8_192


# --- statuses of others -----------------------------------------------------------------------------

DISABLED = {
    "error": {
        "code": 403,
        "message": "Cloud Translation API has not been used",
        "status": "PERMISSION_DENIED",
        "details": [
            {
                "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                "reason": "SERVICE_DISABLED",
                "domain": "googleapis.com",
                "metadata": {"service": "translate.googleapis.com", "code": "403"},
            },
            {
                "@type": "type.googleapis.com/google.rpc.Help",
                "links": [{"description": "Activation", "url": "https://console.example/api"}],
            },
            {
                "@type": "type.googleapis.com/google.rpc.BadRequest",
                "fieldViolations": [{"field": "q", "description": "missing"}],
            },
        ],
    }
}


def test_an_error_of_googles_http_apis_is_read() -> None:
    """Reason and domain make the code; metadata and the details that are not known stay readable."""
    error = dialect.decode(DISABLED)
    assert error.code == "googleapis.com.SERVICE_DISABLED"
    assert error.docs_url == "https://console.example/api"
    assert error.details["service"] == "translate.googleapis.com"
    assert error.details["google.rpc.BadRequest"]["fieldViolations"][0]["field"] == "q"
    again = dialect.encode(error, audience="internal")
    assert again["code"] == grpc.StatusCode.PERMISSION_DENIED.value[0]
    assert (again["details"][0]["reason"], again["details"][0]["domain"]) == (
        "SERVICE_DISABLED",
        "googleapis.com",
    )


@pytest.mark.parametrize("number", range(1, 17))
def test_a_status_without_details_is_read(number: int) -> None:
    """The canonical code is all that there is: it names the error, and goes on unchanged."""
    name = next(status.name for status in grpc.StatusCode if status.value[0] == number)
    error = dialect.decode({"code": number, "message": "m"})
    assert error.code == f"grpc.{name.lower()}"
    assert error.retryable is (name == "UNAVAILABLE")
    assert dialect.encode(error, audience="internal")["code"] == number
    assert dialect.decode({"code": name}).message == name


def test_a_delay_is_a_verdict() -> None:
    """Whoever sends `RetryInfo` says that another try is worth it."""
    form = {
        "code": 8,
        "message": "quota",
        "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "30.250s"}],
    }
    error = dialect.decode(form)
    assert (error.retryable, error.retry_after) == (True, 30.25)


def test_details_that_a_proxy_adds_are_sent_on() -> None:
    """A detail that errkit does not use survives as data, also of a kind that protobuf does not know here."""
    added = {"@type": "type.googleapis.com/nobody.Knows", "requestId": "r-1"}
    form = dialect.encode(ShopError.EMPTY())
    found = dialect.decode({**form, "details": [*form["details"], added]}, registry=REG)
    for _ in range(2):
        form = through_protobuf(dialect.encode(found))
        assert form["details"][-1]["value"]["grpc_details"] == [added]
        found = dialect.decode(form, registry=REG)


def test_whole_numbers_that_a_double_cannot_hold_become_text() -> None:
    """The one change of type, as the module says."""
    error = AnyError("a.b", "m", details={"exact": 2**53 - 1, "large": 2**60, "half": 0.5})
    found = dialect.decode(through_protobuf(dialect.encode(error, audience="internal")), registry=REG)
    assert dict(found.details) == {"exact": 2**53 - 1, "large": str(2**60), "half": 0.5}


def test_the_root_cause_is_the_last_to_go(service: tuple[Failing, Any]) -> None:
    """Of an error that is too large, the first causes and the root arrive; none becomes junk."""
    handler, call = service
    error: CodedError = AnyError("a.root", "root", details={"x": "y" * 900})
    for number in range(15):
        outer = AnyError("a.b", f"cause {number}", details={"x": "y" * 900})
        outer.__cause__ = error
        error = outer
    handler.error = error
    found: BaseException | None = failure(call)
    messages = []
    while isinstance(found, CodedError):
        messages.append(found.message)
        found = found.__cause__
    assert messages == ["cause 14", "cause 13", "cause 12", "root"]


def grouped(error: BaseException) -> BaseException:
    """A group of one."""
    return BaseExceptionGroup("g", [error])


def test_no_status_is_too_deep_for_a_parser() -> None:
    """Protobuf gives up on deep messages, so a status never is one."""
    error: BaseException = ValueError("root")
    for number in range(8):
        error = grouped(error)
        for _ in range(4):
            outer = AnyError("a.b", str(number))
            outer.__cause__ = error
            error = outer
    found = dialect.decode(through_protobuf(dialect.encode(error, audience="internal")))
    assert found.message == "7"
    deep: Any = "bottom"
    for _ in range(12):
        deep = {"d": deep}
    assert dialect.decode(through_protobuf(dialect.encode(AnyError("a.b", "m", details=deep)))).code == "a.b"


def test_causes_stay_nested() -> None:
    """The chain of causes is inside the `Struct`, root and all."""
    rest = dialect.encode(chained(), audience="internal")["details"][-1]["value"]
    assert rest["cause"]["cause"]["name"] == "OSError"


def test_what_had_to_go_is_counted() -> None:
    """Members, also of causes, and notes: what does not fit is said in `elided`."""
    cause = ExceptionGroup("inner", [ValueError("a" * 300) for _ in range(7)])
    error = ShopError.BUSY("b" * 3_000, path="c" * 3_000)
    error.__cause__ = cause
    for number in range(5):
        error.add_note(f"note {number} " + "d" * 500)
    form = dialect.encode(error, audience="internal")
    rest = form["details"][-1]["value"]
    assert "group" not in rest["cause"]
    assert "notes" not in rest
    assert rest["elided"]["items"] >= 7 + 5
    again = to_payload(dialect.decode(form, registry=REG))
    assert again["elided"]["items"] >= 7 + 5
