# Regression: a message about a line of -f FILE names the file and the line.
. "$SRC/tests/cli/signals"
printf 'abc\n' >text
printf 'abc\n\nb\n' >gap
printf 'ab\0c\n' >nul
printf 'abc\nb\n' >good
ran sigrep-text -k 0 -f good -f gap text
ran sigrep-text -k 0 -e abc -f nul text
ran sigrep-text -k 0 -e '' -f good text
ran sigrep-text -k 0 -f - text <gap
printf '\n' >only
ran sigrep-text -k 0 -f only text
