# make_inputs.py WAV - inputs of tests/tools/sigrep-plot/run in the working directory, the same
# every time.
import array
import datetime
import math
import random
import sys
import wave

HOUR_S = 3600


def write_hour(path):
    with wave.open(path) as source:
        params, once = source.getparams(), source.readframes(source.getnframes())
    size = HOUR_S * params.framerate * params.sampwidth
    with wave.open('hour.wav', 'wb') as to:
        to.setparams(params)
        to.writeframes((once * (size // len(once) + 1))[:size])


def write_wrist():
    """Three axes at 50 Hz with ISO times over midnight, five shakes of rising length, and a gap."""
    rng = random.Random(3)
    begin, step_s, n, gap_at, gap_s = datetime.datetime(2026, 9, 1, 23, 58, 30), 0.02, 9000, 5000, 25
    shakes = [(start, 100 * (1 + 0.15 * i)) for i, start in enumerate((600, 2025, 3550, 5900, 7500))]
    with open('wrist.csv', 'w') as out:
        out.write('time,x,y,z\n')
        for i in range(n):
            x, y, z = (rng.gauss(0, 0.15) for _ in range(3))
            for start, length in shakes:
                u = (i - start) / length
                if 0 <= u < 1:
                    x += 3 * math.sin(6 * math.pi * u) * (1 - u)
                    y += 2 * math.cos(4 * math.pi * u) * u
                    z -= 1.5 * math.sin(math.pi * u)
            seconds = i * step_s + (gap_s if i >= gap_at else 0)
            time = (begin + datetime.timedelta(seconds=seconds)).isoformat(timespec='milliseconds')
            out.write(f'{time}Z,{x:.3f},{y:.3f},{z + 9.81:.3f}\n')


def bump(n):
    return [math.sin(math.pi * i / n) * 3 for i in range(n)]


def write_floats(name, values):
    with open(name, 'wb') as out:
        array.array('f', values).tofile(out)


def write_times():
    """One signal whose times are none, seconds since 1970, and ISO that goes back."""
    values = [3 * math.sin(math.pi * i / 100) if 500 <= i < 600 else 0.01 * (i * 37 % 11) for i in range(1000)]
    begin = datetime.datetime(2026, 1, 1)
    with open('no_times.txt', 'w') as none, open('epoch.csv', 'w') as epoch, open('back.csv', 'w') as back:
        for i, v in enumerate(values):
            none.write(f'{v:.3f}\n')
            epoch.write(f'{1750000000 + i / 100:.2f},{v:.3f}\n')
            time = begin + datetime.timedelta(seconds=i / 100 - (2 if i >= 300 else 0))
            back.write(f'{time.isoformat(timespec="milliseconds")}Z,{v:.3f}\n')


def main():
    write_hour(sys.argv[1])
    write_wrist()
    write_times()
    rng = random.Random(1)
    write_floats('bump.f32', bump(100))
    write_floats('huge.f32', [(-1) ** i * 3e38 * i / 50 for i in range(50)])
    with open('bump.txt', 'w') as out:
        out.writelines(f'{v:.3f}\n' for v in bump(100))
    some = [rng.uniform(-1, 1) for _ in range(36000)]
    some[1000:1100] = bump(100)
    write_floats('ten_hours.f32', some * 100)
    write_floats('noise.f32', [rng.uniform(-1, 1) for _ in range(400000)] + bump(100))
    with open('flat.txt', 'w') as out:
        out.write('1\n' * 100)


main()
