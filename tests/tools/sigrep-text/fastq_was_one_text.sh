# FASTQ: each read is a record. Qualities are no letters, though they may look like any line.
. "$SRC/tests/cli/signals"
search() {
    ran sigrep-text -k 0 "$@" ACGTTGCA
}
printf '@r1 d\nTTACGT\nTGCATT\n+\n@>@IIIIIIIII\n@r2\r\nTTACGTTGCATT\r\n+r2\r\n+III\r\n@ACGTTGC\r\n' >reads
search --alphabet dna <reads
search --fasta <reads
printf '@empty\n\n+\n\n@r\nACGTTGCA\n+\nACGTTGCA' | search --alphabet dna
# What is wrong has words; what was found before is printed.
printf '@r\nACGTTGCA\n+\nIIIIIII\n' | search --alphabet dna
printf '@r\nACGTTGCA\n+\nIIIIIIIII\n' | search --alphabet dna
printf '@r\nACGTTGCA\n@s\nACGT\n' | search --alphabet dna
printf '@r\nACGTTGCA\n' | search --alphabet dna
printf '@r' | search --alphabet dna
