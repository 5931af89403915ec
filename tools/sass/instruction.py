"""One instruction of sm_90: its text as cuobjdump prints it, its two words, its registers.

    bits 127 .. 122   121 .. 116   115 .. 113   112 .. 110   109    108 .. 105   104 .. 0
         reuse flags  wait mask    read barrier write barrier switch stall       operation

The layout of control bits is that of Jia, Maggioni, Staiger, Scarpazza: Dissecting the NVIDIA
Volta GPU Architecture via Microbenchmarking (2018). `stall` counts cycles until the next
instruction. A load sets its write barrier when its result is there, and its read barrier when it
has read its operands; 7 means none. An instruction waits for the barriers in its mask. A reuse
flag keeps an operand for the next instruction.

Kinds: F is a sum of two registers, V a minimum of three, A an anchor: everything else.
"""
import re

RZ = 255  # the register that is 0

NO_RESULT = set('BRA EXIT BSSY BSYNC CALL RET BAR MEMBAR ERRBAR WARPSYNC ISETP FSETP UISETP PLOP3 '
                'UPLOP3 R2UR NOP YIELD BMOV DEPBAR CCTL LDGDEPBAR VOTEU R2P FCHK NANOSLEEP'.split())
PREDICATES = set('ISETP FSETP PLOP3 UISETP UPLOP3'.split())
MOVABLE = set('MOV IADD3 VIADD LOP3 SHF SEL FSEL LEA ISETP VIMNMX IMAD NOP'.split())
# Predicates after the first result of these are results, too: carries.
CARRIES = set('IADD3 LEA IMAD UIADD3 ULEA UIMAD'.split())


