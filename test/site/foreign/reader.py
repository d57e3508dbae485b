"""Reads archives with Python's tarfile and zipfile, GNU tar, libarchive (bsdtar, or CMake) and unzip, until its input ends.

Standard input: a line `READER BYTES`, then the archive. Standard output: a line of JSON for each, either
{"files": [[path, sha256], ...]} or {"error": "..."}. READER is a key of READERS; libarchive-pipe reads from a pipe.
"""

import hashlib
import io
import json
import os
import posixpath
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile


def digest(content):
    return hashlib.sha256(content).hexdigest()


def read_tarfile(data):
    files = []
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:*", encoding="utf-8") as archive:
        for member in archive:
            if member.isdir():
                continue
            if not member.isreg():
                raise ValueError("not a file: " + member.name)
            content = archive.extractfile(member).read()
            files.append([posixpath.normpath(member.name), digest(content)])
    return files


def read_zipfile(data):
    files = []
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for member in archive.infolist():
            if not member.is_dir():
                files.append([posixpath.normpath(member.filename), digest(archive.read(member))])
    return files


def read_gnutar(data):
    packed = ["-z"] if data[:2] == b"\x1f\x8b" else []
    return read_unpacked(data, ["tar", "-x", *packed, "-f", "-", "--no-same-owner", "--delay-directory-restore"])


def read_libarchive(data):
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        command = ["bsdtar", "-x", "-o", "--no-xattrs", "-f"] if shutil.which("bsdtar") else ["cmake", "-E", "tar", "xf"]
        return read_unpacked(b"", [*command, file.name])


def read_libarchive_pipe(data):
    return read_unpacked(data, ["bsdtar", "-x", "-o", "--no-xattrs", "-f", "-"])


def read_unzip(data):
    with tempfile.NamedTemporaryFile(suffix=".zip") as file:
        file.write(data)
        file.flush()
        return read_unpacked(b"", ["unzip", "-q", "-o", file.name])


def read_unpacked(data, command):
    folder = tempfile.mkdtemp(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
    try:
        done = subprocess.run(command, input=data, capture_output=True, check=False, cwd=folder, env=ENVIRONMENT)
        # A mode of zero would keep the folders from being read; only root is not bothered.
        files = []
        for root, _, names in os.walk(folder):
            for name in names:
                path = os.path.join(root, name)
                with open(path, "rb") as file:
                    files.append([os.path.relpath(path, folder), digest(file.read())])
        if done.returncode != 0:
            raise ValueError(done.stderr.decode("utf-8", "replace")[:300])
        return files
    finally:
        shutil.rmtree(folder, ignore_errors=True)


# Without a locale, unzip and bsdtar cannot write names that are not ASCII.
ENVIRONMENT = {**os.environ, "LC_ALL": "C.UTF-8"}
READERS = {
    "tarfile": read_tarfile,
    "zipfile": read_zipfile,
    "gnutar": read_gnutar,
    "libarchive": read_libarchive,
    "libarchive-pipe": read_libarchive_pipe,
    "unzip": read_unzip,
}

while line := sys.stdin.buffer.readline():
    reader, length = line.split()
    data = sys.stdin.buffer.read(int(length))
    try:
        answer = {"files": sorted(READERS[reader.decode()](data))}
    except Exception as error:  # Whatever a reader throws is its answer.
        answer = {"error": f"{type(error).__name__}: {error}"}
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
