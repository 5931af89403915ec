"""build_ffi.py - sigrep._sigrep, by cffi: sigrep.h as it is, and libsigrep.a (setup.py).

    include/sigrep.h ──> declarations() ──> cffi ──> C, compiled with sigrep.h itself ──┐
    make library ────────────────────────────────> libsigrep.a ─────────────────────────┴──> _sigrep

The C compiler checks each declaration and each struct against the header.
"""
import pathlib
import re

from cffi import FFI

HERE = pathlib.Path(__file__).resolve().parent
IN_ARCHIVE = HERE / "library" / "include"  # in a source archive
INCLUDE = IN_ARCHIVE if IN_ARCHIVE.is_dir() else HERE.parent / "include"

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


ffi = FFI()
ffi.cdef(declarations((INCLUDE / "sigrep.h").read_text()) + CALLBACKS)
ffi.set_source("sigrep._sigrep", "#include <sigrep.h>", include_dirs=[str(INCLUDE)])
