"""kept.py - results on disk, so that an interrupted evaluation goes on where it stopped.

A result's key has everything that it depends on: the search's name, the bytes of the program and of
tools/eval, templates, stream and background. If one of them changes, the search runs again.
"""
import functools
import hashlib
import json
import os
import pathlib

from measure import Result


@functools.cache
def digest(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def sources():
    return [digest(p) for p in sorted(pathlib.Path(__file__).parent.glob('*.py'))]


class Kept:
    """folder: None keeps nothing."""

    def __init__(self, folder, program):
        self.folder = folder
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            self.tool = [digest(program), *sources()]

    def name(self, search, templates, sound, background):
        parts = [search, self.tool, [(label, digest(file)) for label, file in templates],
                 digest(sound.path), sound.occurrences, background and digest(background.path)]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest() + '.json'

    def result(self, search, templates, sound, background, measure):
        """Calls measure() if the result is not on disk."""
        if not self.folder:
            return measure()
        path = self.folder / self.name(search, templates, sound, background)
        if path.exists():
            fields = json.loads(path.read_text('utf-8'))
            fields['misses'] = {float(rate): miss for rate, miss in fields['misses'].items()}
            fields['det'] = [tuple(point) for point in fields['det']]
            return Result(**fields)
        result = measure()
        part = path.with_suffix(f'.{os.getpid()}')
        part.write_text(json.dumps(result._asdict()), 'utf-8')
        part.replace(path)
        return result
