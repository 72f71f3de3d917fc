"""The error catalogue of a device-automation tool: 16 codes, told apart further by `details.reason`.

The seed is agent-device (release 0.21.5), which drives phones, simulators, desktops and browsers for coding
agents. All codes live in one flat list there, so this is one domain whose code strings are the bare
UPPER_SNAKE names. Whoever runs a command, person or agent, gets to see every one of its errors, with hint and
details; hence all codes are ``public``.

Where a code is too coarse, ``details.reason`` says which case it was, and `Reason` carries what that case
changes: the hint, or the retry verdict. ``DEVICE_IN_USE`` may be repeated, for example, unless the reason is
one of the four device claims, which no waiting resolves::

    from errkit.catalogs.agent_device import ErrorCodes

    raise ErrorCodes.DEVICE_IN_USE("emulator-5554 is leased", reason="DEVICE_LEASE_BUSY")

Detail fields keep the seed's own spelling, since they are what its payloads hold. Reasons come in three
spellings for the same cause: they are values that programs already compare with.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

from errkit.codes import Details, Reason, code
from errkit.errors import CodedError
from errkit.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "ADB_FAILURES",
    "REGISTRY",
    "AgentDeviceError",
    "AmbiguousMatchDetails",
    "AppDetails",
    "ArgumentDetails",
    "CommandDetails",
    "DeviceInUseDetails",
    "DeviceLookupDetails",
    "DivergenceDetails",
    "ErrorCodes",
    "FailureDetails",
    "OperationDetails",
    "ProcessDetails",
    "ToolDetails",
    "UnauthorizedDetails",
    "UnknownDetails",
]

REGISTRY = Registry("agent_device")
"""The registry of the agent-device catalogue: one domain, 16 codes."""


# --- details -----------------------------------------------------------------------------------------------


class FailureDetails(Details):
    """What any failed request may tell: which case it was, and whether the device can have noticed."""

    reason: str | None = None
    """The sub-case within the code; the reasons table of the code lists the known ones."""
    dispatched: Literal["no", "unknown"] | None = None
    """``no``: the request provably never reached the device and may be sent again; ``unknown``: it may have
    landed, so look first. Absent means unclassified: treat it as ``unknown``."""
    dispatchedSteps: int | None = None
    """How many steps of a series had reached the device before the failure."""
    warnings: list[str] | None = None
    """Remarks that the failed command collected on its way."""
    requestId: str | None = None
    """The daemon's id of the request, also the name of its ``requests/<id>.ndjson`` log."""


class ProcessDetails(FailureDetails):
    """What a tool on the host left behind: its command line, its output, its end."""

    cmd: str | None = None
    """The program as it was started, such as ``adb`` or ``xcrun``."""
    args: list[str] | None = None
    """The arguments that the program was given."""
    executable: str | None = None
    """The program that a cancelled or managed run had resolved."""
    stdout: str | None = None
    """What the program wrote to its standard output, cut to a bound."""
    stderr: str | None = None
    """What the program wrote to its standard error; its first telling line enters the message."""
    exitCode: int | None = None
    """The exit code; None where a signal ended the program."""
    processExitError: bool | None = None
    """True marks a real process exit, the only case in which ``stderr`` may refine the message."""
    timeoutMs: int | None = None
    """The budget in milliseconds that ran out; its presence is how programs recognise a timeout."""


class CommandDetails(ProcessDetails):
    """A failed command: the process evidence where there was a process, and what some detectors add."""

    adbFailure: str | None = None
    """What ``ADB_FAILURES`` recognised in the output of ``adb``."""
    kind: str | None = None
    """The failure class of a detector that writes ``kind`` where others write ``reason``."""
    recovery: str | dict[str, object] | None = None
    """What was done or can be done about it; ``recovery.command`` is ready to run."""
    candidates: list[str] | None = None
    """Elements that matched where one was wanted."""
    matches: int | None = None
    """How many elements matched in all."""


class ArgumentDetails(FailureDetails):
    """The argument that was refused."""

    cmd: str | None = None
    """The refused executable name, where a tool override was at fault."""


class DeviceLookupDetails(ProcessDetails):
    """What the search for a device asked for, and what there was."""

    requestedAvdName: str | None = None
    """The Android emulator that was asked for."""
    availableAvds: list[str] | None = None
    """The emulators that exist on the host."""


class DeviceInUseDetails(FailureDetails):
    """Who or what holds the device, and how the hold ends."""

    deviceKey: str | None = None
    """The key under which claims and leases know the device."""
    owner: dict[str, object] | None = None
    """The holder as recorded: a session with its state directory, or an allocator."""
    recovery: dict[str, object] | None = None
    """``recovery.command`` is the next command to run, quoted and complete."""
    sessionId: str | None = None
    """The session whose unfinished recording is in the way."""
    holdId: str | None = None
    """The human-control hold to wait for or to release."""
    expiresAt: int | str | None = None
    """When the lease (milliseconds since the epoch) or the hold (ISO 8601) ends by itself."""


class ToolDetails(FailureDetails):
    """The program or file that is not there."""

    cmd: str | None = None
    """The program that was not found on ``PATH``."""
    envName: str | None = None
    """The environment variable whose override points nowhere."""
    path: str | None = None
    """The path which that variable holds."""


class AppDetails(FailureDetails):
    """The app that is not on the device."""

    package: str | None = None
    """The Android package name that was looked for."""
    appBundleId: str | None = None
    """The Apple bundle identifier that was looked for."""
    deviceId: str | None = None
    """The device that was searched."""


