"""Rows of tests that stand elsewhere: microphones in tests/live, memory_limit by its finest steps,
random tables, libFuzzer's targets."""
import os
import re
import subprocess
import time

MICROPHONES = re.compile(r'(ok|FAIL) +(frozen_server|lost_with)_')


def lines_of(command, environment):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env={**os.environ, **environment})
    return done.stdout.decode(errors='replace').splitlines()


def add_suite(torture, name, lines, wanted):
    """A row of those `ok` and `FAIL` lines that match, or one that says why it was skipped."""
    results = [line for line in lines if wanted.match(line)]
    bad = [line for line in results if line.startswith('FAIL')]
    skipped = [line for line in lines if line.startswith('SKIP ')]
    if skipped and not results:
        torture.skip(name, skipped[0][5:])
        return
    torture.add_row(name, len(results), len(results) - len(bad), 0, len(bad))
    for line in bad or ([] if results else lines[-5:]):
        print('    ' + line)


def add_rows(torture):
    name = 'microphones: frozen, killed and unplugged'
    if torture.is_short:
        torture.skip(name, '`make check` runs tests/live/run')
    elif torture.is_wanted(name):
        command = [str(torture.source / 'tests/live/run')]
        add_suite(torture, name, lines_of(command, {'BUILD': str(torture.programs)}), MICROPHONES)
    name = 'too little memory, by steps of 256 KiB'
    if torture.is_short:
        torture.skip(name, '`make check` runs tests/memory_limit by larger steps')
    elif torture.is_wanted(name):
        lines = lines_of([str(torture.source / 'tests/memory_limit')],
                         {'BUILD': str(torture.programs), 'LIMIT_STEP': '256'})
        add_suite(torture, name, lines, re.compile(r'(ok|FAIL) '))
    name = 'random tables: 10^7 lines'
    if torture.is_short:
        torture.skip(name, '`make check` runs tests/tables/run with fewer')
    elif torture.is_wanted(name):
        lines = lines_of([str(torture.source / 'tests/tables/run'), '--lines', '10000000', '--seed',
                          str(time.time_ns())], {'BUILD': str(torture.programs)})
        add_suite(torture, name, lines, re.compile(r'(ok|FAIL) '))
    name = 'fuzzers: command lines, bundles, times, formats'
    if torture.is_short:
        torture.skip(name, '`make fuzz` runs them')
    elif torture.is_wanted(name):
        lines = lines_of(['make', '-C', str(torture.source), 'fuzz'],
                         {'FUZZ_SECONDS': os.environ.get('FUZZ_SECONDS') or '300',
                          'MAKEFLAGS': '', 'MFLAGS': ''})
        runs = [int(n) for n in re.findall(r'^ok .*: (\d+) runs', '\n'.join(lines), re.M)]
        add_suite(torture, name, lines, re.compile(r'(ok|FAIL) +fuzz_'))
        print(f'    {sum(runs)} runs of the targets')
