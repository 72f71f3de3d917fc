"""The lock: what it holds, how it is merged, what breaks it, and how much a change weighs."""

from __future__ import annotations

import json
import random
import subprocess
import types
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from errkit import REGISTRY, CodedError, Details, Reason, Registry, Secret, code
from errkit.config import default_sources
from errkit.lock import (
    Lock,
    Retired,
    compare,
    lock_of,
    lock_text,
    needed,
    parse_lock,
    read_lock,
    renewed,
)
from errkit.testing.strategies import registries

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class SlotDetails(Details):
    """Which slot."""

    day: str
    """The day."""
    note: str | None = None
    """A remark."""


def promised(*declared: dict[str, Any], registry: str = "booking") -> Lock:
    """The lock of codes in one domain; each declaration has `const` and what `code()` takes."""
    home = Registry(registry)
    body = {}
    for facts in declared:
        told = {"title": "Taken", **facts}
        const = told.pop("const", "TAKEN")
        body[const] = code(told.pop("title"), told.pop("details", None), **told)
    keywords = {"domain": "slot", "numbers": range(1, 100), "registry": home}
    types.new_class("SlotError", (CodedError,), keywords, lambda made: made.update(body))
    return lock_of([home])


def told(old: Lock, new: Lock) -> list[tuple[str, str]]:
    """Weight and words of each change."""
    return [(change.weight, str(change)) for change in compare(old, new)]


# --- the text ---------------------------------------------------------------------------------------


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=30)
@given(registry=registries())
def test_what_is_read_is_what_was_written(registry: Registry) -> None:
    """Any registry's lock comes back from its text, and nothing has changed."""
    lock = lock_of([registry])
    text = lock_text(lock)
    again = parse_lock(text, "errors.lock.json")
    assert lock_text(again) == text
    assert compare(lock, again) == compare(again, lock) == []


@pytest.fixture(scope="module")
def shipped() -> str:
    """The lock of all that errkit ships."""
    return lock_text(lock_of([source.registry for source in default_sources()]))


def test_a_line_is_a_fact(shipped: str) -> None:
    """Each line between the brackets is an array of its own, with its comma in front, and they are sorted."""
    first, *lines, last = shipped.splitlines()
    assert (first, last) == ('{"format": "errkit.lock/1", "facts": [', "]}")
    middle = lines.index('], "retired": [')
    rows = [json.loads(line.removeprefix(",")) for line in lines[:middle]]
    assert rows[0] == ["registry", "code", "fact", "name", "value"]
    assert [row[:4] for row in rows[1:]] == sorted(row[:4] for row in rows[1:])
    assert ["harness", "SESSION_NOT_FOUND", "number", "", 2001] in rows
    assert all(line.startswith(",[") for line in lines[1:middle])


