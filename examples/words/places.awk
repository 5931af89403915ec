# places.awk - are matches the places of a truth file, every one of them and no other?
#
#   awk -f places.awk truth.csv matches.tsv
#
# A match is at a place if it ends within 0.25 s of it; the truth is known no better (README.md).
# Prints the counts. Exits with 1 if a place is missed or found twice, or if a match is at none.
BEGIN { FS = "[,\t]"; within = 0.25 }
FNR == NR {
    if (FNR > 1) place[++places] = $2
    next
}
{
    matches++
    for (i = 1; i <= places; i++) {
        off = $2 > place[i] ? $2 - place[i] : place[i] - $2
        if (off > within) continue
        if (seen[i]++ == 0) found++
        if (off > worst) worst = off
    }
}
END {
    printf "%d matches, %d of %d places", matches, found, places
    if (found) printf ", ends at most %.2f s off", worst
    print ""
    exit !(places > 0 && found == places && matches == places)
}
