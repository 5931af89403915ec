# --monitor-page: a page on loopback, if it is asked for; it changes no output.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
sigrep --monitor-page 0 -T samples -t 0.1 t.txt s.txt t.txt >with 2>printed
! grep -q 'built without' printed || { echo "SKIP built without libmicrohttpd"; exit 77; }
sed 's/[0-9]*.$/PORT/' printed
sigrep -T samples -t 0.1 t.txt s.txt t.txt | cmp - with && echo "same output"
sigrep --monitor-page 0 -T samples -b 1 -q t.txt s.txt 2>printed
echo "quiet: status $?"
for port in 65536 x -1 ''; do
    ran sigrep --monitor-page "$port" -t 0.1 t.txt s.txt 2>&1
done
ran sigrep --monitor-page 0 --monitor -t 0.1 t.txt s.txt 2>&1
ran sigrep --monitor-page 0 --range 0-9 -t 0.1 t.txt s.txt 2>&1
# The same program, which looks for another library.
sed 's/libmicrohttpd\.so/libmissing123.so/g' "$(command -v sigrep)" >other
chmod +x other
./other --monitor-page 0 -t 0.1 t.txt s.txt 2>printed
echo "without the library: status $?"
sed 's/so\.[0-9]*:/so:/' printed
./other -T samples -t 0.1 t.txt s.txt t.txt | cmp - with && echo "all else works"
python3 "$SRC/tests/cli/page"
