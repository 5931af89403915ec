# Files of other programs are refused, with the command that converts them. -f reads any bytes.
. "$SRC/tests/cli/signals"
hill >t.txt
{ bytes 0 0 0 32; printf 'ftypM4A \0\0\0\0'; } >song.m4a
{ bytes 26 69 223 163 159 66 134 129; } >film.mkv
{ printf 'PK\3\4'; bytes 20 0 0 0 8 0 0 0 33 0 0 0 0 0 0 0 0 0 0 0 0 0; bytes 5 0 0 0; printf 'x.csvab'; } >x.zip
{ printf 'PK\3\4'; bytes 20 0 0 0 8 0 0 0 33 0 0 0 0 0 0 0 0 0 0 0 0 0; bytes 7 0 0 0; printf 'pen.npyab'; } >x.npz
printf '\211HDF\r\n\032\n\0\0\0\0' >x.h5
{ cat x.zip; printf 'PK\3\4'; bytes 20 0 0 0 8 0 0 0 33 0 0 0 0 0 0 0 0 0 0 0 0 0; bytes 15 0 0 0; printf 'xl/workbook.xmlab'; } >x.xlsx
printf 'PAR1\025\4\025\200' >x.parquet
{ printf '%-168s' '0       X X X X'; printf '%-88s' '16.09.8720.35.00512'; bytes 0 1 0 2 0 3; } >x.edf
printf 'BZh91AY&SY\1\2\3\4' >x.bz2
printf '\3757zXZ\0\0\4' >x.xz
printf '7z\274\257\047\034\0\4' >x.7z
printf '\177ELF\2\1\1\0' >program
printf '%%PDF-1.7\n' >page.pdf
ran sigrep -t 0.1 t.txt song.m4a film.mkv x.zip x.npz x.xlsx x.h5 x.parquet x.edf 2>&1
ran sigrep -t 0.1 t.txt x.bz2 x.xz x.7z program page.pdf 2>&1
echo "- JSON documents; from a pipe; as a template"
printf '{"x": [620,\n262]}\n' >object.json
printf '[\n  [0, 620],\n  [0.01, 620]\n]\n' >pen.json
printf '[620, 620, 621]\n' >row.json
ran sigrep -t 0.1 t.txt object.json pen.json row.json 2>&1
cat object.json | ran sigrep -t 0.1 t.txt 2>&1
ran sigrep -t 0.1 object.json t.txt 2>&1
echo "- a_header_in_brackets is no JSON"
{ echo '[mV]'; stream; } >volts.csv
ran sigrep -t 0.1 t.txt volts.csv 2>&1
echo "- -f reads them all the same"
ran sigrep -c -f u8 -t 0 x.7z x.7z 2>&1
ran sigrep -c -f u8 -t 0 t.txt x.7z x.zip 2>&1
