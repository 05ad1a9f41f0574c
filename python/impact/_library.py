"""libimpact by ctypes: where it is, its structs and its functions, as lib/impact.h declares them.

ctypes, because it is part of Python: NumPy is then all that the package needs. That the layouts
here are those of the C compiler is a test (python/tests/test_layout.py), which prints sizeof,
offsetof and the type of every field from the headers.
"""
import ctypes
import os
from ctypes import (
    POINTER, Structure, Union, c_bool, c_byte, c_char, c_char_p, c_double, c_int, c_int64, c_size_t,
    c_ubyte, c_uint, c_uint64, c_void_p)
from pathlib import Path

VERSION = "0.1.0"  # of lib/impact.h, whose layouts these are
SONAME = "libimpact.so." + VERSION.split(".", maxsplit=1)[0]

# Constants of the headers, by their names there.
IMP_GROUND = -1
IMP_RESIDUALS = 16
IMP_COULOMB_MOST = 3
IMP_SETTINGS_BYTES = 256
IMP_ERROR_TEXT = 512
IMP_FLOW_TEXT = 256
IMP_SHAPES = 12
IMP_SPHERE_LEAST = 1e-80
IMP_SPHERE_MOST = 1e80
IMP_TAKES_MANY = 1
IMP_TAKES_RESTITUTION = 2
IMP_ONLY_PLANAR = 4
IMP_ONLY_FRICTIONLESS = 8
IMP_NEVER_GAINS_ENERGY = 16
IMP_PREFERS_AXES = 32
IMP_COMPRESSION_FRICTION = 64
IMP_MAY_TAKE_OFF = 128
IMP_TAKES_ASYMMETRIC = 256
IMP_TAKES_GUESS = 512
IMP_OK = 0
IMP_NOT_CERTIFIED = 2
IMP_OVERFLOW = 4
IMP_NOT_FINITE = -2
IMP_NOT_SYMMETRIC = -3
IMP_NOT_POSITIVE = -4
IMP_BAD_FRICTION = -5
IMP_BAD_RESTITUTION = -6
IMP_NO_MEMORY = -8
IMP_IO = -9
IMP_STRONGE = 0
IMP_POISSON = 1
IMP_NEWTON = 2


class imp_operator(Structure):
    _fields_ = [("nc", c_int), ("kind", c_void_p), ("data", c_void_p), ("as_given", c_int)]


class imp_blocks(Structure):
    _fields_ = [("nc", c_int), ("start", c_void_p), ("column", c_void_p), ("block", c_void_p)]


class imp_factored(Structure):
    _fields_ = [
        ("nc", c_int), ("rows", c_int), ("start", c_void_p), ("row", c_void_p), ("G", c_void_p),
        ("first", c_void_p), ("contact", c_void_p), ("entry", c_void_p)]


class imp_reduced(Structure):
    _fields_ = [("blocks", imp_blocks), ("factored", POINTER(imp_factored))]


class imp_problem(Structure):
    _fields_ = [
        ("nc", c_int), ("W", POINTER(imp_operator)), ("q", c_void_p), ("mu", c_void_p),
        ("e", c_void_p), ("mu_v", c_void_p), ("gap", c_void_p)]


class imp_path(Structure):
    _fields_ = [
        ("nc", c_int), ("steps", c_int), ("round", POINTER(c_int)), ("share", POINTER(c_double)),
        ("impulse", POINTER(c_double)), ("phase", POINTER(c_char)), ("motion", POINTER(c_char)),
        ("multipliers", c_int), ("multiplier", POINTER(c_double)), ("room", c_int)]


class imp_residual(Structure):
    _fields_ = [("name", c_char_p), ("value", c_double)]


class imp_certificate(Structure):
    _fields_ = [
        ("count", c_int), ("residual", imp_residual * IMP_RESIDUALS), ("worst", c_double),
        ("contact", c_int), ("energy", c_double), ("energy_excess", c_double),
        ("velocity_excess", c_double), ("unjudged", c_char_p), ("at", POINTER(c_double))]


class imp_law(Structure):
    _fields_ = [
        ("name", c_char_p), ("statement", c_char_p), ("certify", c_void_p), ("several", c_int),
        ("may_gain", c_int), ("follows", c_int), ("reads", c_uint), ("note", c_void_p)]


