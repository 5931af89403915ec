"""kill -9 while a bundle is replaced, at random moments and at each call: it is the old or new one.
And while new files are written: the last one may be cut short, all others are whole."""
import random
import subprocess
import time

import calls
import verdict

MAKE_FILES = ('saved clips', 'saved rows', 'packed, saved', 'record', 'record from a pipe')
CALLS = ('open', 'mkstemp', 'read', 'write', 'fchmod', 'fsync', 'close', 'rename')


def files_after_kill(torture, case, folder):
    """Of the files of --save and sigrep-record, which are written one after the other."""
    whole, cut = torture.undisturbed(case).files, 0
    for name, contents in verdict.take_away(case, folder).items():
        if name not in whole or not whole[name].startswith(contents):
            return f'a wrong {name}'
        cut += contents != whole[name]
    return verdict.SAME if cut <= 1 else f'{cut} files cut short'


def after_kill(torture, case, folder):
    """What was found in the bundle's place. A temporary file may be left: nobody could remove it."""
    if not case.existing:
        return files_after_kill(torture, case, folder)
    name, old = next(iter(case.existing.items()))
    files = verdict.take_away(case, folder)
    whole = torture.undisturbed(case).files[name]
    return verdict.SAME if files.get(name) in (old, whole) else f'a torn {name}'


def killed_at_random(torture, case, folder, seed):
    verdict.put_existing(case, folder)
    process = subprocess.Popen([str(torture.programs / case.command[0]), *case.command[1:]],
                               cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(random.Random(seed).uniform(0, 1.3) * torture.seconds(case))
    process.kill()
    process.wait()
    return after_kill(torture, case, folder), f'{case.name}, seed {seed}'


def killed_at_call(torture, case, folder, k):
    disturbance = calls.shim(torture, CALLS, at=k, errno=0)
    came = verdict.start(case, folder, torture.programs, disturbance)
    words = torture.command(case, disturbance)
    if came[0] != -9:
        verdict.take_away(case, folder)
        return f'status {came[0]}, not killed', words
    return after_kill(torture, case, folder), words


def add_rows(torture):
    for case in torture.cases:
        if case.name in MAKE_FILES:
            torture.row(f'kill -9 of {case.command[0]} at each call: {case.name}',
                        list(range(1, torture.count(case, CALLS) + 1)),
                        lambda k, folder, case=case: killed_at_call(torture, case, folder, k),
                        sample=60)
        if not case.existing:
            continue
        program = case.command[0]
        torture.row(f'kill -9 of {program} over a bundle, at random', list(range(500)),
                    lambda seed, folder, case=case: killed_at_random(torture, case, folder, seed),
                    sample=60)
        torture.row(f'kill -9 of {program} over a bundle, at each call',
                    list(range(1, torture.count(case, CALLS) + 1)),
                    lambda k, folder, case=case: killed_at_call(torture, case, folder, k),
                    sample=60)
