# --output-dir: a file for each input; nothing is ever overwritten.
. "$SRC/tests/cli/signals"
hill >t.txt
mkdir -p rec/sub
stream >rec/a.csv
stream >rec/sub/a.csv
lines 9 9 9 >rec/sub/none.csv
echo text >rec/README
show() { # every file below a folder
    find "$1" -type f | sort | while read -r file; do
        echo "== $file"
        cat "$file"
    done
}
sigrep --recursive --output-dir out -t 0.1 t.txt rec
echo "status $?"
show out
for format in json csv labels; do
    sigrep --output-dir "$format" -o "$format" -t 0.1 t.txt rec/a.csv - <rec/sub/a.csv
    show "$format"
done
echo "- with several threads"
sigrep -j 3 --recursive --output-dir out3 -t 0.1 t.txt rec
diff -r out out3 && echo same
echo "- what is there stays"
ran sigrep --output-dir out -t 0.1 t.txt rec/a.csv 2>&1
: >out/a.csv.txt
ran sigrep --output-dir out -t 0.1 t.txt rec/a.csv
cat out/a.csv.txt
mkdir linked
echo precious >precious
ln -s ../precious linked/a.csv.txt
ran sigrep --output-dir linked -t 0.1 t.txt rec/a.csv 2>&1
rm linked/a.csv.txt
ln -s .. linked/sub
ran sigrep --output-dir linked --recursive --exclude 'none*' -t 0.1 t.txt rec 2>&1
ls . linked
cat precious
echo "- two inputs, one file"
ran sigrep --output-dir twice -t 0.1 t.txt rec/a.csv rec/sub/a.csv 2>&1
ls twice
echo "- its own files are no inputs"
(cd rec && ran sigrep --recursive --output-dir here -t 0.1 ../t.txt && rm -r here/a.csv.txt here/sub &&
    ran sigrep --recursive --output-dir here -t 0.1 ../t.txt && find here -type f | sort)
(cd rec && rm -r here && ran sigrep --recursive --output-dir . -t 0.1 ../t.txt && find . -type f | sort)
echo "- no names above it"
(cd rec/sub && ran sigrep --output-dir ../up -t 0.1 ../../t.txt ../a.csv ../../rec/sub/none.csv && ls ../up)
echo "- what does not go with it"
ran sigrep -o labels -t 0.1 t.txt rec/a.csv rec/sub/a.csv 2>&1
ran sigrep -o labels --recursive -t 0.1 t.txt rec 2>&1
ran sigrep -c --output-dir out -t 0.1 t.txt rec/a.csv 2>&1
ran sigrep --output-dir t.txt -t 0.1 t.txt rec/a.csv 2>&1
ran sigrep --output-dir no/such -t 0.1 t.txt rec/a.csv 2>&1
