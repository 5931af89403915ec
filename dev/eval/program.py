"""program.py - sigrep and its companions as functions; matches are read from -o json."""
import json
import pathlib
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


def detections(program, *words, quiet=True):
    found = map(json.loads, run(program, '-o', 'json', *words, quiet=quiet))
    return [Detection(m['label'], m['start'], m['end'], m['score']) for m in found]


def options_of(templates):
    return [word for label, file in templates for word in ('-e', f'{label}={file}')]


def search(program, front_end, templates, path, threshold=EVERYTHING, options=()):
    """The detections of templates [(label, file)] in the file at `path`, seconds."""
    return detections(program, '-p', front_end, '-t', f'{threshold:.9g}', *options,
                      *options_of(templates), path)


def search_auto(program, front_end, templates, path):
    """At the thresholds that the program estimates, and reports."""
    return detections(program, '-p', front_end, *options_of(templates), path, quiet=False)


def search_bundle(program, bundle, path):
    """At the bundle's thresholds; if it has none, at those that the program estimates."""
    return detections(program, bundle, path, quiet=False)


def companion(program, name):
    """The path of sigrep-NAME beside sigrep."""
    return pathlib.Path(program).with_name(f'sigrep-{name}')


def train(program, front_end, templates, bundle):
    """Writes a bundle of templates [(label, file)]."""
    run(companion(program, 'train'), '-p', front_end, '-o', bundle,
        *(f'{label}={file}' for label, file in templates), quiet=False)


def calibrate(program, bundle, path, rate):
    """Sets the bundle's thresholds to `rate` false alarms an hour in the file at `path`."""
    run(companion(program, 'calibrate'), '--force', '-n', rate, bundle, path, quiet=False)
