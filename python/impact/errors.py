"""What the package raises: the library's status, with one line of text."""
import ctypes

from ._library import IMP_IO, IMP_NO_MEMORY, imp_error, lib


class ImpactError(Exception):
    """The library refused or failed; `status` is its word ("not-finite", "input-output", ...)."""

    def __init__(self, status: str, text: str):
        super().__init__(status, text)  # as it is made, so that it can be pickled
        self.status, self.text = status, text

    def __str__(self) -> str:
        return self.text


class InputError(ImpactError, ValueError):
    """The data are at fault: their shape, a number out of its range, a file that is missing, or
    its content."""


def said_of(what: str, error: ImpactError, path) -> ImpactError:
    """The same of what was written to that file: "the dict", "standard input"."""
    return type(error)(error.status, error.text.replace(str(path), what))


def status_text(status: int) -> str:
    """The word of a status: "ok", "not-converged", ... (imp_status_text)."""
    return lib.imp_status_text(int(status)).decode()


def bad(text: str) -> InputError:
    """An error of the data that is seen before the library is asked."""
    return InputError("bad-argument", " ".join(text.split("\n")))


def _raise(status: int, line: str, reading: bool = False) -> None:
    if status == IMP_NO_MEMORY:
        raise MemoryError(line)
    data = status > IMP_NO_MEMORY or (reading and status == IMP_IO)
    kind = InputError if data else ImpactError
    raise kind(status_text(status), line)


def refuse(status: int, text: str) -> None:
    """Raises where the status is below 0; text is what stands behind its word."""
    if status < 0:
        _raise(status, f"{status_text(status)}: {text}")


class Told:
    """An imp_error that the library fills, and the exception that carries its line."""

    def __init__(self):
        self.error = imp_error()
        self.pointer = ctypes.pointer(self.error)

    def refuse(self, status: int, reading: bool = False) -> None:
        """Raises the library's own line where the status is below 0. reading: what cannot be read
        is at fault."""
        if status < 0:
            _raise(status, self.error.text.decode(errors="replace"), reading)
