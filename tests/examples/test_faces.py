"""Every face of one error: whoever meets it finds its code, its message and its hint, and no secret.

Where errkit lists its faces (dialects, sinks), each of them has to be here.
"""

from __future__ import annotations

import html.parser
import io
import json
import logging
import pickle
import re
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
import structlog
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import errkit.sinks
from errkit import diagnostics, dialects, dumps, format_error, from_payload, loads, to_payload
from errkit.diagnostics import ErrorRecord
from errkit.message import format_payload
from errkit.sinks import LogSink, NdjsonSink, OtelSink, SqlSink
from errkit.sinks.log import ErrorFilter, JsonFormatter, structlog_errors
from errkit.unexpected import report_on_stderr
from examples.jobs.errors import JOBS, JobError, to_job_error
from tests.examples.service import FEED_KEY, FEED_TOKEN

if TYPE_CHECKING:
    from tests.examples.service import Feeds, Service

SPEC = JobError.FEED_DOWN.spec
MESSAGE = f"{SPEC.title}: https://feeds.example/orders.csv?api_key=[REDACTED]"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a face writes, if it does."""
    monkeypatch.setenv("ERRKIT_LOG_DIR", str(tmp_path / "logs"))
    return tmp_path


def failure() -> JobError:
    """The failure of the example, as its worker raises it."""
    feed = f"https://feeds.example/orders.csv?api_key={FEED_KEY}"
    refused = ConnectionRefusedError(111, "Connection refused")
    return to_job_error(refused, job="j-1", feed=feed, token=FEED_TOKEN)


def missing(text: str) -> set[str]:
    """Which of the three a face does not show."""
    assert FEED_KEY not in text
    assert FEED_TOKEN not in text
    facts = {"code": SPEC.code, "message": MESSAGE, "hint": SPEC.hint}
    return {name for name, fact in facts.items() if fact not in text}


# --- text and the wire ------------------------------------------------------------------------------


def test_text_for_people() -> None:
    """Short and verbose; of the error, of its payload, and of what came back from the wire or a pickle."""
    error = failure()
    payload = to_payload(error)
    revived = (
        loads(dumps(error), registry=JOBS),
        from_payload(payload),
        pickle.loads(pickle.dumps(error)),
    )
    for verbose in (False, True):
        assert not missing(format_payload(payload, verbose=verbose))
        for one in (error, *revived):
            assert not missing(format_error(one, verbose=verbose))


@pytest.mark.parametrize("audience", ["internal", "public"])
def test_the_payload(audience: Any) -> None:
    """The code is public, so both audiences get all three."""
    assert not missing(json.dumps(to_payload(failure(), audience=audience)))
    assert not missing(dumps(failure(), audience=audience))


NOT_CARRIED: Final[dict[str, set[str]]] = {
    "problem": set(),
    "jsonrpc": set(),
    "grpc": set(),
    "mcp": set(),
    "agent_core": {"hint"},
    "agent_core_http": {"code", "hint"},
    "agent_device": set(),
    "harness": set(),
    "harness_stream": {"hint"},
}
"""What a dialect has no place for; its own documentation says so as well."""


def test_no_dialect_is_left_out() -> None:
    """The table is about all of them."""
    assert NOT_CARRIED.keys() == set(dialects.names())


@pytest.mark.parametrize("name", NOT_CARRIED)
def test_a_dialect(name: str) -> None:
    """It says what it has a place for; who knows the codes finds all of it again, and so do strangers."""
    speak, lost = dialects.get(name), NOT_CARRIED[name]
    assert speak.LOST & {"code", "message", "hint"} == lost
    form = speak.encode(failure(), audience="internal")
    assert missing(json.dumps(form)) == lost
    for_peers = format_error(speak.decode(form, registry=JOBS))
    assert missing(for_peers) == (lost if "code" in lost else set())
    # On that stream a number that nobody knows decides against the text beside it.
    unsure = {"code"} if name == "harness_stream" else set()
    assert missing(format_error(speak.decode(form))) == lost | unsure


def test_the_text_of_a_tool_result() -> None:
    """A host of MCP may show the model the text and nothing else."""
    (block,) = dialects.get("mcp").encode(failure())["content"]
    assert not missing(block["text"])


def test_the_response_of_the_service(service: Service, feeds: Feeds) -> None:
    """The real one, over HTTP."""
    body = service.ask(feeds.address("down")).json
    assert (body["code"], body["hint"]) == (SPEC.code, SPEC.hint)
    assert body["detail"].startswith(SPEC.title)


# --- logs and records -------------------------------------------------------------------------------


def test_the_last_resort(capsys: pytest.CaptureFixture[str]) -> None:
    """What nobody else takes is on standard error."""
    report_on_stderr(failure())
    assert not missing(capsys.readouterr().err)


def test_the_diagnostic_log(folder: Path) -> None:
    """The last line of a scope that failed."""
    with pytest.raises(JobError) as caught, diagnostics.scope("job"):
        raise failure()
    assert caught.value.log_path
    assert not missing(Path(caught.value.log_path).read_text("utf-8"))


class Log:
    """A logger of the test's own, and what it printed."""

    def __init__(self, formatter: logging.Formatter) -> None:
        self.stream = io.StringIO()
        handler = logging.StreamHandler(self.stream)
        handler.setFormatter(formatter)
        handler.addFilter(ErrorFilter())
        # Outside the hierarchy, so that nobody else listens.
        self.logger = logging.Logger("tests.examples.faces")  # noqa: LOG001
        self.logger.addHandler(handler)


