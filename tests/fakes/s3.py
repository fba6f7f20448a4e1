"""As much of S3 as reading takes: listing, asking for a size, reading a range. The client is pyarrow's own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Self
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

DATE = "Fri, 20 Nov 2026 12:00:00 GMT"
S3_ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_EC2_METADATA_DISABLED": "true",
}  # fmt: skip
"""Credentials that keep a client from looking for keys elsewhere; they are not checked."""


class S3:
    """A server on loopback that holds one bucket's objects, and remembers which bytes were asked for.

    Attributes:
        reads: (key, first byte, last byte) of every GET; -1 where no range was asked for.
    """

    def __init__(self, bucket: str, objects: Mapping[str, bytes]) -> None:
        self.bucket = bucket
        self.objects = dict(objects)
        self.reads: list[tuple[str, int, int]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def uri(self, path: str) -> str:
        """Return the address of a path in the bucket."""
        port = self._server.server_address[1]
        return f"s3://{self.bucket}/{path}?scheme=http&endpoint_override=127.0.0.1:{port}&region=us-east-1"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        held = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                held._answer(self, with_body=True)

            def do_HEAD(self) -> None:
                held._answer(self, with_body=False)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        return Handler

    def _answer(self, request: BaseHTTPRequestHandler, *, with_body: bool) -> None:
        parts = urlsplit(request.path)
        bucket, _, key = unquote(parts.path).lstrip("/").partition("/")
        query = {name: values[0] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
        status, headers, body = 404, {}, b""
        if bucket == self.bucket and not key:
            status, body = 200, self._listing(query).encode() if with_body else b""
            headers = {"Content-Type": "application/xml"}
        elif bucket == self.bucket and key in self.objects:
            status, headers, body = self._read(key, request.headers.get("Range"), with_body=with_body)
        request.send_response(status)
        for name, text in {"Content-Length": str(len(body)), "Last-Modified": DATE, **headers}.items():
            request.send_header(name, text)
        request.end_headers()
        if with_body:
            request.wfile.write(body)

    def _read(self, key: str, asked: str | None, *, with_body: bool) -> tuple[int, dict[str, str], bytes]:
        data = self.objects[key]
        if not with_body:
            return 200, {"Content-Length": str(len(data))}, b""
        if asked is None:
            self.reads.append((key, -1, -1))
            return 200, {}, data
        found = re.fullmatch(r"bytes=(\d+)-(\d+)", asked)
        assert found is not None, asked
        first, last = int(found[1]), min(int(found[2]), len(data) - 1)
        self.reads.append((key, first, last))
        return 206, {"Content-Range": f"bytes {first}-{last}/{len(data)}"}, data[first : last + 1]

    def _listing(self, query: Mapping[str, str]) -> str:
        prefix, delimiter = query.get("prefix", ""), query.get("delimiter", "")
        keys = [key for key in sorted(self.objects) if key.startswith(prefix)]
        below = {
            key[: key.index(delimiter, len(prefix)) + 1]
            for key in keys
            if delimiter and delimiter in key[len(prefix) :]
        }
        here = [key for key in keys if not any(key.startswith(each) for each in below)]
        contents = "".join(
            f"<Contents><Key>{escape(key)}</Key><Size>{len(self.objects[key])}</Size>"
            "<LastModified>2026-11-20T12:00:00.000Z</LastModified></Contents>"
            for key in here
        )
        prefixes = "".join(
            f"<CommonPrefixes><Prefix>{escape(each)}</Prefix></CommonPrefixes>" for each in sorted(below)
        )
        return (
            '<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><Name>b</Name><IsTruncated>false</IsTruncated>'
            f"<Prefix>{escape(prefix)}</Prefix><KeyCount>{len(here) + len(below)}</KeyCount>{contents}{prefixes}"
            "</ListBucketResult>"
        )