class imp_key(Structure):
    _fields_ = [
        ("name", c_char_p), ("unit", c_char_p), ("offset", c_size_t), ("preset", c_double),
        ("low", c_double), ("high", c_double), ("choices", POINTER(c_char_p)),
        ("meaning", c_char_p)]


class imp_settings(Union):
    _fields_ = [("align", c_double), ("bytes", c_ubyte * IMP_SETTINGS_BYTES)]


class imp_info(Structure):
    _fields_ = [
        ("iterations", c_int), ("intervals", c_int), ("rounds", c_int), ("solutions", c_int),
        ("leaf", c_int), ("residual", c_double), ("path", c_void_p), ("cancel", c_void_p)]


class imp_model(Structure):
    _fields_ = [
        ("name", c_char_p), ("title", c_char_p), ("citation", c_char_p), ("law", POINTER(imp_law)),
        ("takes", c_uint), ("keys", POINTER(imp_key)), ("settings_size", c_size_t),
        ("workspace", c_void_p), ("solve", c_void_p), ("batch", c_void_p), ("bound", c_void_p)]


class imp_coulomb_solution(Structure):
    _fields_ = [
        ("kind", c_uint), ("p", c_double * 3), ("u", c_double * 3), ("kappa", c_double),
        ("energy", c_double)]


class imp_coulomb_set(Structure):
    _fields_ = [
        ("count", c_int), ("solution", imp_coulomb_solution * IMP_COULOMB_MOST), ("proven", c_int),
        ("unique", c_int), ("eccentricity", c_double), ("unique_below", c_double),
        ("maxdiss", c_int)]


class imp_coulomb_brief(Structure):
    _fields_ = [
        ("count", c_ubyte), ("proven", c_ubyte), ("unique", c_ubyte), ("maxdiss", c_byte),
        ("kind", c_ubyte * IMP_COULOMB_MOST)]


class imp_coulomb_columns(Structure):
    _fields_ = [
        ("brief", c_void_p), ("p", c_void_p * 3 * (IMP_COULOMB_MOST - 1)),
        ("residual", c_void_p * (IMP_COULOMB_MOST - 1))]


class imp_batch_columns(Structure):
    _fields_ = [
        ("W", c_void_p * 6), ("q", c_void_p * 3), ("mu", c_void_p), ("e", c_void_p),
        ("p", c_void_p * 3), ("residual", c_void_p), ("status", c_void_p),
        ("all", POINTER(imp_coulomb_columns))]


class imp_batch_settings(Structure):
    _fields_ = [("lanes", c_int), ("threads", c_int)]


class imp_error(Structure):
    _fields_ = [("status", c_int), ("text", c_char * IMP_ERROR_TEXT)]


class imp_case(Structure):
    _fields_ = [
        ("id", c_char_p), ("named", c_bool), ("position", c_size_t), ("problem", imp_problem),
        ("guess", c_void_p), ("bilateral", c_void_p), ("constrained", c_void_p), ("b", c_void_p),
        ("kappa", c_double)]


class imp_body(Structure):
    _fields_ = [
        ("inv_mass", c_double), ("inv_inertia", c_double * 9), ("position", c_double * 3),
        ("orientation", c_double * 4), ("velocity", c_double * 3), ("spin", c_double * 3)]


class imp_contact(Structure):
    _fields_ = [("a", c_int), ("b", c_int), ("point", c_double * 3), ("frame", c_double * 9)]


class imp_shape(Structure):
    _fields_ = [
        ("kind", c_uint), ("point", c_double * 3), ("normal", c_double * 3), ("radius", c_double),
        ("length", c_double), ("velocity", c_double * 3), ("friction", c_double)]


class imp_inflow(Structure):
    _fields_ = [
        ("plane", c_int), ("advance", c_double), ("ny", c_int), ("nz", c_int),
        ("first", c_double * 2), ("spacing", c_double), ("radius", c_double),
        ("density", c_double), ("offset", c_double), ("speed", c_double),
        ("disturbance", c_double), ("seed", c_uint64)]


