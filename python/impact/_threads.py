"""Threads of OpenMP. A process that is forked from one that had any has none of them, and a GNU
OpenMP that wants them there waits forever."""
import os

from .errors import bad

_had = _lost = False  # here; by the process that this one was forked from


def _forked() -> None:
    global _lost
    _lost = _had


os.register_at_fork(after_in_child=_forked)


def threads(asked: int) -> int:
    """How many may be used: 1 where they are lost, for the results have the same bits."""
    global _had
    if _lost:
        return min(asked, 1)
    _had = _had or asked > 1
    return asked


def still(count: int, what: str) -> None:
    """InputError where so many, made before, are lost."""
    if _lost and count > 1:
        raise bad(f"{what} has {count} threads, which a forked process has not: expected one that "
                  "is made here")


__all__ = ["still", "threads"]
