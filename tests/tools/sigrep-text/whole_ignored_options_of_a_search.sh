# --whole printed a line despite -q, and ignored the other options of a search; so did --dtw.
. "$SRC/tests/cli/signals"
printf kitten >kitten
lines 0 1 >hill
for option in -q -c -l -L -s -m1; do
    ran sigrep-text --whole $option kitten kitten
done
for option in -i --fasta --alphabet=dna; do
    ran sigrep-text --whole --dtw $option hill hill
done
