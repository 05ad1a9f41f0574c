"""Impact models for frictional rigid-body contact, and the certificates that judge them.

    >>> import impact
    >>> problem = impact.Problem(W=[[2, .5, -.25], [.5, 3, .75], [-.25, .75, 4]],
    ...                          q=[-1, .5, .25], mu=.5)
    >>> answer = impact.solve(problem, "maxdiss")
    >>> answer.ok, impact.check(problem, answer.p, "maxdiss").verdict
    (True, 'ok')

SI units; contact frame (n, t, o), normal first, from body A to body B; u = W p + q, u_n > 0
separates, p acts on B.
"""
from ._library import VERSION as __version__
from .answers import Answer, Certificate, Path, Verdict, certify, check, solve
from .batch import (
    BATCH_MODELS, BatchAnswer, BatchSets, batch_answer, enumerate_batch, solve_batch)
from .errors import ImpactError, InputError
from .flow import FLOW_CONTACT, FLOW_REPORT, SPHERE, Flow
from .models import Law, Model, Setting, laws, models
from .problem import (
    BODY, CONTACT, GROUND, Blocks, Case, Problem, Product, assemble, body, contact, frame,
    read_problems)
from .scenes import Comparison, Scene, Simulation
from .single import CoulombSet, CoulombSolution
from . import single

enumerate = single.enumerate

# What `from impact import *` takes: not enumerate, which would hide Python's own.
__all__ = [
    "Answer", "BATCH_MODELS", "BODY", "BatchAnswer", "BatchSets", "Blocks", "CONTACT", "Case",
    "Certificate", "Comparison", "CoulombSet", "CoulombSolution", "FLOW_CONTACT", "FLOW_REPORT",
    "Flow", "GROUND", "ImpactError", "InputError", "Law", "Model", "Path", "Problem", "Product",
    "SPHERE", "Scene", "Setting", "Simulation", "Verdict", "__version__", "assemble",
    "batch_answer", "body", "certify", "check", "contact", "enumerate_batch", "frame",
    "laws", "models", "read_problems", "solve", "solve_batch"]