class imp_granular_settings(Structure):
    _fields_ = [
        ("step", c_double), ("gravity", c_double * 3), ("friction", c_double), ("erp", c_double),
        ("margin", c_double), ("look_ahead", c_bool), ("warm", c_double), ("symmetric", c_bool),
        ("sweeps", c_int), ("split", c_int), ("tolerance", c_double), ("most_sweeps", c_int),
        ("skin", c_double), ("low", c_double * 3), ("high", c_double * 3), ("outlet", c_double),
        ("bricks", c_int * 3), ("blend", c_double), ("threads", c_int), ("simd", c_bool),
        ("single_precision", c_bool), ("law", c_uint)]


class imp_sphere(Structure):
    _fields_ = [
        ("position", c_double * 3), ("velocity", c_double * 3), ("spin", c_double * 3),
        ("radius", c_double), ("density", c_double), ("id", c_int64), ("offset", c_double),
        ("orientation", c_double * 4)]


class imp_granular_contact(Structure):
    _fields_ = [
        ("a", c_int), ("b", c_int), ("normal", c_double * 3), ("gap", c_double),
        ("impulse", c_double * 3)]


class imp_granular_report(Structure):
    _fields_ = [
        ("particles", c_int), ("contacts", c_int), ("touching", c_int), ("close", c_int),
        ("loaded", c_int), ("penetration", c_double), ("sweeps", c_int), ("residual", c_double),
        ("fastest", c_double), ("rebuilt", c_bool), ("inserted", c_int), ("deleted", c_int),
        ("lost", c_int), ("shape_impulse", c_double * 3 * IMP_SHAPES)]


class imp_flow(Structure):
    _fields_ = [
        ("title", c_char * IMP_FLOW_TEXT), ("settings", imp_granular_settings), ("shapes", c_int),
        ("shape", imp_shape * IMP_SHAPES), ("inflow", imp_inflow), ("fill", c_bool),
        ("fill_low", c_double * 3), ("fill_high", c_double * 3), ("until", c_double),
        ("ranks", c_int * 3), ("folder", c_char * IMP_FLOW_TEXT), ("cell", c_double),
        ("rows_every", c_int), ("vtk_every", c_int), ("checkpoint_every", c_int),
        ("sum", c_uint64)]


STRUCTS = (
    imp_operator, imp_blocks, imp_factored, imp_reduced, imp_problem, imp_path, imp_residual,
    imp_certificate, imp_law, imp_key, imp_settings, imp_info, imp_model, imp_coulomb_solution,
    imp_coulomb_set, imp_coulomb_brief, imp_coulomb_columns, imp_batch_columns, imp_batch_settings,
    imp_error, imp_case, imp_body, imp_contact, imp_shape, imp_inflow, imp_granular_settings,
    imp_sphere, imp_granular_contact, imp_granular_report, imp_flow)

_model, _law, _problem = POINTER(imp_model), POINTER(imp_law), POINTER(imp_problem)
_error, _file, _factored = POINTER(imp_error), c_void_p, POINTER(imp_factored)

