"""What `errkit site` builds again, and what it does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Command

TWO = '''
from errkit import CodedError, code


class CartError(CodedError, domain="shop.cart"):
    EMPTY = code("Cart is empty")


class PayError(CodedError, domain="shop.pay"):
    DECLINED = code("Card declined")
    """Ask :err:code:`shop.cart.empty` first."""
'''
MORE = """

class GoneError(CodedError, domain="shop.gone"):
    SOON = code("Soon gone")
"""


def contents(site: Path) -> dict[str, bytes]:
    return {str(path.relative_to(site)): path.read_bytes() for path in site.rglob("*") if path.is_file()}


def times(site: Path) -> dict[str, int]:
    return {path.stem: path.stat().st_mtime_ns for path in (site / "errors").glob("shop.*.html")}


def test_only_what_has_changed_is_built(errkit_here: Command, folder: Path) -> None:
    """The page of an untouched domain keeps its time."""
    source, site = folder / "two_errors.py", folder / "site"
    source.write_text(TWO)
    assert errkit_here("site", "two_errors").returncode == 0
    before = times(site)
    source.write_text(TWO.replace("Card declined", "Card was declined"))
    assert errkit_here("site", "two_errors").returncode == 0
    after = times(site)
    assert before["shop.cart"] == after["shop.cart"]
    assert before["shop.pay"] < after["shop.pay"]
    assert "Card was declined" in (site / "errors/shop.pay.html").read_text()


def test_what_is_built_bit_by_bit_is_what_is_built_at_once(errkit_here: Command, folder: Path) -> None:
    """Changed codes, and domains that come and go, leave nothing that a clean build has not."""
    source, site = folder / "two_errors.py", folder / "site"
    for text in (TWO, TWO.replace("Card declined", "Card was declined") + MORE, TWO):
        source.write_text(text)
        assert errkit_here("site", "two_errors").returncode == 0
    assert not (site / "errors/shop.gone.html").exists()
    assert errkit_here("site", "two_errors", "-o", "clean").returncode == 0
    assert contents(site) == contents(folder / "clean")


def test_a_warning_is_repeated_until_its_cause_is_gone(errkit_here: Command, folder: Path) -> None:
    """A page that warned is read again, also where the site was published in spite of it."""
    source = folder / "two_errors.py"
    source.write_text(TWO)
    assert errkit_here("site", "two_errors").returncode == 0
    source.write_text(TWO.replace(":err:code:", ":nothing:"))
    for code, *options in ((1,), (0, "--allow-warnings"), (1,)):
        done = errkit_here("site", "two_errors", *options)
        assert (done.returncode, done.stderr.count('role "nothing"')) == (code, 2 - bool(options))
    source.write_text(TWO)
    assert errkit_here("site", "two_errors").returncode == 0


@pytest.mark.parametrize("place", ["relative", "/dev/null"])
def test_without_a_cache_folder_everything_is_built(errkit_here: Command, folder: Path, place: str) -> None:
    """Where there can be none, nothing is remembered and nothing fails."""
    done = errkit_here("site", "shop_errors", XDG_CACHE_HOME=place, HOME="/dev/null")
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(path.name for path in folder.iterdir() if path.name != "__pycache__") == [
        "shop_errors.py",
        "site",
    ]


def test_a_broken_memory_costs_time_and_nothing_else(
    errkit_here: Command, folder: Path, tmp_path: Path
) -> None:
    """Files that were cut off, and those of another version, are passed over."""
    cache = tmp_path / "cache"
    assert errkit_here("site", "shop_errors", XDG_CACHE_HOME=str(cache)).returncode == 0
    before = contents(folder / "site")
    for name in ("environment.pickle", "made-by", "shop.cart.doctree"):
        (found,) = cache.rglob(name)
        found.write_bytes(found.read_bytes()[:10])
        done = errkit_here("site", "shop_errors", XDG_CACHE_HOME=str(cache))
        assert (done.returncode, done.stderr) == (0, "")
        assert contents(folder / "site") == before


def test_the_memory_is_nobody_elses_and_does_not_grow(
    errkit_here: Command, folder: Path, tmp_path: Path
) -> None:
    """The folder is closed to others, and the oldest sites are forgotten."""
    sites = tmp_path / "cache/errkit/sites"
    for number in range(25):
        (sites / f"old-{number}").mkdir(parents=True)
    assert errkit_here("site", "shop_errors", XDG_CACHE_HOME=str(tmp_path / "cache")).returncode == 0
    left = list(sites.iterdir())
    assert len(left) == 20
    (ours,) = (path for path in left if not path.name.startswith("old-"))
    assert ours.stat().st_mode & 0o077 == 0
