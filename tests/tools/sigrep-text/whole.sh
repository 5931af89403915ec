# Two inputs as wholes: the edit distance, the cost of warping, and the alignment.
. "$SRC/tests/cli/signals"
printf kitten >kitten
printf sitting >sitting
: >empty
ran sigrep-text --whole kitten sitting
ran sigrep-text --whole -o json --path kitten sitting
ran sigrep-text --whole kitten empty
ran sigrep-text --whole empty empty
ran sigrep-text --whole kitten kitten
printf 'KITTEN' | ran sigrep-text --whole -i - kitten
printf '>a\nACGTN\nACGT\n' >a.fna
printf 'ACGTACGT' >b
ran sigrep-text --whole --alphabet dna a.fna b
# Signals: a stretched copy costs nothing, a constant costs its differences.
lines 0 1 3 1 0 >hill
lines 0 1 1 3 3 3 1 0 >stretched
lines 1 1 >flat
ran sigrep-text --whole --dtw hill stretched
ran sigrep-text --whole --dtw -o json --path hill stretched
ran sigrep-text --whole --dtw hill flat
# What is wrong has a message of its own.
lines 1,2 3,4 >two
printf '>a\nAC\n>b\nGT\n' >records
lines 1 nan >gap
ran sigrep-text --whole kitten
ran sigrep-text --whole -k 1 kitten sitting
ran sigrep-text --whole --path kitten sitting
ran sigrep-text --whole kitten absent
ran sigrep-text --whole - -
ran sigrep-text --whole --fasta records a.fna
ran sigrep-text --whole --dtw hill two
ran sigrep-text --whole --dtw hill gap
ran sigrep-text --whole --dtw hill empty
ran sigrep-text --whole --dtw hill mic:
ran sigrep-text --dtw hill hill
ran sigrep-text --path hill hill
