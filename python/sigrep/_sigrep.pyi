# cffi makes this module of sigrep.h.
from typing import Any

ffi: Any
lib: Any
