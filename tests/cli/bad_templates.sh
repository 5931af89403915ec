# Every way in which a template can be wrong has words of its own; status 2.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
: >empty
lines 1 >one.txt
lines 1 nan 2 >nan.txt
lines 1 2 x 3 >word.txt
lines 1,2 3,4 >two.csv
lines 1,2 3 4,5 >ragged.csv
printf '\001\002\003' >odd.bin
wav 8000 1 0 9 0 | head -c 48 >cut.wav
wav 8000 1 | head -c 30 >header.wav
wav 8000 1 >none.wav
wav 8000 1 0 9 0 >a.wav
wav 44100 1 0 9 0 >b.wav
mkdir folder folder/sub
: >folder/.hidden
: >t.sigrep
for t in missing missing/t.txt empty one.txt nan.txt word.txt ragged.csv odd.bin cut.wav header.wav \
    none.wav folder /dev/null /dev/zero t.txt@3-5.6 t.txt@9-10 t.txt@1-2 t.txt@2-1 t.sigrep; do
    ran sigrep -t 1 "$t" s.txt 2>&1
done
ran sigrep -t 1 -e t.txt -e two.csv s.txt 2>&1
ran sigrep -p raw -t 1 -e a.wav -e b.wav s.txt 2>&1
ran sigrep -t 1 -e t.txt -e missing s.txt 2>&1
ran sigrep -f s16 -t 1 odd.bin s.txt 2>&1
ran sigrep -t 1 --skip-bad word.txt s.txt 2>&1
ran sigrep -t 1 -g 1.1,1.2 t.txt@0-2 s.txt 2>&1
