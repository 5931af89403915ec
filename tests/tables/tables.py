"""Random tables, as programs and people write them, and how Python's csv and json read them."""
import csv
import dataclasses
import io
import json
import random

try:
    import pandas
except ImportError:
    pandas = None

MISSING = ['', 'NA', 'N/A', 'NaN', 'nan', 'null', 'NULL', 'inf', '-inf']
# Oddities that io/tables must read as csv does, or refuse with words.
ODD_MISSING = ['n/a', 'None', '#N/A', '1.#QNAN', '-1.#IND', '1.#INF', '#DIV/0!', '-', '?', '<NA>']
TEXTS = ['ok', '3" pipe', 'a, b', 'x # y', "it's", '', 'NA', 'b;c', 'say "hi"', '7', '#1', 'a\tb']
ODD_BYTES = ['\0', '\f', '\x1b', '\u00a0', '\v']
WORDS_OF_MISSING = {word.lower() for word in MISSING + ODD_MISSING}
ODD_NAMES = ['x, raw', 'V(a,b)', 'mean of V', 'x # 1', '2026', 'a;b', 'tab\there', 'ΔT', '"q"', 'NA']
PREAMBLES = ['# made by a logger', '% rate 250', 'Device: X200, 2 channels', '', '; old', 'Foo']
UNITS = ['V', 'mA', 's', '(Hz)', 'deg C']


@dataclasses.dataclass
class Table:
    """What was written, and what a reader has to know of it."""
    text: str
    names: list         # of the header; [] if there is none
    n_columns: int
    before: int         # lines before the header or the first row
    after: int          # lines between the header and the first row: units
    separator: str      # '' for blanks, 'json' for JSON Lines
    comma: bool         # decimal
    repeats: bool       # the header comes again, as in joined files
    oddities: list      # why it may be refused; [] if it may not
    text_column: int = -1   # whose fields are words, too; -1: none
    encoding: str = 'utf-8'

    @property
    def format(self):
        return 'jsonl' if self.separator == 'json' else 'text'


def number(dice, spread):
    kind = dice.randrange(6)
    value = dice.gauss(0, 10 ** spread)
    if kind == 0:
        return str(round(value))
    if kind == 1:
        return f'{value:.3e}'
    if kind == 2:
        return f'{value:+.2f}'
    return f'{value:.{dice.randrange(1, 7)}f}'


def alike(field, decimals):
    """A field with a decimal comma, if it is a number: that with so many decimals."""
    try:
        return f'{float(field.replace(",", ".")):.{decimals}f}'.replace('.', ',')
    except ValueError:
        return field


def names_of(dice, n, oddities):
    names = [f'{dice.choice("xyzuv")}{i}' for i in range(n)]
    if dice.random() < 0.15:
        names[dice.randrange(n)] = dice.choice(ODD_NAMES)
        oddities.append('name')
    if n > 1 and dice.random() < 0.03:
        names[1] = names[0]
        oddities.append('equal names')
    return names


class Writer:
    """Lines of fields between separators, quoted as they must be, or as it pleases."""
    def __init__(self, dice, separator, oddities):
        self.dice, self.separator, self.oddities = dice, separator, oddities
        self.quotes = dice.choice([0, 0, 0, 0.3, 1]) if separator else 0
        self.has_blanks = dice.random() < 0.1
        self.end = separator if separator and dice.random() < 0.05 else ''

    def field(self, text):
        if text.startswith('#') or ' # ' in text:  # bare, it is a comment
            return '"' + text + '"'
        must = any(char in text for char in (self.separator or ' \t', '"', '\n', '#'))
        if must and (self.dice.random() < 0.8 or '"' in text):
            return '"' + text.replace('"', '""') + '"'
        if must:
            self.oddities.append('a bare separator')
        return f'"{text}"' if self.dice.random() < self.quotes else text

    def line(self, fields):
        if self.separator:
            blanks = self.dice.choice([' ', '', '']) if self.has_blanks else ''
            return (blanks + self.separator + blanks).join(map(self.field, fields)) + self.end
        return ''.join(self.dice.choice([' ', '  ', '   ']) + self.field(one) for one in fields)