# What each function returns and takes; an array, and what may be NULL, is a c_void_p. The first is
# asked first.
FUNCTIONS = {
    "imp_version": (c_char_p,),
    "imp_status_text": (c_char_p, c_int),
    "imp_operator_dense": (imp_operator, c_int, c_void_p),
    "imp_operator_blocks": (imp_operator, POINTER(imp_blocks)),
    "imp_operator_factored": (imp_operator, _factored),
    "imp_operator_reduced": (imp_operator, POINTER(imp_reduced)),
    "imp_operator_factor": (_factored, POINTER(imp_operator)),
    "imp_operator_stored": (POINTER(imp_blocks), POINTER(imp_operator)),
    "imp_operator_packed": (None, POINTER(imp_operator), c_int, c_void_p),
    "imp_operator_apply": (None, POINTER(imp_operator), c_void_p, c_void_p, c_void_p),
    "imp_problem_check": (c_int, _problem, POINTER(c_int)),
    "imp_problem_check_vectors": (c_int, _problem, POINTER(c_int)),
    "imp_problem_energy": (c_double, _problem, c_void_p),
    "imp_problem_dense": (None, _problem, c_void_p),
    "imp_problem_dump": (c_int, c_char_p, c_char_p, _problem, c_void_p, c_void_p, _error),
    "imp_frame_from_normal": (c_int, c_void_p, c_void_p),
    "imp_frame_from_tangent": (c_int, c_void_p, c_void_p, c_void_p),
    "imp_inertia_of_masses": (c_int, c_void_p),
    "imp_delassus_dense": (
        c_int, c_int, c_void_p, c_int, c_void_p, c_void_p, c_void_p),
    "imp_delassus_count": (c_int, c_int, c_void_p, c_int, c_void_p, c_void_p),
    "imp_delassus_blocks": (
        c_int, c_int, c_void_p, c_int, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p),
    "imp_delassus_factored": (
        c_int, c_int, c_void_p, c_int, c_void_p, POINTER(_factored), c_void_p),
    "imp_factored_many": (c_int, _factored),
    "imp_factored_free": (None, _factored),
    "imp_model_find": (_model, c_char_p),
    "imp_model_presets": (None, _model, c_void_p),
    "imp_model_takes": (c_int, _model, _problem),
    "imp_model_bound": (c_double, _model, c_void_p),
    "imp_settings_assign": (c_int, _model, c_void_p, c_char_p, _error),
    "imp_solve_certified": (
        c_int, _model, _problem, c_void_p, c_void_p, c_void_p, POINTER(imp_certificate),
        POINTER(imp_info)),
    "imp_solve_until": (
        c_int, c_void_p, _model, _problem, c_void_p, c_void_p, c_void_p, POINTER(imp_certificate),
        POINTER(imp_info)),
    "imp_path_clear": (None, c_void_p),
    "imp_certify": (
        c_int, _problem, _law, c_void_p, c_void_p, c_void_p, POINTER(imp_certificate)),
    "imp_coulomb_enumerate": (c_int, c_void_p, c_void_p, c_double, POINTER(imp_coulomb_set)),
    "imp_coulomb_kind_text": (c_char_p, c_uint),
    "imp_batch_lanes": (c_int, c_int),
    "imp_maxdiss_batch": (
        c_int, POINTER(imp_batch_columns), c_size_t, POINTER(imp_batch_settings)),
    "imp_coulomb_batch": (
        c_int, POINTER(imp_batch_columns), c_size_t, POINTER(imp_batch_settings)),
    "imp_darboux_batch": (
        c_int, POINTER(imp_batch_columns), c_uint, c_size_t, POINTER(imp_batch_settings)),
    "imp_problem_file_open": (c_int, c_char_p, POINTER(_file), _error),
    "imp_problem_file_next": (c_int, _file, POINTER(POINTER(imp_case)), _error),
    "imp_problem_file_close": (None, _file),
    "imp_bilateral_rubs": (c_int, c_void_p),
    "imp_flow_read": (c_int, c_char_p, POINTER(c_char_p), POINTER(imp_flow), _error),
    "imp_flow_start": (c_void_p, POINTER(imp_flow), c_bool, POINTER(c_int)),
    "imp_granular_free": (None, c_void_p),
    "imp_granular_add": (c_int, c_void_p, c_int, c_void_p),
    "imp_granular_step": (c_int, c_void_p, POINTER(imp_granular_report)),
    "imp_granular_count": (c_int, c_void_p),
    "imp_granular_time": (c_double, c_void_p),
    "imp_granular_spheres": (c_int, c_void_p, c_void_p, c_int),
    "imp_granular_contacts": (c_int, c_void_p, c_void_p, c_int),
}


def _path() -> str:
    """$IMPACT_LIBRARY; else the library that the wheel carries; else what the loader finds."""
    carried = Path(__file__).with_name(SONAME)
    return os.environ.get("IMPACT_LIBRARY") or (str(carried) if carried.exists() else SONAME)


PATH = _path()


def _load() -> ctypes.CDLL:
    path = PATH
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(
            f"impact: {error}; set IMPACT_LIBRARY to {SONAME}.* of `make`, or install the wheel "
            "of `make wheel`") from None
    for name, (result, *arguments) in FUNCTIONS.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError(f"impact: {path} has no {name}, expected {VERSION}") from None
        function.restype, function.argtypes = result, arguments
        if name == "imp_version" and library.imp_version().decode() != VERSION:
            raise ImportError(
                f"impact: {path} is version {library.imp_version().decode()}, expected {VERSION}")
    return library


lib = _load()


def models():
    """The descriptors of imp_models, in the library's order."""
    at = ctypes.addressof(_model.in_dll(lib, "imp_models"))
    table = ctypes.cast(at, POINTER(_model))
    n = 0
    while table[n]:
        yield table[n].contents
        n += 1
