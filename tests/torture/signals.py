"""SIGTERM, SIGINT and SIGHUP at each call: status 128 and the signal, words, a part of the output."""
import dataclasses
import re
import signal

import calls
import verdict

CALLS = ('open', 'stat', 'poll', 'read', 'pread', 'write', 'close', 'mkstemp', 'fchmod', 'fsync',
         'rename', 'unlink', 'mkdir', 'posix_spawn', 'pthread_create')
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


WAV_HEADER = 44  # bytes


def with_last_take_cut(came, whole):
    """The undisturbed run of sigrep-record, but the last take that came is a part of its file."""
    lines = came.out.splitlines(keepends=True)
    files = {name: came.files[name] for name in list(sorted(came.files))[-1:]
             if whole.files.get(name, b'')[WAV_HEADER:].startswith(came.files[name][WAV_HEADER:])}
    out = b''.join(whole.out.splitlines(keepends=True)[:len(lines) - 1] + lines[-1:])
    return verdict.Run(came.status, out, b'', {**whole.files, **files})


def shorter_run(torture, case, folder, came):
    """What the input gives that ends where the signal came."""
    read = re.search(rb'ended by a signal after ([0-9.]+) s', came.err)
    if read and case.command[0] == 'sigrep-record':
        return [with_last_take_cut(came, torture.undisturbed(case))]
    if read is None or case.command[0] != 'sigrep':
        return []
    command = [*case.command, '--duration', read[1].decode()]
    shorter = dataclasses.replace(case, command=command)
    return [verdict.run(shorter, folder, torture.programs, {})]


def signalled(torture, job, folder):
    case, k, number = job
    disturbance = calls.shim(torture, CALLS, at=k, signal=int(number))
    came = verdict.run(case, folder, torture.programs, disturbance)
    allowed = [torture.undisturbed(case), *shorter_run(torture, case, folder, came)]
    return (verdict.judge_signalled(case, came, allowed, number),
            torture.command(case, disturbance))


def add_rows(torture):
    for number in SIGNALS:
        jobs = [(case, k, number) for case in torture.cases
                for k in range(1, torture.count(case, CALLS) + 1)]
        torture.row(f'{number.name} before each call', jobs,
                    lambda job, folder: signalled(torture, job, folder), sample=100)
