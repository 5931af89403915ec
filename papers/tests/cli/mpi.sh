# sigrep-mpi on 1 to 8 ranks: the bytes of one process, and of a slow program in Python.
. "$SRC/papers/tests/cli/mpi_env"
sigrep-mpi --help | sed -n 1p

# How many messages: PASM swaps both ends, OPASM sends what is read, EDM rows of blocks.
python3 -c '
import random
for name in "x", "y":
    print(end="".join(random.choices("acgt", k=200)), file=open(name, "w"))'
for system in pasm opasm edm; do
    mpi 4 --count --kind strings "$system" x y | tail -n 1
done
mpi 8 --count --kind strings opasm x y | tail -n 1
sigrep-mpi --count --kind strings opasm x y | tail -n 1

# MAXSHIFT: as printed it gives 2 where 3 is right.
printf gcctaga >pattern
printf tgaaac >text
for kind in maxshift factors; do
    mpi 3 --kind "$kind" -l 5 opasm pattern text | tr '\n' ' '
    echo
done

# Random lengths, all systems and kinds.
python3 "$SRC/papers/tests/cli/mpi_random.py"

# Standard input is rank 0's.
sigrep-mpi -k strings opasm x y >one
mpi 3 -k strings opasm - y <x | cmp - one && echo same
mpi 3 -k strings edm x - <y | cmp - one && echo same

# The predictor: its lines, not its times.
mpi 2 --repeat 1 -k strings pre x y | sed 's/[0-9][0-9.e+-]*/N/g'
sigrep-mpi --repeat 2 -k strings pre x y | sed 's/[0-9][0-9.e+-]*/N/g'
