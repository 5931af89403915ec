#include "papers/mpi/inputs.h"

#include <math.h>
#include <stdlib.h>

#include "io/source.h"
#include "papers/mpi/mpi_peers.h"
#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"
#include "tools/sigrep-text/letters.h"

enum { PIECE = 1 << 16 /* values of a read */, MOST_VALUES = 1 << 30 };

/* Room for a piece more; NULL: out of memory, or too many. */
static void *make_room(input_values *to, size_t size, const char **wrong)
{
    if (to->n > MOST_VALUES - PIECE) {
        *wrong = "is too long: at most 2^30 values can be shared";
        return NULL;
    }
    void *grown = realloc(to->values, (to->n + PIECE) * size);
    if (grown)
        to->values = grown;
    else
        *wrong = "out of memory";
    return grown ? (unsigned char *)grown + to->n * size : NULL;
}

static const char *read_letters(const char *path, input_values *to)
{
    static letters l; /* large */
    const char *wrong = NULL;
    if (!letters_open(&l, path, -1, (letters_options){.fasta = false})) return l.error;
    letters_event event = LETTERS_SOME;
    while (!wrong && event != LETTERS_END) {
        size_t n = 0;
        unsigned char *room = make_room(to, 1, &wrong);
        if (!room) break;
        event = letters_read(&l, room, PIECE, &n, true);
        to->n += n;
        if (event == LETTERS_FAILED) wrong = l.error;
    }
    letters_close(&l);
    return wrong;
}

static const char *read_frames(source *src, input_values *to)
{
    const char *wrong = NULL;
    ssize_t got = 0;
    do {
        float *room = make_room(to, sizeof *room, &wrong);
        if (!room) return wrong;
        got = source_read(src, room, NULL, PIECE);
        if (got < 0) return source_error(src);
        for (ssize_t i = 0; i < got; i++)
            if (!isfinite(room[i])) return "has a value that is not finite";
        to->n += (size_t)got;
    } while (got > 0);
    return NULL;
}

static bool read_signal(const char *path, input_values *to)
{
    source *src = open_input(path, (source_options){.wake_fd = -1}, NULL);
    if (!src) return false;
    source_watch_rounding(src);
    const size_t channels = source_get_info(src).channels;
    const char *wrong = channels == 1 ? read_frames(src, to) : NULL;
    input_warn(input_name(path), src);
    if (channels != 1)
        report_of(input_name(path), "has %zu values a frame: give a file of one column or channel",
                  channels);
    else if (wrong)
        report_of(input_name(path), "%s", wrong);
    source_close(src);
    return channels == 1 && !wrong;
}

static bool read_one(cells_kind kind, const char *path, input_values *to)
{
    bool good = true;
    if (kind == CELLS_SIGNALS) {
        good = read_signal(path, to);
    } else {
        const char *wrong = read_letters(path, to);
        if (wrong) report_of(input_name(path), "%s", wrong);
        good = !wrong;
    }
    if (good && to->n == 0) report_of(input_name(path), "is empty");
    return good && to->n > 0;
}

bool inputs_read(cells_kind kind, const char *path, const peers *with, input_values *to)
{
    *to = (input_values){0};
    if (!mpi_all(with->rank > 0 || read_one(kind, path, to))) {
        inputs_free(to);
        return false;
    }
    mpi_share(&to->n, sizeof to->n);
    const size_t bytes = to->n * cells_value_size(kind);
    if (with->rank > 0) to->values = malloc(bytes);
    if (!mpi_all(to->values)) {
        if (with->rank == 0) report_no_memory(input_name(path));
        inputs_free(to);
        return false;
    }
    mpi_share(to->values, bytes);
    return true;
}

void inputs_free(input_values *of)
{
    free(of->values);
    *of = (input_values){0};
}
