"""Serves a built folder on this machine the way GitHub Pages would: gzip, entity tags, 404 page, no special headers.

Decides how an address becomes a file and a reply. Knows nothing of what the files are. Used by `make serve`, and by the
browser tests, which add what a host may add: a path prefix, extra headers.

    python -m tools.serve [--port 8000] [--prefix /some/repo/] [--folder site] [--header "Name: value"]
"""

import argparse
import gzip
import hashlib
import posixpath
import sys
import threading
from email.utils import formatdate, parsedate_to_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tools.paths import SITE

# Named here rather than asked of the machine: /etc/mime.types differs between machines, and a browser refuses a module
# or a WebAssembly stream with the wrong type.
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".gz": "application/gzip",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/vnd.microsoft.icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".map": "application/json; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".py": "text/plain; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".woff2": "font/woff2",
    ".xml": "application/xml",
    ".zip": "application/zip",
}
_COMPRESSED = ("text/", "application/json", "application/wasm", "application/xml", "image/svg+xml")


class SiteServer:
    """A server for one folder, on a thread of its own; a context manager that stops it.

    `port` 0 takes a free one. `prefix` is the path under which the site appears ("/" or "/some/repo/"); anything
    outside it is 404. `headers` are added to every reply. `max_age_s` is how long a browser may use a file without
    asking (GitHub Pages says 600; 0 makes it ask each time, which is what someone who edits the site wants).
    `requests` lists the paths asked for, in order. Raises OSError when the port is taken, FileNotFoundError when
    there is no such folder.
    """

    def __init__(
        self,
        folder: Path = SITE,
        port: int = 0,
        prefix: str = "/",
        headers: dict[str, str] | None = None,
        max_age_s: int = 600,
    ) -> None:
        if not Path(folder).is_dir():
            raise FileNotFoundError(f"There is no folder {folder}: run 'make build' first.")
        self.folder = Path(folder).resolve()
        self.prefix = "/" + prefix.strip("/") + "/" if prefix.strip("/") else "/"
        self.headers = dict(headers or {})
        self.max_age_s = max_age_s
        self.requests: list[str] = []
        self._replies: dict[tuple[Path, int, bool], tuple[bytes, str]] = {}
        self._server = _Server(("127.0.0.1", port), _handler_for(self))

    @property
    def url(self) -> str:
        """The site's address, with the prefix and a closing slash."""
        return f"http://127.0.0.1:{self._server.server_address[1]}{self.prefix}"

    def __enter__(self) -> "SiteServer":
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def run(self) -> None:
        """Serve on the calling thread until interrupted."""
        try:
            self._server.serve_forever()
        finally:
            self._server.server_close()

    def locate(self, path: str) -> tuple[int, Path | str]:
        """What an address path leads to: (200, file), (301, new path) or (404, file of the 404 page)."""
        missing = (404, self.folder / "404.html")
        if path == self.prefix[:-1] and self.prefix != "/":
            return 301, self.prefix
        inner = unquote(path[len(self.prefix) :])
        if not path.startswith(self.prefix) or "\0" in inner:
            return missing
        inner = posixpath.normpath("/" + inner).lstrip("/")
        target = (self.folder / inner).resolve()
        if not target.is_relative_to(self.folder):
            return missing
        if target.is_dir():
            if not path.endswith("/"):
                return 301, path + "/"
            target = target / "index.html"
        elif path.endswith("/"):
            return missing
        elif not target.is_file() and target.with_name(target.name + ".html").is_file():
            target = target.with_name(target.name + ".html")  # GitHub Pages answers /name with name.html
        return (200, target) if target.is_file() else missing

    def content(self, file: Path, compressed: bool) -> tuple[bytes, str]:
        """The bytes to send for a file, and their entity tag; kept, since compressing takes longer than sending."""
        key = (file, file.stat().st_mtime_ns, compressed)
        if key not in self._replies:
            plain = file.read_bytes()
            tag = hashlib.sha256(plain).hexdigest()[:20]
            self._replies[key] = (gzip.compress(plain, 6, mtime=0), f'W/"{tag}"') if compressed else (plain, f'"{tag}"')
        return self._replies[key]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True

    def handle_error(self, request, client_address) -> None:
        """A browser that closes its tab half way through a reply is no event worth a traceback."""
        if not isinstance(sys.exc_info()[1], ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


def _handler_for(site: SiteServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # else headers and body of a small file wait 40 ms for each other

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            site.requests.append(parts.path)
            status, target = site.locate(parts.path)
            if status == 301:
                query = f"?{parts.query}" if parts.query else ""
                self._send(301, b"", {"Location": f"{target}{query}"})
            elif not Path(target).is_file():
                self._send(404, b"404: not found\n", {"Content-Type": "text/plain; charset=utf-8"})
            else:
                self._send_file(status, Path(target))

        do_HEAD = do_GET

        def _send_file(self, status: int, file: Path) -> None:
            kind = TYPES.get(file.suffix, "application/octet-stream")
            wants_gzip = "gzip" in self.headers.get("Accept-Encoding", "") and kind.startswith(_COMPRESSED)
            body, tag = site.content(file, wants_gzip)
            modified_s = int(file.stat().st_mtime)
            headers = {
                "Content-Type": kind,
                "Cache-Control": f"max-age={site.max_age_s}" if site.max_age_s else "no-cache",
                "ETag": tag,
                "Last-Modified": formatdate(modified_s, usegmt=True),
            }
            if kind.startswith(_COMPRESSED):
                headers["Vary"] = "Accept-Encoding"
            if wants_gzip:
                headers["Content-Encoding"] = "gzip"
            if status == 200 and self._client_has(tag, modified_s):
                self._send(304, b"", headers)
            else:
                self._send(status, body, headers)

        def _client_has(self, tag: str, modified_s: int) -> bool:
            tags = self.headers.get("If-None-Match")
            if tags is not None:  # compared weakly: the same file compressed and plain counts as the same
                return tag.removeprefix("W/") in [t.strip().removeprefix("W/") for t in tags.split(",")]
            try:
                since = parsedate_to_datetime(self.headers.get("If-Modified-Since", ""))
            except (TypeError, ValueError):
                return False
            return modified_s <= since.timestamp()

        def _send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
            self.send_response(status)
            for name, value in {**headers, **site.headers}.items():
                self.send_header(name, value)
            if status != 304:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD" and status != 304:
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Silent: a line per request buries the address that `make serve` prints."""

    return Handler


def main(arguments: list[str] | None = None) -> int:
    """Serve until interrupted; 0, or 2 after a sentence when the port or the folder cannot be used."""
    parser = argparse.ArgumentParser(prog="python -m tools.serve", description="Serve the built site on 127.0.0.1.")
    parser.add_argument("--port", type=int, default=8000, help="0 takes a free one (default: 8000)")
    parser.add_argument("--prefix", default="/", help="path under which the site appears (default: /)")
    parser.add_argument("--folder", type=Path, default=SITE, help="folder to serve (default: site)")
    parser.add_argument("--header", action="append", default=[], metavar="'NAME: VALUE'", help="added to every reply")
    options = parser.parse_args(arguments)
    pairs = [text.partition(":") for text in options.header]
    if bad := [name for name, colon, _ in pairs if not colon]:
        parser.error(f"--header takes 'Name: value', and {bad[0]!r} has no colon")
    headers = {name.strip(): value.strip() for name, _, value in pairs}
    try:
        server = SiteServer(options.folder, options.port, options.prefix, headers, max_age_s=0)
    except OverflowError:
        print(f"Port {options.port} is not between 0 and 65535.", file=sys.stderr)
        return 2
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"Port {options.port} cannot be used ({error.strerror}): try 'make serve PORT=8001'.", file=sys.stderr)
        return 2
    print(f"The lab is at {server.url} (Ctrl-C stops it)", flush=True)
    try:
        server.run()
    except KeyboardInterrupt:
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
