"""Problem details: what RFC 9457 asks, and a trip through a real ASGI application and its client."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from errkit import CodedError, CoreError, Registry, code, to_payload
from errkit.dialects import problem
from tests.dialects.samples import REG, ShopError, chained, every_error

SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": {"type": "string"},
        "status": {"type": "integer", "minimum": 100, "maximum": 599},
        "detail": {"type": "string"},
        "instance": {"type": "string", "format": "uri-reference"},
    },
    "required": ["type", "status", "detail", "code"],
    "propertyNames": {"pattern": "^[A-Za-z][A-Za-z0-9_]{2,}$"},
}
"""RFC 9457 appendix A; section 3.2 on the names of extension members; and what errkit always writes."""


@pytest.mark.parametrize("audience", ["internal", "public"])
def test_a_body_fits_the_schema_of_the_standard(audience: Any) -> None:
    """Every error gives a body that the schema takes."""
    for error in [*every_error(), ValueError("x"), "text", None]:
        jsonschema.validate(problem.encode(error, audience=audience), SCHEMA)


async def fail(request: Any) -> Any:
    """An endpoint that raises what the path names."""
    raise every_error()[int(request.path_params["number"])]


def answer(request: Any, error: Exception) -> JSONResponse:
    """The handler of an application: one place, for every coded error."""
    body = problem.encode(error, audience="internal")
    return JSONResponse(body, status_code=body["status"], headers=problem.headers(body))


@pytest.mark.filterwarnings("default")
def test_an_error_crosses_a_real_http_boundary() -> None:
    """Status, media type and Retry-After are those of the protocol; the body is the error again."""
    app = Starlette(routes=[Route("/{number}", fail)], exception_handlers={CodedError: answer})
    client = TestClient(app)
    for number, error in enumerate(every_error()):
        response = client.get(f"/{number}")
        assert response.headers["content-type"] == "application/problem+json"
        assert response.status_code == response.json()["status"]
        waits = error.retryable and error.retry_after is not None
        assert ("retry-after" in response.headers) == waits
        assert to_payload(problem.decode(response.json(), registry=REG)) == to_payload(error)


def test_retry_after_is_in_whole_seconds_rounded_up() -> None:
    """RFC 9110 section 10.2.3 knows no fractions."""
    for seconds, written in ((0.0, "0"), (0.2, "1"), (2.0, "2"), (2.5, "3")):
        body = problem.encode(ShopError.BUSY("m", path="p").override(retry_after=seconds))
        assert problem.headers(body)["Retry-After"] == written
    assert "Retry-After" not in problem.headers(problem.encode(ShopError.EMPTY()))


def test_the_type_is_the_page_of_the_code() -> None:
    """A registry with a published site gives each code its identifier; without one the status speaks."""
    site = Registry("test_problem_site", base_url="https://shop.example/errors")

    class SiteError(CodedError, domain="site", registry=site, title="Site"):
        LOST = code("Lost its way", public=True, http_status=404)

    found = problem.encode(SiteError.LOST("where?"))
    assert found["type"] == "https://shop.example/errors/e/site.lost/"
    assert (found["title"], found["detail"], found["status"]) == ("Lost its way", "where?", 404)
    assert "docs" not in found
    blank = problem.encode(ShopError.EMPTY())
    assert (blank["type"], blank["title"]) == ("about:blank", "Conflict")


CREDIT = {
    "type": "https://example.com/probs/out-of-credit",
    "title": "You do not have enough credit.",
    "detail": "Your current balance is 30, but that costs 50.",
    "instance": "/account/12345/msgs/abc",
    "balance": 30,
    "accounts": ["/account/12345", "/account/67890"],
}
"""The first example of RFC 9457."""


def test_the_example_of_the_standard_is_read() -> None:
    """A problem without a code: its type is its code, its extension members are the details."""
    error = problem.decode(CREDIT)
    assert (error.code, error.docs_url) == (CREDIT["type"], CREDIT["type"])
    assert error.message == CREDIT["detail"]
    assert dict(error.details) == {"balance": 30, "accounts": ["/account/12345", "/account/67890"]}
    again = problem.encode(error, audience="internal")
    assert {key: again[key] for key in ("type", "title", "detail", "instance")} == {
        key: CREDIT[key] for key in ("type", "title", "detail", "instance")
    }


@pytest.mark.parametrize(
    ("body", "code_", "message", "retryable"),
    [
        ({"status": 404}, "http.404", "Not Found", False),
        ({"status": 503, "title": "Service Unavailable"}, "http.503", "Service Unavailable", True),
        ({"type": "about:blank", "status": 429, "detail": "slow down"}, "http.429", "slow down", True),
        ({"status": 599}, "http.599", "HTTP status 599", False),
        ({"detail": "Not Found"}, "internal", "Not Found", False),
        ({"status": 200, "title": "odd"}, "internal", "odd", False),
        ({"type": "/probs/full", "status": 507}, "/probs/full", "Insufficient Storage", False),
        ({"code": "E-17", "detail": "m", "status": 400}, "E-17", "m", False),
        ({"code": 17, "detail": "m", "status": 400}, "http.400", "m", False),
    ],
)
def test_a_foreign_problem_is_read(body: dict[str, Any], code_: str, message: str, retryable: bool) -> None:
    """Every member is optional (RFC 9457 section 3.1); the status speaks where there is nothing else."""
    error = problem.decode(body)
    assert (error.code, error.message, error.retryable) == (code_, message, retryable)
    again = problem.encode(error, audience="internal")
    assert again["status"] == body.get("status", 500) or again["status"] == 500
    if body.get("code") == 17:
        assert error.details["code"] == 17


def test_a_foreign_status_is_sent_on() -> None:
    """A gateway answers with the status that it was given, of a code that it does not know."""
    for status in (402, 404, 410, 418, 451, 502):
        found = problem.decode({"status": status, "detail": "m", "code": "far.away", "retryable": False})
        assert problem.encode(found, audience="internal")["status"] == status


def test_the_chain_of_causes_stays_inside() -> None:
    """The body carries the causes nested; the public one leaves out those that are not public."""
    body = problem.encode(chained(), audience="internal")
    assert body["cause"]["code"] == "shop.cart.broken"
    assert body["cause"]["cause"]["code"] == CoreError.INTERNAL
    assert "cause" not in problem.encode(chained())
