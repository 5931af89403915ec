# --state: what is refused, in words and with its cure; nothing is lost then.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
lines 0 1 3 2 0 >other.txt
refused() { # OPTION...: nothing changes
    cp S before 2>/dev/null
    ran sigrep -t 0.1 --state S "$@" t.txt s.txt 2>&1 | cat
    [ ! -e before ] || cmp S before
}
echo "- what does not go together"
for o in '-b 1' -l -L -q --recursive '--output-dir d' '--scores f' '--save d' '--exec true'; do
    # shellcheck disable=SC2086 # options
    sigrep --state S $o t.txt s.txt 2>&1 | head -n 1
done
sigrep --state S t.txt s.txt s.txt 2>&1 | head -n 1
sigrep --state '' t.txt s.txt 2>&1 | head -n 1
sigrep --state ,replay t.txt s.txt 2>&1 | head -n 1

echo "- other options, templates, thresholds"
sigrep -t 0.1 --state S t.txt s.txt >out
refused --state S,replays
refused -o json
refused --hold 3
refused -f text --columns 1
refused -p diff
ran sigrep -t 0.2 --state S t.txt s.txt 2>&1 | cat
ran sigrep -t 0.1 --state S other.txt s.txt 2>&1 | cat
ran sigrep -t 0.1 --state S -e t.txt -e other.txt s.txt 2>&1 | cat
ran sigrep -t 0.1 --state S other=t.txt s.txt 2>&1 | cat
cmp S before

echo "- ... also if the file was rotated"
stream >r.txt
sigrep -t 0.1 --state R t.txt r.txt >out
sed 's/9/8/' r.txt | tac >rotated && mv rotated r.txt
ran sigrep -t 0.1 --state R other.txt r.txt 2>&1 | cat
ran sigrep -t 0.1 --state R -p diff t.txt r.txt 2>&1 | cat
ran sigrep -t 0.1 --state R t.txt r.txt 2>&1 | cat

echo "- a state that is none"
head -c 100 S >short
for file in short t.txt /dev/null; do
    cp $file bad
    sigrep -t 0.1 --state bad t.txt s.txt 2>&1
    echo "status $?"
done
{ head -c 300 S; printf x; tail -c +302 S; } >bad
ran sigrep -t 0.1 --state bad t.txt s.txt 2>&1 | cat
{ head -c 8 S; printf '\377'; tail -c +10 S; } >bad
ran sigrep -t 0.1 --state bad t.txt s.txt 2>&1 | cat

echo "- a file that shrank, or was changed"
stream >>s.txt
stream >>s.txt
sigrep -t 0.1 --state S t.txt s.txt >>out
for change in '$d' '40s/.*/8/' '57s/.*/8/'; do
    cp s.txt good.txt
    sed "$change" good.txt >s.txt
    refused
    cp good.txt s.txt
done

echo "- ... even if its first samples are the same"
awk 'BEGIN { for (i = 0; i < 60000; i++) print 9 + i * i % 7 }' >long.txt
sigrep -t 0.1 --state L t.txt long.txt
sed '59500s/.*/8/' long.txt >changed.txt
mv changed.txt long.txt
ran sigrep -t 0.1 --state L t.txt long.txt 2>&1 | cat

echo "- ... or if its frames are wider: more than the buffers hold"
wide=$(seq -s , 300)
printf '%s\n' "$wide" "$wide" >wide.txt
yes "$wide" | head -n 17000 >long.txt
ran sigrep -t 0.1 --state L wide.txt long.txt 2>&1 | cat

echo "- output"
sigrep -t 0.1 --state S t.txt s.txt >>out
sigrep -t 0.1 --state S t.txt s.txt >out
echo "status $?"
echo precious >file
sigrep -t 0.1 --state S t.txt s.txt >>file
echo "status $?"
cat file

echo "- two runs at once"
mkfifo pipe
sigrep -t 0.1 --state T t.txt pipe >two &
exec 3>pipe
stream >&3
until [ -s two ]; do sleep 0.1; done
ran sigrep -t 0.1 --state T t.txt s.txt 2>&1 | cat
exec 3>&-
wait
ls T*

echo "- where it cannot be saved"
ran sigrep -t 0.1 --state none/S t.txt s.txt 2>&1 | cat
mkdir dir
ran sigrep -t 0.1 --state dir t.txt s.txt 2>&1 | cat
ran sigrep -t 0.1 --state /dev/null t.txt s.txt 2>&1 | sed 's/Permission denied/refused/' | cat
mkfifo fifo
ran timeout 60 sigrep -t 0.1 --state fifo t.txt s.txt 2>&1 | cat
ran sigrep -t 0.1 --state - t.txt s.txt 2>&1 | head -n 2
echo "- a disk that is full: said once, and the search goes on"
set --
for i in 1 2 3 4 5 6 7 8 9; do set -- "$@" -e "$i=t.txt"; done
(ulimit -f 2
 sigrep -c -t 0.1 --state F "$@" s.txt 2>&1
 echo "status $?") | cat
ls -a
