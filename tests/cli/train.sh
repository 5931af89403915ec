# Takes of a word become a bundle, which finds the same as the takes. Odd takes are reported by name.
# The last digits of leave-one-out scores depend on the machine's FFT.
. "$SRC/tests/cli/signals"
cp "$SRC"/tests/data/digits/*.wav .
for take in 3_george_3 7_george_4 1_george_0 7_george_5; do
    tail -c +45 "$take.wav"
    head -c 3200 /dev/zero
done >said.raw
two_digits() { awk -F'\t' '{ printf "%s %s %s %s\n", $1, $2, $3, $4 == "-" ? $4 : sprintf("%.2f", $4) }'; }
found() { sigrep -f s16 -r 8000 "$@" said.raw | cut -f 1,2,4; }

echo "- the line of each take"
sigrep-train -o seven.sigrep 7_george_[012].wav | two_digits
echo "- the bundle finds the same as the takes, at the same thresholds"
found -t 5 seven.sigrep >by_bundle
found -p speech -t 5 -e seven=7_george_0.wav -e seven=7_george_1.wav -e seven=7_george_2.wav >by_takes
cmp by_bundle by_takes && cat by_bundle
found seven.sigrep 2>estimated >quiet
grep -c "seven.sigrep: take '7_george_[012].wav': threshold [0-9.]* (estimated" estimated
echo "- another label"
found -t 5 sept=seven.sigrep
echo "- -t, -g and --min-matches override those of the bundle"
sigrep-train -o strict.sigrep -l seven -t 5 --min-matches 3 7_george_[012].wav >quiet
found strict.sigrep
found -t 3 strict.sigrep
sigrep-train -o long.sigrep -l seven -t 5 -g 1.9,2 7_george_[012].wav >quiet
found long.sigrep
found -g 0.5,2 long.sigrep
echo "- beside a recording"
found -t 5 -e seven.sigrep -e one=1_george_0.wav | sort -n
echo "- one average"
sigrep-train --average -o average.sigrep -l seven 7_george_[012].wav | wc -l
sigrep -v -t 5 average.sigrep 7_george_4.wav 2>&1 | grep -c "take 'average of 3'"
found -t 5 average.sigrep
echo "- several words"
sigrep-train -o two.sigrep seven=7_george_0.wav seven=7_george_1.wav one=1_george_0.wav | two_digits
found -t 5 two.sigrep | sort -n
ran sigrep -t 5 seven=two.sigrep said.raw 2>&1

echo "- help_names_its_own_default_front_end"
sigrep-train --help | grep -A 1 front-end

echo "- numbers"
hill >hill.txt
stream >stream.txt
ran sigrep-train -o hill.sigrep -t 0.5 hill.txt
sigrep hill.sigrep stream.txt
sigrep -r 10 hill.sigrep stream.txt
ran sigrep-train -p znorm=2 -o z.sigrep hill.txt 2>&1
ran sigrep-train -p znorm=2 -r 1 -o z.sigrep -t 1 hill.txt
ran sigrep -c z.sigrep stream.txt 2>&1
ran sigrep -c -r 1 z.sigrep stream.txt 2>&1
echo "- a_bundle_without_a_rate_gets_that_of_the_other_template, in either order"
sigrep -r 10 -e hill.sigrep -e up=hill.txt -t 0.5 stream.txt | sort >first
sigrep -r 10 -e up=hill.txt -e hill.sigrep -t 0.5 stream.txt | sort | cmp - first && cat first
