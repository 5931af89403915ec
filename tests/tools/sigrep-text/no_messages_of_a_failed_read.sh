# -s is silent of an input that opens, but cannot be read; the status tells.
. "$SRC/tests/cli/signals"
[ -e /proc/self/mem ] || { echo "SKIP no file whose reading fails" && exit 77; }
ran sigrep-text -k 0 a /proc/self/mem
ran sigrep-text -s -k 0 a /proc/self/mem
# Damaged contents are reported.
printf a | gzip -c | head -c 15 >short
ran sigrep-text -s -k 0 a short