class OperationDetails(FailureDetails):
    """The device and owner that lack an operation."""

    deviceId: str | None = None
    """The device that was addressed."""
    appBundleId: str | None = None
    """The app that was addressed."""
    owner: str | None = None
    """The runtime owner that can't be reached."""
    rejectionReason: str | None = None
    """Why this kind of target is turned away."""


class UnauthorizedDetails(FailureDetails):
    """What the refusal was about."""

    field: str | None = None
    """The lease field that differs, such as ``tenantId``."""
    status: int | None = None
    """The HTTP status of the service that refused."""


class AmbiguousMatchDetails(FailureDetails):
    """The candidates between which the caller has to choose."""

    candidates: list[str] | None = None
    """The first few elements that match, each with its ref."""
    matches: int | list[str] | None = None
    """How many matched in all, or the identifiers of all that did."""
    refsGeneration: int | None = None
    """The snapshot generation that the refs belong to; a ref pinned to it reads ``@e2~s42``."""
    devices: list[dict[str, str]] | None = None
    """The devices that fit equally well, by ``id`` and ``name``."""
    sessions: list[str] | None = None
    """The implicit sessions of this workspace."""
    selector: str | None = None
    """The selector that matched more than once."""


class DivergenceDetails(FailureDetails):
    """Where a replay left its script, and how to go on."""

    divergence: dict[str, object]
    """The report: ``step``, a fresh ``screen``, up to five ranked ``suggestions``, and ``resume``."""
    replayPath: str | None = None
    """The script that was replayed."""
    step: int | None = None
    """The plan step that failed, counted from 1."""
    action: str | None = None
    """The command of that step."""
    positionals: list[str] | None = None
    """The arguments of that step."""
    artifactPaths: list[str] | None = None
    """Files that the replay had written by then."""


class UnknownDetails(FailureDetails):
    """The thing that was thrown, where it was no error at all."""

    err: object = None
    """The raw value."""


# --- reasons -----------------------------------------------------------------------------------------------

_ARGUMENT_REASONS: Final = {
    "CROP_FRAME_MISMATCH": Reason(
        title="Crop combined with a flag that moves the frame",
        hint="Drop `--overlay-refs` or `--fullscreen` when you pass `--crop-on`.",
    ),
    "CROP_SELECTOR_INVALID": Reason(
        title="Crop selector does not parse",
        hint="Quote one whole selector expression after `--crop-on`.",
    ),
    "GESTURE_TRAJECTORY_NON_FINITE": Reason(
        title="Gesture yields non-finite coordinates",
        hint="Bring the gesture's rotation, translation and scale down to ordinary values.",
    ),
    "GESTURE_TRAJECTORY_OUT_OF_BOUNDS": Reason(
        title="Gesture leaves the viewport",
        hint="Start the gesture further from the edge or shorten its path.",
    ),
    "duplicate_request_id": Reason(
        title="Request id already in flight",
        hint="Send the request under a fresh id, or wait for the one that is running.",
    ),
    # The three below came after 0.21.5; they are always refused before the device is touched.
    "runner_sequence_invalid": Reason(
        title="Step of a repeated press out of bounds",
        hint="Correct the coordinates, hold time or interval of the repeated press.",
    ),
    "session_app_required": Reason(
        title="Per-app setting without an app",
        hint="Run `agent-device open <app>` first, or name the app on the settings command.",
    ),
    "session_or_device_selector_required": Reason(
        title="Neither session nor device named",
        hint="Open a session or add `--platform` so that the request can be routed.",
    ),
}

# A claim names its owner on this host. No waiting ends it, so all four deny the retry that the code allows.
_CLAIM_REASONS: Final = {
    "DEVICE_CLAIM_LIVE_OWNER": Reason(
        title="Device claimed by a live session of another worktree",
        hint="Run `details.recovery.command` to see the owner, then close its session in its workspace.",
        retryable=False,
    ),
    "DEVICE_CLAIM_RECOVERY_PENDING": Reason(
        title="Device claim of a dead or superseded owner",
        hint="Settle what the dead owner left with `agent-device device release --stale`.",
        retryable=False,
    ),
    "DEVICE_CLAIM_OWNER_UNCERTAIN": Reason(
        title="Device claim whose owner can't be verified",
        hint="Inspect the claim with `agent-device device status` before anything touches the device.",
        retryable=False,
    ),
    "DEVICE_CLAIM_ALLOCATOR_HELD": Reason(
        title="Device held by a managed allocator",
        hint="Ask the allocator for another device, because it releases this one only once it is removed.",
        retryable=False,
    ),
}

_IN_USE_REASONS: Final = {
    **_CLAIM_REASONS,
    "DEVICE_LEASE_BUSY": Reason(
        title="Device already leased",
        hint="Repeat the command after `details.expiresAt`, or close the session that owns the lease.",
    ),
    "LEASE_CAPACITY_EXCEEDED": Reason(
        title="No simulator lease left",
        hint="Release another simulator lease with `agent-device disconnect`, then try again.",
    ),
    "human_control_active": Reason(
        title="Device in a person's hands",
        hint="Wait until that person ends it, or run `agent-device takeover release` with `details.holdId`.",
    ),
    "native_recording_artifact_claimed": Reason(
        title="Recorder still writing the file",
        hint="Run `record stop` in the session that records, or wait out Android's limit of 180 seconds.",
    ),
    "native_recovery_evidence_open": Reason(
        title="Unfinished Android recording of another session",
        hint="Run `agent-device record stop --session` with the id in `details.sessionId`.",
        retryable=False,
    ),
}