def is_missing(field):
    return field.lower() in WORDS_OF_MISSING


def json_table(dice, n, rows, names):
    lines = []
    for row in rows:
        values = {name: None if is_missing(value) else float(value) for name, value in zip(names, row)}
        lines.append(json.dumps(values, separators=dice.choice([(',', ':'), (', ', ': ')])))
    return Table('\n'.join(lines) + '\n', names, n, 0, 0, 'json', False, False, [])


def make(seed):
    """A table of a few rows or some thousand."""
    dice = random.Random(seed)
    oddities = []
    n, n_rows = dice.randrange(1, 7), int(3 * 10 ** dice.uniform(0, 3))
    spread, missing = dice.randrange(-2, 6), dice.choice([0, 0, 0.02, 0.3])
    words = MISSING
    if missing and dice.random() < 0.2:
        words = ODD_MISSING
        oddities.append('missing words')
    separator = dice.choice([',', ',', ';', '\t', '', 'json'])
    if separator in ('', '\t') or n == 1:
        words = [word for word in words if word]  # an empty field cannot be seen, or is a blank line
    rows = [[dice.choice(words) if dice.random() < missing else number(dice, spread)
             for _ in range(n)] for _ in range(n_rows)]
    rows[0] = ['NA' if field == '-' else field for field in rows[0]]  # it could be units
    text_column = -1
    if separator in (',', ';', '\t') and n > 1 and dice.random() < 0.1:
        text_column = dice.randrange(n)
        texts = dice.sample(TEXTS, dice.randrange(1, len(TEXTS)))
        for row in rows:
            row[text_column] = dice.choice(texts)
        oddities.append('text column')
    if separator == 'json':
        return json_table(dice, n, rows, [f'x{i}' for i in range(n)])
    return text_table(dice, n, rows, separator, oddities, text_column)


def spoil(dice, lines, first, n, separator, oddities):
    """Add one thing that no table should have."""
    kind, at = dice.randrange(4), dice.randrange(first + 1, len(lines))
    if kind == 0 and separator:
        lines.append(separator.join([dice.choice(['Total', 'Sum', ''])] + [''] * (n - 1)))
        oddities.append('footer')
    elif kind == 1 and n > 1:
        more = separator or ' '
        less = lines[at].rpartition(more)[0]
        # Python's csv goes on in the next line if a quote is open.
        is_longer = dice.random() < 0.5 or less.count('"') % 2
        lines[at] = lines[at] + more + '5' if is_longer else less
        oddities.append('ragged')
    elif kind == 2:
        place = dice.randrange(len(lines[at]) + 1)
        lines[at] = lines[at][:place] + dice.choice(ODD_BYTES) + lines[at][place:]
        oddities.append('odd byte')
    elif kind == 3 and separator and n > 1:
        lines.insert(at, separator * (n - 1))
        oddities.append('empty row')


