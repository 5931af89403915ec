# Regression: columns_that_were_ignored_outside_of_text. --columns and --channel choose alike from
# every format, or are refused.
. "$SRC/tests/cli/signals"
python3 - <<'EOF'
import struct

def npy(name, shape, values):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
    with open(name, 'wb') as out:
        out.write(b'\x93NUMPY\1\0v\0' + header.ljust(117).encode() + b'\n')
        out.write(struct.pack(f'<{len(values)}f', *values))

hill = [0, 1, 3, 1, 0]
left = [9] * 20 + hill[::-1] + [2, 2, 7, 4] + [9] * 11
right = [8] * 30 + hill + [8] * 5
both = [v for pair in zip(left, right) for v in pair]
npy('both.npy', (40, 2), both)
npy('hill.npy', (5,), hill)
npy('swapped.npy', (5, 2), [v for at in range(30, 35) for v in (right[at], left[at])])
with open('both.f32', 'wb') as out:
    out.write(struct.pack('<80f', *both))
with open('both.csv', 'w') as out:
    out.write('l,r\n' + ''.join(f'{a},{b}\n' for a, b in zip(left, right)))
with open('both.words', 'w') as out:
    out.write(' '.join(str(1000 * v) for v in both))
with open('hill.words', 'w') as out:
    out.write(' '.join(str(1000 * v) for v in hill))
EOF
lines 0 1 3 1 0 >hill.txt
# shellcheck disable=SC2046 # words are samples
wav 8000 2 $(cat both.words) >both.wav
# shellcheck disable=SC2046
wav 8000 1 $(cat hill.words) >hill.wav
for option in "--columns 2" "--channel 2"; do
    echo "- $option"
    # shellcheck disable=SC2086 # options are words
    {
        sigrep $option -T samples -t 0 hill.npy both.npy
        sigrep $option -T samples -t 0 hill.txt both.csv
        sigrep $option -T samples -t 0 --channels 2 hill.txt -f f32 both.f32
        sigrep $option -T samples -t 0 -p raw hill.wav both.wav
    }
done
echo "- in another order"
sigrep --columns 2,1 -T samples -t 0 both.npy@30-35 both.npy
sigrep --columns 1,2 -T samples -t 0 --channel each both.npy@30-35 both.npy
sigrep --columns 2,1 -T samples -t 0 -r 1 both.csv@30-35 both.npy
echo "- refused"
ran sigrep --columns 3 -t 0 hill.npy both.npy 2>&1
ran sigrep --columns r -t 0 hill.npy both.npy 2>&1
ran sigrep --channel 3 -t 0 -p raw hill.wav both.wav 2>&1
ran sigrep --columns 1,2 -t 0 hill.npy both.npy 2>&1
