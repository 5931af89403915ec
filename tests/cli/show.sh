# --show: what is in a bundle.
. "$SRC/tests/cli/signals"
hill >t.txt
lines 0 1 3 2 0 >u.txt
sigrep-train -l hill -t 0.25 -o hill.sigrep t.txt u.txt >trained
ran sigrep --show hill.sigrep 2>&1
sigrep-train -p speech -l word -o words.sigrep "$SRC/examples/words/take_1.flac" >trained 2>&1
ran sigrep --show words.sigrep 2>&1
ran sigrep --show 2>&1
ran sigrep --show t.txt 2>&1
ran sigrep --show missing.sigrep 2>&1
printf 'SIGREPBN' >damaged.sigrep
ran sigrep --show damaged.sigrep 2>&1
