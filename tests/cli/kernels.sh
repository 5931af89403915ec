# Kernels by name: unknown ones are told, all that run say the same.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
sigrep --kernel nonsense -t 1 t.txt s.txt 2>said
echo "status $?"
sed 's/(.*)/(...)/' said
sed 's/.*(//; s/)$//; s/,//g' said | tr ' ' '\n' >names
grep -c . names | sed 's/^0$/no names/; s/^[0-9]*$/names/'
grep -x scalar names
while read -r name; do
    case $(sigrep --kernel "$name" -t 1 t.txt s.txt 2>&1) in
    "sigrep: --kernel '$name': this machine cannot run it") ;;
    "$(sigrep -t 1 t.txt s.txt)") ;;
    *) echo "kernel $name differs" ;;
    esac
done <names
sigrep -t 1 t.txt s.txt >want
for chunk in 1 2 3 7 256 100000; do
    sigrep --chunk $chunk -j 2 -d cpu -t 1 t.txt s.txt | cmp - want
done
cat want
