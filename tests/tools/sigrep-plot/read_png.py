# read_png.py FILE - is it a PNG whose checksums are right, with as many pixels as its header says?
import struct
import sys
import zlib

data = open(sys.argv[1], 'rb').read()
assert data[:8] == b'\x89PNG\r\n\x1a\n'
at, parts, names = 8, b'', []
while at < len(data):
    size, name = struct.unpack('>I4s', data[at:at + 8])
    body = data[at + 8:at + 8 + size]
    assert zlib.crc32(name + body) == struct.unpack('>I', data[at + 8 + size:at + 12 + size])[0]
    parts += body if name == b'IDAT' else b''
    names.append(name)
    at += 12 + size
assert names[0] == b'IHDR' and names[-1] == b'IEND'
width, height, bits, kind = struct.unpack('>IIBB', data[16:26])
channels = {2: 3, 6: 4}[kind]
assert bits == 8 and len(zlib.decompress(parts)) == height * (1 + width * channels)
