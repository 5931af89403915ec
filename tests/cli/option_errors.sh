# Errors of usage: a reason, a hint, status 2, before anything is read.
. "$SRC/tests/cli/signals"
for arguments in '--nonsense t' '--nonsense=d t' '-k 1 t' '--quiet=1 t' '--chan 1 t' 't -t' \
    '-t automatic t' '-t auto -b1 t' '-t -1 t' '-t 1x t' '-t inf t' '-b 0 t' '-b 1.5 t' '-t1 -b1 t' '-m -1 -t1 t' \
    '-g 2,1 -t1 t' '-g 1 -t1 t' '-g 0,65 -t1 t' '--min-matches 0 -t1 t' '--min-matches 2 -b1 t' \
    '-f s12 -t1 t' '-f textbe -t1 t' '-r 0 -t1 t' '-r fast -t1 t' '--channels 0 -t1 t' \
    '--channel 0 -t1 t' '--channel left -t1 t' '--columns 0 -t1 t' '--columns 2- -t1 t' \
    '--columns 3-2 -t1 t' '--time-column 0 -t1 t' '-o xml -t1 t' '-T minutes -t1 t' \
    '--scores - -t1 t' '--save= -t1 t' '--exec= -t1 t' '--hold -1 -t1 t' '--hold 1 -b1 t' '-A 1 -t1 t' '-d cuda:any -t1 t' '-d tpu -t1 t' '-j 0 -t1 t' \
    '-j 1025 -t1 t' '--chunk 0 -t1 t' '-t1 =t' '-t1 l=' '-t1 @1-2' '-b1 t mic:' '--duration 0 -t1 t' '--duration x -t1 t' \
    '--output-dir d -l -t1 t' '--output-dir= -t1 t' '-t1 -e - -' '-t1 t - -' '-m 1 -t1 t - s -' '-t1 -e - -e -  s'; do
    echo "- $arguments"
    # shellcheck disable=SC2086 # cut into words
    ran sigrep $arguments </dev/null 2>&1 | grep -v "^Try 'sigrep --help'\.$"
done
sigrep --nonsense
