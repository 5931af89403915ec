# Lines of -f FILE may end in CRLF, begin with an order mark, and be packed.
. "$SRC/tests/cli/signals"
printf 'a fox\r\n' >text
printf '\357\273\277fox\r\nbox\r\n' >patterns
ran sigrep-text -k 0 -f patterns text
gzip patterns
ran sigrep-text -k 1 -f patterns.gz text
# Without --fasta and --alphabet dna a > is a letter.
printf '>fox\n' >quoted
printf 'said: >fox' | ran sigrep-text -k 0 -f quoted
printf '>p\nKV\nL\n' >protein
printf '>x\nMKVLA\n' | ran sigrep-text -k 0 --fasta -f protein
