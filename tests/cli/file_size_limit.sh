# Regression: beyond a limit of file sizes the program was ended by SIGXFSZ, without a word.
. "$SRC/tests/cli/signals"
hill >t.txt
for _ in 1 2 3 4 5 6 7 8 9 10; do stream; done >s.txt
for _ in 1 2 3 4 5 6 7 8 9 10; do cat s.txt; done >long.txt # 200 matches
limited() { # BLOCKS COMMAND...
    blocks=$1
    shift
    echo "$ $*"
    (ulimit -f "$blocks" && exec "$@") 2>&1
    echo "status $?"
}
limited 4 sh -c 'sigrep -t 0.1 t.txt long.txt >out'
limited 4 sigrep -q -t 0.1 --scores scores t.txt long.txt
mkdir dir
limited 4 sigrep -t 0.1 --output-dir dir t.txt long.txt
limited 1 sigrep -q -t 0.1 -m 1 --save saved -A 800 t.txt long.txt
ls saved
echo "- what --exec starts has the limit and its signal"
(ulimit -f 4
 sigrep -q -t 0.1 -m 1 --exec 'exec head -c 9999 /dev/zero >big' t.txt long.txt) 2>&1 |
    sed 's/signal [0-9]* /signal /'
wc -c <big
