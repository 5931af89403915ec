# SAM has the length of a record, also if -m ends the search before its end.
. "$SRC/tests/cli/signals"
{
    printf '>long\nACGTACGG\n'
    head -c 3000000 /dev/zero | tr '\0' C
    printf '\n>short\nACGTACGG\n'
} >g.fa
ran sigrep-text -k 0 --alphabet dna -o sam -m 1 ACGTACGG g.fa
ran sigrep-text -k 0 --alphabet dna -o sam -m 2 ACGTACGG g.fa
