# Kernels by name: unknown ones are reported, and all that run print the same.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
sigrep --kernel nonsense -t 1 t.txt s.txt 2>printed
echo "status $?"
sed 's/(.*)/(...)/' printed
sed 's/.*(//; s/)$//; s/,//g' printed | tr ' ' '\n' >names
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
