# Without a template there is a line of usage; --help and --version print on standard output.
. "$SRC/tests/cli/signals"
ran sigrep
ran sigrep -t 1
sigrep --help >help
echo "help $?"
head -n 2 help
awk 'END { print NR < 24 ? "one screen" : NR " lines" }' help
for program in sigrep sigrep-train sigrep-calibrate sigrep-record sigrep-text sigrep-plot; do
    command -v "$program" >/dev/null || continue # sigrep-plot is optional
    "$program" --help=all | awk -v program="$program" 'length > 79 { print program ": too wide: " $0 }'
done
awk 'length > 79' help
# What it names, --help=all has too.
sigrep --help=all >all
head -n 2 all
grep -oE -- '^ +(-.,|   ) --[a-z-]+ [A-Z]*' help | sed 's/ *$//' | while read -r option; do
    grep -qF -- "$option" all || echo "not in --help=all: $option"
done
sigrep --version | grep -c '^sigrep [0-9]*\.[0-9]*\.[0-9]*$'
sigrep --help -t nonsense | cmp - help
sigrep --help >/dev/full
echo "full: status $?"
sigrep --version >&-
echo "closed: status $?"
