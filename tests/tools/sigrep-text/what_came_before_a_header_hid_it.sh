# FASTA that did not begin with > was searched as one text of bytes, and matches were missed.
. "$SRC/tests/cli/signals"
search() { # WHAT BEFORE
    echo "- $1"
    printf "$2>chr1\nTTACGT\nTGCATT\n" | ran sigrep-text -k 0 --alphabet dna ACGTTGCA
}
search 'an order mark' '\357\273\277'
search 'blank lines' '\n \t\n'
search 'a blank' ' '
search 'a comment' ';made by hand\r\n; twice\n'
search 'letters without a name' 'TTACGTTGCA\n'
search 'a line that is no header' '# made by hand\n'
search 'a page' '<html>\n'
printf '# a line\n>p\nMKV\n' | ran sigrep-text -k 0 --fasta MKV
