"""page.py - results in pages: tables, bar charts, and the text between two marks."""


def table(head, rows, right=()):
    """Lines of a Markdown table. right: the indices of columns that are aligned to the right."""
    cells = [list(head), *(list(r) for r in rows)]
    wide = [max(3, *(len(r[i]) for r in cells)) for i in range(len(head))]

    def line(values):
        padded = (v.rjust(w) if i in right else v.ljust(w)
                  for i, (v, w) in enumerate(zip(values, wide)))
        return '| ' + ' | '.join(padded) + ' |'

    rule = ['-' * (w - 1) + ':' if i in right else '-' * w for i, w in enumerate(wide)]
    return [line(cells[0]), line(rule), *(line(r) for r in cells[1:]), '']


def chart(title, rows, full=None, width=40):
    """Lines of a code block with one bar a row. rows: [(names, value, figure)], names a tuple of
    columns, figure the printed value. `full`, or the largest value, is `width` columns long."""
    full = full or max(value for _, value, _ in rows)
    wide = [max(len(names[i]) for names, _, _ in rows) for i in range(len(rows[0][0]))]
    drawn = []
    for names, value, figure in rows:
        words = '  '.join(n.ljust(w) for n, w in zip(names, wide))
        drawn.append(f"{words}  {'#' * round(width * value / full)} {figure}")
    return ['```', title, '', *drawn, '```', '']


def between_marks(text, name, new):
    """The text with `new` between the lines that begin and end the part of that name."""
    begin, end = f'<!-- {name}: begin -->\n', f'<!-- {name}: end -->'
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise ValueError(f'no part {name} between its two marks')
    return text[:text.index(begin) + len(begin)] + '\n' + new + '\n' + text[text.index(end):]


def write_part(path, name, new):
    """Replaces the part of that name."""
    path.write_text(between_marks(path.read_text('utf-8'), name, new), 'utf-8')
