"""Codes of capabilities, the built-in extensions that need more than a plugin: an app, a daemon, permissions.

The capability service raises them when a capability is read or installed.
"""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import Details, code

__all__ = ["CapabilityDetails", "CapabilityError"]


class CapabilityDetails(Details):
    """Which capability was meant."""

    id: str
    """The id as the caller gave it."""


class CapabilityError(AgentCoreError, domain="capability", title="Capabilities"):
    """A capability could not be read or installed.

    An installation that fails on the way raises nothing: it runs in the background, and its error stands in
    the progress that clients poll.
    """

    CAPABILITY_NOT_FOUND = code(
        "Unknown capability",
        CapabilityDetails,
        code="capability.not_found",
        public=True,
        hint="Use one of the two built-in ids, `kimi-cu` or `kimi-webbridge`.",
        example={"id": "kimi-browser"},
    )
    """The set of capabilities is closed: ``kimi-cu`` operates the computer, ``kimi-webbridge`` the browser,
    and there are no others. Wiring plugins carry similar names, and ``kimi-cu-win`` for one is a plugin and
    no capability. Clients find the right id as ``capabilityId`` on the rows of the plugin marketplace.
    """

    CAPABILITY_UNSUPPORTED = code(
        "Capability not available on this platform",
        CapabilityDetails,
        code="capability.unsupported",
        public=True,
        hint="Read `supported` in the capability's status, and install it on a machine where that is true.",
        example={"id": "kimi-cu"},
    )
    """No build of the capability exists for this operating system and processor. Computer use is made for
    macOS and Windows; the browser bridge comes for macOS and Linux on ``arm64`` and ``x64``, and for Windows
    on ``x64``. The message names the platform that was found, which may surprise inside a container or under
    emulation.
    """

    CAPABILITY_INSTALL_IN_PROGRESS = code(
        "Capability is being installed",
        CapabilityDetails,
        code="capability.install_in_progress",
        kind="outcome",
        public=True,
        hint="Poll the capability's status until `install.running` is `false`.",
        example={"id": "kimi-webbridge"},
    )
    """Somebody asked for an installation that is already under way: a second click, or a second client. The
    first one goes on undisturbed, and ``install.step`` and ``install.percent`` tell how far it is. Once it
    has stopped, look at ``install.error`` before you start it anew.
    """
