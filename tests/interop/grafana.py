"""A stub of Grafana's HTTP API: it takes a dashboard, or refuses it, as Grafana does, and gives back what it has.

It has one user, ``admin``, with the password of a new Grafana, and no folders. Like Grafana, it does not look at panels
when it saves a dashboard. ``python grafana.py PORT`` runs it by itself, with Python's own library only.

Source: Grafana's HTTP API §Dashboard; its pkg/api/dashboard.go, pkg/web/binding.go and pkg/services/dashboards.
"""

from __future__ import annotations

import base64
import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

USER: Final = "admin:admin"
UID_CHARS_MAX: Final = 40
BODY_BYTES_MAX: Final = 16 * 1024 * 1024
SAVE: Final = "/api/dashboards/db"
READ: Final = "/api/dashboards/uid/"


class RefusedError(Exception):
    """Grafana's answer to a request that it does not carry out.

    Attributes:
        code: the status of the response.
        body: what it has as JSON.
    """

    def __init__(self, code: int, message: str, status: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.body = {"message": message} if status is None else {"status": status, "message": message}


class Dashboards:
    """The dashboards that were saved; each version of one replaces the last."""

    def __init__(self) -> None:
        self._versions: dict[str, int] = {}
        self._saved: dict[str, dict[str, Any]] = {}

    def save(self, command: object) -> dict[str, Any]:
        """Save the dashboard of a command and return the answer.

        Raises:
            RefusedError: Grafana does not take it.
        """
        board = command.get("dashboard") if isinstance(command, dict) else None
        if not isinstance(command, dict) or not isinstance(board, dict) or not board:
            raise RefusedError(400, "bad request data")
        title, uid = str(board.get("title") or "").strip(), str(board.get("uid") or "")
        if not title:
            raise RefusedError(400, "Dashboard title cannot be empty", "empty-name")
        if not re.fullmatch(r"[a-zA-Z0-9_-]*", uid):
            raise RefusedError(400, "uid contains illegal characters")
        if len(uid) > UID_CHARS_MAX:
            raise RefusedError(400, "uid too long, max 40 characters")
        if board.get("id"):
            raise RefusedError(404, "Dashboard not found", "not-found")  # ids are those that Grafana gave
        uid = uid or f"drawn-{len(self._saved)}"
        before = self._versions.get(uid, 0)
        if before and command.get("overwrite") is not True and board.get("version") != before:
            raise RefusedError(412, "The dashboard has been changed by someone else", "version-mismatch")
        self._versions[uid] = before + 1
        self._saved[uid] = {**board, "uid": uid, "version": before + 1}
        slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
        number = [*self._saved].index(uid) + 1
        place = {"id": number, "uid": uid, "url": f"/d/{uid}/{slug}", "slug": slug}
        return {**place, "status": "success", "version": before + 1}

    def read(self, uid: str) -> dict[str, Any]:
        """Return a dashboard as it was saved last.

        Raises:
            RefusedError: there is none.
        """
        if uid not in self._saved:
            raise RefusedError(404, "Dashboard not found")
        return {"meta": {"version": self._versions[uid]}, "dashboard": self._saved[uid]}


class Grafana(ThreadingHTTPServer):
    """The server, at a port of 127.0.0.1: 0 for any that is free."""

    daemon_threads = True

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.dashboards = Dashboards()

    @property
    def address(self) -> str:
        """Return host and port."""
        return f"127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: Grafana

    def do_GET(self) -> None:
        if self.path == "/api/health":
            self._answer(200, {"database": "ok"})
        else:
            self._answer_or_refuse()

    def do_POST(self) -> None:
        self._answer_or_refuse()

    def _answer_or_refuse(self) -> None:
        try:
            self._answer(200, self._carry_out())
        except RefusedError as error:
            self._answer(error.code, error.body)

    def _carry_out(self) -> dict[str, Any]:
        expected = f"Basic {base64.b64encode(USER.encode()).decode()}"
        if self.headers["Authorization"] != expected:
            given = self.headers["Authorization"] is not None
            raise RefusedError(401, "Invalid username or password" if given else "Unauthorized")
        if self.command == "POST" and self.path == SAVE:
            return self.server.dashboards.save(self._json())
        if self.command == "GET" and self.path.startswith(READ):
            return self.server.dashboards.read(self.path.removeprefix(READ))
        raise RefusedError(404, "Not found")

    def _json(self) -> object:
        length = int(self.headers["Content-Length"] or 0)
        if length > BODY_BYTES_MAX or self.headers.get_content_type() != "application/json":
            raise RefusedError(400, "bad request data")
        try:
            return json.loads(self.rfile.read(length))
        except ValueError:
            raise RefusedError(400, "bad request data") from None

    def _answer(self, code: int, body: dict[str, Any]) -> None:
        content = json.dumps(body, separators=(",", ":")).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


if __name__ == "__main__":
    Grafana(int(sys.argv[1])).serve_forever()
