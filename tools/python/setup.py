"""setup.py - what pyproject.toml cannot say: the version of sigrep.h, cffi, and build/ for all that
is made."""
import pathlib
import re

from setuptools import setup

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADER = ROOT / "include" / "sigrep.h"
BUILD = ROOT / "build" / "python"

if not HEADER.is_file():
    raise SystemExit(f"{HEADER} is missing: sigrep for Python is built inside sigrep's repository")
BUILD.mkdir(parents=True, exist_ok=True)

setup(
    version=re.search(r'#define SIGREP_VERSION "(.*)"', HEADER.read_text())[1],
    cffi_modules=["build_ffi.py:ffi"],
    options={
        "build": {"build_base": str(BUILD)},
        "egg_info": {"egg_base": str(BUILD)},
        "bdist_wheel": {"py_limited_api": "cp39"},
    },
)
