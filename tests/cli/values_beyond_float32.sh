# A finite value that float32 cannot hold is reported once an input; a written infinity is a gap.
. "$SRC/tests/cli/signals"
hill >t.txt
{ stream; lines 1e400 -1e39 0 1 3 1 0 9 1e39; } >large.txt
{ stream; lines inf -inf nan 1e-400 9; } >gaps.txt
ran sigrep -t 0.1 t.txt large.txt gaps.txt 2>&1
bytes 0 0 0 0 0 0 240 63 255 255 255 255 255 255 239 127 >large.f64
ran sigrep -f f64 -t 0.1 t.txt large.f64 2>&1
bytes 0 0 0 0 0 0 240 63 0 0 0 0 0 0 240 127 >inf.f64
ran sigrep -f f64 -t 0.1 t.txt inf.f64 2>&1
