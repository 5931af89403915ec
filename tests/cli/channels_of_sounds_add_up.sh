# Two channels of the same sound cost twice what one costs. So does what `speech` adds for common
# sounds: the frame has it once for each channel, and the template for none.
for take in 0 1; do
    tail -c +45 "$SRC/tests/data/digits/7_george_$take.wav" | od -An -v -t d2 -w2 >one_$take.txt
    awk '{ print $1 "," $1 }' one_$take.txt >two_$take.txt
done
score() { sigrep -f text -r 8000 -p "$1" -b 1 "$2_0.txt" "$2_$3.txt" | cut -f 3; }
for front_end in mfcc speech; do
    for take in 0 1; do
        echo "$(score $front_end one $take) $(score $front_end two $take)" |
            awk -v name="$front_end, take $take" '{
                off = $2 - 2 * $1
                print name ": " ($1 > 0.05 ? "apart" : "the same") ", " (off * off < 1e-10 ? "twice" : $0)
            }'
    done
done
