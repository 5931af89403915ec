# A NUL byte in FASTA is no IUPAC code, and is reported. Gaps (- and .) and stops (*) are not.
. "$SRC/tests/cli/signals"
printf '>p\nAC\0GT\n' | ran sigrep-text -k 0 --alphabet dna ACGT
printf '>p\nAC-.*GT\n' | ran sigrep-text -k 0 --alphabet dna ACGT