_OPERATION_REASONS: Final = {
    "CROP_TARGET_NOT_ACCEPTED": Reason(
        title="Crop not offered on this kind of target",
        hint="Take the screenshot without `--crop-on`, or use an iOS simulator or an Android emulator.",
    ),
    "managed-bundle-install-unavailable": Reason(
        title="App bundle refused on a managed device",
        hint="Build an APK and install that in place of the .aab.",
    ),
    "managed-lease-admission-unavailable": Reason(
        title="No lease admission for the managed binding",
        hint="Bind the device again under the grant that the allocator holds for it now.",
    ),
    "managed-readiness-unavailable": Reason(
        title="Managed device not confirmed ready",
        hint="Wait for the allocator's confirmation before you boot or open anything.",
    ),
    "owner-unavailable": Reason(
        title="Runtime owner of the device not there",
        hint="Reconnect the provider that `details.owner` names, then open the device again.",
    ),
    "provider-runtime-interactor-missing": Reason(
        title="Provider offers no such operation",
        hint="Run the command on a local device, or ask `agent-device capabilities` what this one offers.",
    ),
    "provider-session-unavailable": Reason(
        title="Provider session no longer live",
        hint="Run `agent-device open` again to start a new provider session.",
    ),
    "system-surface-host-not-openable": Reason(
        title="System surface is no app to open or close",
        hint="Reach the surface the way `agent-device help ios-system-ui` describes.",
    ),
}

_BOOT_REASONS: Final = {
    "ANDROID_BOOT_TIMEOUT": Reason(
        title="Android device did not finish booting in time",
        hint="Check that `adb shell getprop sys.boot_completed` prints 1, and allow a longer start in CI.",
    ),
    "IOS_BOOT_TIMEOUT": Reason(
        title="Simulator boot timed out",
        hint="Read `xcrun simctl bootstatus` for the simulator, and boot fewer of them side by side.",
    ),
    "boot_timeout": Reason(
        title="Simulator did not boot within the startup budget",
        hint="Repeat `open` with a larger `--timeout` while the simulator goes on booting by itself.",
    ),
    "IOS_RUNNER_CONNECT_TIMEOUT": Reason(
        title="XCTest runner took no connection",
        hint="Read `runner.log` in the session's folder, then run `agent-device prepare ios-runner`.",
    ),
    "IOS_RUNNER_OWNED_BY_OTHER_DAEMON": Reason(
        title="XCTest runner owned by another daemon",
        hint="Close the session that owns it, or end its daemon with `agent-device daemon stop --clean`.",
    ),
    "IOS_RUNNER_DEVICE_NOT_PROVISIONED": Reason(
        title="Device missing from the runner's provisioning profile",
        hint="Register the device's UDID with the signing team in Xcode before you open it again.",
    ),
    "IOS_TOOL_MISSING": Reason(
        title="Xcode command line tools missing at boot",
        hint="Install the Xcode command line tools and check them with `xcode-select -p`.",
    ),
    "ADB_TRANSPORT_UNAVAILABLE": Reason(
        title="No usable adb transport",
        hint="Restart the adb server and see with `adb devices -l` that the device is online and authorized.",
    ),
    "BOOT_COMMAND_FAILED": Reason(
        title="Boot command ended with an error",
        hint="Run `agent-device boot --debug` and read `details.exitCode` and `details.stderr`.",
    ),
    "CI_RESOURCE_STARVATION_SUSPECTED": Reason(
        title="Host short of memory or processes",
        hint="Run fewer jobs in parallel, or move the job to a larger machine.",
    ),
    "UNKNOWN": Reason(
        title="Boot failure of no known kind",
        hint="Boot once more with `--debug` and look for the phase that fails.",
    ),
}

_RUNNER_REASONS: Final = {
    "RUNNER_PRODUCT_MISSING": Reason(
        title="Built runner lacks a product",
        hint="Check `details.productPath` against the xctestrun file in `details.xctestrunPath`.",
    ),
    "RUNNER_PRODUCT_REPAIR_FAILED": Reason(
        title="Runner product could not be signed anew",
        hint="Run `codesign --verify --deep --strict` on `details.productPath` to see what is wrong.",
    ),
    "apple_toolchain_probe_unavailable": Reason(
        title="Xcode versions not readable",
        hint="Check `xcode-select -p` and `xcodebuild -version`, and repeat once the host is less loaded.",
        retryable=True,
    ),
    "prepare_deadline_expired": Reason(
        title="Runner preparation out of time",
        hint="Give `agent-device prepare ios-runner` a larger `--timeout`.",
    ),
    "runner_phase_budget_exhausted": Reason(
        title="No budget left for the runner's next phase",
        hint="Repeat the command, with a larger `--timeout` if the phase in `details.phase` never begins.",
        retryable=True,
    ),
    "runner_session_ownership_changed": Reason(
        title="Runner changed hands before dispatch",
        hint="Repeat the command, since it never left the daemon.",
    ),
    "runner_reply_lost": Reason(
        title="Runner's reply lost after the command was sent",
        hint="Look at the screen with `snapshot -i` before you repeat an action that may have landed.",
    ),
    "ios-snapshot-presenter-missing": Reason(title="Acquired iOS snapshot with no presenter"),
    "MACOS_APP_TERMINATION_TIMEOUT": Reason(
        title="macOS app did not quit",
        hint="Answer the dialog that keeps the app open, then close it again.",
    ),
}

