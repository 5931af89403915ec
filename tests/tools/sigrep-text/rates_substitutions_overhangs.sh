# -k as a rate, letters that are only replaced, patterns that hang over the ends of a text.
. "$SRC/tests/cli/signals"
printf 'recieve the package tomorow, recceive' >text
ran sigrep-text -k 15% -e receive -e tomorrow -e the text
ran sigrep-text -k 2 receive text
ran sigrep-text -k 2 --substitutions receive text
ran sigrep-text -k 0% the text
ran sigrep-text -k 100% the text
ran sigrep-text -k 5.123% the text
ran sigrep-text -k % the text
printf '>r\nCATCTTTTTTACGG\n' >reads
ran sigrep-text -k 2 --alphabet dna -o json ACGGCATC reads
ran sigrep-text -k 2 --alphabet dna --overhang 50% -o json ACGGCATC reads
ran sigrep-text -k 2 --alphabet dna --overhang 50% -o sam ACGGCATC reads
ran sigrep-text -k 2 --substitutions --overhang 60% ACGGCATC reads
ran sigrep-text -k 4 --overhang 50% ACGGCATC reads
for cost in 0% 101% 50 1.5% x; do
    ran sigrep-text -k 1 --overhang $cost ACGGCATC reads
done
