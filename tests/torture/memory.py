"""The resident memory of searches that go on and on."""
import pathlib
import subprocess

import verdict

GROWTH_KIB = 1024
FIRST_LOOK = 4 << 20  # samples
# The template is 8 values of 128, the other take 9.
STREAMS = [
    ('two takes of a label, constant input', bytes(1 << 20), ['-e', 'a=z.u8', '-e', 'a=z2.u8']),
    ('matches everywhere', bytes([128]) * (1 << 20), ['-g', '1,1', '-e', 'a=z.u8']),
    ('two takes, matches everywhere', bytes([128]) * (1 << 20),
     ['-g', '1,1', '-e', 'a=z.u8', '-e', 'a=z2.u8']),
]


def resident_kib(process):
    status = pathlib.Path(f'/proc/{process.pid}/status').read_text()
    return int(status.split('VmRSS:')[1].split()[0])


def search(torture, folder, block, arguments, samples):
    """What was found, or SAME; and the memory that it took."""
    (folder / 'z.u8').write_bytes(bytes([128]) * 8)
    (folder / 'z2.u8').write_bytes(bytes([128]) * 9)
    process = subprocess.Popen(
        [str(torture.programs / 'sigrep'), '-d', 'cpu', '-f', 'u8', '-t', '0.001', *arguments],
        cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    early = written = 0
    try:
        while written < samples:
            written += process.stdin.write(block)
            if not early and written >= FIRST_LOOK:
                early = resident_kib(process)
        late = resident_kib(process)
        process.stdin.close()
        status = process.wait(timeout=verdict.LIMIT_S)
    except (subprocess.TimeoutExpired, BrokenPipeError) as why:
        process.kill()
        return f'{why} after {written} samples', ''
    told = f'{samples:.0e} samples: {early} KiB after {FIRST_LOOK}, {late} KiB at the end'
    if status not in (0, 1):
        return f'status {status}', process.stderr.read().decode(errors='replace')
    return verdict.SAME if late - early <= GROWTH_KIB else 'memory grows', told


def add_rows(torture):
    samples = 2 * 10**7 if torture.is_short else 10**9
    for name, block, arguments in STREAMS:
        torture.row(f'memory: {name}', [samples],
                    lambda n, folder, block=block, arguments=arguments:
                    search(torture, folder, block, arguments, n), notes=True)
