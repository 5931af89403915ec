# The file that standard output appends to is no input: matches would be read as samples.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
new() { stream >self.txt; }
own() { # OPTION...: search all, append to self.txt
    new
    sigrep -t 0.1 "$@" >>self.txt
    echo "status $?, $(wc -l <self.txt) lines: $*"
}
exec 2>&1
echo "- a named input: it fails, the others go on"
own t.txt self.txt
own t.txt s.txt ./self.txt s.txt
own -c t.txt self.txt
own -l t.txt self.txt
own -s t.txt self.txt
ln -s self.txt link.txt
own t.txt link.txt
own -T samples --state S t.txt self.txt
new
sigrep -t 0.1 t.txt <self.txt >>self.txt
echo "status $?, $(wc -l <self.txt) lines"
sigrep -t 0.1 t.txt self.txt >self.txt
echo "status $?, $(wc -l <self.txt) lines"
echo "- below a directory it is passed over"
mkdir d
stream >d/a.txt
for _ in 1 2; do
    sigrep -v --recursive -t 0.1 t.txt d >>d/out.txt 2>messages
    echo "status $?, $(wc -l <d/out.txt) lines"
    grep passed messages
done
echo "- nothing goes there: it is an input as any other"
own -q t.txt self.txt
own --log log t.txt self.txt
own --output-dir o t.txt self.txt
sigrep -t 0.1 t.txt /dev/null >/dev/null
echo "status $?"
