"""The two Python forms: a module of constants, and the stub of a module that loads a catalogue.

Both are checked by mypy --strict and by pyright, together with lines that use them; lines that end in a
`# type: ignore` must be refused, since an ignore that nothing needs is an error too.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from errkit import Registry
from errkit.catalogs import agent_core, agent_device, harness
from errkit.exports import export
from errkit.exports.python_module import type_text, usable
from tests.exports.samples import HOSTILE, OUTLET

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parent.parent.parent
REGISTRIES = {
    "outlet": OUTLET,
    "traps": HOSTILE,
    "agent_core": agent_core.REGISTRY,
    "agent_device": agent_device.REGISTRY,
    "harness": harness.REGISTRY,
    "empty": Registry("empty"),
}
LOADER = """\
from pathlib import Path

from errkit import Registry, facade

REGISTRY = Registry.load(Path(__file__).with_name("HERE.json"))
codes = facade(REGISTRY)
globals().update({domain.cls.__name__: domain.cls for domain in REGISTRY.domains})
"""
CONSUMER = """\
from typing import assert_type

import harness_errors
import outlet_errors
from errkit import CodedError
from outlet_codes import FACTS, ErrorCode, OutletCartCodes, OutletCartEmptyDetails, is_error_code

details: OutletCartEmptyDetails = {"cart": "c", "count": 1, "mode": 3, "tags": ["a"]}
missing: OutletCartEmptyDetails = {"cart": "c"}  # type: ignore[typeddict-item]
code: ErrorCode = OutletCartCodes.EMPTY
wrong: ErrorCode = "outlet.cart.emty"  # type: ignore[assignment]
OutletCartCodes.EMTY  # type: ignore[attr-defined]
title: str = FACTS[code].title


def name(value: object) -> ErrorCode | None:
    return value if is_error_code(value) else None


error = outlet_errors.OutletCartError.EMPTY("nothing in it", cart="c", count=1, password=None)
assert_type(error, outlet_errors.OutletCartError)
outlet_errors.OutletCartError.EMPTY("nothing in it", cart=1, count=1)  # type: ignore[arg-type]
outlet_errors.OutletCartError.EMTY  # type: ignore[attr-defined]
found = outlet_errors.OutletCartError.EMPTY.match(error)
if found is not None:
    assert_type(found.cart, str)
outlet_errors.OutletCartError.LOCKED(reason="audit")
failure: CodedError = harness_errors.codes.SESSION_NOT_FOUND()
harness_errors.codes.SESSION_NOT_FOND  # type: ignore[attr-defined]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every export, with the modules that the stubs belong to."""
    folder = tmp_path_factory.mktemp("python")
    for name, registry in REGISTRIES.items():
        (folder / f"{name}.json").write_text(export(registry, "json"), "utf-8")
        (folder / f"{name}_codes.py").write_text(export(registry, "python"), "utf-8")
        loaded = Registry.load(folder / f"{name}.json") if name != "traps" else registry
        (folder / f"{name}_errors.pyi").write_text(export(loaded, "pyi"), "utf-8")
    (folder / "harness_errors.py").write_text(LOADER.replace("HERE", "harness"), "utf-8")
    (folder / "consumer.py").write_text(CONSUMER, "utf-8")
    return folder


LARGE = ("agent_core", "agent_device", "empty", "harness_codes")
"""Checked in the full matrix only: they have nothing that the others lack, and cost the checkers most."""


def files(folder: Path) -> list[str]:
    """What is checked."""
    everything = bool(os.environ.get("ERRKIT_TEST_ALL"))
    return [
        str(path)
        for path in sorted(folder.iterdir())
        if path.suffix in (".py", ".pyi")
        and path.name != "harness_errors.py"
        and (everything or not path.name.startswith(LARGE))
    ]


def test_mypy_accepts_them(folder: Path) -> None:
    """With --strict, and refuses what is misspelt, missing or of another type."""
    cache = ROOT / "build" / "mypy-exports"
    options = (
        "--strict",
        "--warn-unused-ignores",
        "--config-file=",
        f"--cache-dir={cache}",
        "--follow-imports=silent",
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, *files(folder)],
        cwd=folder,
        env={"MYPYPATH": f"{folder}:{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr


def test_pyright_accepts_them(folder: Path) -> None:
    """With unneeded ignores as errors too."""
    (folder / "pyrightconfig.json").write_text(
        json.dumps(
            {
                "include": [Path(name).name for name in files(folder)],
                "extraPaths": [str(ROOT)],
                "reportUnnecessaryTypeIgnoreComment": "error",
                "reportUnusedExpression": "none",
            }
        )
    )
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pyright",
            "--outputjson",
            "--project",
            folder,
            "--pythonpath",
            sys.executable,
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    report = json.loads(done.stdout)
    wrong = [
        (Path(found["file"]).name, found["range"]["start"]["line"] + 1, found["message"])
        for found in report["generalDiagnostics"]
        if found["severity"] == "error"
    ]
    assert wrong == []
    assert report["summary"]["filesAnalyzed"] == len(files(folder))


def load(path: Path) -> ModuleType:
    """Import a file."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", REGISTRIES)
def test_the_constants_are_the_codes(name: str, folder: Path) -> None:
    """In the order of declaration, with their facts; nothing in a text is run."""
    module = load(folder / f"{name}_codes.py")
    assert list(module.FACTS) == [spec.code for spec in REGISTRIES[name]]
    for spec in REGISTRIES[name]:
        facts = module.FACTS[spec.code]
        assert (facts.kind, facts.number, facts.http_status) == (spec.kind, spec.number, spec.http_status)
        assert module.is_error_code(spec.code)
    assert not module.is_error_code("no.such")
    values = {
        value
        for cls in vars(module).values()
        if isinstance(cls, type) and cls.__name__.endswith("Codes")
        for key, value in vars(cls).items()
        if not key.startswith("__")
    }
    assert values == {spec.code for spec in REGISTRIES[name]}


def test_a_module_of_four_lines_is_what_its_stub_says(folder: Path) -> None:
    """The facade and the domain classes are there."""
    module = load(folder / "harness_errors.py")
    error = module.codes.SESSION_NOT_FOUND()
    assert isinstance(error, module.REGISTRY.domains[0].cls.__mro__[1])
    assert all(hasattr(module, domain.cls.__name__) for domain in module.REGISTRY.domains)


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({}, "Any"),
        ({"type": ["integer", "null"]}, "int | None"),
        ({"enum": ["a", 1, None]}, 'Literal["a", 1, None]'),
        ({"enum": [1.5]}, "Any"),
        ({"const": "[REDACTED]"}, 'Literal["[REDACTED]"]'),
        ({"type": "array", "items": {"type": "string"}}, "list[str]"),
        ({"type": "array", "prefixItems": [{}], "items": False}, "list[Any]"),
        ({"type": "object", "additionalProperties": {"type": "number"}}, "dict[str, float]"),
        ({"anyOf": [{"const": "x"}, {"type": "null"}]}, 'Literal["x"] | None'),
    ],
    ids=str,
)
def test_types(schema: dict[str, Any], text: str) -> None:
    """Each schema as Python."""
    assert type_text(schema) == text


def test_names_that_no_class_can_have() -> None:
    """Keywords, and what Python would mangle."""
    assert [usable(name) for name in ("EMPTY", "class", "__x", "a b")] == [True, False, False, False]
