"""The oracles as a pytest fixture: a test that takes `impact_oracle` runs once for each of them.

    def test_contact(impact_oracle):
        impact_oracle(my_engine, {"stopping-distance": 0.02}, dt=1e-3)

`impact.oracles` says what an engine is. `pytest -k cradle` chooses one; what the engine lacks
(NotImplementedError) is skipped with its name. Installed with the wheel, or `-p
impact.pytest_plugin`.
"""
import pytest

from .oracles import DT, ORACLES, Broken


@pytest.fixture(params=ORACLES, ids=[oracle.name for oracle in ORACLES])
def impact_oracle(request):
    """Call it with an engine, a table of tolerances by the names of oracles, and a step dt."""

    def judge(engine, tolerances=None, dt=DT):
        try:
            request.param(engine, tolerances, dt)
            return
        except NotImplementedError as missing:
            end, why = pytest.skip, f"not in the engine: {missing}"
        except Broken as fault:
            end, why = (lambda line: pytest.fail(line, pytrace=False)), str(fault)
        end(why)  # outside, so that the line stands alone

    return judge
