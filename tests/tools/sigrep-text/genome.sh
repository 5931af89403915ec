# The 27F primer in a genome: all exact sites on both strands, as another program found them.
dna=$SRC/../shared/data/dna
[ -e "$dna/NC_008253.fna.gz" ] || { echo "SKIP no genome beside the repository" && exit 77; }
for primer in AGAGTTTGATCATGGCTCAG AGAGTTTGATCMTGGCTCAG; do
    sigrep-text -k 0 --alphabet dna -h "$primer" "$dna/NC_008253.fna.gz" |
        awk -F '\t' '{ print "27F," $5 "," $1 "," $2 }' | sort >found
    tail -n +2 "$dna/27F_truth.csv" | tr -d '\r' | cut -d , -f 1-4 | sort | diff - found
    wc -l <found
done
# With edits, more sites; each kernel and cutting gives the same.
sigrep-text -k 3 --alphabet dna AGAGTTTGATCMTGGCTCAG "$dna/NC_008253.fna.gz" >best
wc -l <best
for kernel in portable scalar; do
    zcat "$dna/NC_008253.fna.gz" | dd bs=777 2>/dev/null |
        sigrep-text -k 3 --alphabet dna --kernel $kernel AGAGTTTGATCMTGGCTCAG >other
    diff best other
done
