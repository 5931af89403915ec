# grep's manners: names, counts, lists, statuses.
. "$SRC/tests/cli/signals"
printf 'one two three' >123
printf 'three, two, one, none' >321
printf 'nothing' >0
ran sigrep-text -k 0 one 123 321 0
ran sigrep-text -k 0 one 123
ran sigrep-text -k 0 -H one 123
ran sigrep-text -k 0 -h one 123 321
ran sigrep-text -k 0 -c one 123 321 0
ran sigrep-text -k 0 -c one 123
ran sigrep-text -k 0 -l one 123 321 0
ran sigrep-text -k 0 -L one 123 321 0
ran sigrep-text -k 0 -q one 0 123 absent
ran sigrep-text -k 0 -m 1 one 321 123
ran sigrep-text -k 0 -m 0 one 321
ran sigrep-text -k 0 one absent 123
ran sigrep-text -s -k 0 one absent 123
ran sigrep-text -k 0 one .
ran sigrep-text -k 0 four 123
ran sigrep-text -k 0 one <321
ran sigrep-text -k 0 one 0 - <321
gzip -c 321 | ran sigrep-text -k 0 one
zstd -qc 321 | ran sigrep-text -k 0 one
gzip -c 321 | head -c 30 | ran sigrep-text -k 0 one
sigrep-text -k 0 three 321 >/dev/full
echo "full: status $?"
ran sigrep-text
sigrep-text --version | grep -c '^sigrep-text [0-9]*\.[0-9]*\.[0-9]*$'
sigrep-text --help | awk 'length > 79 { print "too wide: " $0 }'
