"""mkdocs hook: publish the pages of the whole repository as one site, under their repository paths.

Nothing is copied. Pages link to other pages, source files and directories as they do on a forge. A linked file becomes
part of the site; a linked directory becomes a page that lists its files. A broken link stays unresolved, so that
``mkdocs build --strict`` fails.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE_GLOBS: Final = (
    "*.md",
    "docs/*.md",
    "docs/*/**/*.md",
    "bench/**/*.md",
    "deploy/**/*.md",
    "proto/**/*.md",
    "tests/**/*.md",
)
LINK: Final = re.compile(r"(\]\()(?![a-z]+:)([^)#\s]+)")
LISTING: Final = "index.md"
IGNORED: Final = ("__pycache__",)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Return the files of the site, which replace those that mkdocs found in ``docs_dir``."""
    site = {file.src_uri: file for file in files if _is_of_theme(file, config)}
    pages = sorted({path for glob in PAGE_GLOBS for path in ROOT.glob(glob)})
    site |= {_name(path): _file(path, config) for path in pages}
    for page in pages:
        for target in linked(page):
            site.update((file.src_uri, file) for file in _shown(target, config) if file.src_uri not in site)
    return Files(site.values())


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Point links to directories at their listings."""
    here = posixpath.dirname(page.file.src_uri)

    def to_listing(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(here, link[2]))
        if not (ROOT / target).is_dir():
            return link[0]
        return link[1] + posixpath.relpath(posixpath.join(target, LISTING), here or ".")

    return LINK.sub(to_listing, markdown)


def linked(page: Path) -> Iterator[Path]:
    """Yield the files and directories of the repository that a page links to."""
    for _, link in LINK.findall(page.read_text(encoding="utf-8")):
        target = (page.parent / link).resolve()
        if target.exists() and target.is_relative_to(ROOT):
            yield target


def _shown(target: Path, config: MkDocsConfig) -> Iterator[File]:
    """Yield the file, or the listing of a directory and everything in it."""
    if target.is_file():
        yield _file(target, config)
        return
    inside = sorted(path for path in target.iterdir() if path.name not in IGNORED)
    rows = [f"* [{path.name}]({path.name})" for path in inside]
    text = "\n".join([f"# {_name(target)}", "", *rows, ""])
    listing = posixpath.join(_name(target), LISTING)
    yield File.generated(config, listing, content=text, inclusion=InclusionLevel.NOT_IN_NAV)
    for path in inside:
        yield from _shown(path, config)


def _file(path: Path, config: MkDocsConfig) -> File:
    return File.generated(config, _name(path), abs_src_path=str(path))


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _is_of_theme(file: File, config: MkDocsConfig) -> bool:
    return file.src_dir is not None and Path(file.src_dir).resolve() != Path(config.docs_dir).resolve()
