# The examples of --help do what they say. A recording stands for the microphone.
. "$SRC/tests/cli/signals"
cp "$SRC/examples/audio/manzana.wav" whole.wav
sigrep-record -o cut- whole.wav >printed
mv cut-1.wav bark.wav
mkdir folder bin
cp "$SRC/examples/audio/multiple_keywords_es.wav" folder/day.wav
cp "$SRC/examples/audio/multiple_keywords_es.wav" day.flac
cp "$SRC/examples/audio/multiple_keywords_it.flac" night.flac
sigrep-train -t 3 -o word.sigrep bark.wav >printed
hill | awk 'BEGIN { print "time,amps" } { print NR - 1 "," $1 }' >start.csv
awk 'BEGIN { print "time,volts,amps" } FNR == 1 { next } { split($1, cell, ",") }
    { print NR - 2 ",5," cell[2] }' start.csv start.csv start.csv >log.csv
printf '%s\n' '#!/bin/sh' 'echo "mpc $*"' >bin/mpc
chmod +x bin/mpc
PATH=$PWD/bin:$PATH
sigrep --help | sed -n 's/^  \(sigrep .*\)/\1/p' >examples
wc -l <examples
sed 's/    .*//; s/80\.5-82/5.3-5.9/; s/mic:/day.flac/' examples | while read -r command; do
    echo "$ $command"
    sh -c "$command" </dev/null 2>printed | cut -f 1,2,4
done
cat found/*