_ANDROID_REASONS: Final = {
    "android_snapshot_helper_runtime_occupied": Reason(
        title="Android helper still holds the automation",
        hint="Wait for the helper process to exit, or restart the device if Android keeps listing it.",
    ),
    "android_snapshot_helper_session_exited_before_ready": Reason(
        title="Android helper exited before it was ready",
        hint="Read `details.output` for what ended the helper.",
    ),
    "android_snapshot_helper_session_ready_timeout": Reason(
        title="Android helper not ready in time",
        hint="See with `adb shell` that the device answers, then take the snapshot again.",
    ),
    "android_test_ime_recovery_fence_failed": Reason(
        title="Recovery record of the test keyboard not saved",
        hint="Make the agent-device state directory writable, or pass `--no-test-ime` to `open`.",
    ),
    "android_test_ime_restore_incomplete": Reason(
        title="Own keyboard of the device not restored",
        hint="Choose the device's own keyboard again in its input settings.",
    ),
}

_RECORDING_REASONS: Final = {
    "native_recording_artifact_removal_failed": Reason(
        title="Old recording not removed from the device",
        hint="Confirm that the device is online and clear `details.remotePath` by another `record start`.",
    ),
    "native_recording_recorder_unproven": Reason(
        title="End of the old recorder not proven",
        hint="See with `adb shell pidof screenrecord` that nothing records, then start again.",
    ),
    "native_recovery_evidence_retirement_unconfirmed": Reason(
        title="Removal of the recovery marker not confirmed",
        hint="Run `record start` again, which retires the marker from the beginning.",
    ),
    "native_recovery_evidence_transport_mismatch": Reason(
        title="Recovery marker of another transport",
        hint="Remove the marker with `adb shell rm -f` and the path in `details.manifestPath`.",
    ),
    "native_recovery_evidence_unavailable": Reason(
        title="Recovery marker out of reach",
        hint="Confirm that the device's storage can be read, then run `record start` again.",
    ),
    "native_recovery_evidence_unreadable": Reason(
        title="Recovery marker not readable",
        hint="Delete the file that `details.manifestPath` names through `adb shell`, then record anew.",
    ),
}

_RESOURCE_REASONS: Final = {
    "cleanup-unconfirmed": Reason(
        title="Cleanup of a capture not confirmed",
        hint="Keep the session's resource file and repeat the `stop` command.",
        retryable=True,
    ),
    "ownership-fence-lost": Reason(
        title="Capture taken over by another owner",
        hint="Leave the capture to its new owner and start one of your own.",
        retryable=False,
    ),
    "resource-missing": Reason(
        title="Recorded capture no longer exists",
        hint="Start the capture again, since nothing is left to stop.",
    ),
    "session_cleanup_incomplete": Reason(
        title="Session closed with resources unreleased",
        hint="Look up each step of `details.failedSteps` in the session log; closing again does no harm.",
    ),
    "ARTIFACT_BYTE_LIMIT": Reason(
        title="App source above the byte limit",
        hint="Serve a build below 2 GiB, or install it from a local path.",
    ),
    "RESOURCE_EXPIRED": Reason(
        title="Artifact or upload expired",
        hint="Run the command that made it once more and fetch the result without delay.",
    ),
    "UPLOAD_FINALIZE_CLEANUP_FAILED": Reason(
        title="Upload failed and its temporary files stayed",
        hint="Check owner and free space of the daemon host's temporary directory.",
    ),
    "UPLOAD_ROLLBACK_FAILED": Reason(
        title="Upload not rolled back and its ticket void",
        hint="Begin the upload again under a new ticket.",
    ),
    "UPLOAD_STATE_CORRUPT": Reason(
        title="Upload holds more bytes than announced",
        hint="Work out size and SHA-256 of the file again before you upload it.",
    ),
    "EVENT_LOG_CURSOR_EXPIRED": Reason(
        title="Event cursor older than the log",
        hint="Resume `agent-device events` from `details.earliestCursor`.",
    ),
    "EVENT_LOG_WINDOW_UNVERIFIED": Reason(
        title="Window of the event log not verifiable",
        hint="Read `events.ndjson` directly, or delete it with its window file to restart the timeline.",
    ),
    "script_target_exists": Reason(
        title="Script file exists already",
        hint="Save the script under another path, or pass `--force` to replace the file.",
    ),
}

_MANAGED_REASONS: Final = {
    "allocator-claim-incarnation-stale": Reason(
        title="Managed identity provisioned anew",
        hint="Obtain a new grant from the allocator for this identity.",
        retryable=False,
    ),
    "allocator-claim-missing": Reason(
        title="Managed device without an allocator's claim",
        hint="Let the allocator activate the device for this installation first.",
        retryable=False,
    ),
    "managed-command-deadline-exceeded": Reason(
        title="Managed command past the end of its lease",
        hint="Renew the lease before you send the command again.",
        retryable=False,
    ),
    "managed-lease-teardown-required": Reason(
        title="Managed lease due for teardown",
        hint="Release the lease and bind a device that is granted afresh.",
        retryable=False,
    ),
    "managed-device-transport-mismatch": Reason(
        title="Managed transport aimed at another device",
        hint="Leave out the serial, port or UDID and let the managed binding choose the device.",
    ),
    "managed-request-not-admitted": Reason(title="Managed request ran ahead of its admission"),
    "provider_inventory_contract_violation": Reason(
        title="Provider's device list malformed",
        hint="Make the provider answer `declined`, or an `inventory` whose `devices` are an array.",
    ),
    "provider_session_create_timeout": Reason(
        title="Provider did not create the session in time",
        hint="Stop the session that the provider may yet start for `details.leaseId`, as it would bill on.",
    ),
    "webdriver_request_timeout": Reason(
        title="WebDriver request timed out",
        hint="Take a snapshot before you repeat it, because the driver may still finish the request.",
    ),
    "webdriver_route_unsupported": Reason(
        title="Driver does not implement the route",
        hint="Reach the same effect with another command, as this driver ran nothing.",
    ),
}

