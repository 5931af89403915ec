# Record, strand and position within the record in each format, also for names with ':'.
. "$SRC/tests/cli/signals"
cat >g.fa <<'F'
>chr1:1-50 a description
TTTTAACGTGTTTTACGTTGCATT
TTACGTTCATTT
>odd,name;=(%)
CATTGCAACGTTTTTT
>none
TTTTTT
F
for format in text json csv bed gff sam; do
    ran sigrep-text -k 1 --alphabet dna -o $format -e ACGTTGCA -e AACGTC g.fa
done
# Two inputs; a text without records; letters that have no strands.
printf 'TTACGTTGCATT\n' >plain
for format in text json csv bed gff sam; do
    ran sigrep-text -k 0 --alphabet dna -o $format ACGTTGCA g.fa plain
done
ran sigrep-text -k 0 --fasta GTTGCA g.fa
ran sigrep-text -k 0 --fasta -o bed GTTGCA g.fa
printf 'in a line' | ran sigrep-text -k 0 -o gff 'a line'
# The patterns of FASTA have names.
printf '\n>primer/1 of ours\r\nACGTT\r\nGCA\r\n>\r\nCATTTT\r\n' >primers
ran sigrep-text -k 0 --alphabet dna -f primers g.fa
ran sigrep-text -k 0 --alphabet dna -o sam -f primers g.fa
# SAM names each sequence once.
ran sigrep-text -k 0 --alphabet dna -o sam ACGTTGCA g.fa g.fa
ran sigrep-text -k 0 --alphabet dna -o sam AAAAAAAA g.fa
ran sigrep-text -k 0 -o sam GTTGCA g.fa
