"""One failure through a whole service: raised in a worker, seen by a client, logged and recorded.

The service, its workers and its client are processes; feeds and databases are servers. Nothing is replaced.
"""

from __future__ import annotations

import base64
import os
import re
import shlex
import signal
import socket
import sqlite3
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

import pytest

from errkit import REGISTRY, loads
from errkit.diagnostics import read_log
from errkit.sinks import SqlSink
from examples.jobs.errors import JOBS, JobError
from tests.examples.service import (
    EXAMPLE,
    OPERATOR_KEY,
    ROOT,
    SECRETS,
    SERVE,
    Service,
    Shown,
    files_below,
    release,
    until,
)
from tests.sinks.postgres import HINT, Server, find_programs
from tests.story import commands, compare, read_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from errkit.diagnostics import ErrorRecord
    from tests.examples.conftest import Serve
    from tests.examples.service import Answer, Client, Feeds

SPEC = JobError.FEED_DOWN.spec


def records(service: Service) -> list[ErrorRecord]:
    """The records of a service, as anybody reads them."""
    sink = SqlSink(service.database, spool=service.folder / "none")
    try:
        return sink.records()
    finally:
        sink.close()


def causes(payload: dict[str, Any]) -> list[str]:
    """The names of the classes along the causes of a payload."""
    found, link = [], payload.get("cause")
    while link is not None:
        found.append(link["name"])
        link = link.get("cause")
    return found


# --- one failure, station by station ----------------------------------------------------------------


class Story(NamedTuple):
    """A feed is down. What each station of that failure has to say."""

    customer: Shown
    """The client of somebody outside."""
    operator: Shown
    """The client of somebody who may see everything."""
    answer: Answer
    """The response as it is."""
    service: Service

    @property
    def diagnostic_id(self) -> str:
        """What the customer would send to the operator."""
        found = re.search(r"^Diagnostic id: (\S+)$", self.customer.stderr, re.MULTILINE)
        assert found
        return found[1]

    @property
    def record(self) -> ErrorRecord:
        """The row that the customer's id leads to."""
        (found,) = [one for one in records(self.service) if one.diagnostic_id == self.diagnostic_id]
        return found

    @property
    def events(self) -> list[dict[str, Any]]:
        """What the worker logged under the customer's id."""
        assert self.record.log_path
        return [
            event
            for event in read_log(self.record.log_path)
            if event["diagnostic_id"] == self.diagnostic_id and event["scope"] == "job"
        ]


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory, client: Client, feeds: Feeds) -> Story:
    """Three times the same failure, in a service that is then stopped."""
    service, down = Service(tmp_path_factory.mktemp("story")).start(), feeds.address("down")
    try:
        return Story(
            customer=client.run(service.address, "total", down),
            operator=client.run(service.address, "total", down, key=OPERATOR_KEY),
            answer=service.ask(down),
            service=service,
        )
    finally:
        service.stop()


def test_the_client_shows_what_the_worker_raised(story: Story) -> None:
    """Code, message, hint and verdict are there, in a process that has never heard of the code."""
    lines = story.customer.stderr.splitlines()
    assert lines[0].startswith(f"[{SPEC.code}] {SPEC.title}: http://127.0.0.1:")
    assert lines[1] == f"Hint: {SPEC.hint}"
    assert f"Number: {SPEC.number}" in lines
    assert "Retry: yes, after 5 s" in lines
    assert story.customer.exit_code == os.EX_TEMPFAIL
    assert story.customer.stdout == ""
    assert SPEC.code not in REGISTRY


def test_the_client_shows_the_root_cause_to_the_operator_alone(story: Story) -> None:
    """The cause is not public: with the key it arrives down to its root, without it there is no trace."""
    told = [line for line in story.operator.stderr.splitlines() if line.startswith("Caused by: ")]
    assert [line.split()[3] for line in told] == ["URLError:", "ConnectionRefusedError:"]
    assert "Connection refused" in told[-1]
    for seen in (*story.customer[1:], story.answer.body.decode()):
        assert "refused" not in seen
        assert "Error:" not in seen
        assert str(story.service.folder) not in seen