# A part that should have been composed into the process was not: faults of the tool, not of its caller.
_COMPOSITION_REASONS: Final = {
    "device_inventory_context_unavailable": Reason(title="Device list asked for outside a request"),
    "interactor-method-missing": Reason(title="Admitted method not implemented by the interactor"),
    "interactor-resolution-missing": Reason(title="Interactor resolution not composed"),
    "runtime-contract-invalid": Reason(
        title="Runtime contract broken",
        hint="Report the selected device and the command as a defect of agent-device.",
    ),
    "runtime-gateway-missing": Reason(title="Device runtime gateway not composed"),
    "runtime-hints-operation-missing": Reason(
        title="Runtime hints not admitted for this open",
        hint="Leave `--metro-host`, `--metro-port`, `--bundle-url` and `--launch-url` out on this target.",
    ),
}

_TARGET_REASONS: Final = {
    "selector_not_found": Reason(
        title="Selector matches nothing on screen",
        hint="Run `snapshot -i` and take a selector from what is there.",
    ),
    "predicate_failed": Reason(
        title="Predicate does not hold",
        hint="Refine the selector, or use `wait` where the condition takes time.",
    ),
    "covered_by_interactive_descendants": Reason(
        title="Target wholly covered by its own controls",
        hint="Tap the one of `details.competitorRefs` that you mean.",
    ),
    "replay_target_guard_mismatch": Reason(
        title="Replay met a different element",
        hint="Record this step again on the present screen; its action was not sent.",
    ),
    "text_entry_focus_not_observed": Reason(
        title="Field took no focus",
        hint="Fill the ref that a fresh `snapshot -i` reports, not the same coordinates.",
    ),
    "text_entry_focus_unobservable": Reason(
        title="Focus can't be seen through this driver",
        hint="Send `press <target>` and then `type <text>`, and verify the outcome yourself.",
    ),
    "maestro-test-failure": Reason(
        title="Maestro flow failed",
        hint="Correct the flow at the command and path that the message shows, or the app.",
    ),
    "request_canceled": Reason(
        title="Request cancelled by its requester",
        hint="Do nothing, unless the cancellation or the lost client connection was an accident.",
    ),
}

_CROP_REASONS: Final = {
    "CROP_TARGET_NOT_FOUND": Reason(
        title="Crop selector matches no node",
        hint="List what matches with `agent-device find <text> list`.",
    ),
    "CROP_TARGET_AMBIGUOUS": Reason(
        title="Crop selector matches several nodes",
        hint="Narrow the `--crop-on` selector to one of `details.candidates`.",
    ),
    "CROP_CAPTURE_UNREADABLE": Reason(
        title="Sparse snapshot can't place the crop",
        hint="Wait until `snapshot -i` shows a full tree, then crop again.",
    ),
    "CROP_CAPTURE_INCOMPLETE": Reason(
        title="Truncated snapshot proves no missing match",
        hint="Take the whole screenshot, or show a screen small enough for one full snapshot.",
    ),
    "CROP_EMPTY_INTERSECTION": Reason(
        title="Crop frame outside the image",
        hint="Scroll the target into view before you take the screenshot.",
    ),
    "CROP_PARTIAL_INTERSECTION": Reason(
        title="Crop frame reaches past the image",
        hint="Accept the clipped image, or scroll until the whole target shows.",
    ),
}

_SCROLL_REASONS: Final = {
    "scroll_no_progress": Reason(
        title="Scroll moved nothing",
        hint="Drag inside the list with `swipe x1 y1 x2 y2`, as some lists ignore synthesized scrolls.",
    ),
    "scroll_edge_no_progress": Reason(
        title="Scroll to the edge moved nothing",
        hint="Dismiss the keyboard if a field has the focus, then scroll the nested container itself.",
    ),
    "scroll_edge_pass_limit": Reason(
        title="Edge not reached within the pass limit",
        hint="Stop at the element you want with `scroll <direction> --until <selector>`.",
    ),
    "scroll_until_capture_unreadable": Reason(
        title="Screen not readable while scrolling",
        hint="Go by `screenshot` and coordinates until `snapshot -i` reports a full tree.",
    ),
    "scroll_until_edge_reached": Reason(
        title="Content ends before the target",
        hint="Scroll the other way, or look for the element on another screen.",
    ),
    "scroll_until_no_progress": Reason(
        title="Content never shifted in search of the target",
        hint="Address the inner scroll container, since the outer one takes the gesture.",
    ),
    "scroll_until_pass_limit": Reason(
        title="Target not seen within the pass budget",
        hint="Raise the step, as in `scroll down 0.8 --until <selector>`.",
    ),
}

