# Refusals whose words led elsewhere.
. "$SRC/tests/cli/signals"
exec 2>&1
hill >t.txt
stream >s.txt
echo "- a cell that is UTF-8 is shown as it is, cut at a whole letter"
printf '1\n\342\210\2220.775\n' >minus.txt
ran sigrep -t 0 t.txt minus.txt
printf '1\n%s\303\251\303\251\303\251\342\202\254\360\235\204\236\n' 123456789012345678901x >long.txt
ran sigrep -t 0 t.txt long.txt
printf '1\n\033[2J\302\233\377\n' >controls.txt
ran sigrep -t 0 t.txt controls.txt
echo "- a WAV file is no text"
wav 8000 1 $(seq 3000 3400) >s.wav
ran sigrep -t 0 -f text t.txt s.wav
printf '1\r2\r3\r' >old.txt
ran sigrep -t 0 t.txt old.txt
echo "- no take is longer than --longest"
ran sigrep-record --shortest 5 --longest 1 -o take s.wav
ran sigrep-record --shortest 5 -o take s.wav
echo "- znorm of one sample"
ran sigrep -t 0 -p znorm=1 t.txt s.txt
echo "- an NPY dimension"
printf '\223NUMPY\1\0v\0%-117s\n' "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }" >s.npy
ran sigrep -t 0 t.txt s.npy