class Instruction:
    """The text, the two words, and the control bits as fields."""

    def __init__(self, address, text, low, high):
        self.address, self.text, self.low, self.high = address, text, low, high
        guard = re.match(r'@!?U?P\w+\s+', text)
        self.guard = guard.group(0) if guard else ''
        text = text[len(self.guard):]
        self.name = text.split()[0].rstrip(',')
        self.base = self.name.split('.')[0]
        rest = text[len(self.name):]
        self.operands = [o.strip() for o in rest.split(',')] if rest else []
        control = high >> 41
        self.stall, self.switch = control & 15, control >> 4 & 1
        self.write_barrier, self.read_barrier = control >> 5 & 7, control >> 8 & 7
        self.waits = control >> 11 & 63
        opcode = low & 0xfff
        self.kind = 'A'
        if not self.guard and self.name == 'FADD' and opcode in (0x221, 0x621, 0xe21):
            self.kind = 'F'
            self.fields = (0, 1) if opcode == 0x221 else (0,)
        elif not self.guard and opcode == 0x20f and self.base == 'VIMNMX3':
            self.kind = 'V'
            self.fields = (0, 1, 2)
        if self.kind != 'A':
            self.fields = tuple(f for f in self.fields if self.field(f) != RZ)
            self.reads = [self.field(f) for f in self.fields]
            self.fetches = self.reads
            self.writes = [low >> 16 & 255]
            if self.writes == [RZ]:
                self.kind = 'A'
        if self.kind == 'A':
            reads, writes = self._registers()
            self.fetches, self.writes = sorted(reads), sorted(writes)
            # Under a false guard the result keeps its old value, as if read.
            self.reads = sorted(reads | writes) if self.guard else self.fetches

    def field(self, f):
        return (self.low >> 24 & 255, self.low >> 32 & 255, self.high & 255)[f]

    def port(self, f):
        """The reuse cache that holds operand f: a sum's second operand is in the third one."""
        return 2 if f == 1 and self.kind == 'F' else f

    def ports(self):
        """The reuse caches of its register operands."""
        return [self.port(f) for f in self.fields]

    def all_ports(self):
        """The reuse caches that it overwrites."""
        return (0, 2) if self.kind == 'F' and len(self.fields) == 2 else (0, 1, 2)

    def is_movable(self):
        """Is it an anchor of plain arithmetic? Those may change places with other anchors."""
        barriers = self.read_barrier != 7 or self.write_barrier != 7
        return self.kind == 'A' and self.base in MOVABLE and not barriers

    def uses_alu(self):
        """Does it use the pipe of minima? That takes an instruction every other cycle."""
        return self.kind == 'V' or self.is_movable() and self.base not in ('IMAD', 'NOP')

    def is_memory(self):
        return re.match(r'LD|ST|ATOM|RED', self.base) and not self.base.startswith('LDC')

    def memory(self):
        """'shared' or 'other', the memory that it accesses; '' for none."""
        if not self.is_memory() and self.base != 'CCTL':
            return ''
        return 'shared' if re.match(r'LDS|STS|ATOMS', self.base) else 'other'

    def _registers(self):
        """Numbers of general registers that an anchor reads and writes, from its text."""
        wide = 4 if '.128' in self.name else 2 if '.64' in self.name or self.name == 'CS2R' else 1
        stores = re.match(r'ST|RED|ATOM', self.base) and self.base != 'REDUX'
        writes_first = not stores and self.base not in NO_RESULT
        reads, writes = set(), set()
        operands = self.operands
        if writes_first:  # SHFL and LOP3 have predicates before or behind the result
            operands = [o for o in operands[:2] if not re.match(r'P[\dT]', o)] + operands[2:]
        for i, operand in enumerate(operands):
            if i == 0 and writes_first and '[' not in operand:
                m = re.match(r'R(\d+)', operand)
                n = wide if re.match(r'LD|S2R|CS2R', self.base) else 2 if 'WIDE' in self.name else 1
                if m:
                    writes |= set(range(int(m.group(1)), int(m.group(1)) + n))
                continue
            for m in re.finditer(r'(?<![A-Z])R(\d+)(\.64)?', operand):
                n = 2 if m.group(2) or self.base == 'RET' else 1
                if '[' not in operand:
                    n = max(n, wide if stores else 2 if 'WIDE' in self.name and i == 3 else 1)
                reads |= set(range(int(m.group(1)), int(m.group(1)) + n))
                if self.base.startswith('ATOM'):
                    writes |= set(range(int(m.group(1)), int(m.group(1)) + n))
        return reads, writes

    def special_registers(self):
        """Predicates and uniform registers that it reads, and that it writes."""
        results = 0  # operands that are results
        if self.base in PREDICATES:
            results = 2
        elif self.base not in ('BRA', 'EXIT'):
            results = int(' '.join(self.operands[:1]).startswith(('U', 'P')))
        if self.base in CARRIES:
            results = 1
            while re.match(r'U?P[\dT]', self.operands[results]):
                results += 1
        names = lambda s: set(re.findall(r'(?<![A-Z])(?:U?P\d|UR\d+)', s))
        written = names(' '.join(self.operands[:results]))
        read = names(' '.join(self.operands[results:]) + ' ' + self.guard)
        if self.base in ('R2P', 'P2R') and self.operands[-1].startswith('0x'):
            of_mask = {'P%d' % p for p in range(7) if int(self.operands[-1], 16) >> p & 1}
            written, read = (of_mask, read) if self.base == 'R2P' else (written, read | of_mask)
        if '.64' in self.text or 'WIDE' in self.name:
            both = lambda s: s | {'UR%d' % (int(u[2:]) + 1) for u in s if u.startswith('UR')}
            written, read = both(written), both(read)
        return read, written

    def waits_for(self, barriers):
        """Does it wait for one of these barriers?"""
        return any(self.waits >> b & 1 for b in barriers)

    def with_words(self, low, high):
        """The instruction with other words. Only an anchor's text then still fits them."""
        return Instruction(self.address, self.text, low, high)


def least_stall(x):
    """Cycles until any next instruction can issue."""
    if x.kind != 'A':
        return 1
    if x.is_memory():
        return min(x.stall, 2)
    arithmetic = re.match(r'IADD3|MOV|LOP3|ISETP|VIADD|IMAD', x.base)
    return min(x.stall, 4) if arithmetic else x.stall
