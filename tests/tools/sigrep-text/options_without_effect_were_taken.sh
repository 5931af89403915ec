# An option that would have no effect is refused.
. "$SRC/tests/cli/signals"
printf 'abc' >text
for options in '-c -o json' '-l -o csv' '-q -o text' '-L -b 1' '-q -c' '-c -l' '-q -L' '-b 1 -m 1' \
    '-H -o json' '-h -o bed' '-H -q' '-h -l' '--alphabet utf8 --fasta' '-o sam'; do
    ran sigrep-text -k 0 $options abc text
done
for options in '--kernel scalar' '--substitutions' '--overhang 50%' '-b 1' '-h' '--alphabet utf8' \
    '-o bed'; do
    ran sigrep-text --whole $options text text
done
