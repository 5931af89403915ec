/*
 * picture SIGNAL RATE START END < MATCHES - a span of a signal in the terminal, its
 * matches marked below.
 *
 * SIGNAL is text, one value a line, or raw float32 if its name ends in .f32. START and END are
 * seconds. MATCHES are lines as sigrep prints them: START END SCORE [LABEL]. Each match is
 * underlined. Its start and its score are printed if there is room.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A cell of braille is 2 x 4 dots. */
enum { COLUMNS = 68, ROWS = 10, MARGIN = 8, DOTS_X = 2 * COLUMNS, DOTS_Y = 4 * ROWS };

typedef struct {
    double rate_hz, start_s, end_s;
    float *values;
    size_t n;
    double low, high; /* of the values */
} span;

static int fail(const char *name, const char *reason)
{
    return fprintf(stderr, "picture: %s: %s\n", name, reason), 2;
}

/* The next value; NaN for a line without a number. Returns 0 at the end. */
static int next_value(FILE *file, int raw, float *value)
{
    char line[256], *end;
    if (raw) return fread(value, sizeof *value, 1, file) == 1;
    do {
        if (!fgets(line, sizeof line, file)) return 0;
    } while (line[0] == '#');
    *value = strtof(line, &end);
    if (end == line) *value = NAN;
    return 1;
}

/* Keep the samples of the span. Returns 0 if there are none. */
static int read_span(span *s, FILE *file, int raw)
{
    const size_t first = (size_t)ceil(s->start_s * s->rate_hz);
    const size_t most = (size_t)ceil((s->end_s - s->start_s) * s->rate_hz);
    float value;
    for (size_t t = 0; t < first; t++)
        if (!next_value(file, raw, &value)) return 0;
    s->values = malloc(most * sizeof *s->values);
    s->low = INFINITY, s->high = -INFINITY;
    while (s->values && s->n < most && next_value(file, raw, &value)) {
        s->values[s->n++] = value;
        if (!isfinite(value)) continue;
        s->low = fmin(s->low, (double)value);
        s->high = fmax(s->high, (double)value);
    }
    return s->n > 0;
}

/* A column of dots spans its samples and the sample before, so that the line has no breaks. */
static void draw(const span *s, unsigned char cells[ROWS][COLUMNS])
{
    static const unsigned char dot[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    const double height = s->high > s->low ? (DOTS_Y - 1) / (s->high - s->low) : 0;
    const double width = (s->end_s - s->start_s) * s->rate_hz / DOTS_X;
    for (int x = 0; x < DOTS_X; x++) {
        const size_t begin = (size_t)(x * width), end = (size_t)((x + 1) * width);
        double low = INFINITY, high = -INFINITY;
        for (size_t t = begin - (begin > 0); t < s->n && (t < end || t <= begin); t++) {
            low = fmin(low, (double)s->values[t]);
            high = fmax(high, (double)s->values[t]);
        }
        if (!isfinite(low) || !isfinite(high)) continue;
        const int top = DOTS_Y - 1 - (int)lround((high - s->low) * height);
        const int bottom = DOTS_Y - 1 - (int)lround((low - s->low) * height);
        for (int y = top; y <= bottom; y++) cells[y / 4][x / 2] |= dot[y % 4][x % 2];
    }
}

static void print_cells(const span *s, unsigned char cells[ROWS][COLUMNS])
{
    for (int row = 0; row < ROWS; row++) {
        if (row == 0 || row == ROWS - 1)
            printf("%*.3g ", MARGIN - 1, row ? s->low : s->high);
        else
            printf("%*s", MARGIN, "");
        for (int x = 0; x < COLUMNS; x++) /* U+2800 and the dots, in UTF-8 */
            printf("\xe2%c%c", 0xa0 | cells[row][x] >> 6, 0x80 | (cells[row][x] & 0x3f));
        putchar('\n');
    }
}

/* Put `number` into the line from column x on, if there is room, with a blank before it. */
static void put_number(char *line, int x, const char *format, double number)
{
    char text[32];
    const int n = snprintf(text, sizeof text, format, number);
    for (int i = x - (x > 0); i < x + n; i++)
        if (i >= COLUMNS || line[i] != ' ') return;
    memcpy(line + x, text, (size_t)n);
}

static void print_marks(const span *s, FILE *matches)
{
    static const char *const titles[] = {"match", "start", "score", "time"};
    char lines[4][COLUMNS + 1], line[1024];
    for (int i = 0; i < 4; i++) snprintf(lines[i], sizeof lines[i], "%*s", COLUMNS, "");
    const double scale = COLUMNS / (s->end_s - s->start_s);
    for (int x = 0; x < COLUMNS; x += COLUMNS / 4)
        put_number(lines[3], x, "%.2f", s->start_s + x / scale);
    while (fgets(line, sizeof line, matches)) {
        double from, to, score;
        if (sscanf(line, "%lf %lf %lf", &from, &to, &score) != 3) continue;
        if (!(to > s->start_s && from < s->end_s)) continue;
        const int a = (int)(fmax(from - s->start_s, 0) * scale);
        const int b = (int)ceil(fmin(to - s->start_s, s->end_s - s->start_s) * scale);
        for (int x = a; x < COLUMNS && (x < b || x == a); x++) lines[0][x] = '=';
        put_number(lines[1], a, "%.2f", from);
        put_number(lines[2], a, "%.3f", score);
    }
    for (int i = 0; i < 4; i++) {
        printf("%*s ", MARGIN - 1, titles[i]);
        for (const char *c = lines[i]; *c; c++)
            *c == '=' ? fputs("\xe2\x96\x94", stdout) : putchar(*c);
        putchar('\n');
    }
}

int main(int argc, char **argv)
{
    if (argc != 5) return fail("usage", "picture SIGNAL RATE START END < MATCHES");
    span s = {.rate_hz = atof(argv[2]), .start_s = atof(argv[3]), .end_s = atof(argv[4])};
    if (!(s.rate_hz > 0 && s.start_s >= 0 && s.end_s > s.start_s && s.end_s * s.rate_hz < 1e9))
        return fail("START and END", "END must come after START");
    const char *suffix = strrchr(argv[1], '.');
    FILE *file = fopen(argv[1], "rb");
    if (!file) return fail(argv[1], "cannot be opened");
    const int any = read_span(&s, file, suffix && strcmp(suffix, ".f32") == 0);
    fclose(file);
    unsigned char cells[ROWS][COLUMNS] = {{0}};
    if (any) {
        draw(&s, cells);
        print_cells(&s, cells);
        print_marks(&s, stdin);
    }
    free(s.values);
    return any ? 0 : fail(argv[1], "no samples there");
}
