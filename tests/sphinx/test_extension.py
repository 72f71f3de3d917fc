"""The extension as a whole: what it promises to Sphinx. Formats, markups and versions: `test_matrix.py`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.sphinx.matrix import BUILDERS
from tests.sphinx.sites import Site

CATALOGUES = (
    '["errkit.catalogs.agent_core", "errkit.catalogs.agent_device", "errkit.catalogs.harness", "errkit.own"]'
)
EVERYTHING = f'errkit_registries = {CATALOGUES[:-1]}, "shop", "depot", "notes", "hostile"]\n'
OPTIONS = ("-D", "version=1", "-D", "copyright=x", "-D", "linkcheck_ignore=.*")


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A project with every registry there is."""
    return Site(tmp_path_factory.mktemp("everything"), EVERYTHING)


@pytest.mark.parametrize(
    "theme",
    [
        "basic",
        *(
            pytest.param(name, marks=pytest.mark.full)
            for name in ("furo", "alabaster", "pydata_sphinx_theme")
        ),
    ],
)
def test_html_builds_without_a_warning_in_every_theme(everything: Site, tmp_path: Path, theme: str) -> None:
    """`-W -n`, with the catalogues of three real systems and the hostile registry."""
    built = everything.run("html", "-D", f"html_theme={theme}", "-j", "2", target=tmp_path)
    assert "err-os-fs-permission-denied" in built.text("errors/os_fs.html")
    assert "err-session-not-found" in built.text("errors/harness/session.html")
    assert "err-device-in-use" in built.text("errors/agent_device/agent_device.html")


@pytest.fixture(scope="module")
def both_kinds(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A small project with prose in both markups and shared codes."""
    return Site(
        tmp_path_factory.mktemp("kinds"), 'errkit_registries = ["shop", "depot", "notes", "hostile"]\n'
    )


@pytest.mark.full
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("builder", BUILDERS)
def test_the_full_matrix_of_builders(everything: Site, tmp_path: Path, builder: str, jobs: str) -> None:
    """Every registry in every format, serial and parallel."""
    everything.run(builder, *OPTIONS, "-j", jobs, target=tmp_path)


def test_nothing_deprecated_is_used(both_kinds: Site, tmp_path: Path) -> None:
    """Whatever Sphinx will remove is an error, wherever errkit calls it."""
    code = "import sys\nfrom sphinx.cmd.build import main\nsys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-W", "error::DeprecationWarning:errkit", "-c", code, "-q", "-W", "-b", "html"]
    command += ["-D", "html_theme=basic", str(both_kinds.folder), str(tmp_path)]
    path = [str(both_kinds.folder), str(Path(__file__).parent / "samples"), *sys.path]
    done = subprocess.run(
        command, env={"PYTHONPATH": ":".join(path)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_no_attribute_that_is_deprecated_is_named() -> None:
    """`env.app`, `builder.app` and their like are found without a run, too."""
    import errkit.sphinx

    for path in Path(errkit.sphinx.__file__).parent.glob("*.py"):
        text = path.read_text("utf-8")
        for name in ("env.app", "builder.app", "events.app", "self.app"):
            assert name not in text.replace("app.env.project", ""), f"{path.name}: {name}"


def test_the_extension_is_parallel_safe_and_versioned() -> None:
    """What other tests prove is also what Sphinx is told."""
    from sphinx.application import Sphinx

    from errkit.sphinx import setup
    from errkit.sphinx.catalogue import VERSION

    calls: list[str] = []

    class Recorder(Sphinx):
        def __init__(self) -> None:
            pass

        def __getattribute__(self, name: str) -> object:
            if name.startswith(("add_", "connect")):
                return lambda *args, **options: calls.append(name)
            return super().__getattribute__(name)

    told = setup(Recorder())
    assert told == {
        "version": VERSION,
        "env_version": 1,
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
    assert {"add_domain", "add_node", "add_config_value", "add_post_transform"} <= set(calls)
