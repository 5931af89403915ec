# --scores: every frame's score as float32, templates interleaved, NaN in gaps.
. "$SRC/tests/cli/signals"
lines 0 2 >a.txt
lines 2 0 >b.txt
lines 0 2 0 nan 2 >s.txt
ran sigrep -t 0 --scores out.f32 -e a.txt -e b.txt s.txt
od -A n -t f4 -v -w8 out.f32
ran sigrep -q -t 9 --scores out.f32 a.txt s.txt
ran sigrep -t 0 --scores out.f32 a.txt s.txt s.txt
od -A n -t f4 -v -w20 out.f32
ran sigrep -t 0 --scores missing/out.f32 a.txt s.txt
ran sigrep -t 0 --scores /dev/full a.txt s.txt
