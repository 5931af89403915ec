# --path: several threads give the bytes of one, for files, for a pipe that is stored, for inputs at once.
awk 'BEGIN { for (i = 0; i < 3000; i++) { x = (x * 1103515245 + 12345) % 2147483648
    print int(x / 65536) % 7, int(x / 1048576) % 5 } }' >noise.txt
head -n 140 noise.txt | tail -n 40 >cut.txt
sigrep -o json --path -b 20 cut.txt noise.txt >found
sigrep -o json --path -b 20 -j 3 cut.txt noise.txt | cmp - found
sigrep -o json --path -b 20 -j 3 --chunk=100 cut.txt noise.txt | cmp - found
# shellcheck disable=SC2002 # a pipe
cat noise.txt | sigrep -o json --path -b 20 -j 3 cut.txt - | sed 's/(standard input)/noise.txt/' | cmp - found
sigrep -o json --path -t 2.5 cut.txt noise.txt cut.txt - <noise.txt >one
sigrep -o json --path -t 2.5 -j 3 cut.txt noise.txt cut.txt - <noise.txt | cmp - one
echo "$(wc -l <found) of the best, $(wc -l <one) matches of 3 inputs"
