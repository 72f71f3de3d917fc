"""MCP: a real server and client in one process, text that stands alone, results of others."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from mcp import Client, types
from mcp.server.lowlevel import Server

from errkit import CodedError, to_payload
from errkit.dialects import mcp
from tests.dialects.samples import REG, AnyError, ShopError, chained, every_error

SCHEMA = {"type": "object", "properties": {"total": {"type": "number"}}, "required": ["total"]}


async def list_tools(_context: Any, _request: Any) -> types.ListToolsResult:
    """One tool, with a schema for what it returns when all is well."""
    return types.ListToolsResult(
        tools=[types.Tool(name="pay", input_schema={"type": "object"}, output_schema=SCHEMA)]
    )


async def call_tool(_context: Any, request: types.CallToolRequestParams) -> types.CallToolResult:
    """The tool fails with the error that the arguments name."""
    error = every_error()[(request.arguments or {})["number"]]
    return types.CallToolResult.model_validate(mcp.encode(error))


async def results() -> list[dict[str, Any]]:
    """What the client of the SDK gets for each error, as JSON."""
    server = Server("shop", on_list_tools=list_tools, on_call_tool=call_tool)
    async with Client(server) as client:
        found = [await client.call_tool("pay", {"number": number}) for number in range(len(every_error()))]
    return [result.model_dump(mode="json", by_alias=True) for result in found]


@pytest.mark.filterwarnings("default")
def test_an_error_crosses_a_real_session() -> None:
    """The SDK's server sends the result, its client validates it, and the error is there again."""
    for error, result in zip(every_error(), asyncio.run(results()), strict=True):
        assert result["isError"] is True
        assert to_payload(mcp.decode(result, registry=REG)) == to_payload(error)


def test_the_field_names_of_the_sdk_are_read() -> None:
    """A result that was dumped without aliases is a result all the same."""
    result = types.CallToolResult.model_validate(mcp.encode(chained()))
    assert mcp.decode(result.model_dump(), registry=REG).code == "shop.cart.busy"


def test_the_text_stands_alone() -> None:
    """A model that is shown nothing but the text learns what happened, what to do, and where to look."""
    assert mcp.encode(chained())["content"][0]["text"].splitlines() == [
        "[shop.cart.busy] cart 7 is in use",
        "Hint: Wait a second.",
        "Retry: the same call may succeed after 2.5 s",
        "Caused by: [shop.cart.broken] cart.json ends early",
        "Caused by: [internal] [Errno 5] Input/output error",
        "See: https://shop.example/e/busy",
        "Diagnostic id: d-1",
    ]
    assert mcp.text(chained()) == mcp.encode(chained())["content"][0]["text"]


def test_the_root_cause_is_in_the_text() -> None:
    """Of many causes the text names the first two and the last."""
    error: CodedError = AnyError("a.b", "cause 0")
    for number in range(1, 9):
        outer = AnyError("a.b", f"cause {number}")
        outer.__cause__ = error
        error = outer
    causes = [line for line in mcp.text(error).splitlines() if line.startswith("Caused by")]
    assert causes == [f"Caused by: [a.b] cause {number}" for number in (7, 6, 0)]


@pytest.mark.parametrize("number", range(len(every_error())))
def test_the_text_alone_gives_the_error_back(number: int) -> None:
    """Hosts drop structured content (anthropics/claude-code issue 86032); the text says the essential."""
    error = every_error()[number]
    found = mcp.decode({"isError": True, "content": mcp.encode(error)["content"]}, registry=REG)
    assert (found.code, found.message, found.hint) == (error.code, error.message, error.hint)
    assert found.diagnostic_id == error.diagnostic_id
    assert found.details.get("reason") == error.details.get("reason")
    if error.retryable and not error.retries_spent:
        assert (found.retryable, found.retry_after) == (True, error.retry_after)


@pytest.mark.parametrize(
    ("result", "code", "message", "details"),
    [
        (
            {"isError": True, "content": [{"type": "text", "text": "Error executing tool pay: boom"}]},
            "mcp.tool_error",
            "Error executing tool pay: boom",
            {},
        ),
        (
            {
                "isError": True,
                "content": [
                    {"type": "image", "data": "", "mimeType": "image/png"},
                    {"type": "text", "text": "a"},
                    {"type": "text", "text": "b"},
                ],
                "structuredContent": {"status": 500},
            },
            "mcp.tool_error",
            "a\nb",
            {"status": 500},
        ),
        (
            {"isError": True, "structuredContent": [1]},
            "mcp.tool_error",
            "the tool failed",
            {"structuredContent": [1]},
        ),
        (
            {
                "isError": True,
                "content": [{"type": "text", "text": "Error (TOOL_MISSING): no adb\nHint: Install it."}],
            },
            "TOOL_MISSING",
            "no adb",
            {},
        ),
    ],
)
def test_a_foreign_result_is_read(
    result: dict[str, Any], code: str, message: str, details: dict[str, Any]
) -> None:
    """Text is the message; structured content that is no payload becomes the details."""
    error = mcp.decode(result)
    assert (error.code, error.message, dict(error.details)) == (code, message, details)


def test_structured_content_of_agent_device_is_read_as_such() -> None:
    """Its normalized error spells keys in its own way."""
    structured = {"code": "DEVICE_IN_USE", "message": "busy", "retriable": True, "diagnosticId": "d"}
    error = mcp.decode({"isError": True, "content": [], "structuredContent": structured})
    assert (error.code, error.retryable, error.diagnostic_id) == ("DEVICE_IN_USE", True, "d")


def test_a_result_without_the_flag_is_read_if_it_is_a_payload() -> None:
    """Some servers forget `isError` (FlowFuse/flowfuse issue 8572); a payload is recognized."""
    assert (
        mcp.decode({"structuredContent": to_payload(ShopError.EMPTY())}, registry=REG).code
        == "shop.cart.empty"
    )


def test_the_public_form_hides() -> None:
    """With the public audience neither text nor structure says what is not public."""
    form = mcp.encode(ShopError.BROKEN("hall 7", path="/hall/7"), audience="public")
    assert "hall" not in str(form)
