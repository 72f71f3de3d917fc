"""What holds for all ready-made domains: facts, prose, examples, and what may be shown to anybody."""

from __future__ import annotations

import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import errkit.domains
from errkit import REGISTRY
from errkit.fields import read_fields
from errkit.prose import code_prose, domain_prose, field_prose

MODULES = [module.name for module in pkgutil.iter_modules(errkit.domains.__path__)]
for name in MODULES:
    importlib.import_module(f"errkit.domains.{name}")

SPECS = [
    spec for spec in REGISTRY if spec.cls is not None and spec.cls.__module__.startswith("errkit.domains.")
]
every_code = pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.code)

PUBLIC = {
    "os.fs.not_found",
    "os.fs.is_directory",
    "os.fs.not_directory",
    "os.fs.already_exists",
    "os.fs.not_empty",
    "os.fs.name_too_long",
    "wire.unknown_record",
    "wire.migration_missing",
}
"""What may be shown outside: where the details hold nothing but what the caller has said itself."""

TRANSIENT = {
    "os.fs.unavailable",
    "os.fs.too_many_open_files",
    "os.process.timed_out",
    "storage.locked",
    "http.request_timeout",
    "http.rate_limited",
    "http.unavailable",
    "http.gateway_timeout",
    "http.overloaded",
    "http.connection_failed",
    "http.timed_out",
    "concurrent.timed_out",
    "concurrent.queue_full",
    "concurrent.queue_empty",
}


def test_the_domains_are_there() -> None:
    """Each with its codes in the order of their numbers, and a range of its own."""
    found = {domain.domain: domain for domain in REGISTRY.domains}
    ranges = {
        "os.fs": 12000,
        "os.process": 12100,
        "storage": 12200,
        "wire": 12300,
        "http": 12400,
        "decode": 12500,
        "concurrent": 12600,
    }
    for domain, start in ranges.items():
        assert found[domain].numbers == range(start, start + 100)
        numbers = [spec.number for spec in found[domain].codes]
        assert numbers == list(range(start + 1, start + 1 + len(numbers)))


def test_codes_fail_closed() -> None:
    """Only listed codes are public, and only listed ones retryable as such."""
    assert {spec.code for spec in SPECS if spec.public} == PUBLIC
    assert {spec.code for spec in SPECS if spec.retryable} == TRANSIENT
    assert {spec.kind for spec in SPECS} == {"terminal", "transient"}


@every_code
def test_every_code_says_what_to_do(spec: errkit.ErrorSpec) -> None:
    """A title without a full stop, a hint of one sentence, and prose of two to four."""
    assert not spec.title.endswith(".")
    assert re.fullmatch(r"[A-Z][^.;]*(?:\.\w[^.;]*)*\.", spec.hint), spec.hint
    prose = code_prose(spec)
    assert prose is not None
    sentences = re.split(r"(?<=[.!?])\s+(?=[A-Z`])", " ".join(prose.text.split()))
    assert 2 <= len(sentences) <= 4, sentences
    assert "``" in prose.text, "names something concrete"


@every_code
def test_every_example_fits(spec: errkit.ErrorSpec) -> None:
    """It builds an error whose details are as declared."""
    assert spec.cls is not None
    assert spec.example
    assert getattr(spec.cls, spec.const)("made", **spec.example).details_problem is None


@every_code
def test_every_field_is_documented(spec: errkit.ErrorSpec) -> None:
    """Also the fields that a details class inherits."""
    assert spec.details is not None
    documented = {name for name, text in field_prose(spec.details).items() if text}
    assert {field.name for field in read_fields(spec.details)} <= documented


def test_every_domain_is_explained() -> None:
    """Its page opens with more than a title."""
    for domain in REGISTRY.domains:
        if domain.cls.__module__.startswith("errkit.domains."):
            prose = domain_prose(domain)
            assert prose is not None
            assert len(prose.text.split()) > 15


@pytest.mark.parametrize("module", MODULES)
def test_each_domain_can_be_imported_alone(module: str) -> None:
    """In a fresh interpreter, and without any other domain but those that its table needs."""
    root = Path(__file__).parents[2]
    script = f"import sys; sys.path.insert(0, {str(root)!r}); import errkit.domains.{module}"
    script += "; print(*sorted(name[15:] for name in sys.modules if name.startswith('errkit.domains.')))"
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True)
    needs = {"os_process": ["os_fs", "output"], "storage": ["os_fs"], "http": ["response"]}
    assert done.stdout.split() == sorted([module, *needs.get(module, [])])
