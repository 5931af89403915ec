"""build_ffi.py - sigrep._sigrep, by cffi: sigrep.h as it is, and libsigrep.a from `make library`.

    include/sigrep.h ──> declarations() ──> cffi ──> C, compiled with sigrep.h itself ──┐
    make library ────────────────────────────────> libsigrep.a ─────────────────────────┴──> _sigrep

The C compiler checks each declaration and each struct against the header. CUDA=1 in the environment
builds with GPUs, as for make; so do CC, CFLAGS and the like.
"""
import os
import pathlib
import re
import shlex
import subprocess

from cffi import FFI

ROOT = pathlib.Path(__file__).resolve().parents[2]

CALLBACKS = """
extern "Python" {
    int py_match(void *, const sigrep_match *);
    int py_scores(void *, const float *, size_t);
    int py_stop(void *);
    int py_append(void *, const float *, size_t, size_t);
    int py_read(void *, uint64_t, float *, size_t, size_t);
    int py_clear(void *);
}
"""


def declarations(header: str) -> str:
    """The header without comments, C++ and lines for the preprocessor."""
    text = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    text = re.sub(r"^#ifdef __cplusplus\n.*?^#endif\n", "", text, flags=re.S | re.M)
    text = re.sub(r"^#.*\n", "", text, flags=re.M).replace("SIGREP_API ", "")
    if left := re.search(r".*(#|\bSIGREP_API\b|__).*", text):
        raise SystemExit(f"sigrep.h: cffi cannot read '{left[0]}'")
    return text


def make(*targets: str) -> str:
    gpus = f"CUDA={os.environ.get('CUDA', '0')}"
    done = subprocess.run(["make", "-C", str(ROOT), "--no-print-directory", gpus, *targets],
                          stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit(f"{done.stdout}\nmake {' '.join(targets)} failed in {ROOT}")
    return done.stdout.strip()


make(f"-j{os.cpu_count() or 1}", "library")
ffi = FFI()
ffi.cdef(declarations((ROOT / "include" / "sigrep.h").read_text()) + CALLBACKS)
ffi.set_source(
    "sigrep._sigrep",
    "#include <sigrep.h>",
    include_dirs=[str(ROOT / "include")],
    extra_objects=[str(ROOT / make("print-variant") / "libsigrep.a")],
    extra_link_args=[*shlex.split(make("print-libs")), "-Wl,--exclude-libs,ALL"],
)
