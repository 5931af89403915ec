# Names of inputs are printed when grep prints them; -H, -h, -c, -l, -q.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
lines 9 9 9 >none.txt
for options in '' -h -H -c '-c -h' -l '-l -c' '-l -H' -q '-m 1' '-m 1 -c'; do
    echo "- $options"
    # shellcheck disable=SC2086
    ran sigrep $options -t 0.1 t.txt s.txt none.txt - <s.txt
done
for options in '' -H '-H -c' -c -l '-o labels -H'; do
    echo "- one, $options"
    # shellcheck disable=SC2086
    ran sigrep $options -t 0.1 t.txt <s.txt
done
