# Each wrong pattern has a message of its own.
. "$SRC/tests/cli/signals"
printf 'abc\n' >text
ran sigrep-text abc text
ran sigrep-text -k x abc text
ran sigrep-text -k -1 abc text
ran sigrep-text -k 3 abc text
ran sigrep-text -k 1 -e abcd -e a text
ran sigrep-text -k 0 '' text
ran sigrep-text -k 0 "$(printf 'a\nb')" text
printf 'ab\0c\n' >nul
ran sigrep-text -k 0 -f nul text
printf 'abc\n\nb\n' >gap
ran sigrep-text -k 0 -f gap text
: >empty
ran sigrep-text -k 0 -f empty text
printf '\357\273\277' >mark
ran sigrep-text -k 0 -f mark text
ran sigrep-text -k 0 -f absent text
ran sigrep-text -k 0 --alphabet dna ACGX text
ran sigrep-text -k 0 --alphabet dna 'AC GT' text
ran sigrep-text -k 0 --alphabet dna "$(printf 'AC\303\251')" text
ran sigrep-text -k 0 --alphabet protein ACG text
ran sigrep-text -k 0 -i --alphabet dna ACG text
ran sigrep-text -k 0 --fasta abc text
ran sigrep-text -k 0 --kernel none abc text
ran sigrep-text -k 0 -o labels abc text
printf 'abc' | ran sigrep-text -k 0 -f -
printf 'abc' | ran sigrep-text -k 0 -f - text -
printf '>r\nACGT\n' | ran sigrep-text -k 4 --alphabet dna ACGC
