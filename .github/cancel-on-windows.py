"""Starts the action on an emulator, sends Ctrl+Break like the runner on Windows, and checks how it ends.

Ctrl+C cannot be sent to a new process group, and one in our own group would end this script too.
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

ADMIN_KEY = "svc_emulator_admin"
PORT = "8788"
URL = f"http://127.0.0.1:{PORT}"


def wait_for(text, path, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if path.exists() and text in path.read_text(encoding="utf-8", errors="replace"):
            return
        time.sleep(0.1)
    shown = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    sys.exit(f"{text!r} did not appear within {seconds} s in:\n{shown}")


def start(arguments, log, env=None, **options):
    return subprocess.Popen(["node", *arguments], stdout=log.open("w"), stderr=subprocess.STDOUT, env=env, **options)


def main():
    folder = pathlib.Path(tempfile.mkdtemp())
    output = folder / "output"
    output.touch()
    emulator_log, action_log = folder / "emulator.log", folder / "action.log"
    emulator = start(
        ["dist/emulator/index.js", "--site", "acme=docs", "--port", PORT, "--export-duration", "10m", "--admin-key", ADMIN_KEY],
        emulator_log,
    )
    try:
        wait_for(URL, emulator_log, 30)
        env = {
            **os.environ,
            "INPUT_MODE": "export",
            "INPUT_BASE-URL": URL,
            "INPUT_ADMIN-API-KEY": ADMIN_KEY,
            "INPUT_DOMAIN": "acme.example.com",
            "INPUT_TIMEOUT": "30m",
            "INPUT_ON-TIMEOUT": "fail",
            "INPUT_DRY-RUN": "false",
            "INPUT_CLEAN": "false",
            "INPUT_VERIFY": "report",
            "GITHUB_OUTPUT": str(output),
        }
        action = start(["dist/index.js"], action_log, env, creationflags=subprocess.CREATE_NEW_PROCESS_GROUP)
        wait_for("job-id", output, 30)
        sent = time.monotonic()
        action.send_signal(signal.CTRL_BREAK_EVENT)
        code = action.wait(timeout=10)
        seconds = time.monotonic() - sent
        print(action_log.read_text(encoding="utf-8", errors="replace"))
        written = output.read_text(encoding="utf-8")
        if code != 1 or seconds > 5 or "cancelled" not in written:
            sys.exit(f"exit code {code} after {seconds:.1f} s, outputs:\n{written}")
        print(f"Ended after {seconds:.1f} s.")
    finally:
        emulator.kill()


main()
