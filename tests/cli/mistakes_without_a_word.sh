# Regression: each of these gave a wrong answer, or none, and no word of why.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
echo "- a_forgotten_rate_makes_no_samples"
ran sigrep -t 0.1 -p resample=100 t.txt s.txt 2>&1
ran sigrep -t 0.1 -p diff+resample=1.5 t.txt - <s.txt 2>&1
ran sigrep -c -t 0.1 -p resample=0.5 t.txt s.txt 2>&1
ran sigrep -c -r 1 -t 0.1 -p resample=2 t.txt s.txt 2>&1
echo "- a_bundle_that_cannot_be_replaced is refused before the work"
ran sigrep-train -l x -o b.sigrep t.txt
chmod a-w b.sigrep
ran sigrep-calibrate b.sigrep s.txt 2>&1
ran sigrep-train -o b.sigrep t.txt 2>&1
ran sigrep-train -o missing/b.sigrep t.txt 2>&1
ran sigrep-calibrate -o missing/b.sigrep b.sigrep s.txt 2>&1
