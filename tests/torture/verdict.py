"""What became of a run that was disturbed, beside the run that was not."""
import dataclasses
import fcntl
import os
import subprocess

SAME, REPORTED = 'same', 'reported'
PIPE = 1 << 20  # bytes; no case pipes more
LIMIT_S = 60  # ends what hangs; on a busy machine a run may take seconds


@dataclasses.dataclass
class Run:
    status: object  # an exit status, or 'hang'
    out: bytes
    err: bytes
    files: dict  # those that it left in its folder, by name


def put_existing(case, folder):
    for name, contents in case.existing.items():
        (folder / name).write_bytes(contents)


def take_away(case, folder):
    """The files of the folder beside its inputs, which are removed."""
    files = {}
    for path in sorted(folder.rglob('*'), reverse=True):  # a folder after what is in it
        name = str(path.relative_to(folder))
        if name.partition('/')[0] in case.inputs:
            continue
        if path.is_dir():
            path.rmdir()
        else:
            files[name] = path.read_bytes()
            path.unlink()
    return files


def full_pipe(contents):
    """The end to read of a pipe that holds all of it, so that each run reads the same pieces."""
    end, other = os.pipe()
    fcntl.fcntl(other, fcntl.F_SETPIPE_SZ, PIPE)
    with open(other, 'wb') as begin:
        begin.write(contents)
    return open(end, 'rb')


def start(case, folder, programs, disturbance):
    """Run a case in a folder that holds its inputs. Returns its status, output and words."""
    put_existing(case, folder)
    command = [str(programs / case.command[0]), *case.command[1:]]
    environment = {'PATH': '/usr/bin:/bin', 'LC_ALL': 'C', 'TMPDIR': str(folder), **disturbance}
    with full_pipe((folder / case.stdin).read_bytes() if case.stdin else b'') as stdin:
        try:
            done = subprocess.run(command, cwd=folder, stdin=stdin, capture_output=True,
                                  env=environment, timeout=LIMIT_S)
            return done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired as late:
            return 'hang', late.stdout or b'', late.stderr or b''


def run(case, folder, programs, disturbance):
    return Run(*start(case, folder, programs, disturbance), take_away(case, folder))


def is_beginning(out, wholes):
    """Whole lines, and of each input the first of those that one of the whole outputs has."""
    def by_input(text):
        lines = {}
        for line in text.splitlines():
            lines.setdefault(line.partition(b':')[0] if b':' in line else b'', []).append(line)
        return lines
    if out and not out.endswith(b'\n'):
        return False
    wanted = [by_input(whole) for whole in wholes]
    return any(whole.startswith(out) for whole in wholes) or all(
        any(one.get(name, [])[:len(lines)] == lines for one in wanted)
        for name, lines in by_input(out).items())


def has_fewer(out, wholes):
    """Are these the counts of -c, none above that of the undisturbed run?"""
    counts = [text.split() for text in (out, wholes[0])]
    return len(counts[0]) <= len(counts[1]) and all(
        few.isdigit() and int(few) <= int(many) for few, many in zip(*counts))


def has_some(out, wholes):
    """Are these names of -l, each of which the undisturbed run gives?"""
    return out[-1:] in (b'', b'\n') and set(out.splitlines()) <= set(wholes[0].splitlines())


def may_be_part(case, name, contents):
    """May a file be a beginning: a stream, or rows around a match near which the input ended?"""
    has_rows = any(name.startswith(f'{folder}/') for folder in case.rows_around)
    return name in case.streams or (has_rows and contents.endswith(b'\n'))


def wrong_files(case, came, allowed):
    """What is wrong with the files after an error that was reported, '' if nothing."""
    for name, contents in came.files.items():
        wholes = [run.files[name] for run in allowed if name in run.files]
        if not wholes:
            if name.encode() in came.err:  # could not be removed, and that was reported
                continue
            return f'left the file {name}'
        old = case.existing.get(name)
        is_part = any(whole.startswith(contents) for whole in wholes)
        if contents not in (*wholes, old) and not (is_part and may_be_part(case, name, contents)):
            return f'a torn {name}'
        if old is not None and contents != old and came.status == 2:
            return f'{name} replaced'
    missing = [name for name in case.existing if name not in came.files]
    return f'{missing[0]} is gone' if missing else ''


def is_crash(came):
    return came.status not in (0, 1, 2)


def is_silent(came):
    return came.status != 0 and not came.err.strip()


def is_same(came, undisturbed):
    return (came.status, came.out, came.files) == (undisturbed.status, undisturbed.out,
                                                   undisturbed.files)


def judge_less(case, came, allowed):
    """Is it a part of what one of the allowed runs gives? The first is the undisturbed one."""
    names_only = case.command[0] == 'sigrep' and '-l' in case.command
    is_less = has_fewer if '-c' in case.command else has_some if names_only else is_beginning
    if not is_less(came.out, [run.out for run in allowed]):
        return 'wrong output before an error'
    return wrong_files(case, came, allowed) or REPORTED


def judge(case, came, undisturbed):
    """SAME, REPORTED, or what was found."""
    if is_crash(came):
        return f'status {came.status}'
    if is_same(came, undisturbed):
        return SAME
    if came.status != 2:
        return f'status {came.status} with other output or files'
    return 'silent status 2' if is_silent(came) else judge_less(case, came, [undisturbed])


def judge_signalled(case, came, allowed, number):
    """As judge. A signal that comes before the program catches it kills it, without a word."""
    if is_same(came, allowed[0]):
        return SAME
    too_little = case.command[0] == 'sigrep-calibrate' and came.status == 2
    if came.status not in (128 + number, -number) and not too_little:
        return f'status {came.status}'
    if came.status > 0 and is_silent(came):
        return f'silent status {came.status}'
    return judge_less(case, came, allowed)