def test_the_answer_is_a_problem_of_the_protocol(story: Story) -> None:
    """Status, media type and Retry-After say the same as the body."""
    status, headers, _ = story.answer
    assert (status, headers["content-type"], headers["retry-after"]) == (503, "application/problem+json", "5")
    body = story.answer.json
    assert (body["status"], body["code"], body["hint"]) == (503, SPEC.code, SPEC.hint)
    assert (body["retryable"], body["retry_after"], body["kind"]) == (True, 5, "transient")
    assert body["details"]["token"] == "[REDACTED]"


def test_the_log_tells_what_led_up_to_it(story: Story) -> None:
    """The customer's id leads to the events of the worker, and the last one has the whole error."""
    assert [event["event"] for event in story.events] == ["fetching", "failed"]
    first, last = story.events
    assert first["data"]["headers"] == {"Authorization": "[REDACTED]"}
    assert {event["data"]["job"] for event in story.events} == {last["error"]["details"]["job"]}
    said = last["error"]
    assert (said["code"], said["hint"], said["retryable"]) == (SPEC.code, SPEC.hint, True)
    assert causes(said) == ["URLError", "ConnectionRefusedError"]


def test_the_record_has_the_same_story(story: Story) -> None:
    """Each failure is one row; it says what the log says, though it was made in another process."""
    found = story.record
    assert (found.code, found.number, found.hint) == (SPEC.code, SPEC.number, SPEC.hint)
    assert (found.retryable, found.alert, found.kind) == (True, True, "transient")
    logged = story.events[-1]["error"]
    assert found.message == logged["message"]
    assert found.payload["details"] == logged["details"]
    assert found.payload["cause"] == logged["cause"]
    assert len(records(story.service)) == 3
    assert len({one.fingerprint for one in records(story.service)}) == 1


def test_the_output_of_the_service_has_a_line_for_it(story: Story) -> None:
    """Who only sees the console sees code and message, once for each failure."""
    told = re.findall(r"^ERROR: +\[(\S+)\] (.+)$", story.service.output.read_text(), re.MULTILINE)
    assert [code for code, _ in told] == [SPEC.code] * 3
    assert story.record.message in [message for _, message in told]


def test_no_secret_is_anywhere(story: Story) -> None:
    """Not in a file of the service, not in what it answers or prints, in no spelling."""
    seen = dict(files_below(story.service.folder))
    assert any(name.endswith(".ndjson") for name in seen)
    assert {"jobs.db", "service.log"} <= seen.keys()
    for name in ("customer", "operator"):
        shown: Shown = getattr(story, name)
        seen[name] = f"{shown.stdout}{shown.stderr}".encode()
    seen["answer"] = story.answer.body
    for name, data in seen.items():
        for secret in SECRETS:
            for spelled in (secret, quote(secret), base64.b64encode(secret.encode()).decode().rstrip("=")):
                assert spelled.encode() not in data, name
    assert all(b"[REDACTED]" in seen[name] for name in ("customer", "operator", "answer", "service.log"))


# --- every code -------------------------------------------------------------------------------------


def test_a_job_that_succeeds_is_answered(service: Service, client: Client, feeds: Feeds) -> None:
    """The sum is printed, nothing else, and nothing is recorded."""
    before = len(records(service))
    assert client.run(service.address, "total", feeds.address("orders")) == (0, "42.0\n", "")
    assert len(records(service)) == before