def text_table(dice, n, rows, separator, oddities, text_column):
    writer = Writer(dice, separator, oddities)
    lines, before, after = [], 0, 0
    comma = separator in (';', '\t', '') and dice.random() < 0.1
    if comma:
        rows = [[field.replace('.', ',') if '#' not in field else field for field in row]
                for row in rows]
        oddities.append('decimal comma')
    if comma and n == 1:  # as one program prints a column; 9,7 above 3,10 are two columns
        decimals = dice.randrange(1, 7)
        rows = [[alike(field, decimals) for field in row] for row in rows]
    names = names_of(dice, n, oddities) if dice.random() < 0.7 else []
    if dice.random() < 0.15:
        before = dice.randrange(1, 4)
        # Two words above 9,75 are two names.
        may_be = [line for line in PREAMBLES if not (comma and n == 1 and ', ' in line)]
        preamble = [dice.choice(may_be) for _ in range(before)]
        lines += preamble
        if any(line and line[0] != '#' for line in preamble):
            oddities.append('preamble')
    if separator and dice.random() < 0.05:
        lines.append(f'sep={separator}')
        before += 1
        oddities.append('sep=')
    if names and n > 1 and dice.random() < 0.03:
        lines.append(writer.line([dice.choice(['acc', 'gyro', 'group']) for _ in range(n)]))
        before += 1
        oddities.append('two headers')
    if names:
        lines.append(writer.line(names))
    if names and dice.random() < 0.1:
        lines.append(writer.line([dice.choice(UNITS) for _ in range(n)]))
        after = 1
        oddities.append('units')
    first = len(lines)
    lines += map(writer.line, rows)
    if dice.random() < 0.1:
        spoil(dice, lines, first, n, separator, oddities)
    repeats = bool(names) and n > 1 and dice.random() < 0.1
    if repeats:
        lines.insert(dice.randrange(first + 1, len(lines) + 1), lines[first - 1 - after])
    if dice.random() < 0.1:
        lines.insert(dice.randrange(first + 1, len(lines) + 1), '# paused')
    if dice.random() < 0.05 and n > 1:
        lines.insert(dice.randrange(first + 1, len(lines) + 1), '')
    end = dice.choice(['\n', '\n', '\r\n'])
    if dice.random() < 0.02:
        end = '\r'
        oddities.append('CR alone')
    if dice.random() < 0.05 and end != '\r':
        lines = [line + '\r' if dice.random() < 0.5 else line for line in lines]
        end = '\n'
    text = ('\ufeff' if dice.random() < 0.05 else '') + end.join(lines) + dice.choice([end, ''])
    encoding = 'utf-8'
    if dice.random() < 0.02:
        encoding, text = dice.choice(['utf-16', 'latin-1']), text.lstrip('\ufeff')
        oddities.append(encoding)
    return Table(text, names, n, before, after, separator, comma, repeats, oddities, text_column,
                 encoding)


def value_of(field, comma):
    field = field.strip()
    if is_missing(field):
        return float('nan')
    return float(field.replace(',', '.') if comma else field)


def rows_of(table):
    """The lines of the rows."""
    lines = table.text.lstrip('\ufeff').replace('\r\n', '\n').replace('\r', '\n').split('\n')
    lines = lines[table.before:]
    header = lines[:1] if table.names else []
    return [line for line in lines[len(header) + table.after:]
            if line and not line.startswith('# ') and not (table.repeats and line == header[0])]


def columns_of(table, chosen):
    """The chosen columns, by Python's csv or json. ValueError: they disagree with the table."""
    if table.separator == 'json':
        rows = [list(json.loads(line).values()) for line in table.text.splitlines()]
        return [[float('nan') if row[c] is None else row[c] for row in rows] for c in chosen]
    data = rows_of(table)
    if table.separator:
        rows = csv.reader(io.StringIO('\n'.join(data)), delimiter=table.separator,
                          skipinitialspace=True)
    else:
        rows = csv.reader([line.strip(' ') for line in data], delimiter=' ', skipinitialspace=True)
    rows = [row for row in rows if row]
    # A separator at the end of every row makes a column that nobody chooses.
    has_end = len(rows) > 0 and len(rows[0]) == table.n_columns + 1
    rows = [row[:-1] if len(row) == table.n_columns + 1 and (has_end or not row[-1].strip()) else row
            for row in rows]
    if any(len(row) != table.n_columns for row in rows):
        raise ValueError('a row of another length')
    return [[value_of(row[c], table.comma) for row in rows] for c in chosen]


def columns_by_pandas(table, chosen):
    """The same by pandas, of a table without oddities."""
    frame = pandas.read_csv(io.StringIO('\n'.join(rows_of(table))), header=None, index_col=False,
                            sep=table.separator or r'\s+', skipinitialspace=True,
                            na_values=MISSING, float_precision='round_trip')
    return [[value_of(str(v), False) if isinstance(v, str) else float(v) for v in frame[c]]
            for c in chosen]
