# Output that cannot be written is an error, and ends the run.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
sigrep -t 0.1 t.txt s.txt missing >/dev/full
echo "full: status $?"
sigrep -c -t 0.1 t.txt s.txt missing >/dev/full
echo "-c: status $?"
sigrep -l -t 0.1 t.txt s.txt missing >/dev/full
echo "-l: status $?"
sigrep -t 0.1 t.txt s.txt missing >&-
echo "closed: status $?"
sigrep -q -t 0.1 t.txt s.txt >&-
echo "quiet: status $?"
lines 9 9 9 | sigrep -t 0 t.txt >&-
echo "nothing to write: status $?"
# With standard output closed, --scores must not land on its descriptor.
sigrep --scores out.f32 -t 0.1 t.txt s.txt >&-
echo "status $?, $(wc -c <out.f32) bytes of scores"
sigrep -t 0.1 t.txt s.txt 2>&- | wc -l