@pytest.mark.parametrize(
    ("feed", "expected", "cause"),
    [
        ("down", JobError.FEED_DOWN, "URLError"),
        ("locked", JobError.FEED_REFUSED, "HTTPError"),
        ("nowhere", JobError.FEED_REFUSED, "HTTPError"),
        ("broken", JobError.ROW_BROKEN, "ValueError"),
        ("latin", JobError.FAILED, "UnicodeDecodeError"),
    ],
)
def test_each_failure_of_a_worker_arrives_with_its_cause(
    service: Service, client: Client, feeds: Feeds, feed: str, expected: Any, cause: str
) -> None:
    """Also one whose cause can't be pickled: an HTTPError holds an open connection."""
    spec = expected.spec
    shown = client.run(service.address, "--json", "total", feeds.address(feed), key=OPERATOR_KEY)
    error = loads(shown.stdout)
    assert (error.code, error.number, error.hint) == (spec.code, spec.number, spec.hint)
    assert error.retryable is spec.retryable
    assert shown.exit_code == (os.EX_TEMPFAIL if spec.retryable else 1)
    (found,) = [one for one in records(service) if one.diagnostic_id == error.diagnostic_id]
    assert causes(found.payload)[0] == cause
    assert found.payload["details"] == error.details


def test_a_code_that_is_not_public_says_its_title_and_no_more(service: Service, feeds: Feeds) -> None:
    """Who is outside learns the code, to report it."""
    body = service.ask(feeds.address("latin")).json
    assert (body["code"], body["detail"], body["status"]) == (JobError.FAILED, "Job failed", 500)
    assert not {"details", "hint", "cause"} & body.keys()


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (b"", "$"),
        (b"{", "$"),
        (b"[]", "$"),
        (b'{"column": "amount"}', "feed"),
        (b'{"feed": "file:///etc/passwd", "column": "amount"}', "feed"),
        (b'{"feed": "http://feeds.example"}', "column"),
        (b'{"feed": "http://feeds.example", "column": "amount", "token": 1}', "token"),
    ],
)
def test_a_request_that_is_wrong_is_told_where(service: Service, body: bytes, field: str) -> None:
    """Nothing reaches a worker that is no job."""
    answer = service.request("POST", "/jobs", body)
    assert answer.status == 400
    assert answer.json["code"] == JobError.REQUEST_INVALID
    assert answer.json["details"] == {"field": field}


@pytest.mark.parametrize(("method", "path"), [("GET", "/"), ("GET", "/jobs"), ("DELETE", "/failures")])
def test_what_the_service_does_not_offer_is_a_problem_as_well(
    service: Service, method: str, path: str
) -> None:
    """Not the plain text of the framework."""
    answer = service.request(method, path)
    assert (answer.status, answer.headers["content-type"]) == (404, "application/problem+json")
    assert answer.json["code"] == JobError.NO_SUCH_OPERATION
    assert answer.json["details"] == {"operation": f"{method} {path}"}


def test_a_registered_secret_is_hidden_in_every_process(service: Service, feeds: Feeds) -> None:
    """The operator's key, in the path of a feed, has no form that gives it away."""
    body = service.ask(feeds.address(f"{OPERATOR_KEY}/orders"), key=OPERATOR_KEY).body
    assert OPERATOR_KEY.encode() not in body
    for name, data in files_below(service.folder):
        assert OPERATOR_KEY.encode() not in data, name


def test_failures_are_counted(service: Service, client: Client, feeds: Feeds) -> None:
    """The client prints how often each code failed on each day."""
    before = counted(client.run(service.address, "failures").stdout)
    service.ask(feeds.address("broken"))
    after = counted(client.run(service.address, "failures").stdout)
    assert after == {**before, JobError.ROW_BROKEN: before.get(JobError.ROW_BROKEN, 0) + 1}


def counted(table: str) -> dict[str, int]:
    rows = (line.split() for line in table.splitlines() if line != "no failures")
    return {code: int(count) for _, count, code in rows}


def test_the_client_has_a_code_for_a_service_that_is_not_there(client: Client, feeds: Feeds) -> None:
    """It knows what to do next, and that trying again may help."""
    shown = client.run(feeds.address("down").rpartition("/")[0], "failures")
    assert shown.exit_code == os.EX_TEMPFAIL
    first, second, *_ = shown.stderr.splitlines()
    assert first == "[jobs.client.unreachable] Service can't be reached"
    assert second.startswith("Hint: Start the service")


