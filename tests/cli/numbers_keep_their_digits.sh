# Regression: meter_whose_steps_were_lost. float32 has steps of 8 at 123456789.25: no front end that
# takes differences or means may see them, from any format that holds the number.
. "$SRC/tests/cli/signals"
# The same signals at an offset and without; integers count quarters.
python3 - <<'EOF'
import json, math, struct
from random import Random

random = Random(38)
steps = [random.choice([.25, .5, .75, 1]) for _ in range(600)]
shape = [.25, .75, 1.75, 3.25, 4.75, 3.25, 1.75, .75, .25, .25] * 3
for at in (100, 300, 500):
    steps[at:at + 30] = shape
meter = [0.]
for step in steps:
    meter.append(meter[-1] + step)
wave = [random.gauss(0, .02) for _ in range(600)]
for at in (100, 300, 500):
    wave[at:at + 40] = [math.sin(i / 3) * i / 40 for i in range(40)]

def write(name, values, offset):
    far = [v + offset for v in values]
    with open(name + '.txt', 'w') as out:
        out.writelines(f'{v:.4f}\n' for v in far)
    with open(name + '.jsonl', 'w') as out:
        out.writelines(json.dumps({'v': v}) + '\n' for v in far)
    with open(name + '.f64', 'wb') as out:
        out.write(struct.pack(f'<{len(far)}d', *far))

def npy(name, kind, letter, values):
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({len(values)},), }}"
    with open(name, 'wb') as out:
        out.write(b'\x93NUMPY\1\0v\0' + header.ljust(117).encode() + b'\n')
        out.write(struct.pack(f'<{len(values)}{letter}', *values))

OFFSET = 123456789.25
for name, values in ('meter', meter), ('wave', [round(v, 4) for v in wave]):
    write(name, values, OFFSET)
    write(name + '0', values, 0)
    with open(name[0] + '0.txt', 'w') as out:
        out.writelines(f'{v:.4f}\n' for v in values[100:140 if name == 'wave' else 131])
    with open(name[0] + '.txt', 'w') as out:
        out.writelines(f'{v + OFFSET:.4f}\n' for v in values[100:140 if name == 'wave' else 131])
quarters = [int(4 * (v + OFFSET)) for v in meter]
npy('meter.npy', '<f8', 'd', [v + OFFSET for v in meter])
for kind, letter, name in ('<i4', 'i', 'i4'), ('<u4', 'I', 'u4'), ('<i8', 'q', 'i8'):
    npy(name + '.npy', kind, letter, quarters)
npy('quarters.npy', '<i4', 'i', [int(4 * v) for v in meter[100:131]])
with open('meter.s32', 'wb') as out:
    out.write(struct.pack(f'<{len(quarters)}i', *quarters))
with open('quarters.s32', 'wb') as out:
    out.write(struct.pack('<31i', *[int(4 * v) for v in meter[100:131]]))
EOF
places() { cut -f 1,2 | tr '\t\n' '- '; echo; }
echo "- steps of a meter"
sigrep -p diff -b 3 m0.txt meter0.txt | places
for input in meter.txt meter.jsonl meter.npy; do sigrep -p diff -b 3 m0.txt $input | places; done
sigrep -p diff -f f64 -b 3 m0.txt meter.f64 | places
sigrep -p diff -f s32 -b 3 quarters.s32 meter.s32 | places
for input in i4 u4 i8; do sigrep -p diff -b 3 quarters.npy $input.npy | places; done
sigrep -p diff -b 3 m0.txt - <meter.txt | places
sigrep -p diff -j 3 -b 3 m0.txt meter.txt | places
echo "- a wave on an offset: without it, and with it"
for front in znorm=20 bandpass=.05-.4 envelope=4 diff+envelope=2 resample=.5 resample=.5+diff; do
    echo "$front"
    sigrep -p $front -b 3 w0.txt wave0.txt | places
    sigrep -p $front -b 3 w.txt wave.txt | places
done
echo "- a template of another rate"
awk '{ print NR - 1 "," $1 }' wave.txt >fast.csv
awk 'NR % 2 { print NR - 1 "," $1 }' wave.txt >slow.csv
awk '{ print NR - 1 "," $1 }' wave0.txt >fast0.csv
awk 'NR % 2 { print NR - 1 "," $1 }' wave0.txt >slow0.csv
sigrep --time-column 1 -b 3 slow0.csv@100-140 fast0.csv | places
sigrep --time-column 1 -b 3 slow.csv@100-140 fast.csv | places
echo "- a bundle"
sigrep-train -p diff -o m.sigrep m.txt >m.log
sigrep -b 3 m.sigrep meter.txt | places
echo "- raw: neighbours that become one are reported, once"
ran sigrep -t 0 -c m.txt meter.txt 2>&1
ran sigrep -t 0 -c m.txt -f f64 meter.f64 2>&1
ran sigrep -t 0 -c -j 3 m.txt -f f64 meter.f64 2>&1
ran sigrep -t 0 -c m0.txt meter0.txt 2>&1
ran sigrep -p diff -t 0 -c m.txt meter.txt 2>&1
