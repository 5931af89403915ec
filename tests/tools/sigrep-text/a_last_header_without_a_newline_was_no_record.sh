# A last header without a newline was no record: a pattern or a text less, and no word about it.
. "$SRC/tests/cli/signals"
printf '>a\nACGT\n>b' >records
printf '>b' >header
printf '@b' >fastq
printf '>t\nTTACGTT\n' >text.fa
for file in records header fastq; do
    ran sigrep-text -k 0 --alphabet dna -f $file text.fa
done
ran sigrep-text --whole --fasta records text.fa
