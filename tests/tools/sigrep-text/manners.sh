# grep's manners: names, counts, lists, statuses.
. "$SRC/tests/cli/signals"
printf 'one two three' >up
printf 'three, two, one, none' >down
printf 'nothing' >none
ran sigrep-text -k 0 one up down none
ran sigrep-text -k 0 one up
ran sigrep-text -k 0 -H one up
ran sigrep-text -k 0 -h one up down
ran sigrep-text -k 0 -c one up down none
ran sigrep-text -k 0 -c one up
ran sigrep-text -k 0 -l one up down none
ran sigrep-text -k 0 -L one up down none
ran sigrep-text -k 0 -q one none up absent
ran sigrep-text -k 0 -m 1 one down up
ran sigrep-text -k 0 -m 0 one down
ran sigrep-text -k 0 one absent up
ran sigrep-text -s -k 0 one absent up
ran sigrep-text -k 0 one .
ran sigrep-text -k 0 four up
ran sigrep-text -k 0 one <down
ran sigrep-text -k 0 one none - <down
gzip -c down | ran sigrep-text -k 0 one
zstd -qc down | ran sigrep-text -k 0 one
gzip -c down | head -c 30 | ran sigrep-text -k 0 one
sigrep-text -k 0 three down >/dev/full
echo "full: status $?"
ran sigrep-text
sigrep-text --version | grep -c '^sigrep-text [0-9]*\.[0-9]*\.[0-9]*$'
sigrep-text --help | awk 'length > 79 { print "too wide: " $0 }'
