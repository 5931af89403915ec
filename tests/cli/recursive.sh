# --recursive: a folder of recordings as users have them, with much beside them. -L and -s too.
. "$SRC/tests/cli/signals"
hill >t.txt
mkdir -p rec/2026-11/raw rec/b rec/.cache rec/empty
stream >rec/2026-11/monday.txt
lines 9 9 9 >rec/2026-11/tuesday.txt
stream >rec/2026-11/raw/monday.csv
stream >rec/b.txt
stream >rec/b/a.dat
stream >rec/.cache/hidden.txt
hill >rec/t.txt
# What is no signal.
printf '# Recordings\n\nOf the pump, 2 a day.\nSee also notes.\n' >rec/README.md
printf '\211PNG\r\n\032\n\0\0\0\rIHDR' >rec/photo.png
printf '\1\2\3\200\0\377' >rec/b/data.bin
: >rec/2026-11/wednesday.txt
printf 'no numbers here\nnone at all\n' >rec/b/notes.txt
# What is one, but damaged.
{ printf 'RIFF\044\0\0\0WAVEfmt '; } >rec/b/cut.wav
# Links below a folder are not followed, one that is named is.
ln -s ../2026-11 rec/b/link
ln -s monday.txt rec/2026-11/linked.txt
ln -s rec by_name
mkfifo rec/pipe
for options in '' -l -L -c -h '-l --include *.txt' '-l --exclude *.txt --exclude *.wav' \
    '-l --include *.csv --include b*' '-l --exclude b* --include *.txt'; do
    set -f
    # shellcheck disable=SC2086 # cut into words
    ran sigrep --recursive -t 0.1 $options rec/t.txt rec
    set +f
done 2>&1
echo "- a_glob_with_a_slash_matches_the_end_of_the_path: it matched nothing"
for glob in '2026-11/*.txt' 'raw/*' '*/raw/*' 'rec/*' '6-11/*.txt' 'rec/*.csv' '/2026-11/*'; do
    ran sigrep --recursive -l -t 0.1 --include "$glob" rec/t.txt rec
done 2>&1
ran sigrep --recursive -l -t 0.1 --exclude 'raw/*' t.txt rec/2026-11
ran sigrep -l -t 0.1 --include 'rec/*.txt' t.txt rec/b.txt rec/2026-11/monday.txt
(cd rec && ran sigrep --recursive -l -t 0.1 --include '2026-11/*' ../t.txt)
echo "- audio that is not read is named, with the cure"
printf '\0\0\0\040ftypM4A \0\0\0\0' >memo.m4a
mkdir memos
mv memo.m4a memos
cp rec/README.md memos
ran sigrep --recursive -t 0.1 t.txt memos 2>&1
echo "- tables_that_were_packed_were_passed_over: only archives and JSON are, which may hold anything"
mkdir packed
printf '\375\067zXZ\0' >packed/log.csv.xz
printf 'BZh91AY&SY' >packed/log.csv.bz2
printf 'PAR1\025' >packed/log.parquet
printf '\377\3761\0\n\0002\0\n\0' >packed/excel.txt
printf 'PK\3\4' >packed/notes.docx
printf '{\n  "name": 1\n}\n' >packed/package.json
printf '%%PDF-1.4' >packed/notes.pdf
ran sigrep --recursive -t 0.1 t.txt packed 2>&1
echo "- what -v names"
sigrep -v --recursive -t 0.1 rec/t.txt rec 2>&1 >/dev/null | grep passed
echo "- other ways to name it"
ran sigrep --recursive -l -t 0.1 t.txt rec/ rec/b.txt 2>/dev/null
ran sigrep --recursive -l -t 0.1 t.txt by_name/b 2>/dev/null
(cd rec/2026-11 && ran sigrep --recursive -t 0.1 ../t.txt) 2>&1
ran sigrep --recursive -t 0.1 t.txt rec/b.txt
# A part cut out of a recording is a template; the recording stays an input.
ran sigrep --recursive -c -t 0.1 rec/b.txt@3-8 rec/2026-11
echo "- nothing there"
ran sigrep --recursive -t 0.1 t.txt rec/empty 2>&1
ran sigrep --recursive --include 'README*' -t 0.1 t.txt rec 2>&1
ran sigrep -t 0.1 t.txt rec rec/b.txt 2>&1
ran sigrep -s -t 0.1 t.txt rec rec/b.txt nosuch 2>&1
ran sigrep -s -t 0.1 t.txt rec/b/cut.wav 2>&1
ran sigrep -L -t 0.1 t.txt rec/2026-11/tuesday.txt rec/b.txt nosuch rec/b/cut.wav 2>&1
ran sigrep -L -l -t 0.1 t.txt rec/2026-11/tuesday.txt rec/b.txt 2>&1