def test_rows_may_stand_in_any_order_and_twice(shipped: str) -> None:
    """What a merge by line leaves behind is the same lock, and so is one that was formatted anew."""
    first, head, *lines = shipped.splitlines()
    middle = lines.index('], "retired": [')
    rows = [*lines[:middle], *lines[: middle // 2]]
    random.Random(3).shuffle(rows)
    mixed = "\n".join([first, head, *rows, *lines[middle:]])
    assert lock_text(parse_lock(mixed, "x")) == shipped
    assert parse_lock(json.dumps(json.loads(mixed), indent=4), "x") == parse_lock(shipped, "x")


def test_the_same_promises_give_the_same_text() -> None:
    """Neither the order of registries nor that of declarations shows."""
    one, other = {"const": "ONE", "number": 1}, {"const": "OTHER", "number": 2, "aliases": ("B", "A")}
    assert lock_text(promised(one, other)) == lock_text(promised(other | {"aliases": ("A", "B")}, one))
    sources = [source.registry for source in default_sources()]
    assert lock_text(lock_of(sources)) == lock_text(lock_of(sources[::-1]))


def test_of_the_default_registry_only_what_errkit_ships_is_in_it() -> None:
    """What other modules put there depends on what is imported, so it is theirs to lock."""
    with REGISTRY.scoped():

        class GuestError(CodedError, domain="guest"):
            LATE = code("Late")

        assert GuestError.LATE in REGISTRY
        codes = lock_of([REGISTRY]).codes("errkit")
    assert "errkit.bad_lock" in codes
    assert "guest.late" not in codes
    shared = Registry("house").include(GuestError)
    assert list(lock_of([shared]).codes("house")) == ["guest.late"]


def test_no_value_of_a_field_is_in_it() -> None:
    """Defaults and examples are no promises, so no secret can get there."""

    class Keys(Details):
        token: Secret[str] = "hunter2-planted"

    text = lock_text(promised({"details": Keys, "example": {"token": "hunter2-planted"}}))
    assert "hunter2" not in text
    assert '"secret", "token", true' in text


def test_a_text_steers_nothing() -> None:
    """A title with control characters is one line of JSON without them."""
    text = lock_text(promised({"title": "a\n\x1b]0;x\x07\u202e\u2028\ud800b"}))
    assert not set(text) & set("\x1b\x07\u202e\u2028")
    assert lock_text(parse_lock(text, "x")) == text


# --- git --------------------------------------------------------------------------------------------


@pytest.fixture
def git(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """git in a new repository."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        said = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"]
        command = ["git", *said, "-C", str(tmp_path), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    assert run("init").returncode == 0
    return run


A, B, C, D = ({"const": const, "number": number} for number, const in enumerate("ABCD", 1))


def merge(git: Any, path: Path, base: Lock, ours: Lock, theirs: Lock) -> subprocess.CompletedProcess[str]:
    """What git says when it merges two branches that changed the same lock."""
    for branch, lock in (("base", base), ("ours", ours), ("theirs", theirs)):
        git("checkout", "-q", *(["-b", branch] if branch == "base" else ["-b", branch, "base"]))
        path.write_text(lock_text(lock), "utf-8")
        git("add", "-A")
        git("commit", "-qm", branch)
    merged: subprocess.CompletedProcess[str] = git("merge", "-q", "-m", "both", "ours")
    return merged


def test_git_merges_what_two_branches_added(git: Any, tmp_path: Path) -> None:
    """Codes that both branches add, and one that one of them retires, need nobody's hand."""
    path = tmp_path / "errors.lock.json"
    base = promised(B, D | {"title": "Old"})
    ours = renewed(base, promised(A, B, D | {"title": "Old"}))
    theirs = renewed(base, promised(B, C), removed="2.0")
    assert merge(git, path, base, ours, theirs).returncode == 0
    merged = read_lock(path)
    assert list(merged.codes("booking")) == ["slot.a", "slot.b", "slot.c"]
    assert [item.code for item in merged.retired("booking")] == ["slot.d"]
    assert path.read_text("utf-8") == lock_text(merged)


def test_with_a_union_merge_there_are_no_conflicts(git: Any, tmp_path: Path) -> None:
    """`merge=union` keeps the rows of both sides at the same place, and the file is a lock still."""
    path = tmp_path / "errors.lock.json"
    (tmp_path / ".gitattributes").write_text("errors.lock.json merge=union\n")
    done = merge(git, path, promised(A), promised(A, B), promised(A, C))
    assert done.returncode == 0, done.stdout
    assert read_lock(path) == promised(A, B, C)


def test_conflict_markers_are_recognised(git: Any, tmp_path: Path) -> None:
    """The line is named and the way out is told; what is told then works."""
    path = tmp_path / "errors.lock.json"
    assert merge(git, path, promised(A), promised(A, B), promised(A, C)).returncode == 1
    with pytest.raises(CodedError) as raised:
        read_lock(path)
    error = raised.value
    assert error.code == "errkit.bad_lock"
    line = int(error.details["place"].removeprefix("line "))
    lines = path.read_text("utf-8").splitlines()
    assert lines[line - 1].startswith("<<<<<<<")
    assert error.hint is not None
    assert "Delete the lines of git's conflict markers, keep the rows of both sides" in error.hint
    path.write_text("\n".join(row for row in lines if row[:7] not in ("<<<<<<<", "=======", ">>>>>>>")))
    assert read_lock(path) == promised(A, B, C)


# --- refusals ---------------------------------------------------------------------------------------

SOUND = lock_text(
    renewed(promised(A, B | {"details": SlotDetails}, D), promised(A, B | {"details": SlotDetails}))
)


def swapped(old: str, new: str) -> str:
    """The sound lock with one text in place of another."""
    assert old in SOUND
    return SOUND.replace(old, new, 1)


NUMBER = ',["booking", "slot.a", "number", "", 1]\n'

REFUSED = {
    "empty": ("", "line 1, column 1", "is no JSON"),
    "array": ("[]", "format", "expected 'errkit.lock/1'"),
    "catalogue": ('{"format": "errkit.catalog/1"}', "format", "found 'errkit.catalog/1'"),
    "newer": (swapped("lock/1", "lock/2"), "format", "version 2 is newer than this errkit reads"),
    "no retired": ('{"format": "errkit.lock/1", "facts": []}', "retired", "is missing"),
    "no rows": ('{"format": "errkit.lock/1", "facts": {}, "retired": []}', "facts", "expected an array"),
    "text": (swapped('"number", "", 1]', '"number", "", "1"]'), "line 5", "number: expected a whole number"),
    "truth": (swapped('"number", "", 1]', '"number", "", true]'), "line 5", "number: expected a whole"),
    "short": (swapped('"number", "", 1]', '"number"]'), "line 5", "expected an array of registry, code"),
    "contradiction": (
        swapped(NUMBER, NUMBER + NUMBER.replace("1]", "7]")),
        "line 6",
        "says that number of slot.a is 7, and line 5 says 1; delete the row that is wrong",
    ),
    "number twice": (swapped('"number", "", 2]', '"number", "", 1]'), "line 7", "two branches took it"),
    "no anchor": (
        swapped(',["booking", "slot.a", "anchor", "", "err-slot-a"]\n', ""),
        "line 3",
        "slot.a has no row 'anchor'",
    ),
    "no field": (swapped('"optional", "note"', '"optional", "nope"'), "line 12", "has no field 'nope'"),
    "retired code": (
        swapped('"slot.d", 4', '"slot.a", 4'),
        "line 16",
        "slot.a is retired here, and line 3 has rows of slot.a",
    ),
    "retired number": (
        swapped('"slot.d", 4', '"slot.d", 2'),
        "line 16",
        "slot.d is retired here, and line 7 has rows of slot.b",
    ),
    "retired nothing": (swapped('"slot.d", 4', '"", null'), "line 16", "a retired row has a code or a"),
    "retired no code": (swapped('"slot.d", 4', '"slot d", 4'), "line 16", "is no code"),
    "no code": (swapped('"slot.a", "kind"', '"slot a", "kind"'), "line 4", "is no code"),
    "encoding": (swapped("lock/1", "lock/\ud800"), "byte 24", "expected UTF-8"),
}


@pytest.mark.parametrize(("text", "place", "problem"), REFUSED.values(), ids=REFUSED)
def test_a_broken_lock_is_refused_with_its_place(text: str, place: str, problem: str, tmp_path: Path) -> None:
    """Nothing is guessed: the message names the file, the line, what is wrong and what to do."""
    path = tmp_path / "errors.lock.json"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(CodedError) as raised:
        read_lock(path)
    assert raised.value.code == "errkit.bad_lock"
    assert str(raised.value).startswith(f"{path}: {place}: ")
    assert problem in str(raised.value)
    assert raised.value.hint


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    """The hint says how the first lock is written."""
    with pytest.raises(CodedError) as raised:
        read_lock(tmp_path / "errors.lock.json")
    assert "No such file" in str(raised.value)
    assert "errkit lock" in (raised.value.hint or "")


@given(data=st.data())
def test_no_damage_makes_another_failure(data: st.DataObject) -> None:
    """Whatever is cut out of a lock or put into it, it is read or refused with its own code."""
    start = data.draw(st.integers(0, len(SOUND)))
    end = data.draw(st.integers(start, min(len(SOUND), start + 40)))
    text = SOUND[:start] + data.draw(st.text('[]{}",0a\n:<=>', max_size=9)) + SOUND[end:]
    try:
        lock_text(parse_lock(text, "x"))
    except CodedError as error:
        assert error.code == "errkit.bad_lock"  # noqa: PT017 (reading it is as good)


def test_facts_of_a_newer_errkit_are_passed_over() -> None:
    """A kind of fact that is not known, and further columns, disturb nobody."""
    newer = '"number", "", 1, "more"]\n,["booking", "slot.a", "smell", "", "sweet"]'
    assert parse_lock(swapped('"number", "", 1]', newer), "x") == parse_lock(SOUND, "x")


# --- weights ----------------------------------------------------------------------------------------


class Wanted(Details):
    day: str


class Renamed(Details):
    date: str


class Loose(Details):
    day: str | None = None


class Retyped(Details):
    day: int


class Hidden(Details):
    day: Secret[str]


class Richer(Wanted):
    note: str | None = None


class Stricter(Wanted):
    hour: int


SOLD, HELD = Reason(title="Sold"), Reason(title="Held", retryable=True)

WEIGHED: list[tuple[dict[str, Any], dict[str, Any], str, str]] = [
    ({"number": 1}, {"number": 2}, "major", "its number was 1 and is 2"),
    ({"number": 1}, {}, "major", "its number was 1 and is none"),
    ({}, {"number": 2}, "minor", "it has the number 2 now"),
    ({}, {"kind": "transient"}, "major", "its kind was terminal and is transient"),
    ({"kind": "bug"}, {}, "major", "its kind was bug and is terminal"),
    ({}, {"alert": False}, "minor", "it no longer raises an alert"),
    ({"public": True}, {}, "major", "it was public: its message, hint and details are no longer shown"),
    ({}, {"public": True}, "minor", "it is public now"),
    ({}, {"http_status": 404}, "minor", "it has the HTTP status 404 now"),
    ({"http_status": 404}, {"http_status": 410}, "major", "its HTTP status was 404 and is 410"),
    ({"http_status": 404}, {}, "major", "its HTTP status was 404 and is none"),
    ({"details": Wanted}, {}, "major", "its field day is gone"),
    ({"details": Wanted}, {"details": Retyped}, "major", "its field day was str and is int"),
    ({"details": Wanted}, {"details": Hidden}, "major", "its field day is a secret now, and no longer sent"),
    ({"details": Hidden}, {"details": Wanted}, "minor", "its field day is no longer a secret"),
    ({"details": Wanted}, {"details": Richer}, "minor", "its field note is new"),
    (
        {"details": Wanted},
        {"details": Stricter},
        "major",
        "its field hour is new and required: what was sent before lacks it",
    ),
    ({"reasons": {"sold": SOLD}}, {"reasons": {"held": HELD}}, "major", "its reason sold is gone"),
    (
        {"reasons": {"sold": SOLD}},
        {"reasons": {"sold": SOLD, "held": HELD}},
        "minor",
        "its reason held is new",
    ),
    (
        {"reasons": {"sold": SOLD}},
        {"reasons": {"sold": HELD}},
        "major",
        "its reason sold was as retryable as the code and is retryable",
    ),
    ({"aliases": ("OLD",)}, {}, "major", "its alias OLD is gone"),
    ({}, {"aliases": ("OLD",)}, "minor", "its alias OLD is new"),
    ({"code": "slot.x", "const": "X"}, {"code": "slot.x", "const": "Y"}, "major", "its const was X and is Y"),
    ({}, {"deprecated": "2.0", "replaced_by": "x"}, "minor", "it is deprecated since 2.0; use x"),
    ({}, {"title": "Gone"}, "patch", "its title reads otherwise"),
    ({"hint": "A."}, {"hint": "B."}, "patch", "its hint reads otherwise"),
    ({}, {"since": "1.1"}, "patch", "its since reads otherwise"),
]


@pytest.mark.parametrize(("before", "now", "weight", "what"), WEIGHED, ids=[row[3] for row in WEIGHED])
def test_each_change_has_its_weight(
    before: dict[str, Any], now: dict[str, Any], weight: str, what: str
) -> None:
    """What breaks who relies on the code is major, what adds is minor, what is text is patch."""
    changes = compare(promised(before), promised(now))
    assert (changes[0].weight, changes[0].what) == (weight, what)
    assert needed(changes) == weight
    assert all(
        change.remedy.endswith("errkit lock --major") for change in changes if change.weight == "major"
    )


def test_optional_and_required_are_both_major() -> None:
    """A field that may be missing breaks readers, one that must be there breaks what was sent before."""
    was, now = promised({"details": Wanted}), promised({"details": Loose})
    assert ("major", "slot.taken: its field day may be missing now") in told(was, now)
    assert ("major", "slot.taken: its field day is required now: what was sent before may lack it") in told(
        now, was
    )


def test_another_spelling_of_a_type_is_no_change() -> None:
    """`Optional[str]` means what `str | None` means."""
    lock = promised({"details": Richer})
    for spelling in ("Optional[str]", "None | str", "Union[str, None]"):
        text = lock_text(lock).replace("str | None", spelling)
        assert compare(parse_lock(text, "x"), lock) == []
    assert told(parse_lock(lock_text(lock).replace("str | None", "Foo"), "x"), lock) == [
        ("major", "slot.taken: its field note was Foo and is str | None")
    ]


def test_a_code_that_is_gone_is_major_and_one_that_comes_is_minor() -> None:
    """The message says what takes its place, if that was said while it lived."""
    old = promised(A | {"replaced_by": "slot.b", "deprecated": "1.1"}, B)
    assert told(old, promised(B, C)) == [
        ("major", "slot.a: it is gone; use slot.b"),
        ("minor", "slot.c: it is new"),
    ]


def test_a_rename_with_an_alias_is_minor() -> None:
    """The new code keeps number and details and has the old name as alias; what else changed is weighed."""
    old = promised(A | {"details": Wanted})
    new = promised({"const": "B", "number": 1, "details": Wanted, "aliases": ("slot.a",)})
    assert told(old, new) == [("minor", "slot.b: it was called slot.a, which stays as an alias")]
    assert renewed(old, new).retired("booking") == ()
    numbered = promised({"const": "B", "number": 2, "details": Wanted, "aliases": ("slot.a",)})
    assert ("major", "slot.b: its number was 1 and is 2") in told(old, numbered)
    assert needed(compare(old, promised({"const": "B", "number": 1, "details": Wanted}))) == "major"


def test_a_registry_that_is_gone_counts() -> None:
    """All of its codes are gone, unless only others are asked about."""
    old = promised(A)
    assert needed(compare(old, Lock({}))) == "major"
    assert compare(old, Lock({}), ["another"]) == []


# --- retired ----------------------------------------------------------------------------------------


def test_what_is_removed_stays_reserved() -> None:
    """Code, number, anchor, alias, the number of before: each is in the next lock, and in all after it."""
    old = promised(
        A | {"aliases": ("E-A",), "replaced_by": "slot.b", "since": "1.0", "title": "Was there"},
        B | {"aliases": ("E-B",)},
        C,
    )
    new = promised(B, C | {"number": 9})
    lock = parse_lock(lock_text(renewed(old, new, removed="2.0")), "errors.lock.json")
    facts = [
        (item.code, item.number, item.anchor, item.removed, item.replaced_by)
        for item in lock.retired("booking")
    ]
    assert facts == [
        ("", 3, "", "2.0", "slot.c"),
        ("E-A", None, "err-e-a", "2.0", "slot.b"),
        ("E-B", None, "err-e-b", "2.0", "slot.b"),
        ("slot.a", 1, "err-slot-a", "2.0", "slot.b"),
    ]
    [gone] = [item for item in lock.retired("booking") if item.code == "slot.a"]
    assert (gone.title, gone.since, gone.place) == ("Was there", "1.0", "errors.lock.json:16")
    later = renewed(lock, promised(B, C | {"number": 9}, D), removed="3.0")
    assert lock.retired("booking") == tuple(
        Retired(**{**vars(item), "place": there.place})
        for item, there in zip(later.retired("booking"), lock.retired("booking"), strict=True)
    )
    assert lock.retired("another") == ()


@pytest.mark.parametrize(
    ("again", "problem"),
    [
        (A, "it takes the name slot.a, which was removed and stays reserved"),
        ({"const": "X", "number": 1}, "it takes the number 1, which was that of slot.a"),
        ({"const": "X", "aliases": ("slot_A",)}, "it takes the name slot.a, which was removed"),
        ({"const": "X", "number": 3}, "it takes the number 3, which was that of another code"),
    ],
    ids=["code", "number", "anchor", "old number"],
)
def test_what_was_removed_is_never_given_again(again: dict[str, Any], problem: str) -> None:
    """Neither code nor number nor anchor, and no declaration allows it."""
    lock = renewed(promised(A, B, C), promised(B, C | {"number": 9}))
    changes = [change for change in compare(lock, promised(B, C | {"number": 9}, again)) if change.forbidden]
    assert changes[0].what.startswith(problem)
    assert {change.weight for change in changes} == {"major"}


def test_a_number_that_goes_just_now_is_not_given_to_another() -> None:
    """A new code can't take the number of a removed one in the same step, and two can't swap theirs."""
    removed = compare(promised(A, B), promised(B, C | {"number": 1}))
    assert [str(change) for change in removed if change.forbidden] == [
        "slot.c: it takes the number 1 of slot.a"
    ]
    swap = compare(promised(A, B), promised(A | {"number": 2}, B | {"number": 1}))
    assert len([change for change in swap if change.forbidden]) == 2
    renamed = compare(promised(A), promised(C | {"number": 1, "aliases": ("slot.a",)}))
    assert not any(change.forbidden for change in renamed)


@settings(max_examples=50)
@given(data=st.data())
def test_nothing_is_ever_forgotten(data: st.DataObject) -> None:
    """However codes come and go, each name and each number is alive or retired, and the lock can be read."""
    lock, seen = Lock({}), set[Any]()
    for _ in range(data.draw(st.integers(1, 5))):
        drawn = data.draw(st.dictionaries(st.sampled_from("ABCDEF"), st.integers(1, 9)))
        codes = [{"const": const, "number": number} for const, number in drawn.items()]
        if len(set(drawn.values())) < len(drawn):
            continue
        new = promised(*codes)
        if any(change.forbidden for change in compare(lock, new)):
            continue
        lock = parse_lock(lock_text(renewed(lock, new)), "x")
        seen |= {item for const, number in drawn.items() for item in (f"slot.{const.lower()}", number)}
        alive = {item for _, spec in lock for item in (spec.code, spec.number)}
        gone = {item for there in lock.retired("booking") for item in (there.code, there.number)}
        assert seen <= alive | gone
        assert not (alive & gone) - {""}
