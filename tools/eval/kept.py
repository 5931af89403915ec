"""kept.py - results on disk, so that a long evaluation that was broken off goes on where it was.

A result is known again by all that it hangs on: the search by name, the program's bytes and those of
tools/eval, templates, stream and background. What has changed is measured anew.
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
        """measure(): what is called where the result is not known."""
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
