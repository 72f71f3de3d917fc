"""Error-code coverage: which registered codes the tests really raise, and by which tests.

What a test raised travels on its reports, so it arrives from xdist's workers as the reports do. A worker that
dies takes the report of its test along; what it had raised by then lies in a folder, where child processes
leave theirs too. Generated checks, and errors that the kit itself made, do not count.

`recording.py` notes the raises, `tally.py` counts and writes.

PYTEST_DONT_REWRITE: nothing is asserted here.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from errkit.config.meaning import groundless
from errkit.errors import CodedError
from errkit.testing.project import COVERAGE, project_of, said_of
from errkit.testing.recording import FOLDER, GENERATED, Recorder
from errkit.testing.tally import Tally, make_summary, write_report

if TYPE_CHECKING:
    from collections.abc import Generator

    from errkit.testing.tally import Summary

__all__ = ["make_coverage"]


def make_coverage(config: pytest.Config) -> Recording:
    """The plugin of a run that counts: in a worker it only records."""
    return Recording() if hasattr(config, "workerinput") else Coverage(config)


class Recording:
    """Records what each test raises, and puts it on the reports of the test."""

    def __init__(self) -> None:
        self.recorder = Recorder(os.environ.get(FOLDER))

    def pytest_collection_finish(self) -> None:
        """Begin with the first test: what an import raises is no test's merit."""
        self.recorder.start()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Look away while a check of the kit runs."""
        looks_away = hasattr(item, GENERATED) or hasattr(getattr(item, "function", None), GENERATED)
        if looks_away:
            self.recorder.pause(paused=True)
        try:
            return (yield)
        finally:
            if looks_away:
                self.recorder.pause(paused=False)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self) -> Generator[None, Any, Any]:
        """Put the codes since the last report on this one, as xdist can carry them."""
        report: Any = yield
        codes = self.recorder.take()
        if codes:
            report.errkit_raised = codes
        return report

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        """End."""
        self.recorder.stop()


class Coverage(Recording):
    """Records, unless workers do, and counts what comes from everywhere.

    Parameters
    ----------
    config
        The configuration of the run.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._reports = [_format_and_path(text) for text in config.getoption("errkit_report") or ()]
        self._tally = Tally()
        self._summary: Summary | None = None
        self._problem = ""
        self._lost: list[str] = []
        self._written: list[str] = []
        # Workers and other children are told by their environment.
        self._folder = tempfile.mkdtemp(prefix="errkit-coverage-")
        self._outer = os.environ.get(FOLDER)
        os.environ[FOLDER] = self._folder
        # This process needs no file: if it dies, nobody is left to read one.
        self.recorder = Recorder()

    def pytest_report_header(self) -> str:
        """Say how raises are seen."""
        return f"errkit: coverage of codes by {self.recorder.method}"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count what a test raised, here or in a worker."""
        for code in getattr(report, "errkit_raised", ()):
            self._tally.add(code, report.nodeid)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """Remember a worker of xdist that died."""
        if error:
            self._lost.append(str(node.gateway.id))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:  # type: ignore[override]
        """Sum up, write the reports, and fail the run if too few codes were raised."""
        super().pytest_sessionfinish()
        if self._config.getoption("collectonly"):
            return
        for code in self.recorder.take():
            self._tally.add(code, "")
        self._read_folder()
        try:
            self._sum_up()
        except CodedError as error:
            self._problem = said_of(error, self._config)
        except pytest.UsageError as error:
            self._problem = str(error)
        if self._problem and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _sum_up(self) -> None:
        project = project_of(self._config)
        exempt = [item for item in project.settings.exempt if item.check == COVERAGE]
        reasons = {item.code: item.reason for item in exempt}
        self._summary = make_summary(project.covered, self._tally, reasons)
        problems = []
        limit: float | None = self._config.getoption("errkit_fail_under")
        if limit is not None:
            problems.append(self._summary.problem(limit))
            for item in exempt:
                fault = groundless(item, {COVERAGE: "code"}, project.registries)
                place = project.exemption_place(item)
                problems.append(fault and f"FAIL: {item.code} is exempt, and {fault} ({place})")
        for form, path in self._reports:
            try:
                write_report(self._summary, form, path, method=self.recorder.method, lost=self._lost)
                self._written.append(f"{form} report: {path}")
            except OSError as error:
                problems.append(f"--errkit-report: {path} can't be written: {error.strerror}")
        self._problem = "\n".join(filter(None, problems))

    def _read_folder(self) -> None:
        for path in sorted(Path(self._folder).glob("*.jsonl")):
            for line in path.read_text("utf-8").splitlines():
                try:
                    found = json.loads(line)
                except ValueError:
                    continue  # the last line of a process that was killed
                self._tally.add(found["code"], found["test"])

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the table."""
        if self._config.getoption("collectonly"):
            return
        terminalreporter.section("error codes raised", sep="-")
        if self._summary is not None:
            for line in self._summary.lines(project_of(self._config).shown):
                terminalreporter.line(line)
        if self._lost:
            terminalreporter.line(f"died: {', '.join(self._lost)}; what they had raised by then is counted")
        for line in self._written:
            terminalreporter.line(line)
        if self._problem:
            terminalreporter.line(self._problem, red=True, bold=True)

    def pytest_unconfigure(self) -> None:
        """Leave the environment as it was."""
        if self._outer is None:
            os.environ.pop(FOLDER, None)
        else:
            os.environ[FOLDER] = self._outer
        shutil.rmtree(self._folder, ignore_errors=True)


def _format_and_path(text: str) -> tuple[str, Path]:
    form, _, path = text.partition(":")
    if form not in ("json", "md") or not path:
        raise pytest.UsageError(f"--errkit-report: expected json:PATH or md:PATH, found {text!r}")
    return form, Path(path).absolute()
