"""Rows in which calls of the C library fail, the libraries' calls included."""
import errno

# Calls, the errors with which each fails, and which of the later calls fail as well. A call that is
# interrupted for ever never ends, so every second one is.
ONCE_AND_ON, NOW_AND_THEN = ('none', 'all'), ('none', 'second')
WORDS = {('none',): 'once', ('all',): 'from then on', ONCE_AND_ON: 'once, and from then on',
         NOW_AND_THEN: 'once, and every second'}
MANY = 100  # calls that move bytes; a run that makes more takes minutes byte by byte
MOVES = [('read', 'pread'), ('write', 'pwrite')]
FAILURES = [
    (('malloc',), ['ENOMEM'], ('none',)),
    (('malloc',), ['ENOMEM'], ('all',)),
    (('open', 'opendir'), ['EMFILE', 'EIO'], ONCE_AND_ON),
    (('stat',), ['EIO'], ONCE_AND_ON),
    (('lseek',), ['EIO'], ONCE_AND_ON),
    (('realpath',), ['EACCES'], ONCE_AND_ON),
    (('poll',), ['ENOMEM'], ONCE_AND_ON),
    (('poll',), ['EINTR', 'EAGAIN'], NOW_AND_THEN),
    (('pipe',), ['EMFILE'], ONCE_AND_ON),
    (('pthread_create',), ['EAGAIN'], ONCE_AND_ON),
    (('newlocale',), ['ENOMEM'], ONCE_AND_ON),
    (('fcntl',), ['EMFILE', 'EINVAL'], ONCE_AND_ON),
    (('ioctl',), ['ENOTTY'], ONCE_AND_ON),
    (('sigaction',), ['EINVAL'], ONCE_AND_ON),
    (('mkstemp',), ['ENOSPC', 'EACCES'], ONCE_AND_ON),
    (('mkdir',), ['EACCES', 'ENOSPC'], ONCE_AND_ON),
    (('posix_spawn',), ['EAGAIN', 'ENOMEM'], ONCE_AND_ON),
    (('fchmod',), ['EPERM'], ONCE_AND_ON),
    (('fsync',), ['EIO', 'ENOSPC'], ONCE_AND_ON),
    (('close',), ['EIO', 'ENOSPC'], ONCE_AND_ON),
    (('rename',), ['EACCES', 'EIO'], ONCE_AND_ON),
    (('unlink',), ['EACCES', 'EIO'], ONCE_AND_ON),
    (('ftruncate',), ['EIO', 'ENOSPC'], ONCE_AND_ON),
    *((calls, [error], NOW_AND_THEN if error in ('EINTR', 'EAGAIN') else ONCE_AND_ON)
      for calls in MOVES for error in ('EINTR', 'EAGAIN', 'ENOSPC', 'EIO')),
]


def shim(torture, calls, **more):
    return {'LD_PRELOAD': str(torture.shim), 'TORTURE_CALLS': ','.join(calls) + ',',
            **{'TORTURE_' + name.upper(): str(value) for name, value in more.items()}}


def runs_of(torture, calls, errors, then):
    """All runs of a row: a case, the number of the call, and how it fails."""
    return [(case, {'at': k, 'errno': getattr(errno, error), 'then': later})
            for case in torture.cases for k in range(1, torture.count(case, calls) + 1)
            for error in errors for later in then]


def add_rows(torture):
    for calls, errors, then in FAILURES:
        def disturbed(job, folder, calls=calls):
            case, how = job
            disturbance = shim(torture, calls, **how)
            return torture.compare(case, folder, disturbance), torture.command(case, disturbance)
        torture.row(f'{", ".join(calls)}: {", ".join(errors)}, {WORDS[then]}',
                    runs_of(torture, calls, errors, then), disturbed,
                    sample=300 if calls == ('malloc',) else 60,
                    empty='no program makes this call')
    for calls in MOVES:
        def bytewise(case, folder, calls=calls):
            disturbance = shim(torture, calls, byte=1)
            return torture.compare(case, folder, disturbance), torture.command(case, disturbance)
        small = [case for case in torture.cases if torture.count(case, calls) < MANY]
        torture.row(f'{", ".join(calls)}: one byte at a time', small, bytewise)
