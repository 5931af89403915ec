#include "tools/sigrep-text/cigar.h"

#include <stdlib.h>

/* A run of one operation. */
typedef struct {
    text_buffer *out;
    char operation;
    size_t length, edits;
} cigar_run;

static void add(cigar_run *r, char operation, size_t n)
{
    if (n == 0) return;
    if (operation != r->operation) {
        if (r->length > 0) text_add_format(r->out, "%zu%c", r->length, r->operation);
        r->operation = operation;
        r->length = 0;
    }
    r->length += n;
    if (operation != '=' && operation != 'S') r->edits += n;
}

/* Letter for letter. */
static void add_diagonal(cigar_run *r, const unsigned char *x, const unsigned char *y, size_t n,
                         const unsigned char *same)
{
    for (size_t i = 0; i < n; i++) {
        const bool equal = same ? same[256 * x[i] + y[i]] != 0 : x[i] == y[i];
        add(r, equal ? '=' : 'X', 1);
    }
}

/* By the pairs of an alignment of m and n letters. */
static void add_pairs(cigar_run *r, const sigrep_pair *pairs, size_t n_pairs, size_t m, size_t n)
{
    size_t i = 0, t = 0;
    for (size_t k = 0; k < n_pairs; k++) {
        add(r, 'I', pairs[k].template_frame - i);
        add(r, 'D', pairs[k].start - t);
        add(r, pairs[k].cost > 0 ? 'X' : '=', 1);
        i = pairs[k].template_frame + 1;
        t = pairs[k].start + 1;
    }
    add(r, 'I', m - i);
    add(r, 'D', n - t);
}

/* false: out of memory. */
static bool add_alignment(cigar_run *r, const unsigned char *x, size_t m, const unsigned char *y,
                          size_t n, const unsigned char *same)
{
    double distance;
    size_t n_pairs = 0;
    sigrep_pair *pairs = malloc((m + n + 1) * sizeof *pairs);
    const bool good = pairs && !sigrep_text_align(x, m, y, n, same, &distance, pairs, &n_pairs);
    if (good) add_pairs(r, pairs, n_pairs, m, n);
    free(pairs);
    return good;
}

bool cigar_add(text_buffer *out, const sigrep_text_pattern *x, const unsigned char *y,
               const sigrep_text_match *match, const unsigned char *same, bool diagonal,
               size_t *edits)
{
    cigar_run r = {.out = out, .operation = 'S', .length = match->before};
    const unsigned char *letters = (const unsigned char *)x->letters + match->before;
    const size_t m = x->length - match->before - match->after;
    bool good = true;
    if (diagonal)
        add_diagonal(&r, letters, y, m, same);
    else
        good = add_alignment(&r, letters, m, y, (size_t)(match->end - match->start), same);
    add(&r, 'S', match->after);
    if (r.length > 0) text_add_format(out, "%zu%c", r.length, r.operation);
    *edits = r.edits;
    return good && !out->failed;
}
