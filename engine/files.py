"""Reading whole files: whatever cannot be read is one clear error of the kind that is asked for."""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from pathlib import Path

from engine.errors import QuixotryError, brief


def read_bytes(path: str | os.PathLike[str], error: type[QuixotryError]) -> bytes:
    """A file's bytes. Raises ``error`` with the path and what is wrong with it."""
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as fault:
        raise error(file_fault(path, fault)) from None


def read_text(path: str | os.PathLike[str], error: type[QuixotryError]) -> str:
    """A file's text, UTF-8 with or without a byte order mark. Raises ``error``."""
    return decode(read_bytes(path, error), path, error)


def decode(data: bytes, path: str | os.PathLike[str], error: type[QuixotryError]) -> str:
    """The text that bytes are, as ``read_text``; ``path`` is where they come from."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise error(f"{_shown(path)}: not a text file in UTF-8") from None


def file_fault(path: str | os.PathLike[str], fault: OSError | ValueError) -> str:
    """The message for a file that could not be opened, read or written.

    A ValueError is what Python raises for a path with a NUL in it.
    """
    if isinstance(fault, OSError):
        return f"{_shown(path)}: {fault.strerror or fault}"
    return f"{_shown(path)}: no file can have such a name ({fault})"


def _shown(path: str | os.PathLike[str]) -> str:
    """A path as it is, unless no path is so long."""
    text = os.fspath(path)
    return text if len(text) <= 4096 else brief(text)


class FolderLock:
    """A lock on a folder, until closed; it goes with the process, however that ends."""

    def __init__(self, path: Path, in_use: str) -> None:
        """Raises QuixotryError, ``path: in_use``, where another process or lock holds it; OSError
        where the folder cannot be opened. A system without locks locks nothing."""
        self._opened: int | None = None
        if platform.system() == "Windows":
            return
        import fcntl

        self._opened = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(self._opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.close()
            raise QuixotryError(f"{path}: {in_use}") from None
        except OSError:  # a file system without locks
            return

    def close(self) -> None:
        """Give up the lock."""
        if self._opened is not None:
            with suppress(OSError):
                os.close(self._opened)
            self._opened = None
