"""kept.py - results on disk, so that an interrupted evaluation goes on where it stopped.

A result's key has everything that it depends on: the search's name, the bytes of the program and of
dev/eval, templates, stream and background. If one of them changes, the search runs again.
"""
import functools
import hashlib
import json
import os
import pathlib
import threading

from measure import Result


@functools.cache
def digest(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def hashed(parts):
    """A name for values of JSON."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def digests(templates):
    return [(label, digest(file)) for label, file in templates]


def sources():
    return [digest(p) for p in sorted(pathlib.Path(__file__).parent.glob('*.py'))]


class Kept:
    """folder: None keeps nothing."""

    def __init__(self, folder, program):
        self.folder = folder
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            self.tool = [digest(program), *sources()]

    def value(self, parts, make):
        """What make() returns, from disk if it is there. parts: all that it depends on; both are
        values of JSON."""
        if not self.folder:
            return make()
        path = self.folder / f'{hashed([self.tool, parts])}.json'
        if path.exists():
            return json.loads(path.read_text('utf-8'))
        value = make()
        part = path.with_suffix(f'.{os.getpid()}.{threading.get_ident()}')
        part.write_text(json.dumps(value), 'utf-8')
        part.replace(path)
        return value

    def result(self, search, templates, sound, background, measure):
        """Calls measure() if the result is not on disk."""
        if not self.folder:
            return measure()
        parts = [search, digests(templates), digest(sound.path), sound.occurrences,
                 background and digest(background.path)]
        fields = self.value(parts, lambda: measure()._asdict())
        return Result(**{**fields, 'misses': {float(r): m for r, m in fields['misses'].items()},
                         'det': [tuple(point) for point in fields['det']]})
