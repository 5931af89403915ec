"""setup.py - what pyproject.toml cannot say: the version of sigrep.h, cffi, libsigrep, archives with
all that it is made from, and build/ for all that is made.

    repository/python ──sdist──> sigrep-VERSION/           this folder
    repository/             ──sdist──> sigrep-VERSION/library/   what libsigrep is made from

CUDA=1 in the environment builds with GPUs, as for make; so do CC, CFLAGS and the like.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess

from setuptools import setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = pathlib.Path(__file__).resolve().parent
IN_ARCHIVE = HERE / "library"
ROOT = IN_ARCHIVE if IN_ARCHIVE.is_dir() else HERE.parent
HEADER = ROOT / "include" / "sigrep.h"
BUILD = ROOT / "build" / "python"
SOURCES = ("LICENSE Makefile filter include kernels packaging/sigrep.pc.in "
           "packaging/cuda-architectures").split()
# Of all that is in the library. Whoever passes it on has to pass on these, too.
LICENCES = ("LICENSE", "filter/background/LICENSE", "filter/embedding/LICENSE")

if not HEADER.is_file():
    raise SystemExit(f"{HEADER} is missing: build sigrep for Python in sigrep's repository, or from "
                     "its source archive")
BUILD.mkdir(parents=True, exist_ok=True)


def make(*targets: str) -> str:
    """Of what make needs, only what libsigrep does, not the programs."""
    settings = ["--no-print-directory", f"CUDA={os.environ.get('CUDA', '0')}", "PROGRAM_PKGS="]
    done = subprocess.run(["make", "-C", str(ROOT), *settings, *targets],
                          stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit(f"{done.stdout}\nmake {' '.join(targets)} failed in {ROOT}")
    return done.stdout.strip()


class BuildWithLibrary(build_ext):
    def pre_run(self, ext, ffi):  # by cffi, before it writes _sigrep.c
        make(f"-j{os.cpu_count() or 1}", "library")
        archive = str(ROOT / make("print-variant") / "libsigrep.a")
        ext.extra_objects.append(archive)
        ext.depends.append(archive)  # else a module of an older library stays
        ext.extra_link_args += [*shlex.split(make("print-libs")), "-Wl,--exclude-libs,ALL"]


class BuildWithLicences(build_py):
    def run(self):
        super().run()
        for name in LICENCES:
            to = pathlib.Path(self.build_lib, "sigrep", "licences", name)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to)


class SdistWithSources(sdist):
    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        shutil.copy2(HERE / "build_ffi.py", base_dir)
        to = pathlib.Path(base_dir, "library")
        (to / "tests").mkdir(parents=True)  # the Makefile looks for tests
        for name in SOURCES:
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
            copy(ROOT / name, to / name)


setup(
    version=re.search(r'#define SIGREP_VERSION "(.*)"', HEADER.read_text())[1],
    cffi_modules=["build_ffi.py:ffi"],
    cmdclass={
        "build_ext": BuildWithLibrary,
        "build_py": BuildWithLicences,
        "sdist": SdistWithSources,
    },
    options={
        "build": {"build_base": str(BUILD)},
        "egg_info": {"egg_base": str(BUILD)},
        "bdist_wheel": {"py_limited_api": "cp39"},
    },
)
