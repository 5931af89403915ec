# A site has the same interval, mirrored, if the text is read from its other strand.
other() { # of a line
    rev | tr ACGT TGCA
}
search() { # LINE: [START,END), edits and strand
    sigrep-text -k 2 --alphabet dna "$pattern" <text | cut -f 1-3,5
}
both() { # PATTERN SITE
    pattern=$1
    line=TTTTTGTTTTGTTTT$2TTTTGTTTTTGTTTT
    echo "$line" >text
    search >forward
    n=${#line}
    echo "$line" | other >text
    search | awk -v n=$n '{ print n - $2 "\t" n - $1 "\t" $3 "\t" ($4 == "+" ? "-" : "+") }' >mirrored
    cat forward
    diff forward mirrored
}
site=ACGGCATCAGGACCA
both $site ACGGCATCAGGACCA
both $site ACGGCATCAGGACC
both $site CGGCATCAGGACCA
both $site GCGGCATCAGGACCA
both $site ACGGCATCAGGACCG
both $site ACGGCATCAGGACCGC
both $site ACGGCCATCAGGACA
both $site CGGCATCAGGACCG
both $site AGGCATCAGGCCA
both $site ACGGGCATCAGGACCCA
