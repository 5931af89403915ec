"""Machine code in an object file: nvcc puts an ELF file (cubin) for each GPU kind there."""
import re
import struct
import subprocess
import tempfile

from instruction import Instruction

SM = 90
MAX_REGISTERS = 255  # registers of a thread, its program counter included
UNNUMBERED = 2  # registers of the program counter, which have no number


def cubins(data):
    """Offsets of the ELF files for this SM."""
    at = data.find(b'\x7fELF')
    while at >= 0:
        machine, = struct.unpack_from('<H', data, at + 18)
        flags, = struct.unpack_from('<I', data, at + 48)
        if machine == 190 and SM in (flags & 255, flags >> 8 & 255):
            yield at
        at = data.find(b'\x7fELF', at + 4)


def instructions(lines):
    """Instructions from lines of cuobjdump -sass, two lines each: one word a line."""
    found = []
    for line, after in zip(lines, lines[1:]):
        m = re.match(r'\s*/\*([0-9a-f]{4,})\*/\s+(.*?);\s*/\* 0x([0-9a-f]{16}) \*/', line)
        if m:
            high = int(re.search(r'/\* 0x([0-9a-f]{16}) \*/', after).group(1), 16)
            address, low = int(m.group(1), 16), int(m.group(3), 16)
            found.append(Instruction(address, m.group(2).strip(), low, high))
    return found


class Cubin:
    def __init__(self, data, at):
        self.data, self.at = data, at
        table, = struct.unpack_from('<Q', data, at + 40)
        n, names = struct.unpack_from('<HH', data, at + 60)
        heads = [at + table + 64 * i for i in range(n)]
        text = at + struct.unpack_from('<Q', data, heads[names] + 24)[0]
        segments, = struct.unpack_from('<Q', data, at + 32)
        size, n_segments = struct.unpack_from('<HH', data, at + 54)
        self.size = max(table + 64 * n, segments + size * n_segments)
        self.sections = {}
        for head in heads:
            name = text + struct.unpack_from('<I', data, head)[0]
            self.sections[bytes(data[name:data.index(0, name)]).decode()] = head

    def place(self, section):
        offset, size = struct.unpack_from('<QQ', self.data, self.sections[section] + 24)
        return self.at + offset, size

    def replace(self, kernel, code):
        """Write a block over the words that stand there."""
        text, _ = self.place('.text.' + kernel)
        first = min(x.address for x in code)
        for i, x in enumerate(code):
            struct.pack_into('<QQ', self.data, text + first + 16 * i, x.low, x.high)
        self._want_registers(kernel, max(r for x in code for r in x.reads + x.writes) + 1)

    def max_registers(self, kernel):
        """Numbered registers that a thread of the kernel may have."""
        for form, attribute, value, _ in self._attributes('.nv.info.' + kernel):
            if form == 3 and attribute == 0x1b:  # EIATTR_MAXREG_COUNT
                return min(value, MAX_REGISTERS) - UNNUMBERED
        return MAX_REGISTERS - UNNUMBERED

    def _attributes(self, section):
        """(form, attribute, value or size, offset of its words) of each attribute there."""
        at, size = self.place(section)
        end = at + size
        while at < end:
            form, attribute, value = struct.unpack_from('<BBH', self.data, at)
            yield form, attribute, value, at + 4
            at += 4 + (value if form == 4 else 0)

    def _want_registers(self, kernel, numbered):
        """Let launches allocate registers for these numbers, at least."""
        count = min((numbered + UNNUMBERED + 7) // 8 * 8, MAX_REGISTERS)
        head = self.sections['.text.' + kernel]
        info, = struct.unpack_from('<I', self.data, head + 44)
        symbol = info & 0xffffff
        struct.pack_into('<I', self.data, head + 44, max(info >> 24, count) << 24 | symbol)
        for form, attribute, _, at in self._attributes('.nv.info'):
            if form == 4 and attribute == 0x2f:  # EIATTR_REGCOUNT
                of, had = struct.unpack_from('<II', self.data, at)
                if of == symbol:
                    struct.pack_into('<I', self.data, at + 4, max(had, count))

    def kernels(self):
        """(name, instructions) of each kernel, by cuobjdump."""
        with tempfile.NamedTemporaryFile(suffix='.cubin') as file:
            file.write(self.data[self.at:self.at + self.size])
            file.flush()
            output = subprocess.run(['cuobjdump', '-sass', file.name], check=True,
                                    capture_output=True, text=True).stdout
        name, found = None, []
        for line in output.split('\n'):
            m = re.search(r'Function : (\S+)', line)
            if m:
                if name:
                    yield name, instructions(found)
                name, found = m.group(1), []
            found.append(line)
        if name:
            yield name, instructions(found)
