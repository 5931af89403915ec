# -b N: the N best matches of each pattern, best first, of all records of an input.
. "$SRC/tests/cli/signals"
printf '>a\nACGGCATC\nTTTTACGCATCTTTACGGCATG\n>b\nGATGCCGTTTTACGGCATCTTACGGAATC\n' >g.fa
ran sigrep-text -k 2 --alphabet dna ACGGCATC g.fa
ran sigrep-text -k 2 --alphabet dna -b 1 ACGGCATC g.fa
ran sigrep-text -k 2 --alphabet dna -b 4 -e ACGGCATC -e TTTTACG g.fa
ran sigrep-text -k 2 --alphabet dna -b 99 -o bed ACGGCATC g.fa
ran sigrep-text -k 2 --alphabet dna -b 1 -o sam ACGGCATC g.fa
printf 'the then them' | ran sigrep-text -k 1 -b 2 them - g.fa
