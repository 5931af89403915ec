# Random texts of DNA in random formats, beside docs/SEMANTICS.md as a slow program in Python.
# SIGREP_SEED repeats a run.
python3 "$SRC/tests/tools/sigrep-text/random_searches.py" "${SIGREP_SEED:-$$}" 120
