# dev/bench/peers reports what it lacks. Nothing is installed or measured here.
[ -z "${SAN-}" ] || { echo "SKIP python3 alone: nothing of it is sanitized"; exit 77; }
command -v python3 >/dev/null || {
    echo 'SKIP no python3'
    exit 77
}
peers() {
    echo "- $*"
    "$SRC/dev/bench/peers" "$@" 2>printed >/dev/null
    echo "status $?"
    tail -n 1 printed | cut -c 1-60
}
peers --nosuch
peers -m 1
peers -n 100
peers -o xml
peers --program ./nosuch --venv v
[ ! -e v ] || echo 'made a folder for nothing'

# Without PyPI, or without venv (a package of its own on Debian): a reason, not a traceback.
unset PIP_FIND_LINKS PIP_INDEX_URL PIP_EXTRA_INDEX_URL
PIP_NO_INDEX=1 "$SRC/dev/bench/peers" --program "$(command -v sigrep)" --venv v >printed 2>&1
echo "offline: status $?"
grep -c '^peers: cannot \(install the packages; PyPI must be reached once: .\|make a virtual environment \)' printed
grep -c Traceback printed
true
