# IUPAC codes, both strands, FASTA: positions count the letters of a record.
. "$SRC/tests/cli/signals"
cat >two.fna <<'F'
>first a description
TTTTAGAGTTTGAT
CATGGCTCAGTTTT

>second
ttttctgagccatg
atcaaactcttttt
F
ran sigrep-text -k 0 --alphabet dna AGAGTTTGATCMTGGCTCAG two.fna
ran sigrep-text -k 0 --alphabet dna -h AGAGTTTGATCMTGGCTCAG two.fna
ran sigrep-text -k 0 --alphabet dna -c AGAGTTTGATCMTGGCTCAG two.fna
ran sigrep-text -k 1 --alphabet dna AGAGTTTCATCMTGGCTCAG two.fna
ran sigrep-text -k 0 --alphabet dna GAATTC <two.fna
tr -d '\n' <two.fna | sed 's/>//' | ran sigrep-text -k 0 --alphabet dna AGAGTTTGAUCMTGGCTCAG
# A palindrome is searched once; N in the text is matched by N alone.
printf 'AAGAATTCAA' | ran sigrep-text -k 0 --alphabet dna GAATTC
printf 'AANAA' | ran sigrep-text -k 0 --alphabet dna -e AANAA -e ANA -e ACA
# No match spans two records.
printf '>a\nACGT\n>b\nCCCC\n' | ran sigrep-text -k 0 --alphabet dna GTCC
# FASTA of other letters; what is none of DNA is reported.
printf '>p\nMKV\nLAT\n' | ran sigrep-text -k 0 --fasta VLA
printf '>p\nACGT\nAEZGT-\n' | ran sigrep-text -k 0 --alphabet dna ACGT
printf '>\n' | ran sigrep-text -k 0 --fasta VLA
printf '>cut' | ran sigrep-text -k 0 --fasta VLA
: | ran sigrep-text -k 0 --fasta VLA
