"""Packs Python for the browser: `build/runtime/<content hash>/` and `runtime.json` beside it.

    python tools/pack_runtime.py [--out build/runtime] [--pyodide node_modules/pyodide]

Takes the npm package of Pyodide as it is and replaces one file: the standard library. Stock Pyodide ships it as .py source
and compiles what it imports at every start, which is 3.5 s of a 4.4 s cold start. Here it comes as .pyc (compiled by that
same Pyodide under Node), trimmed to what the lab can import, with `py_runtime` and `experiments` in the same archive: one
download, one directory to read. `experiments` also keeps its sources, which the page shows and readers edit, and both
keep their data files; modules reach them with `__loader__.get_data`.

The folder is named after the hash of its contents, so a browser may cache it for ever, and equal input gives an equal name.
The packed runtime is not checked here; tests/page starts it in a browser.
"""

import argparse
import gzip
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = Path(__file__).resolve().parent

# What the browser loads, in the names of the npm package. No maps, consoles, or type declarations.
CORE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
ARCHIVE = "python.zip"

# Packages that go into the archive, and whether their .py files go in beside the .pyc.
PACKAGES = {"py_runtime": False, "experiments": True}

# The first instant a zip can name. Any constant would do; file times would change the hash at every checkout.
ZIP_TIME = (1980, 1, 1, 0, 0, 0)


def pack(out, pyodide, packages, node="node"):
    """Pack `packages` ({name: (folder, keep_sources)}) with the Pyodide in `pyodide` into `out`; return the manifest.

    `out` is emptied first: it holds exactly one runtime. Raises RuntimeError with Node's own words when compiling fails.
    """
    out, pyodide = Path(out), Path(pyodide)
    if not (pyodide / "pyodide.mjs").is_file():
        raise RuntimeError(f"no Pyodide in {pyodide}: run `npm ci` in {ROOT} first")
    with tempfile.TemporaryDirectory() as scratch:
        compiled = compile_modules(Path(scratch), pyodide, packages, node)
        archive = build_archive(compiled, packages)
    contents = {name: (pyodide / name).read_bytes() for name in CORE_FILES}
    contents[ARCHIVE] = archive
    folder = content_hash(contents)
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
            {"name": name, "bytes": len(data), "gzip_bytes": len(gzip.compress(data, 6, mtime=0))}
            for name, data in contents.items()
        ],
    }
    (out / "runtime.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    return manifest


def compile_modules(work, pyodide, packages, node):
    """Folder of .pyc files, laid out as in the archive, made by Pyodide itself."""
    request = {"packages": [{"name": name, "folder": str(Path(folder).resolve())} for name, (folder, _) in packages.items()]}
    (work / "request.json").write_text(json.dumps(request), encoding="utf-8")
    command = [node, str(TOOLS / "pack_runtime.mjs"), str(pyodide), str(TOOLS / "pack_compile.py"), str(work)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"compiling for the browser failed:\n{done.stdout}{done.stderr}")
    return work / "out"


def build_archive(compiled, packages):
    """Bytes of the zip: compiled modules, kept sources, data files; sorted, undated, deflated.

    Deflated because a static host compresses by file type and leaves .zip alone.
    """
    members = {path.relative_to(compiled).as_posix(): path for path in compiled.rglob("*.pyc")}
    for name, (folder, keep_sources) in packages.items():
        for path in Path(folder).rglob("*"):
            kept = keep_sources if path.suffix == ".py" else path.suffix != ".pyc"
            if path.is_file() and kept and "__pycache__" not in path.parts:
                members[f"{name}/{path.relative_to(folder).as_posix()}"] = path
    with tempfile.TemporaryFile() as stream:
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name in sorted(members):
                entry = zipfile.ZipInfo(name, ZIP_TIME)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.create_system = 3
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, members[name].read_bytes())
        stream.seek(0)
        return stream.read()


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


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Pack Python for the browser.")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "runtime")
    parser.add_argument("--pyodide", type=Path, default=ROOT / "node_modules" / "pyodide")
    options = parser.parse_args(arguments)
    packages = {name: (ROOT / name, keep) for name, keep in PACKAGES.items()}
    try:
        manifest = pack(options.out, options.pyodide, packages)
    except RuntimeError as error:
        sys.exit(str(error))
    size = sum(file["gzip_bytes"] for file in manifest["files"])
    print(f"packed {options.out / manifest['folder']}: {size / 1e6:.1f} MB to download")


if __name__ == "__main__":
    main()
