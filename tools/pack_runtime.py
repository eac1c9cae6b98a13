"""Packs Python for the browser: `build/runtime/<content hash>/` and `runtime.json` beside it.

    python tools/pack_runtime.py [--out build/runtime] [--pyodide node_modules/pyodide]

Takes the npm package of Pyodide as it is and replaces one file: the standard library. Stock Pyodide ships it as a zip
of .py files and compiles what it imports at every start, which is 3.5 s of a 4.4 s cold start. Here it comes compiled
(by that same Pyodide under Node) into one file, trimmed to what the lab can import, with `py_runtime` and `experiments`
in it too, and beside it what dataclasses would compile at every start (`pack_startup.py`). `experiments` also keeps its
sources, which the page shows and readers edit, and both keep their data files; modules reach them with
`__loader__.get_data`.

The archive is a gzipped tar that the worker unpacks into memory, not a zip: Python reads and decodes each module of a
zip twice, once to learn its file name, and its part of the start-up took half as long again. Compressed here because a
static host compresses by file type and would leave an archive alone.

The folder is named after the hash of its contents, so a browser may cache it for ever, and equal input gives an equal
name. The result is started once under Node, to compile ahead and to notice a module left out; tests/page starts it in
a browser.
"""

import argparse
import gzip
import hashlib
import io
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = Path(__file__).resolve().parent

# What the browser loads, in the names of the npm package. No maps, consoles, or type declarations.
CORE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
ARCHIVE = "python.tar.gz"

# Packages that go into the archive, and whether their .py files go in beside the .pyc.
PACKAGES = {"py_runtime": False, "experiments": True}

# What the workers import: docs/assets/lab/pyodide-worker.js and live-worker.js.
IMPORTS = ("py_runtime.lab.wire", "py_runtime.lab.live", "experiments")


def pack(out, pyodide, packages, imports=IMPORTS, node="node"):
    """Pack `packages` ({name: (folder, keep_sources)}) with the Pyodide in `pyodide` into `out`; return the manifest.

    `imports` are the modules that the browser imports, at the start or in a run. `out` is emptied first: it holds
    exactly one runtime. Raises RuntimeError with Node's own words when compiling or starting fails.
    """
    out, pyodide = Path(out), Path(pyodide)
    if not (pyodide / "pyodide.mjs").is_file():
        raise RuntimeError(f"no Pyodide in {pyodide}: run `npm ci` in {ROOT} first")
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch)
        lay_out_files(work / "out", packages)
        compile_modules(work, pyodide, packages, imports, node)
        archive = build_archive(work / "out")
    contents = {name: (pyodide / name).read_bytes() for name in CORE_FILES}
    # The hash is over the tar, not its compressed form, which differs between versions of zlib.
    folder = content_hash({**contents, ARCHIVE: archive})
    contents[ARCHIVE] = gzip.compress(archive, 9, mtime=0)
    if out.exists():
        shutil.rmtree(out)
    (out / folder).mkdir(parents=True)
    for name, data in contents.items():
        (out / folder / name).write_bytes(data)
    manifest = {
        "version": 1,
        "folder": folder,
        "lock": empty_lock(pyodide),
        "files": [
            {"name": name, "bytes": len(data), "gzip_bytes": download_bytes(name, data)}
            for name, data in contents.items()
        ],
    }
    (out / "runtime.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    return manifest


def lay_out_files(out, packages):
    """Copy what is shipped as it is: kept sources and data files."""
    for name, (folder, keep_sources) in packages.items():
        for path in Path(folder).rglob("*"):
            kept = keep_sources if path.suffix == ".py" else path.suffix != ".pyc"
            if path.is_file() and kept and "__pycache__" not in path.parts:
                target = out / name / path.relative_to(folder)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)


def compile_modules(work, pyodide, packages, imports, node):
    """Add to `work/out` the .pyc files and what is compiled ahead, all made by Pyodide itself."""
    request = {
        "packages": [
            {"name": name, "folder": str(Path(folder).resolve()), "keep_sources": keep_sources}
            for name, (folder, keep_sources) in packages.items()
        ],
        "imports": list(imports),
    }
    (work / "request.json").write_text(json.dumps(request), encoding="utf-8")
    command = [node, str(TOOLS / "pack_runtime.mjs"), str(pyodide), str(TOOLS / "pack_compile.py"), str(work)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"compiling for the browser failed:\n{done.stdout}{done.stderr}")


def build_archive(folder):
    """Bytes of the tar of everything in the folder: sorted, undated, owned by nobody."""
    members = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(members):
            data = members[name].read_bytes()
            entry = tarfile.TarInfo(name)  # its time, owner and group are 0 unless set
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return stream.getvalue()


def download_bytes(name, data):
    """What a host that compresses by file type sends: the archive is compressed already."""
    return len(data) if name == ARCHIVE else len(gzip.compress(data, 6, mtime=0))


def empty_lock(pyodide):
    """The package's own lock without its packages: the lab loads none, and Pyodide only compares `info` with itself."""
    info = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))["info"]
    return {"info": info, "packages": {}}


def content_hash(contents):
    """Sixteen hex digits over names and bytes, enough to tell one site's runtimes apart."""
    digest = hashlib.sha256()
    for name in sorted(contents):
        digest.update(f"{name} {len(contents[name])}\n".encode())
        digest.update(contents[name])
    return digest.hexdigest()[:16]


def asked_for_later():
    """The packages that a run imports: its experiment, and the stores that this one stands on."""
    folders = [*(ROOT / "experiments").glob("*/__init__.py"), *(ROOT / "py_runtime" / "stores").glob("*/__init__.py")]
    return sorted(".".join(path.parent.relative_to(ROOT).parts) for path in folders)


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Pack Python for the browser.")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "runtime")
    parser.add_argument("--pyodide", type=Path, default=ROOT / "node_modules" / "pyodide")
    options = parser.parse_args(arguments)
    packages = {name: (ROOT / name, keep) for name, keep in PACKAGES.items()}
    try:
        manifest = pack(options.out, options.pyodide, packages, [*IMPORTS, *asked_for_later()])
    except RuntimeError as error:
        sys.exit(str(error))
    size = sum(file["gzip_bytes"] for file in manifest["files"])
    print(f"packed {options.out / manifest['folder']}: {size / 1e6:.1f} MB to download")


if __name__ == "__main__":
    main()