_WAIT_REASONS: Final = {
    "wait_target_absent": Reason(
        title="Target did not appear in time",
        hint="Check the selector against `snapshot -i`, then allow more time.",
    ),
    "wait_target_present": Reason(
        title="Target did not vanish in time",
        hint="See in `details.firstMatch` what still matches.",
    ),
    "wait_stable_timeout": Reason(
        title="Screen never grew quiet",
        hint="Lower the quiet window of `wait stable`, or end the animation first.",
    ),
    "wait_landmark_identity_mismatch": Reason(
        title="Match without the recorded identity",
        hint="Compare `details.observed` with the recorded landmark, and record anew if the app changed.",
    ),
    "wait_capture_stalled": Reason(
        title="No readable capture before the wait ended",
        hint="Wait once more, or inspect the surface with `screenshot`.",
        retryable=True,
    ),
    "wait_runner_restart_exhausted": Reason(
        title="Runner restart used up the wait",
        hint="Find the runner's restart in the diagnostics log, then wait once more.",
        retryable=True,
    ),
    "wait_deadline_exceeded": Reason(
        title="Wait ended on truncated captures",
        hint="Narrow the captures of `wait` with `--scope` or `--depth`.",
    ),
}

_LEASE_REASONS: Final = {
    "LEASE_NOT_FOUND": Reason(
        title="Lease not active",
        hint="Run `agent-device connect --force` and open the device under the new lease.",
    ),
    "LEASE_EXPIRED": Reason(
        title="Lease expired through inactivity",
        hint="Open the device again and keep commands less than five minutes apart.",
    ),
    "LEASE_SCOPE_MISMATCH": Reason(
        title="Lease of another tenant or run",
        hint="Pass the `--tenant` and `--run-id` under which the lease was allocated.",
    ),
    "LEASE_SCOPE_REQUIRED": Reason(
        title="Owner of the lease not named",
        hint="Send tenant, run and client along with `--lease-id`.",
    ),
    "LEASE_SESSION_MISMATCH": Reason(
        title="Lease differs from the session's",
        hint="Compare the value that `details.field` names with the lease the session was opened under.",
    ),
    "PROVIDER_SESSION_NOT_OWNED": Reason(
        title="Provider session of another tenant",
        hint="Pass the id of a provider session that your own tenant created.",
    ),
}

ADB_FAILURES: Final[Mapping[str, Reason]] = MappingProxyType(
    {
        "device_unauthorized": Reason(
            title="USB debugging not authorized",
            hint="Accept the prompt on the device's screen, and replug the cable if there is none.",
        ),
        "device_offline": Reason(
            title="Device connected but offline",
            hint="Let the device finish booting, or run `adb reconnect`.",
            retryable=True,
        ),
        "multiple_devices": Reason(
            title="Several Android devices and no choice",
            hint="Pass `--serial` with one of the serials that `adb devices` lists.",
        ),
        "no_devices": Reason(
            title="No Android device attached",
            hint="Boot an emulator or plug a device in until `adb devices` lists it.",
        ),
        "device_not_found": Reason(
            title="Android device went away",
            hint="Repeat the command once `adb devices` lists the serial again.",
            retryable=True,
        ),
        "server_version_mismatch": Reason(
            title="Two adb versions contend for the server",
            hint="Repeat the command, and leave a single adb on `PATH` so that it does not recur.",
            retryable=True,
        ),
        "connection_dropped": Reason(
            title="Connection to adb dropped",
            hint="Repeat the command, and run `adb kill-server` if the drop persists.",
            retryable=True,
        ),
        "install_insufficient_storage": Reason(
            title="Device storage full",
            hint="Uninstall unused apps before you install this one.",
        ),
        "install_update_incompatible": Reason(
            title="Installed app signed by another key",
            hint="Uninstall the app that is there, then install yours.",
        ),
        "install_version_downgrade": Reason(
            title="APK older than the installed app",
            hint="Uninstall the newer app, or install a build with a higher version.",
        ),
        "install_failed": Reason(
            title="Android package installer refused the APK",
            hint="Look the `INSTALL_FAILED` name in `details.stdout` up for the exact cause.",
        ),
    }
)
"""What the output of ``adb`` is recognised as. The value stands in ``details.adbFailure`` beside the code,
and its hint and verdict fill those of the error where it has none of its own."""


# --- codes -------------------------------------------------------------------------------------------------


