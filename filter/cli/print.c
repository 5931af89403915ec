#include "filter/cli/print.h"

#include <inttypes.h>
#include <string.h>

#include "filter/cli/common/messages.h"
#include "io/fdio.h"

void print_flush(runner *r)
{
    if (r->out_lost || (r->out.out.length == 0 && !r->out.out.failed)) return;
    if (r->out_is_terminal) report_progress_end();
    int failure = writer_flush(&r->out);
    if (!failure) return;
    report("standard output: %s", strerror(failure));
    r->out_lost = true;
    r->failed = true;
    r->over = true;
}

int print_match(void *user, const sigrep_match *m)
{
    runner *r = user;
    const options *o = r->o;
    if (r->mute) return 1;
    r->matches++;
    r->matched = true;
    if (o->quiet) {
        r->over = true;
        return 1;
    }
    if (o->list_files) return 1;
    if (!o->count) {
        writer_match match = {.file = r->name,
                              .label = m->label,
                              .start = m->start,
                              .end = m->end,
                              .score = m->score,
                              .threshold = m->threshold,
                              .scale = r->scale,
                              .live = r->microphone};
        if (r->column) {
            match.start_s = times_at(r->column, m->start);
            match.end_s = times_end(r->column, m->end);
        }
        writer_add(&r->out, &match);
    }
    return r->matches >= o->max_count;
}

/* As float32, least byte first on every machine; returns the number of bytes. */
static size_t put_floats(unsigned char *bytes, const float *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        for (int k = 0; k < 4; k++) *bytes++ = (unsigned char)(bits >> 8 * k);
    }
    return 4 * n;
}

int print_scores(void *user, const float *scores, size_t n_frames)
{
    runner *r = user;
    unsigned char bytes[16384];
    size_t left = n_frames * r->set.n;
    while (left > 0 && !r->scores_failure) {
        size_t n = left < sizeof bytes / 4 ? left : sizeof bytes / 4;
        r->scores_failure = fd_write_all(r->scores_fd, bytes, put_floats(bytes, scores, n));
        scores += n;
        left -= n;
    }
    return r->scores_failure != 0;
}

void print_summary(runner *r)
{
    const options *o = r->o;
    if (o->list_files) {
        if (r->matches > 0) text_add_format(&r->out.out, "%s\n", r->name);
    } else if (o->count) {
        if (r->with_names) text_add_escaped(&r->out.out, r->name);
        text_add_format(&r->out.out, "%s%" PRIu64 "\n", r->with_names ? ":" : "", r->matches);
    }
    print_flush(r);
}
