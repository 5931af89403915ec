# > chr1 has the name chr1.
. "$SRC/tests/cli/signals"
printf '> chr1 more\nACGT\n>\tchr2\nACGT\n>\nACGT\n' | ran sigrep-text -k 0 --alphabet dna ACGT
