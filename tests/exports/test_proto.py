"""The Protocol Buffers file, compiled by protoc and compared with what the gRPC dialect sends."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from errkit import Registry
from errkit.catalogs import agent_core, agent_device, harness
from errkit.dialects import grpc
from errkit.exports import export
from tests.exports.samples import HOSTILE, OUTLET, instance

if TYPE_CHECKING:
    from google.protobuf.descriptor_pb2 import DescriptorProto

REGISTRIES = {
    "outlet": OUTLET,
    "traps": HOSTILE,
    "agent_core": agent_core.REGISTRY,
    "agent_device": agent_device.REGISTRY,
    "harness": harness.REGISTRY,
    "empty": Registry("empty"),
}


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[DescriptorProto]]:
    """The messages of each file, as protoc understands them."""
    from grpc_tools import protoc  # type: ignore[import-untyped]

    folder = tmp_path_factory.mktemp("proto")
    for name, registry in REGISTRIES.items():
        (folder / f"{name}.proto").write_text(export(registry, "proto"), "utf-8")
    out = folder / "out.bin"
    includes = str(Path(str(resources.files("grpc_tools"))) / "_proto")
    files = [f"{name}.proto" for name in REGISTRIES]
    assert protoc.main(["", f"-I{folder}", f"-I{includes}", f"--descriptor_set_out={out}", *files]) == 0
    found = FileDescriptorSet.FromString(out.read_bytes())
    return {file.name.removesuffix(".proto"): list(file.message_type) for file in found.file}


@pytest.mark.parametrize("name", REGISTRIES)
def test_every_code_is_a_value(name: str, compiled: dict[str, list[DescriptorProto]]) -> None:
    """Each once, below an unspecified one, with numbers that are unique."""
    values = [[value.name for value in message.enum_type[0].value] for message in compiled[name]]
    assert all(names[0] == "REASON_UNSPECIFIED" for names in values)
    assert sum(len(names) - 1 for names in values) == len(REGISTRIES[name])


def test_a_value_is_what_the_dialect_sends(compiled: dict[str, list[DescriptorProto]]) -> None:
    """The reason in the enum of the domain, and the number of the code where it has one."""
    known = {
        (value.name, value.number) for message in compiled["harness"] for value in message.enum_type[0].value
    }
    for spec in harness.REGISTRY:
        info = grpc.encode(instance(spec))["details"][0]
        assert (info["reason"], spec.number) in known


def test_a_number_stays_when_codes_are_added(compiled: dict[str, list[DescriptorProto]]) -> None:
    """It follows from the code, or is the code's own."""
    [cart, _] = compiled["outlet"]
    numbers = {value.name: value.number for value in cart.enum_type[0].value}
    assert numbers == {"REASON_UNSPECIFIED": 0, "EMPTY": 61001, "LOCKED": 752135454, "LOST": 734317180}
