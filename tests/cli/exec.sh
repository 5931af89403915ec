# --exec: a command for each match, which knows it by SIGREP_* variables.
. "$SRC/tests/cli/signals"
hill >bell.txt
stream >door.txt
cat >notify <<'END'
# What a user keeps beside sigrep: a line in a log for each ring.
echo "$SIGREP_LABEL rang from $SIGREP_START to $SIGREP_END ($SIGREP_START_SAMPLE-$SIGREP_END_SAMPLE)"
echo "  in $SIGREP_FILE: $SIGREP_SCORE of ${SIGREP_THRESHOLD:-none}, margin ${SIGREP_MARGIN:-none}, clock ${SIGREP_CLOCK-none}"
END
echo '- matches on standard output, the rest on standard error'
sigrep -r 10 -t 0.1 --exec 'sh notify >>log; echo noise' bell.txt door.txt 2>err
sort -u err
cat log
echo '- as -T says; -m, --hold and -q choose the matches'
sigrep -r 10 -T hms -t 0.1 -m 1 --exec 'sh notify' bell.txt door.txt 2>said >/dev/null
cat said
sigrep -r 10 -t 0.1 --hold 60 --exec 'sh notify' bell.txt door.txt 2>said >/dev/null
cat said
sigrep -q -b 2 --exec 'sh notify' bell.txt door.txt 2>&1
sigrep -c -t 0.1 --exec 'sh notify' bell.txt door.txt 2>/dev/null
echo '- a sound has a margin'
sigrep -t 3 --exec 'echo "margin $SIGREP_MARGIN"' "apple=$SRC/examples/audio/manzana.wav@1.3-1.9" \
    "$SRC/examples/audio/multiple_keywords_es.wav" 2>said >/dev/null
cat said
echo '- hostile names are values, never words of the command'
cp bell.txt '$(touch gone); x'
cp door.txt "./-n \$(touch gone) 'x' \"; touch gone;"
sigrep -t 0.1 -m 1 --exec 'printf "%s|" "$SIGREP_LABEL" "$SIGREP_FILE"; echo' \
    '$(touch gone); x=$(touch gone); x' "./-n \$(touch gone) 'x' \"; touch gone;" 2>said
cat said
ls
echo '- a failure is reported once for each label, and changes no status'
ran sigrep -t 0.1 --exec 'exit 3' -e bell.txt -e knock=door.txt@11-17 door.txt 2>&1 | sort
ran sigrep -t 0.1 --exec 'kill -9 $$' bell.txt door.txt 2>&1 | sort
echo '- a command that takes its time holds nothing up, and is waited for at the end'
mkfifo in out gate.0 gate.16 gate.32
ring() { # its line is printed at once
    lines 0 1 3 1 0 9 9 9 9 9 9 9 9 9 9 9 >&3
    read -r line <&4
    echo "$line"
}
sigrep -t 0.1 --exec 'read -r go <gate.$SIGREP_START_SAMPLE; echo "$go" >>finished' bell.txt <in >out &
exec 3>in 4<out
ring
ring
ring
exec 3>&-
for sample in 0 16 32; do echo "go $sample" >gate.$sample; done
wait $!
echo "status $?"
cat finished
exec 4<&-
echo '- a signal: no more commands are started'
sigrep -t 0.1 --exec 'read -r go <gate.0; echo "$go" >&2' bell.txt <in >out 2>err &
exec 3>in 4<out
ring
ring
ring
exec 5>gate.0 # the first command runs
kill -TERM $!
wait $! # for EXEC_PATIENCE_S
echo "status $?"
exec 3>&- 4<&-
sort err
echo go >&5 # the command ends
exec 5>&-
echo '- a signal after all input: the status says so if commands are left out'
for n in 2 1; do
    : >out.txt
    sigrep -t 0.1 -m $n --exec 'read -r go <gate.0' bell.txt door.txt >>out.txt 2>said &
    exec 5>gate.0 # the first command runs
    until [ "$(wc -l <out.txt)" -eq $n ]; do sleep 0.05; done
    sleep 0.2
    kill -TERM $!
    sleep 0.2
    echo go >&5 # it ends
    exec 5>&-
    wait $!
    echo "status $?"
    cat said
done
ran sigrep -t 1 --exec '' bell.txt door.txt 2>&1
