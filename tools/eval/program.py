"""program.py - sigrep as a function: its matches, read from -o json."""
import json
import subprocess

from figures import Detection

EVERYTHING = 1e6  # no score is above that


def run(program, *words, quiet=True):
    """The lines that it prints. ValueError if it fails or, if `quiet`, if it warns."""
    command = [str(w) for w in (program, *words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or (quiet and done.stderr):
        raise ValueError(f'{program} failed ({done.returncode}): {done.stderr.strip()}')
    return done.stdout.splitlines()


def search(program, front_end, templates, path, threshold=EVERYTHING, options=()):
    """The detections of templates [(label, file)] in the file at `path`, seconds."""
    words = ['-p', front_end, '-t', f'{threshold:.9g}', '-o', 'json', *options]
    for label, template in templates:
        words += ['-e', f'{label}={template}']
    found = map(json.loads, run(program, *words, path))
    return [Detection(m['label'], m['start'], m['end'], m['score']) for m in found]
