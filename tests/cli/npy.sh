# NPY: a user's arrays as numpy.save wrote them, and arrays of all kinds; shapes, orders, pipes, cuts.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
arrays=$SRC/tests/data/numpy

# npy TYPE ORDER SHAPE: version 1 of the header; the samples come after it.
npy() {
    printf '\223NUMPY\1\0v\0%-117s\n' "{'descr': '$1', 'fortran_order': $2, 'shape': ($3), }"
}

echo "- a pen's positions, as the sensor's text gives them"
head -n 601 "$SRC/examples/sensor/pen.csv" >pen.csv
sigrep --columns 2,3 -r 100 -p diff -t 3 G="$SRC/examples/sensor/g.csv" pen.csv
sigrep -r 100 -p diff -t 3 G="$arrays/g.npy" "$arrays/pen.npy"
sigrep -r 100 -p diff -t 3 G="$arrays/g.npy" <"$arrays/pen.npy"
cat "$arrays/pen.npy" | sigrep -r 100 -f npy -p diff -t 3 G="$arrays/g.npy"
sigrep -j 4 -r 100 -p diff -b 1 G="$arrays/g.npy" "$arrays/pen.npy"
cp "$arrays/g.npy" odd.name
sigrep -v -r 100 -p diff -t 3 G=odd.name@0-1.5 "$arrays/pen.npy" 2>&1 | sed "s:$SRC/::; /front end/d"

echo "- integers are not scaled"
{ npy '|u1' False '19,'; bytes 9 9 9 0 1 3 1 0 9 9 9 0 1 3 3 1 0 9 9; } >s.npy
{ npy '<i2' True '5, 1'; s16 0 1 3 1 0; } >t.npy
sigrep -t 0.1 t.txt s.npy
sigrep -t 0.1 -f npy t.npy s.npy
sigrep -t 0.1 t.npy s.txt

echo "- cut short, or followed by more: an error after the matches"
head -c 144 s.npy >cut.npy
{ cat s.npy; echo; } >more.npy
ran sigrep -t 0.1 t.npy cut.npy more.npy s.npy 2>&1
head -c 100 s.npy | ran sigrep -t 0.1 t.npy 2>&1

echo "- refused"
for type in '<c8' '|O' '<M8[us]' '<U3' '<f16'; do
    { npy "$type" False '2,'; printf 12345678901234567890; } >other.npy
    sigrep -t 0.1 t.npy other.npy 2>&1
done
{ npy '<f4' False '1, 2, 2'; printf 1234567890123456; } >other.npy
sigrep -t 0.1 t.npy other.npy 2>&1
npy '<f4' False '0,' >other.npy
sigrep -t 0.1 t.npy other.npy 2>&1
sigrep -t 0.1 other.npy t.npy 2>&1
printf "\223NUMPY\1\0v\0%-117s\n" "{'descr': [('t', '<f8')], 'fortran_order': False, 'shape': (2,), }" >other.npy
sigrep -t 0.1 t.npy other.npy 2>&1
sigrep -t 0.1 t.npy "$arrays/pen.npy" 2>&1 | sed "s:$SRC/::"
sigrep -t 0.1 --channels 3 -f npy t.txt "$arrays/pen.npy" 2>&1 | sed "s:$SRC/::"
sigrep -t 0.1 -f npy t.npy s.txt 2>&1
sigrep -t 0.1 -f npyle t.npy s.npy 2>&1

echo "- a value of 64 bits beyond float32"
{ npy '<f8' False '2,'; bytes 0 0 0 0 0 0 240 63 255 255 255 255 255 255 239 127; } >large.npy
ran sigrep -t 0.1 t.txt large.npy 2>&1
