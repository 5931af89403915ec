# A directory is its regular files in strcmp order; a label makes them one class.
. "$SRC/tests/cli/signals"
mkdir d d/sub
hill >d/b
lines 9 9 9 >d/a
lines 3 1 0 9 >d/B
hill >d/.hidden
stream >s.txt
sigrep -v -t 0.1 d s.txt 2>&1 >/dev/null | grep template
echo "- each by itself"
sigrep -t 0.1 d s.txt
echo "- one class"
sigrep -t 0.1 x=d/ s.txt
echo "- cut"
sigrep -t 0.1 x=d@0-2 s.txt