class AgentDeviceError(
    CodedError, domain="agent_device", title="Device automation", codes="{CONST}", registry=REGISTRY
):
    """Every failure that an ``agent-device`` command can end with, by CLI, SDK, daemon or MCP.

    The most specific code is used; ``COMMAND_FAILED`` is for well-formed requests that failed at run time,
    never for contention, ambiguity or a missing capability. A code that is not among these passes through
    verbatim and carries no retry verdict.
    """

    INVALID_ARGS = code(
        "Arguments malformed or contradictory",
        ArgumentDetails,
        public=True,
        hint="Run `agent-device help <command>` and correct the argument that the message names.",
        http_status=400,
        reasons=_ARGUMENT_REASONS,
        example={"reason": "session_or_device_selector_required", "dispatched": "no"},
    )
    """The flags, positionals or request fields could not be understood together, so nothing was started. A
    typical case is ``screenshot --crop-on`` beside ``--fullscreen``, or a ``--udid`` that contradicts the
    device to which the session is locked. ``agent-device help`` followed by the command prints the shapes
    that it accepts; over JSON-RPC the same check runs in the daemon, which answers with HTTP status 400."""

    DEVICE_NOT_FOUND = code(
        "No device matches",
        DeviceLookupDetails,
        public=True,
        hint="Boot or connect the target until `agent-device devices` lists it, then pass its exact id.",
        example={"requestedAvdName": "Pixel_9", "availableAvds": ["Pixel_7_API_34"]},
    )
    """The selectors exclude every device the host knows, or nothing is booted and connected at all. Often
    ``--device`` names an emulator by a label other than its AVD name: ``details.availableAvds`` and
    ``emulator -list-avds`` give the names that exist. ``agent-device devices`` shows what can be selected,
    with the UDID or serial to pass."""

    DEVICE_IN_USE = code(
        "Device held by someone else",
        DeviceInUseDetails,
        kind="transient",
        public=True,
        hint="Wait for the holder to finish, or see with `agent-device device status` who it is.",
        reasons=_IN_USE_REASONS,
        example={
            "reason": "DEVICE_CLAIM_LIVE_OWNER",
            "deviceKey": "ios:7A1C",
            "owner": {"kind": "session", "stateDir": "/home/dev/other/.agent-device"},
            "recovery": {"command": "agent-device device status --platform ios --udid 7A1C"},
        },
    )
    """The device is healthy but another request, session, lease or person has it. Two agents that open the
    same simulator meet here, as does an agent while somebody runs ``agent-device takeover``. It is the one
    code that may simply be repeated once the holder is done (later releases queue with
    ``open --wait 60000``); the four ``DEVICE_CLAIM_*`` reasons say no to that, and their
    ``details.recovery.command`` is the command to run in its place."""

    TOOL_MISSING = code(
        "Host tool missing",
        ToolDetails,
        public=True,
        hint="Install the tool the message names, put it on `PATH`, and confirm with `agent-device doctor`.",
        example={"cmd": "adb"},
    )
    """A program that drives the platform could not be started, since it is not on ``PATH`` or its override
    points to no executable file. On a fresh CI image that is mostly ``adb``, ``emulator``, ``xcrun`` or
    ``bundletool``; for the last one ``AGENT_DEVICE_BUNDLETOOL_JAR`` may name a jar. Run
    ``agent-device doctor`` once the tool is there: it checks the toolchains of every platform on the host."""

    APP_NOT_INSTALLED = code(
        "App not on the device",
        AppDetails,
        public=True,
        hint="Copy the exact identifier from `agent-device apps --all`, or install the build before `open`.",
        example={"appBundleId": "com.example.shop", "deviceId": "7A1C"},
    )
    """No app on the selected device has the name, package or bundle identifier that was given. A debug build
    with an identifier suffix is the usual surprise, closely followed by the right app on the wrong simulator.
    Compare with the output of ``agent-device apps --all``; ``agent-device install`` puts a build from a path
    on the device."""

    UNSUPPORTED_PLATFORM = code(
        "Platform not available on this host",
        FailureDetails,
        public=True,
        hint="Choose a target that `agent-device devices` lists, or move to a host that has its tools.",
        example={"warnings": ["Apple tools need a macOS host"]},
    )
    """The whole platform is out of reach, whatever the operation: this host or this runtime can't serve it.
    Asking a Linux machine for ``--platform ios`` ends so, because Apple's tools exist on macOS alone. Drive
    such a device through ``agent-device proxy`` on a Mac and ``agent-device connect proxy`` from here, or
    pick another ``--platform``."""

    UNSUPPORTED_OPERATION = code(
        "Operation not available here",
        OperationDetails,
        public=True,
        hint="Ask `agent-device capabilities` which commands this target offers.",
        reasons=_OPERATION_REASONS,
        example={"reason": "CROP_TARGET_NOT_ACCEPTED", "rejectionReason": "no proven frame on tvOS"},
    )
    """This device, platform or cloud provider lacks the command, though others have it. ``orientation`` on
    tvOS and ``back --system`` on macOS are such gaps, and hosted devices leave out more. The answer of
    ``agent-device capabilities --platform <platform>`` is the list to choose from; repeating the command
    never helps."""

    NOT_IMPLEMENTED = code(
        "Planned command not there yet",
        FailureDetails,
        public=True,
        hint="Pick a command that `agent-device help commands` lists.",
        example={"requestId": "458b4bd0a6dca39e"},
    )
    """The name belongs to the planned interface but has no code behind it. Release 0.21.5 declares this code
    and throws it nowhere, so meeting it means that CLI, SDK or daemon is of another release. Compare them
    with ``agent-device --version`` and take the commands from ``agent-device help commands``."""

    COMMAND_FAILED = code(
        "Command failed at run time",
        CommandDetails,
        public=True,
        hint="Repeat the command with `--debug` and read the diagnostics log that comes with the error.",
        reasons={
            **_BOOT_REASONS,
            **_RUNNER_REASONS,
            **_ANDROID_REASONS,
            **_RECORDING_REASONS,
            **_RESOURCE_REASONS,
            **_MANAGED_REASONS,
            **_COMPOSITION_REASONS,
            **_TARGET_REASONS,
            **_CROP_REASONS,
            **_SCROLL_REASONS,
            **_WAIT_REASONS,
        },
        example={
            "cmd": "adb",
            "args": ["-s", "emulator-5554", "install", "app.apk"],
            "stdout": "Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE]",
            "stderr": "",
            "exitCode": 1,
            "processExitError": True,
            "adbFailure": "install_insufficient_storage",
        },
    )
    """The request was sound, and something went wrong while it ran: a tool exited with an error, a time limit
    passed, the device refused, the requester left. ``details.reason`` tells the cases apart, and where a
    process failed its ``stderr`` and ``exitCode`` are there too. Read ``details.dispatched`` before anything
    is sent again, because unless it says ``no`` the action may have reached the device;
    ``agent-device snapshot -i`` shows what happened."""

    SESSION_NOT_FOUND = code(
        "No live session for the command",
        FailureDetails,
        public=True,
        hint="Run `agent-device open <app>`, or pass `--session` as `agent-device session list` prints it.",
        http_status=404,
        example={"requestId": "7c20a9d1be55f013"},
    )
    """The command needs an open session, and none is alive under that name in this workspace. Implicit
    sessions belong to one git worktree and one platform, so a session opened elsewhere, closed, or reaped
    while idle is not found from here. ``agent-device session list`` prints the addresses that ``--session``
    takes; ``agent-device open`` starts a new one."""

    UNAUTHORIZED = code(
        "Access refused",
        UnauthorizedDetails,
        public=True,
        hint="Check `agent-device auth status`, then log in again or set `AGENT_DEVICE_DAEMON_AUTH_TOKEN`.",
        http_status=401,
        reasons=_LEASE_REASONS,
        example={"reason": "LEASE_SESSION_MISMATCH", "field": "tenantId"},
    )
    """The daemon, the cloud or the lease registry did not accept who is asking. A revoked login, a CI shell
    that can't log in interactively, and a lease of another tenant all end in this code; a lease also lapses
    after five minutes without a command. ``agent-device auth login`` renews a login,
    ``agent-device connect --force`` replaces a connection, and CI wants a service token in
    ``AGENT_DEVICE_DAEMON_AUTH_TOKEN``."""

    AMBIGUOUS_MATCH = code(
        "Several candidates match",
        AmbiguousMatchDetails,
        public=True,
        hint="Copy one of `details.candidates` or `details.devices` and name it exactly.",
        reasons={
            "foreground_app_ambiguous": Reason(
                title="Not exactly one running app to adopt",
                hint="Name the app, as in `agent-device open <app> --platform ios`.",
            ),
        },
        example={
            "candidates": ['@e2 [button] "Row"', '@e5 [button] "Row"'],
            "matches": 7,
            "refsGeneration": 42,
        },
    )
    """More than one element, device, app or session fits, and the tool does not guess between them. Two
    booted emulators without ``--serial`` lead here, and so does a selector like ``label="Row"`` in a list.
    The candidates stand in the details: take a ref, an ``id=`` selector or a ``--udid`` from them, or let
    ``find`` pick with ``--first`` or ``--last``."""

    REPLAY_DIVERGENCE = code(
        "Replay left the recorded path",
        DivergenceDetails,
        public=True,
        hint="Follow `details.divergence.suggestions`, then go on with `replay --from` and `--plan-digest`.",
        example={
            "divergence": {
                "step": {"index": 4, "source": {"path": "flow.ad", "line": 6}},
                "screen": {"state": "available", "refsGeneration": 3, "refs": []},
                "suggestions": [{"selector": 'id="auth_continue"', "basis": "id"}],
                "resume": {"allowed": True, "from": 4, "planDigest": "9f2c"},
            },
            "replayPath": "flow.ad",
            "step": 4,
            "action": "click",
            "positionals": ['id="auth_next"'],
        },
    )
    """A step of a recorded ``.ad`` script no longer fits the screen, for example since a button got another
    identifier. The report in ``details.divergence`` shows the step, the screen as it is now, ranked selectors
    that would match, and whether the run can resume. Do that step by hand or correct the script, then
    ``agent-device replay <script> --from <n> --plan-digest <digest>`` continues where it stopped."""

    REPAIR_SESSION_EXPIRED = code(
        "Repair ended before it was finished",
        FailureDetails,
        public=True,
        hint="Start the repair over with `replay <script> --save-script`, and close it before it idles out.",
        http_status=404,
        example={"requestId": "1be4c0772a9d3f60"},
    )
    """A repair that ``replay --save-script`` had armed was reaped for idleness, and its healed script was
    never written. The daemon remembers such sessions, which is why the answer is not a plain
    ``SESSION_NOT_FOUND``. The steps taken by hand are lost with it; the next attempt has to begin at step 1
    and end in ``agent-device close --save-script``."""

    REPAIR_COMMIT_FAILED = code(
        "Healed script not written",
        FailureDetails,
        public=True,
        hint="Make the path writable or pass `--force`, then run `replay <script> --save-script` once more.",
        example={"warnings": ["checkout.healed.ad exists"]},
    )
    """Every step of the repair went through, but the file that should hold the result could not be put in
    place. Either a file of that name exists and the tool refuses to overwrite it, or the directory does not
    permit the write. Look at the path in the message with ``ls -l``, and give ``--save-script`` another path
    or add ``--force``."""

    UNKNOWN = code(
        "Unexpected failure inside the tool",
        UnknownDetails,
        kind="bug",
        public=True,
        hint="Repeat with `--debug`, and report the log under its `diagnosticId` if the failure persists.",
        example={"err": "a raw string throw"},
    )
    """Something was thrown that carries no code, and this is what it becomes at the boundary. Usually a bare
    error from inside the tool or a library escaped the place that should have classified it. No recovery by
    the caller is known; the request's ``.ndjson`` log in the session directory holds the original, ready for
    a report at ``github.com/callstack/agent-device/issues``."""


class ErrorCodes(AgentDeviceError, facade=True):
    """Every code of the catalogue under its constant; calling one builds an `AgentDeviceError`."""
