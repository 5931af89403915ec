# A person at a terminal learns what is waited for. Nobody else does.
. "$SRC/tests/cli/signals"
python3 -c 'import pty' || { echo "SKIP no python3"; exit 77; }
hill >t.txt
stream >s.txt
samples='9\n9\n9\n0\n1\n3\n1\n0\n9\n9\n9\n'
at_terminal 80 'sigrep -T samples -t 0.1 t.txt' 'INPUT' "$samples\x04"
at_terminal 80 'echo go; sigrep -q -t 0.1 t.txt' 'go' "$samples"
at_terminal 80 'echo go; sigrep -T samples -t 0.1 t.txt 2>printed; cat printed' 'go' "$samples\x04"
at_terminal 80 '{ read -r word; cat s.txt; } | sigrep -T samples -t 0.1 t.txt' 'waiting' '\n'
