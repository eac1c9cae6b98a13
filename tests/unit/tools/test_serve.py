"""The server answers as GitHub Pages would: types, gzip, entity tags, redirects, the 404 page, one folder."""

import gzip
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tools.serve import SiteServer, main

FILES = {
    "index.html": "<h1>home</h1>" * 40,
    "404.html": "<h1>nothing here</h1>",
    "page/index.html": "<h1>page</h1>",
    "plain.html": "<h1>plain</h1>",
    "assets/code.mjs": "export const x = 1;",
    "assets/code.js": "export const x = 1;",
    "assets/data.json": "{}",
    "assets/style.css": "a{}",
    "assets/picture.svg": "<svg/>",
    "assets/module.wasm": "wasm",
    "assets/archive.zip": "zip",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("served") / "site"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root.parent / "secret.txt").write_text("outside")
    return root


@pytest.fixture(scope="module")
def site(folder) -> Iterator[SiteServer]:
    with SiteServer(folder) as server:
        yield server


@pytest.fixture(scope="module")
def prefixed(folder) -> Iterator[SiteServer]:
    with SiteServer(folder, prefix="/some/repo/", headers={"X-Extra": "yes"}) as server:
        yield server


def ask(server: SiteServer, path: str, method: str = "GET", **headers: str) -> tuple[HTTPResponse, bytes]:
    connection = HTTPConnection("127.0.0.1", urlsplit(server.url).port, timeout=10)
    connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response, body


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "text/html; charset=utf-8"),
        ("/assets/code.mjs", "text/javascript; charset=utf-8"),
        ("/assets/code.js", "text/javascript; charset=utf-8"),
        ("/assets/data.json", "application/json; charset=utf-8"),
        ("/assets/style.css", "text/css; charset=utf-8"),
        ("/assets/picture.svg", "image/svg+xml"),
        ("/assets/module.wasm", "application/wasm"),
        ("/assets/archive.zip", "application/zip"),
    ],
)
def test_files_have_the_type_that_browsers_insist_on(site, path, kind):
    response, _ = ask(site, path)
    assert (response.status, response.headers["Content-Type"]) == (200, kind)


def test_text_is_compressed_for_who_asks_and_only_then(site):
    compressed, body = ask(site, "/", Accept_Encoding="br, gzip")
    plain, text = ask(site, "/")
    assert compressed.headers["Content-Encoding"] == "gzip"
    assert plain.headers["Content-Encoding"] is None
    assert gzip.decompress(body) == text == FILES["index.html"].encode()
    assert len(body) < len(text)
    assert compressed.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"


def test_archives_are_not_compressed_again(site):
    response, body = ask(site, "/assets/archive.zip", Accept_Encoding="gzip")
    assert response.headers["Content-Encoding"] is None
    assert body == b"zip"


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_an_unchanged_file_is_not_sent_again(site, encoding):
    first, _ = ask(site, "/assets/code.js", Accept_Encoding=encoding)
    again, body = ask(site, "/assets/code.js", Accept_Encoding=encoding, If_None_Match=first.headers["ETag"])
    assert (again.status, body) == (304, b"")
    other, _ = ask(site, "/assets/code.js", If_None_Match='"something-else"')
    assert other.status == 200
    dated, _ = ask(site, "/assets/code.js", If_Modified_Since=first.headers["Last-Modified"])
    assert dated.status == 304


def test_a_changed_file_is_sent_again(folder, site):
    file = folder / "assets" / "changing.js"
    file.write_text("1")
    first, _ = ask(site, "/assets/changing.js")
    file.write_text("22")
    second, body = ask(site, "/assets/changing.js", If_None_Match=first.headers["ETag"])
    assert (second.status, body) == (200, b"22")


def test_a_folder_without_its_slash_is_redirected_and_keeps_the_query(site, prefixed):
    assert ask(site, "/page?a=1")[0].headers["Location"] == "/page/?a=1"
    response, _ = ask(prefixed, "/some/repo/page")
    assert (response.status, response.headers["Location"]) == (301, "/some/repo/page/")
    assert ask(prefixed, "/some/repo")[0].headers["Location"] == "/some/repo/"


def test_a_page_answers_without_its_ending(site):
    assert ask(site, "/plain")[1] == FILES["plain.html"].encode()


@pytest.mark.parametrize("path", ["/absent", "/absent/", "/assets/", "/plain.html/", "/%00"])
def test_what_is_not_there_gets_the_sites_own_page(site, path):
    response, body = ask(site, path)
    assert (response.status, body) == (404, FILES["404.html"].encode())


@pytest.mark.parametrize("path", ["/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt"])
def test_nothing_outside_the_folder_is_served(site, path):
    response, body = ask(site, path)
    assert response.status == 404
    assert b"outside" not in body


def test_a_prefix_hides_everything_outside_it(prefixed):
    assert ask(prefixed, "/some/repo/assets/code.js")[0].status == 200
    assert ask(prefixed, "/assets/code.js")[0].status == 404
    assert ask(prefixed, "/some/repository/")[0].status == 404
    assert prefixed.url.endswith("/some/repo/")


def test_no_header_is_special_unless_it_was_asked_for(site, prefixed):
    usual = {"Server", "Date", "Content-Type", "Cache-Control", "ETag", "Last-Modified", "Vary", "Content-Length"}
    assert set(ask(site, "/")[0].headers) == usual
    assert ask(prefixed, "/some/repo/")[0].headers["X-Extra"] == "yes"


def test_head_sends_no_body(site):
    response, body = ask(site, "/", method="HEAD")
    assert (response.status, body) == (200, b"")
    assert int(response.headers["Content-Length"]) == len(FILES["index.html"])


def test_requests_are_listed(folder):
    with SiteServer(folder) as server:
        ask(server, "/assets/code.js?x=1")
        assert server.requests == ["/assets/code.js"]


def test_a_taken_port_and_a_missing_folder_give_one_sentence(site, folder, tmp_path, capsys):
    port = str(urlsplit(site.url).port)
    assert main(["--port", port, "--folder", str(folder)]) == 2
    assert f"Port {port} cannot be used" in capsys.readouterr().err
    assert main(["--folder", str(tmp_path / "absent")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
