"""The wheel that `make wheel` builds: the package with libimpact.so inside, for this platform."""
import re
from pathlib import Path

try:
    from setuptools import setup

    try:
        from setuptools.command.bdist_wheel import bdist_wheel
    except ImportError:
        from wheel.bdist_wheel import bdist_wheel
except ImportError as missing:
    raise SystemExit(f"setup.py: {missing}: a wheel is made by setuptools and wheel, in Debian "
                     "python3-setuptools and python3-wheel") from None


class PlatformWheel(bdist_wheel):
    """Any Python 3, but one platform: the library is C and knows no Python."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


setup(
    name="impact",
    version=re.search('VERSION = "(.*)"', Path("impact/_library.py").read_text())[1],
    description="Impact models for frictional rigid-body contact, and the certificates that judge "
                "them",
    long_description=Path("README.md").read_text(),
    long_description_content_type="text/markdown",
    license="Apache-2.0",
    packages=["impact"],
    package_data={"impact": ["libimpact.so.*"]},
    python_requires=">=3.10",
    install_requires=["numpy"],
    entry_points={"pytest11": ["impact = impact.pytest_plugin"]},
    zip_safe=False,
    cmdclass={"bdist_wheel": PlatformWheel},
)
