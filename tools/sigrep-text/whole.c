/*
 * whole.c - two inputs as wholes: the edit distance of two strings, or the cost of warping one
 * signal onto the other, and the alignment.
 */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/source.h"
#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"
#include "tools/common/options/arguments.h"
#include "tools/sigrep-text/letters.h"
#include "tools/sigrep-text/options.h"

enum { PIECE = 1 << 16 /* letters or frames of a read */ };

/* An input in memory. */
typedef struct {
    void *data;
    size_t n, dim; /* letters (0), or frames of dim floats */
} whole_input;

/* Room for a piece of elements; NULL: out of memory. */
static void *make_room(whole_input *to, size_t element)
{
    void *grown = realloc(to->data, (to->n + PIECE) * element);
    if (!grown) return NULL;
    to->data = grown;
    return (unsigned char *)grown + to->n * element;
}

static bool read_letters(const text_options *o, const char *path, whole_input *to)
{
    static letters l; /* large */
    const char *name = input_name(path), *wrong = NULL;
    size_t records = 0;
    if (!letters_open(&l, path, -1,
                      (letters_options){.fasta = o->fasta, .dna = o->alphabet == ALPHABET_DNA})) {
        report_of(name, "%s", l.error);
        return false;
    }
    letters_event event;
    do {
        size_t n = 0;
        unsigned char *room = make_room(to, 1);
        event = room ? letters_read(&l, room, PIECE, &n, true) : LETTERS_LATER;
        to->n += n;
        if (event == LETTERS_RECORD && ++records > 1) wrong = "has several records";
        if (event == LETTERS_FAILED) wrong = l.error;
        if (event == LETTERS_LATER) wrong = "out of memory";
    } while (!wrong && event != LETTERS_END);
    if (wrong) report_of(name, "%s", wrong);
    letters_close(&l);
    return !wrong;
}

static bool is_finite(const float *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(values[i])) return false;
    return true;
}

/* Read all frames. NULL, or why that cannot be. */
static const char *read_frames(source *src, whole_input *to)
{
    ssize_t got;
    do {
        float *room = make_room(to, to->dim * sizeof *room);
        if (!room) return "out of memory";
        got = source_read(src, room, NULL, PIECE);
        if (got < 0) return source_error(src);
        if (!is_finite(room, (size_t)got * to->dim)) return "has a value that is not finite";
        to->n += (size_t)got;
    } while (got > 0);
    return to->n > 0 ? NULL : "is empty";
}

static bool read_signal(const char *path, whole_input *to)
{
    source *src = open_input(path, (source_options){.wake_fd = -1}, NULL);
    if (!src) return false;
    source_watch_rounding(src);
    to->dim = source_get_info(src).channels;
    const char *wrong = read_frames(src, to);
    input_warn(input_name(path), src);
    if (wrong) report_of(input_name(path), "%s", wrong);
    source_close(src);
    return !wrong;
}

static bool print_line(const text_options *o, const whole_input *y, double distance,
                       const sigrep_pair *path, size_t n_pairs)
{
    writer out;
    const writer_style style = {.times = TIME_SAMPLES, .with_file = o->names == TEXT_NAMES_ALWAYS};
    const writer_match line = {.file = input_name(o->inputs[1]),
                               .label = input_name(o->inputs[0]),
                               .end = y->n,
                               .score = distance,
                               .threshold = NAN,
                               .margin = NAN,
                               .scale = {.rate_hz = 1},
                               .path = path,
                               .n_pairs = n_pairs};
    bool good = writer_init(&out, o->output, style, STDOUT_FILENO);
    writer_begin(&out);
    good = good && writer_add(&out, &line);
    writer_end(&out);
    if (good) return print_text(&out.out);
    writer_free(&out);
    return report_no_memory(NULL);
}

static bool compare(const text_options *o, const whole_input *x, const whole_input *y)
{
    double distance = 0;
    size_t n = 0;
    sigrep_pair *path = o->path ? malloc((x->n + y->n + 1) * sizeof *path) : NULL;
    sigrep_status status = SIGREP_NO_MEMORY;
    if (path || !o->path)
        status = o->dtw ? sigrep_text_align_signals(x->data, x->n, y->data, y->n, x->dim, &distance,
                                                    path, &n)
                        : sigrep_text_align(x->data, x->n, y->data, y->n, patterns_same(o),
                                            &distance, path, &n);
    const bool good = (!status || report_no_memory(NULL)) && print_line(o, y, distance, path, n);
    free(path);
    return good;
}

int run_whole(const text_options *o)
{
    whole_input in[2] = {0};
    bool good = true;
    for (int i = 0; i < 2 && good; i++)
        good = o->dtw ? read_signal(o->inputs[i], &in[i]) : read_letters(o, o->inputs[i], &in[i]);
    if (good && in[0].dim != in[1].dim) {
        report_of(input_name(o->inputs[1]), "has %zu values a frame, but %s has %zu", in[1].dim,
                  input_name(o->inputs[0]), in[0].dim);
        good = false;
    }
    good = good && compare(o, &in[0], &in[1]);
    for (int i = 0; i < 2; i++) free(in[i].data);
    return good ? 0 : EXIT_ERROR;
}
