"""Granular flows of very many spheres, as `impact flow` runs them."""
import ctypes
import os
import tempfile
import threading
from ctypes import byref, c_int

import numpy as np

from ._arrays import assignments, c_path, data, input_file, json_text, records, settings_dict, whole
from ._library import IMP_SPHERE_LEAST, IMP_SPHERE_MOST, imp_flow, imp_granular_contact
from ._library import imp_granular_report, imp_sphere, lib
from ._threads import still, threads
from .errors import ImpactError, Told, bad, refuse, said_of

SPHERE = np.dtype(imp_sphere)
"""A sphere, the C struct imp_sphere: position (m, its centre), velocity (m/s), spin (rad/s), radius
(m), density (kg/m^3), id, offset (m, of the centre of mass), orientation (quaternion w x y z)."""

FLOW_CONTACT = np.dtype(imp_granular_contact)
"""A contact of the last step, the C struct imp_granular_contact: a, b (spheres by number; a is
-1 - shape for a shape), normal (from a to b), gap (m), impulse (N s on b). Normal and gap are of
where the step has moved the spheres to, the impulse was solved where they were before: along this
normal it may be out of its friction cone by what the spheres have turned about each other."""

FLOW_REPORT = np.dtype(imp_granular_report)
"""What a step did, the C struct imp_granular_report."""


class Flow:
    """Spheres under gravity with hard frictional contacts, from step to step (imp_granular_new).

    source is a parameter file as `impact flow` reads it, or its content as a dict; settings
    overwrite keys of it, "friction" or "spheres.offset", in a dict. SI units. It writes no files
    and has no end: "output" is not used, nor is "until", which has to be there. Threads may share a
    flow: they wait for each other.
    """

    _flow = None  # also of one that wrong arguments left unmade

    def __init__(self, source, settings: dict | None = None):
        self._flow, self._lock = None, threading.RLock()
        self.parameters = _read(source, settings_dict(settings))
        settings = self.parameters.settings
        settings.threads = threads(settings.threads)
        status = c_int()
        self._flow = lib.imp_flow_start(byref(self.parameters), False, byref(status))
        if not self._flow:
            refuse(status.value, "the flow")

    def __del__(self):
        if self._flow:
            self.close()

    def __reduce__(self):
        raise TypeError("a Flow cannot be copied or pickled: its memory is the library's")

    def close(self) -> None:
        """Gives its memory back; nothing can be asked of it then."""
        with self._lock:
            flow, self._flow = self._flow, None
            if flow:
                lib.imp_granular_free(flow)

    def _open(self) -> int:
        if not self._flow:
            raise bad("the flow is closed")
        still(self.parameters.settings.threads, "the flow")
        return self._flow

    def step(self, steps: int = 1) -> np.void:
        """Goes on by so many time steps; returns the report of the last one, a FLOW_REPORT.

        ImpactError where a velocity is not finite any more or memory is short: the flow is
        closed then.
        """
        steps = whole("steps", steps, 1, "a whole number above 0")
        report = imp_granular_report()
        for _ in range(steps):
            with self._lock:
                status = lib.imp_granular_step(self._open(), byref(report))
                if status < 0:
                    self.close()
            refuse(status, "the flow")
        return np.frombuffer(report, FLOW_REPORT)[0]

    def add(self, spheres) -> None:
        """Adds spheres, a column of SPHERE; ids are given in order (imp_granular_add)."""
        spheres = records("spheres", spheres, SPHERE)
        with self._lock:
            status = lib.imp_granular_add(self._open(), len(spheres), data(spheres))
        if status < 0:
            _refuse_spheres(spheres, self.parameters.settings.single_precision)
        refuse(status, "spheres")

    @property
    def time(self) -> float:
        """s, from the start."""
        with self._lock:
            return lib.imp_granular_time(self._open())

    def __len__(self) -> int:
        with self._lock:
            return lib.imp_granular_count(self._open())

    def _told(self, ask, dtype: np.dtype) -> np.ndarray:
        with self._lock:
            flow = self._open()
            rows = np.zeros(ask(flow, None, 0), dtype)
            ask(flow, data(rows), len(rows))
        return rows

    def spheres(self) -> np.ndarray:
        """All spheres now, a column of SPHERE; their order may change, ids do not."""
        return self._told(lib.imp_granular_spheres, SPHERE)

    def contacts(self) -> np.ndarray:
        """Contacts of the last step, a column of FLOW_CONTACT; none before the first, and after
        spheres were added until the next."""
        return self._told(lib.imp_granular_contacts, FLOW_CONTACT)


def _refuse_spheres(spheres: np.ndarray, single_precision: bool) -> None:
    """Raises for the first number that imp_granular_add refuses, and says what it expects."""
    for name in ("position", "velocity", "spin", "radius", "density", "offset", "orientation"):
        column = spheres[name].reshape(len(spheres), -1)
        good, wanted = np.isfinite(column), "a finite number"
        if good.all() and name in ("radius", "density"):
            good, wanted = column > 0, "a number above 0"
        if good.all() and name == "offset":
            radius = spheres["radius"].reshape(-1, 1)
            good, wanted = (column >= 0) & (column < radius), "from 0 to below its radius"
        if not good.all():
            i, k = np.argwhere(~good)[0]
            raise bad(f"spheres[{i}]: {name} {column[i, k]} given, {wanted} expected")
    radius = spheres["radius"]
    with np.errstate(all="ignore"):
        mass = 4 / 3 * np.pi * radius**3 * spheres["density"]
    # last, as what is not above 0 or not finite is said more plainly
    for name, column, unit in (("radius", radius, "m"), ("mass", mass, "kg")):
        for i in np.flatnonzero(~((column >= IMP_SPHERE_LEAST) & (column <= IMP_SPHERE_MOST)))[:1]:
            raise bad(f"spheres[{i}]: {name} {column[i]:.6g} given, from {IMP_SPHERE_LEAST} to "
                      f"{IMP_SPHERE_MOST} {unit} expected")
    for i in np.flatnonzero(spheres["offset"] > 0)[:1] if single_precision else ():
        raise bad(f"spheres[{i}]: offset {spheres['offset'][i]} given, 0 expected in single "
                  "precision")


def _assignments(settings: dict):
    words = assignments(settings)
    return (ctypes.c_char_p * (len(words) + 1))(*words, None)


def _read(source, settings: dict) -> imp_flow:
    """Parameters from a file, or from a dict by way of one (imp_flow_read)."""
    if not isinstance(source, dict):
        read, told = imp_flow(), Told()
        with input_file("source", source) as path:
            told.refuse(lib.imp_flow_read(
                c_path("source", path), _assignments(settings), byref(read),
                told.pointer), reading=True)
        return read
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "flow.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(json_text(source))
        try:
            return _read(path, settings)
        except ImpactError as error:
            raise said_of("the dict", error, path) from None
