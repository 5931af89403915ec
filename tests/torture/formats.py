"""Files of all formats, cut at every byte of their headers, and with every byte of them changed."""
import array
import ctypes
import ctypes.util
import re

import cases
import verdict

# libsndfile's numbers of format and encoding.
SNDFILE = {'w64': 0x0B0002, 'rf64': 0x220002, 'aiff': 0x020002, 'au': 0x030002, 'caf': 0x180002,
           'flac': 0x170002, 'ogg': 0x200060, 'mp3': 0x230082}
HEADER = 200         # bytes
SAMPLE = 2           # bytes
DETECTED = 12        # bytes; a shorter file has no header, so it is raw numbers
READ, WRITE = 0x10, 0x20


class Info(ctypes.Structure):
    _fields_ = [('frames', ctypes.c_int64), ('rate', ctypes.c_int), ('channels', ctypes.c_int),
                ('format', ctypes.c_int), ('sections', ctypes.c_int), ('seekable', ctypes.c_int)]


def sndfile():
    library = ctypes.CDLL(ctypes.util.find_library('sndfile') or 'libsndfile.so.1')
    library.sf_open.restype = ctypes.c_void_p
    for name in ('sf_writef_short', 'sf_readf_float'):
        function = getattr(library, name)
        function.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]
        function.restype = ctypes.c_int64
    library.sf_close.argtypes = [ctypes.c_void_p]
    return library


def encode(path, ending, samples, rate=8000):
    """Write 16-bit samples. False if libsndfile does not know the format."""
    library, info = sndfile(), Info(rate=rate, channels=1, format=SNDFILE[ending])
    opened = library.sf_open(str(path).encode(), WRITE, ctypes.byref(info))
    if not opened:
        return False
    n = len(samples) // 2
    written = library.sf_writef_short(opened, bytes(samples), n)
    library.sf_close(opened)
    return written == n


def decode(path):
    """All samples of a file with one channel, as float32."""
    library, info = sndfile(), Info()
    opened = library.sf_open(str(path).encode(), READ, ctypes.byref(info))
    samples = array.array('f', bytes(4 * info.frames))
    library.sf_readf_float(opened, samples.buffer_info()[0], info.frames)
    library.sf_close(opened)
    return samples


def damaged(contents):
    """What is done to the bytes: cut at a place, or changed there."""
    size = len(contents)
    places = {*range(min(size, HEADER)), *(size * i // 40 for i in range(40)),
              *(size - i for i in range(1, min(size, 9)))}
    return ([('cut', place, 0) for place in sorted(places)]
            + [('changed', place, bits) for place in range(min(size, HEADER))
               for bits in (0xff, 0x80, 0x01)])


def damage(contents, how):
    what, place, bits = how
    if what == 'cut':
        return contents[:place]
    return contents[:place] + bytes([contents[place] ^ bits]) + contents[place + 1:]


class Format:
    """A format, from a file or from a pipe."""
    def __init__(self, torture, ending, by_pipe, made):
        self.torture, self.name = torture, f'damaged.{ending}'
        self.contents, self.by_pipe, self.ending = made.read_bytes(), by_pipe, ending
        self.samples = None if ending == 'sigrep' else decode(made)
        self.whole = torture.in_a_folder(lambda folder: self.search(folder, self.contents))
        if self.whole.status != 0 and not self.is_refused():
            raise SystemExit(f'{self.name}: {self.whole.err.decode()}')

    def is_refused(self):
        """Pipes of some formats are an error that says what to do."""
        return self.by_pipe and b'ffmpeg' in self.whole.err

    def search(self, folder, data):
        (folder / self.name).write_bytes(data)
        if self.ending == 'sigrep':
            words, stdin = ['-t', '9', self.name, 's.wav'], ''
        elif self.by_pipe:
            words, stdin = ['-p', 'raw', '-t', '0.05', 't.wav'], self.name
        else:
            words, stdin = ['-p', 'raw', '-t', '0.05', 't.wav', self.name], ''
        case = cases.Case(self.name, ['sigrep', '-d', 'cpu', *words], stdin=stdin)
        case.inputs = self.torture.cases[0].inputs
        return verdict.run(case, folder, self.torture.programs, {})

    def search_samples(self, folder, n):
        """What the first n samples of the whole hold. The last match may be one that the cut ends."""
        (folder / self.name).write_bytes(self.samples[:n].tobytes())
        case = cases.Case('samples', ['sigrep', '-d', 'cpu', '-p', 'raw', '-t', '0.05', 't.wav',
                                      '-f', 'f32', '-r', '8000', self.name])
        case.inputs = self.torture.cases[0].inputs
        return verdict.run(case, folder, self.torture.programs, {}).out

    def is_of_the_beginning(self, came, folder):
        if verdict.is_beginning(came.out, [self.whole.out]):
            return True
        read = re.search(rb'cut short: (\d+) of \d+ (bytes)?', came.err)
        if read is None:
            return False
        n = int(read[1]) // (SAMPLE if read[2] else 1)
        return came.out == self.search_samples(folder, n)

    def judge(self, how, came, folder):
        """A changed byte may make another valid file, a cut a shorter one if it holds no length."""
        what, place, _ = how
        if verdict.is_crash(came):
            return f'status {came.status}'
        if came.status == 2 and verdict.is_silent(came):
            return 'silent status 2'
        if what == 'changed':
            return verdict.REPORTED if came.status == 2 else verdict.SAME
        if not self.is_of_the_beginning(came, folder):
            return 'wrong output of a cut file'
        if came.status == 2:
            return verdict.REPORTED
        whole = came.out == self.whole.out
        return verdict.SAME if whole or place < DETECTED else 'a cut file, and no word'

    def work(self, how, folder):
        came = self.search(folder, damage(self.contents, how))
        what, place, bits = how
        return self.judge(how, came, folder), f'{what} at byte {place}, {bits:#04x}'


def add_rows(torture):
    sound = torture.folder / 's.wav'
    for ending in ('wav', *SNDFILE, 'sigrep'):
        made = {'wav': sound, 'sigrep': torture.folder / 'word.sigrep'}.get(
            ending, torture.scratch / f'made.{ending}')
        if not made.exists() and not encode(made, ending, sound.read_bytes()[44:]):
            torture.skip(f'{ending}, cut and changed', 'this libsndfile cannot write it')
            continue
        for place in ('file', 'pipe') if ending != 'sigrep' else ('file',):
            name = f'{ending} from a {place}, cut and changed'
            if torture.is_wanted(name):
                row = Format(torture, ending, place == 'pipe', made)
                torture.row(name, damaged(row.contents), row.work, sample=60)
