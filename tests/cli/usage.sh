# Without a template there is a line of usage; --help and --version print on standard output.
. "$SRC/tests/cli/signals"
ran sigrep
ran sigrep -t 1
sigrep --help >help
echo "help $?"
head -n 2 help
for program in sigrep sigrep-train sigrep-calibrate sigrep-record sigrep-text sigrep-plot; do
    command -v "$program" >/dev/null || continue # sigrep-plot is optional
    "$program" --help | awk -v program="$program" 'length > 79 { print program ": too wide: " $0 }'
done
sigrep --version | grep -c '^sigrep [0-9]*\.[0-9]*\.[0-9]*$'
sigrep --help -t nonsense | cmp - help
sigrep --help >/dev/full
echo "full: status $?"
sigrep --version >&-
echo "closed: status $?"
