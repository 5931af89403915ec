"""Tables, JSON Lines and packed text, cut and changed at the bytes of their beginnings."""
import formats
import verdict

CASES = ('fill', 'decimal commas', 'units, missing words', 'units, packed, saved, commands',
         'row names', 'dates, rows of one stamp', 'JSON Lines of two kinds, saved', 'packed')


def judge(case, how, came, whole):
    """A table that is cut within a number is another table: its last match may be another one."""
    what, place, _ = how
    if verdict.is_crash(came):
        return f'status {came.status}'
    if came.status == 2:
        return 'silent status 2' if verdict.is_silent(came) else verdict.REPORTED
    if what == 'changed':
        return verdict.SAME
    if case.command[-1].endswith(('gz', 'zst')) and place >= formats.DETECTED:
        return 'a cut file, and no word'
    if '-c' in case.command:
        is_part = verdict.has_fewer(came.out, [whole.out])
    else:
        lines = came.out.splitlines(keepends=True)
        is_part = verdict.is_beginning(b''.join(lines[:-1]), [whole.out])
    return verdict.SAME if is_part else 'wrong output of a cut file'


def damaged_run(torture, case, how, folder):
    path = folder / case.command[-1]
    contents = path.read_bytes()
    path.write_bytes(formats.damage(contents, how))
    try:
        came = verdict.run(case, folder, torture.programs, {})
    finally:
        path.write_bytes(contents)
    what, place, bits = how
    words = f'{case.command[-1]} {what} at byte {place}, {bits:#04x}: {torture.command(case, {})}'
    return judge(case, how, came, torture.undisturbed(case)), words


def add_rows(torture):
    for case in torture.cases:
        if case.name in CASES:
            contents = (torture.folder / case.command[-1]).read_bytes()
            torture.row(f'{case.command[-1]}, cut and changed: {case.name}', formats.damaged(contents),
                        lambda how, folder, case=case: damaged_run(torture, case, how, folder),
                        sample=60)
