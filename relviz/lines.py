"""The lines of a file: unpacked if it is gzip, without a byte order mark, in UTF-8 whatever the system's locale."""

import io
import os
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from relviz.locale import say
from relviz.rows import Source

__all__ = ["lines_of", "load"]


def load(path: str | os.PathLike[str], source: Source) -> bytes:
    """The bytes of a file, unpacked if it is gzip, without a byte order mark."""
    data = Path(path).read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = unpack(data, source)
    elif os.fspath(path).endswith(".gz"):
        source.problem(0, say("files.no_gzip"), todo=say("files.no_gzip_todo"), mend=say("files.no_gzip_mend"))
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        source.problem(1, say("files.utf16"), todo=say("files.utf16_todo"), mend=say("files.utf16_mend"))
        data = data.decode("utf-16", errors="replace").encode()
    return data.removeprefix(b"\xef\xbb\xbf")


def unpack(data: bytes, source: Source) -> bytes:
    """The content of gzip data; of a damaged file, when lenient, the whole lines before the damage.

    Zeros behind a member are padding, as for gzip.
    """
    parts, at, packed = [], 0, memoryview(data)
    try:
        while at < len(packed):
            member = zlib.decompressobj(wbits=31)
            while not member.eof:
                chunk = packed[at : at + (1 << 20)]
                if not chunk:
                    raise zlib.error(say("files.gzip_end"))
                before = member.copy()
                try:
                    parts.append(member.decompress(chunk))
                except zlib.error:
                    parts.extend(bytewise(before, chunk))
                    raise
                at += len(chunk) - len(member.unused_data)
            if packed[at : at + 1] == b"\0":
                at = len(data) - len(data[at:].lstrip(b"\0"))
        return b"".join(parts)
    except zlib.error as bad:
        whole = b"".join(parts)
        whole = whole[: whole.rfind(b"\n") + 1]
        lines = whole.count(b"\n")
        what, mend = say("files.gzip", problem=bad), say("files.gzip_mend", lines=lines)
        source.problem(lines + 1, what, todo=say("files.gzip_todo"), mend=mend)
        return whole


def bytewise(member: Any, chunk: Iterable[int]) -> Iterator[bytes]:
    """What comes out of a chunk before the byte at which it breaks: in one go all would be lost."""
    try:
        for byte in chunk:
            if content := member.decompress(bytes([byte])):
                yield content
    except zlib.error:
        return


def lines_of(data: bytes, source: Source) -> Iterator[tuple[int, str]]:
    """Number and text of each line that is not blank, without its end."""
    for number, raw in enumerate(io.BytesIO(data), start=1):
        if not raw.strip():
            continue
        try:
            yield number, raw.decode().rstrip("\r\n")
        except UnicodeDecodeError as bad:
            what = say("files.utf8", byte=f"{raw[bad.start]:#04x}", place=bad.start + 1)
            source.problem(number, what, todo=say("files.utf8_todo"), mend=say("files.utf8_mend"))
            yield number, raw.decode("latin-1").rstrip("\r\n")
