# DNA without a header is one text: the ends of its lines are no letters.
. "$SRC/tests/cli/signals"
printf 'TTACGT\nTGCATT\n' | ran sigrep-text -k 0 --alphabet dna ACGTTGCA
printf 'TTACGT\r\nTGCATT\r\n' | ran sigrep-text -k 0 --alphabet dna ACGTTGCA
printf '>chr1 x\r\nttacgt\r\ntgcatt\r\n' | ran sigrep-text -k 0 --alphabet dna ACGTTGCA
printf '>chr1 x\rTTACGT\rTGCATT\r>chr2\rACGTTGCA' | ran sigrep-text -k 0 --alphabet dna ACGTTGCA
# A letter of the text that is no code is reported.
printf 'TTACGT\nTGCAZT\n' | ran sigrep-text -k 0 --alphabet dna ACGTTGCA
# Codes of the text match codes of the pattern that stand for all their bases.
printf 'TTACNTTGCARTT\n' | ran sigrep-text -k 0 --alphabet dna -e ACNTTG -e ACGTTG -e GCAR -e GCAD
