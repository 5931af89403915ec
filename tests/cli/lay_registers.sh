# tools/lay-registers on stored stretches of machine code: tests/lay_registers.py, which needs no CUDA.
[ -z "${SAN-}" ] || { echo "SKIP python3 alone: nothing of it is sanitized"; exit 77; }
command -v python3 >/dev/null || {
    echo 'SKIP no python3'
    exit 77
}
PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/lay_registers.py" >said || grep -v '^ok ' said
