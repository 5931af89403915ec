# sigrep-mpi and bad input: status 2, one message of rank 0, and all ranks end.
. "$SRC/papers/tests/cli/mpi_env"
printf 'acgtacgt' >x
printf 'ccgtaagtac' >y
printf '' >empty
printf '1\n2\n3\n' >signal.csv
printf '1\nnan\n3\n' >gap.csv
printf '1,2\n3,4\n' >two.csv
mkdir folder

fails() {
    echo "- $*"
    mpi 3 "$@" </dev/null >printed 2>words
    echo "status $?"
    cat printed words
}
fails
fails nosuch x y
fails opasm x
fails opasm x y z
fails --nosuch opasm x y
fails -k words opasm x y
fails -k maxshift opasm x y
fails -k factors -l 33 opasm x y
fails -k factors -l 9 opasm x y
fails -k strings -l 2 opasm x y
fails --count -k strings pre x y
fails --repeat 0 -k strings pre x y
fails -k strings opasm - -
fails -k strings opasm nosuch y
fails -k strings edm x nosuch
fails -k strings pasm empty y
fails -k strings opasm x empty
fails -k strings opasm - y
fails -k strings opasm folder y
fails opasm signal.csv gap.csv
fails opasm two.csv signal.csv
fails opasm signal.csv two.csv
fails edm signal.csv empty

# An output that cannot be written.
mpi 1 --version | grep -c '^sigrep-mpi [0-9.]*$'
{ sigrep-mpi -k strings opasm x y >/dev/full; } 2>&1
echo "status $?"

# A rank that is killed ends all.
head -c 200000 /dev/zero >long
mpirun --quiet --oversubscribe -n 3 sigrep-mpi -k strings opasm long long >/dev/null 2>&1 &
for _ in $(seq 100); do
    ranks=$(pgrep -P $! -x sigrep-mpi) && [ "$(echo "$ranks" | wc -l)" = 3 ] && break
    sleep 0.1
done
sleep 0.5
kill -9 "$(echo "$ranks" | tail -n 1)"
wait $! || echo "ended"
is_running() { # it may stay as a zombie, if nobody waits for it
    grep -q '^State:.[^ZX]' "/proc/$1/status" 2>/dev/null
}
for rank in $ranks; do
    for _ in $(seq 100); do
        is_running "$rank" || break
        sleep 0.1
    done
    if is_running "$rank"; then echo "a rank is left"; fi
done