def test_the_client_understands_what_stands_before_the_service(client: Client, feeds: Feeds) -> None:
    """The page of a gateway is no problem document; its status still gives a code and a verdict."""
    shown = client.run(feeds.address("orders").rpartition("/")[0], "total", "http://feeds.example/")
    assert shown.stderr.startswith("[http.502] Bad Gateway\n")
    assert shown.exit_code == os.EX_TEMPFAIL


def test_a_patient_client_waits_for_a_service_that_starts(client: Client, serve: Serve) -> None:
    """The verdict alone decides: it was transient, so the client asked again."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = str(probe.getsockname()[1])
    asking = client.start(f"http://127.0.0.1:{port}", "--patience", "30", "failures")
    serve(command=(*SERVE[:-1], port))
    assert Shown.of(asking) == (0, "no failures\n", "")


# --- a worker dies ----------------------------------------------------------------------------------


def test_a_killed_worker_is_told_and_replaced(serve: Serve, client: Client, feeds: Feeds) -> None:
    """Its job fails with a code and a verdict, a log and a record; the next job finds a new worker."""
    service = serve()
    asking = client.start(service.address, "total", feeds.address("stuck"))
    try:
        assert feeds.asked.wait(30)
        for pid in service.request("GET", "/health").json["workers"]:
            os.kill(pid, signal.SIGKILL)
        shown = Shown.of(asking)
    finally:
        feeds.may_answer.set()
    assert shown.exit_code == os.EX_TEMPFAIL
    assert shown.stderr.startswith(f"[{JobError.WORKER_LOST}] Worker was lost\nHint: Send the job again")
    (found,) = records(service)
    assert (found.code, found.retryable) == (JobError.WORKER_LOST, True)
    assert causes(found.payload)[0] == "BrokenProcessPool"
    assert found.log_path
    assert [event["error"]["code"] for event in read_log(found.log_path)] == [JobError.WORKER_LOST]
    assert client.run(service.address, "total", feeds.address("orders")).stdout == "42.0\n"


# --- the database goes away -------------------------------------------------------------------------


class Away:
    """A database that can go away and come back."""

    def __init__(self, folder: Path, server: Server | None) -> None:
        self._server, self._path = server, folder / "records.db"
        self.url = server.new_database() if server else f"sqlite:///{self._path}"

    @contextmanager
    def away(self) -> Iterator[None]:
        """A server that was killed, or a file that somebody else holds."""
        if self._server:
            self._server.kill()
            try:
                yield
            finally:
                self._server.start()
            return
        holder = sqlite3.connect(self._path, isolation_level=None)
        holder.execute("BEGIN EXCLUSIVE")
        try:
            yield
        finally:
            holder.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Away]:
    """An empty database of each kind."""
    if request.param == "sqlite":
        yield Away(tmp_path, None)
        return
    programs = find_programs()
    if programs is None:
        pytest.skip(HINT)
    server = Server(programs)
    try:
        server.start()
        yield Away(tmp_path, server)
    finally:
        server.remove()


def spooled(service: Service) -> int:
    """How many records wait for the database."""
    return sum(
        data.count(b"\n")
        for name, data in files_below(service.folder / "logs" / "spool")
        if name.endswith(".ndjson")
    )


def test_no_failure_is_lost_while_the_database_is_away(
    serve: Serve, client: Client, feeds: Feeds, database: Away
) -> None:
    """Clients are answered all the same, and each failure is one row once the database is back."""
    service = serve(database=database.url)

    def fail() -> str:
        answered: str = service.ask(feeds.address("broken")).json["diagnostic_id"]
        return answered

    sent = [fail()]
    with database.away():
        sent += [fail(), fail()]
        assert spooled(service) == 2
        told = client.run(service.address, "failures")
        assert told.stderr.startswith("[errkit.sink_unavailable]")
        assert told.exit_code == os.EX_TEMPFAIL
        assert "planted-pw" not in told.stderr
    until(lambda: not spooled(service))
    assert rows_of_jobs(service) == sent

    # Once more, and now the service dies before the database is back: the next one sends what it left.
    with database.away():
        sent += [fail(), fail()]
        service.kill()
        assert spooled(service) == 2
    service.start()
    assert rows_of_jobs(service) == sent
    assert all(b"planted-pw" not in data for _, data in files_below(service.folder))


def rows_of_jobs(service: Service) -> list[str | None]:
    """The ids of the failures of jobs, in the order in which they were recorded."""
    found = [record for record in reversed(records(service)) if record.code in JOBS]
    return [record.diagnostic_id for record in found]


# --- other releases ---------------------------------------------------------------------------------


OLDER = ("errors.py", 'aliases=("jobs.source_down",),', 'code="jobs.source_down",')
"""Until version 2 the code had another name."""
NEWER = (
    ("errors.py", 'aliases=("jobs.source_down",),', 'code="jobs.feed_offline",'),
    ("errors.py", "    feed: str | None = None\n", '    feed: str | None = None\n    region: str = ""\n'),
    ("work.py", "token=job.token)", 'token=job.token, region="eu-3")'),
    ("api.py", "body = problem.encode(", 'body = {"queue": "q7"} | problem.encode('),
)
"""Some day a code is new, and so are a detail and a key of the payload."""


@pytest.fixture
def codes(tmp_path: Path) -> str:
    """The codes of this release as a file, for a client that has no code of the service."""
    path = tmp_path / "codes.json"
    path.write_text(JOBS.export(), "utf-8")
    return str(path)


def test_a_client_that_is_newer_than_the_service_knows_the_former_name_of_a_code(
    tmp_path: Path, serve: Serve, client: Client, feeds: Feeds, codes: str
) -> None:
    """The code has another name now; its alias leads there, and who has no codes keeps the name that came."""
    service = serve(home=release(tmp_path, OLDER))
    down = feeds.address("down")
    knowing = client.run(service.address, "--codes", codes, "--json", "total", down)
    strange = client.run(service.address, "--json", "total", down)
    assert (loads(knowing.stdout).code, loads(strange.stdout).code) == ("jobs.feed_down", "jobs.source_down")
    for shown in (knowing, strange):
        assert loads(shown.stdout).hint == SPEC.hint
        assert loads(shown.stdout).message.startswith("Feed did not answer")
        assert shown.exit_code == os.EX_TEMPFAIL


def test_a_client_that_is_older_than_the_service_loses_nothing(
    tmp_path: Path, serve: Serve, client: Client, feeds: Feeds, codes: str
) -> None:
    """A code, a detail and a key that it does not know are shown, obeyed and passed on."""
    service = serve(home=release(tmp_path, *NEWER))
    down = feeds.address("down")
    shown = client.run(service.address, "--codes", codes, "total", down)
    assert shown.exit_code == os.EX_TEMPFAIL
    assert shown.stderr.startswith("[jobs.feed_offline] Feed did not answer: ")
    assert f"\nHint: {SPEC.hint}\n" in shown.stderr
    assert "Retry: yes, after 5 s" in shown.stderr.splitlines()
    error = loads(client.run(service.address, "--codes", codes, "--json", "total", down).stdout)
    assert error.code not in JOBS
    assert error.details["region"] == "eu-3"
    assert (error.retryable, error.kind, error.number) == (True, "transient", 5003)
    assert '"queue":"q7"' in client.run(service.address, "--codes", codes, "--json", "total", down).stdout


# --- by hand ----------------------------------------------------------------------------------------


def test_the_two_commands_of_the_readme_work(serve: Serve, tmp_path: Path) -> None:
    """Typed from the root of the repository, in two terminals, they do what it shows."""
    blocks = read_blocks(EXAMPLE / "README.md")
    (serving, _), (asking, expected) = (
        pair for block in blocks if block.language == "console" for pair in commands(block.text)
    )
    service = serve(command=[*words(serving), "--port", "0"])
    shown = subprocess.run(
        words(asking),
        cwd=ROOT,
        env={**os.environ, "JOBS_SERVER": service.address},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    compare(expected, shown.stdout + shown.stderr)


def words(command: str) -> list[str]:
    """The words of a command of the README, for the interpreter of these tests."""
    first, *others = shlex.split(command)
    assert first == ".venv/bin/python"
    return [sys.executable, *others]
