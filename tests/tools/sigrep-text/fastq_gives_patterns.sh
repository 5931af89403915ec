# -f of FASTQ was refused: its headers were patterns with odd letters.
printf '>a\nTTACGTTGCATTGGGGCC\n' >text.fa
printf '@p1 x\nACGT\nTGCA\n+\n@@@@\n+++>\n\n@p2\nGGGGCC\n+p2\n>>>>>>\n' >two
sigrep-text -k 0 --alphabet dna -f two text.fa
printf '@p\nACGT\n+\nIII\n' >short
printf '@p\nACGT\n+\nIIIII\n' >long
printf '@p\nACGT\n+\nIIII\nI\n' >later
printf '@p\nACGT\n@q\nACC\n+\nIII\n' >plus
for file in short long later plus; do
    sigrep-text -k 0 --fasta -f $file text.fa
done
