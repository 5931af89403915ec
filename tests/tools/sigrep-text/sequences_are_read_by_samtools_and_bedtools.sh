# SAM is read by samtools, and BED by bedtools, as they are meant.
for tool in samtools bedtools; do
    [ -x "$(command -v $tool)" ] || { echo "SKIP no $tool" && exit 77; }
done
cat >g.fa <<'F'
>chr2
CATTGCAACGTTTTTT
>chr1:1-50 a description
TTTTAACGTGTTTTACGTTGCATTTTACGTTCATTTAACTTC
F
search() {
    sigrep-text -k 2 --alphabet dna "$@" -e ACGTTGCA -e AACGTC g.fa
}
search -o sam >out.sam
samtools quickcheck out.sam && samtools sort out.sam 2>sort.err | samtools view >sorted
search -o bed | cut -f 1-4,6 | sort >bed
# bedtools finds the same places in SAM, and the letters of the places.
samtools view -b out.sam | bedtools bamtobed -i - | cut -f 1-4,6 | sort | diff bed - && echo same
bedtools getfasta -fi g.fa -bed bed -tab 2>index.err | tail -n 1
# samtools finds the same edits, by the letters of the sequences.
samtools calmd out.sam g.fa 2>calmd.err | grep -v '^@' | grep -o 'NM:i:[0-9]*' >edits
search -o sam | grep -v '^@' | grep -o 'NM:i:[0-9]*' | diff edits - && wc -l <edits
cat calmd.err sort.err
sigrep-text -k 2 --alphabet dna --overhang 50% -o sam GGGGCATTGC g.fa | samtools view | cut -f 3-6
