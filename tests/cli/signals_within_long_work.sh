# SIGTERM and SIGINT are heard within long work: what was found so far is printed, and then
# where the signal came. No work here ends by itself within minutes, and a program that
# does not hear the signal gives up after 20 s, with status 2.
if [ "${SAN-}" = thread ]; then
    echo "SKIP it takes a minute under ThreadSanitizer; signals_end_well does not"
    exit 77
fi
command -v python3 >/dev/null || { echo "SKIP no python3"; exit 77; }
# With a sanitizer such work takes long even for a tenth of the template.
length=40000
[ -z "${SAN-}" ] || length=4000
python3 - $length <<'END'
import array, math, random, sys
random.seed(1)
noise = array.array('f', (random.random() for _ in range(int(sys.argv[1]))))
waves = array.array('f', (math.sin(t % 25 * math.pi / 12.5) * (1 + t * 1e-6)
                          for t in range(2000000)))
for name, samples in ('long', noise), ('wave', waves[:25]), ('waves', waves):
    with open(name + '.f32', 'wb') as file:
        samples.tofile(file)
END
mkfifo in out
# A shell ignores SIGINT for what it starts in the background: take that back.
search() {
    exec env --default-signal=INT sigrep -d cpu -f f32 -T samples "$@"
}

# What is said but that work was given up, which a slow machine may have to. When the signal came is
# up to the machine as well.
others() {
    grep -v 'warning: interrupted: matches before the signal may be missing$' "$1" |
        sed 's/after [0-9.]* s$/after some s/'
}

echo "- a long template, and a file of 1 TiB that goes on with zeros"
cp long.f32 endless.f32
truncate -s 1T endless.f32
for how in 'TERM 1' 'INT 1' 'TERM 2'; do
    search -j "${how#* }" -t 0.1 long.f32 endless.f32 >out 2>said &
    exec 4<out
    read -r line <&4
    echo "$line" | sed "s/\t$length\t/\tits length\t/"
    kill "-${how% *}" $!
    cat <&4
    wait $!
    echo "$how: status $?"
    others said
    exec 4<&-
done

echo "- a long template, and a pipe without an end in which everything matches"
for signal in TERM INT; do
    search -t 9 long.f32 <in >out 2>said &
    busy=$!
    while cat long.f32; do :; done >in 2>quiet &
    writer=$!
    exec 4<out
    read -r line <&4
    echo "$line" | sed "s/\t$length\t/\tits length\t/"
    kill -$signal $busy
    cat <&4 | awk "\$1 % $length"' { print "no copy begins here:", $0 }'
    wait $busy
    echo "$signal: status $?"
    others said
    wait $writer
    exec 4<&-
done

echo "- the best of two million samples that all match: each costs a search of what is left"
for signal in TERM INT; do
    search -h -b 80000 wave.f32 wave.f32 - <in >best 2>words &
    busy=$!
    cat waves.f32 >in # the pipe holds no more than a small part of it
    kill -$signal $busy
    wait $busy
    echo "$signal: status $?"
    head -n 1 best
    # Waves grow, so each is a little worse than the one before it.
    awk 'NR > 1 && ($1 != 25 * (NR - 2) || $2 != $1 + 25) { print "not the next best:", $0 }
         END { if (NR > 80000) print "all" }' best
    others words
    grep -c interrupted words
done
