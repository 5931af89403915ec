# No name, label or message steers a terminal; no name in CSV is a formula.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
esc=$(printf '\033[2J') c1=$(printf '\302\233') bidi=$(printf '\342\200\256\342\201\246') latin=$(printf '\377')
odd="$esc$c1$bidi$latin"
cp s.txt "$odd"
cp t.txt "$odd.txt"
# Bytes of a terminal's commands: ESC, C1, bidirectional marks, and what is not UTF-8.
steers() { grep -a -q -e "$(printf '\033')" -e "$c1" -e "$(printf '\342\200\256')" -e "$(printf '\342\201\246')" -e "$latin"; }
safe() { # a command: what it prints on both, and whether that steers a terminal
    "$@" >printed 2>&1
    echo "status $?"
    if steers <printed; then echo "it steers a terminal"; fi
    cat printed
}
# label BYTES: a bundle whose label is BYTES, of 12, with the right checksum
label() {
    sigrep-train -t 0.1 -o old.sigrep --label labelOfABand t.txt >quiet
    LC_ALL=C sed "s/labelOfABand/$1/" old.sigrep | head -c -4 >new.sigrep
    gzip -c new.sigrep | tail -c 8 | head -c 4 >crc
    cat new.sigrep crc >odd.sigrep
}
echo "- names and labels, in all formats but JSON"
for format in text csv labels; do
    safe sigrep -H -o $format -m 1 -t 0.1 "$odd=t.txt" "./$odd"
done
safe sigrep -c -H -t 0.1 t.txt "$odd"
echo "- names of -l, on a terminal and for a program"
if command -v script >quiet; then
    script -qec "sigrep -l -t 0.1 t.txt *2J*[!t]" /dev/null >printed </dev/null
else
    sigrep -c -H -m 1 -t 0.1 t.txt "$odd" | cut -d : -f 1 >printed # the same escapes
fi
tr -d '\r' <printed
sigrep -l -t 0.1 t.txt "$odd" | steers && echo as it is
echo "- a_label_of_a_bundle"
label "ab$c1$bidi$c1"
safe sigrep -v -m 1 odd.sigrep s.txt | sed 's/kernel .*/kernel K/'
safe sigrep -m 1 -o csv odd.sigrep s.txt
safe sigrep-calibrate odd.sigrep s.txt
safe sigrep-train -o x.sigrep old=t.txt odd.sigrep
echo "- takes"
safe sigrep-train -o takes.sigrep "$odd.txt" "$odd.txt"
safe sigrep-record -r 8000 -f s16 -o "$odd" /dev/null
echo "- option values, columns and numbers"
safe sigrep --rate "$odd" t.txt
safe sigrep "--$odd" t.txt
safe sigrep -p "$odd" t.txt s.txt
safe sigrep --columns "$odd" t.txt s.txt
safe sigrep --kernel "$odd" t.txt s.txt
safe sigrep -t 0.1 "$odd.missing" s.txt
# Plugins that PortAudio loads leak, so leaks do not count here.
ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 safe sigrep -t 0.1 t.txt "mic:$odd" |
    grep -v 'sound system has not answered' | head -n 2 | sed 's/: no .*/: .../; s/built without .*/.../'
{ lines 1 2 3; echo "$odd"; } >bad.txt
safe sigrep -t 0.1 t.txt bad.txt
{ lines "$odd" 1 2 3; echo; echo x; } >header.txt
safe sigrep -v -t 0.1 t.txt header.txt | sed 's/kernel .*/kernel K/'
echo "- csv_names_are_no_formulas"
for name in =1+1 +1 @1 -1 =a,b; do
    cp s.txt "./$name"
    sigrep -o csv -m 1 -t 0.1 -e t.txt -- "$name" | tail -n 1
done
for name in +1 @1 -1; do
    sigrep -o csv -m 1 -t 0.1 -e "$name=t.txt" s.txt | tail -n 1
done
label "=HYPERLINK(x"
sigrep -o csv -m 1 odd.sigrep s.txt | tail -n 1
