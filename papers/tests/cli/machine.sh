# sigrep-machine: the tables of all three machines, a fit, and each wrong command line.
sigrep-machine --help | sed -n '1,2p'
sigrep-machine dmm
sigrep-machine umm -w 8 -l 100 -m 16 -n 512
sigrep-machine --signals -w 32 -l 20 -L 400 -d 2 -D 8 -r 2 -m 32 -n 1000 hmm
sigrep-machine -w 1 dmm shuffle contiguous 2>&1
sigrep-machine -w 1 dmm 2>&1 | sed -n '1p;$p'
sigrep-machine -p 3 -m 5 -n 9 dmm ring diagonals
for gpu in gtx580 h100 h100-strings; do
    sigrep-machine fit "$SRC/papers/machine/measured/$gpu"
done

fails() {
    echo "- $*"
    sigrep-machine "$@" 2>printed >table
    echo "status $?"
    sed 1q printed
    cat table
}
fails
fails tpu
fails dmm nosuch
fails dmm blocks
fails hmm ring
for option in -w -l -L -d -D -r -p -m -n; do
    fails "$option" 0 dmm
done
fails -w x dmm
fails -w 1025 dmm
fails -l -1 dmm
fails --seed x dmm
fails -m 9 -n 8 dmm
fails -p 65 dmm ring
fails -m 1024 -n 65536 dmm ring
fails -m 2 -n 65536 dmm slid
fails -p 7 -D 6 hmm blocks
fails -p 600 -D 6 -m 8 hmm blocks
fails -D 65536 -m 1024 -n 2000 hmm blocks
fails -w 2 dmm --nosuch

# Regression: machines_without_an_algorithm_printed_an_empty_table.
fails hmm -p 7
fails dmm -p 65

fails fit
fails fit nosuch
fails fit .
try() {
    printf "$@" >measured
    fails fit measured
}
begin='width 32\ndmms 2\nresident 2\nthreads 64\nn 999\n'
try ''
try 'width 32\ndmms 2\nthreads 64\n'
try 'width 0\n'
try 'width 32 33\n'
try 'height 3\n'
try 'm\n'
try 'm 2 x\n'
try 'm 2\nm 3\n'
try '8 1.0\n'
try 'm 2 4\n8 1.0\n'
try 'm 2 4\n8 1.0 2.0 3.0\n'
try 'm 2 4\n8 1.0 0\n'
try "${begin}m 2 4\n8 1.0 2.0\n"
try "%0600d\n" 1