@pytest.mark.parametrize("formatter", [logging.Formatter("%(message)s %(error)s"), JsonFormatter()])
def test_a_line_of_the_program_s_log(formatter: logging.Formatter) -> None:
    """By the sink, by an exception that is logged, and by one that is named."""
    for how in range(3):
        log = Log(formatter)
        if how == 0:
            LogSink(log.logger).write(ErrorRecord.of(failure()))
        elif how == 1:
            log.logger.error("job failed", exc_info=failure())
        else:
            log.logger.error("job failed", extra={"error": failure()})
        assert not missing(log.stream.getvalue())


def test_a_line_of_structlog() -> None:
    """Through its own renderer."""
    stream = io.StringIO()
    logger = structlog.wrap_logger(
        structlog.PrintLogger(stream),
        processors=[structlog_errors, structlog.processors.JSONRenderer()],
    )
    logger.error("job failed", error=failure())
    assert not missing(stream.getvalue())


def in_a_file(record: ErrorRecord, folder: Path) -> str:
    sink = NdjsonSink(folder)
    sink.write(record)
    assert sink.path
    return Path(sink.path).read_text("utf-8")


def in_a_database(record: ErrorRecord, folder: Path) -> str:
    sink = SqlSink(f"sqlite:///{folder / 'records.db'}")
    sink.write(record)
    sink.close()
    connection = sqlite3.connect(folder / "records.db")
    try:
        (row,) = connection.execute("SELECT code, message, hint FROM errkit_records")
    finally:
        connection.close()
    return "\n".join(row)


def in_telemetry(record: ErrorRecord, folder: Path) -> str:
    spans, logs = InMemorySpanExporter(), InMemoryLogRecordExporter()  # type: ignore[no-untyped-call]
    tracers, loggers = TracerProvider(), LoggerProvider()
    tracers.add_span_processor(SimpleSpanProcessor(spans))
    loggers.add_log_record_processor(SimpleLogRecordProcessor(logs))
    sink = OtelSink(registry=JOBS, tracer_provider=tracers, logger_provider=loggers)
    with sink.span("job"):
        sink.write(record)
    (span,), (log,) = spans.get_finished_spans(), logs.get_finished_logs()
    told, logged = span.events[0].attributes or {}, log.log_record.attributes or {}
    assert not missing(json.dumps(dict(logged)))
    return json.dumps(dict(told))


def in_the_log(record: ErrorRecord, folder: Path) -> str:
    log = Log(logging.Formatter("%(message)s %(error)s"))
    LogSink(log.logger).write(record)
    return log.stream.getvalue()


KEPT = {
    "NdjsonSink": in_a_file,
    "SqlSink": in_a_database,
    "OtelSink": in_telemetry,
    "LogSink": in_the_log,
}


def test_no_sink_is_left_out() -> None:
    """The table is about all of them."""
    assert KEPT.keys() == set(errkit.sinks.__all__) - {"Sink", "SqlRecords", "reporter"}


@pytest.mark.parametrize("sink", KEPT)
def test_a_record(sink: str, folder: Path) -> None:
    """Wherever it is kept, its three columns are there."""
    assert not missing(KEPT[sink](ErrorRecord.of(failure()), folder))


# --- the reference: here the message is the title ---------------------------------------------------


class Page(html.parser.HTMLParser):
    """The text of a page."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self._parts: list[str] = []
        self.feed(source)
        self.text = re.sub(r"\s+", " ", "".join(self._parts))

    def handle_data(self, data: str) -> None:
        self._parts.append(data)


def run(folder: Path, *arguments: str) -> str:
    """What the command prints; it has to succeed."""
    done = subprocess.run(
        [sys.executable, "-m", "errkit", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_page_of_the_code(folder: Path) -> None:
    """On the site, on its index and in its data."""
    run(folder, "site", "examples.jobs.errors", "-o", "site")
    (page,) = [
        path
        for path in (folder / "site").rglob("*.html")
        if 'id="err-jobs-feed-down"' in path.read_text("utf-8")
    ]
    for text in (Page(page.read_text("utf-8")).text, (folder / "site" / "errors.json").read_text("utf-8")):
        for fact in (SPEC.code, SPEC.title, SPEC.hint):
            assert fact in text


@pytest.mark.parametrize(
    "arguments",
    [
        ("explain", SPEC.code),
        ("explain", str(SPEC.number)),
        ("explain", "--json", SPEC.code),
        ("export", "json"),
    ],
    ids=" ".join,
)
def test_the_command(arguments: tuple[str, ...], folder: Path) -> None:
    """What it says of a code, asked for in any way."""
    text = run(folder, *arguments, "examples.jobs.errors")
    for fact in (SPEC.code, SPEC.title, SPEC.hint):
        assert fact in text
