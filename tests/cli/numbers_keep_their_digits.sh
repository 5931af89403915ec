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

# Audio of 1 Hz.
def wav(name, tag, letter, values):
    data = struct.pack(f'<{len(values)}{letter}', *values)
    width = struct.calcsize('<' + letter)
    with open(name, 'wb') as out:
        out.write(struct.pack('<4sI4s4sIHHIIHH4sI', b'RIFF', 36 + len(data), b'WAVE', b'fmt ', 16,
                              tag, 1, 1, width, width, 8 * width, b'data', len(data)) + data)

def au(name, encoding, letter, values):
    data = struct.pack(f'>{len(values)}{letter}', *values)
    with open(name, 'wb') as out:
        out.write(struct.pack('>4s5I', b'.snd', 24, len(data), encoding, 1, 1) + data)

def aifc(name, kind, letter, values):
    data = struct.pack(f'>{len(values)}{letter}', *values)
    rate = b'\x3f\xff\x80' + bytes(7)
    comm = struct.pack('>HIH', 1, len(values), 8 * struct.calcsize('>' + letter)) + rate + kind
    chunks = (struct.pack('>4sII', b'FVER', 4, 0xa2805140) +
              struct.pack('>4sI', b'COMM', len(comm) + 2) + comm + b'\0\0' +
              struct.pack('>4sIII', b'SSND', 8 + len(data), 0, 0) + data)
    with open(name, 'wb') as out:
        out.write(struct.pack('>4sI4s', b'FORM', 4 + len(chunks), b'AIFC') + chunks)

far = [v + OFFSET for v in meter]
wav('f64.wav', 3, 'd', far)
wav('s32.wav', 1, 'i', quarters)
au('f64.au', 7, 'd', far)
au('s32.au', 5, 'i', quarters)
aifc('f64.aifc', b'fl64', 'd', far)
EOF
places() { cut -f 1,2 | tr '\t\n' '- '; echo; }
echo "- steps of a meter"
sigrep -p diff -b 3 m0.txt meter0.txt | places
for input in meter.txt meter.jsonl meter.npy; do sigrep -p diff -b 3 m0.txt $input | places; done
sigrep -p diff -f f64 -b 3 m0.txt meter.f64 | places
sigrep -p diff -f s32 -b 3 quarters.s32 meter.s32 | places
for input in i4 u4 i8; do sigrep -p diff -b 3 quarters.npy $input.npy | places; done
for input in f64.wav f64.au f64.aifc s32.wav s32.au; do
    sigrep -p diff -b 3 $input@100-131 $input | places
done
sigrep -p diff -b 3 f64.wav@100-131 - <f64.wav | places
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
for input in f64.wav f64.au s32.wav; do ran sigrep -p raw -t 0 -c $input@100-131 $input 2>&1; done
echo "- of templates, too, once a file"
ran sigrep -t 0 -c m.txt meter0.txt 2>&1
ran sigrep -t 0 -c -e meter.txt@100-131 -e meter.txt@300-331 meter0.txt 2>&1
ran sigrep -t 0 -c meter.txt@100-131 meter.txt 2>&1
ran sigrep -p diff -t 0 -c m.txt meter0.txt 2>&1
# Regression: zmatch_template_lost_its_digits. zmatch compares float32, so it warns of templates as raw does.
sigrep -p zmatch=0 -b 1 w.txt wave0.txt 2>&1
sigrep -p diff+zmatch=0 -b 1 w.txt wave.txt >found 2>&1
cut -f 1,2 found
