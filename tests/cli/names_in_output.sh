# Names and labels with odd bytes never break a line or a document.
. "$SRC/tests/cli/signals"
hill >t.txt
name=$(printf 'a\tb\nc"d,\\e\377\033')
stream >"$name"
for format in text json csv labels; do
    sigrep -H -o $format -m 1 -t 0.1 "l\"$name=t.txt" "./$name"
done
sigrep -c -H -t 0.1 t.txt "$name"
sigrep -l -t 0.1 t.txt "$name"
sigrep -t 0.1 t.txt "$name$name" 2>&1
