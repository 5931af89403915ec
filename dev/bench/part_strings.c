/* part_strings.c - the kernels for strings on the papers' task: a pattern of 1024 letters in 4 Mi,
 * both of random letters 0 and 1. */
#include <stdlib.h>
#include <string.h>

#include "dev/bench/parts.h"
#include "dev/bench/race.h"
#include "dev/bench/signals.h"
#include "kernels/strings/strings.h"

enum {
    STRINGS_LETTERS = 1 << 22,
    STRINGS_LENGTH = 1024,
    CHECKED = 1 << 16, /* letters that are compared with the reference */
    EDITS_SHARE = 8    /* k is an eighth of m */
};

typedef struct {
    const string_ops *ops;
    string_sweep *sweep;
    string_pattern pattern;
    unsigned char *letters;
    size_t n;
    uint32_t *minima;
} string_case;

/* From a cold start. */
static bool sweep_text(const string_case *c)
{
    c->ops->reset(c->sweep);
    return c->ops->sweep(c->sweep, c->letters, c->n, c->minima);
}

static bool run_text(void *self, size_t loops, lap *spent)
{
    const string_case *c = self;
    bool good = true;
    stopwatch begin = stopwatch_start();
    for (size_t i = 0; i < loops && good; i++) good = sweep_text(c);
    *spent = stopwatch_read(&begin);
    return good;
}

/* Does the kernel give the minima of the reference? */
static bool is_right(const string_case *c)
{
    const size_t n = c->n < CHECKED ? c->n : CHECKED, size = string_blocks(n) * sizeof *c->minima;
    const string_ops *scalar = string_kernel_find("scalar");
    uint32_t *wanted = malloc(size);
    string_sweep *s = scalar->create(&c->pattern, n);
    const bool good = wanted && s && scalar->sweep(s, c->letters, n, wanted) && sweep_text(c) &&
                      memcmp(wanted, c->minima, n / STRING_BLOCK * sizeof *wanted) == 0;
    scalar->destroy(s);
    free(wanted);
    return good || bench_fail("strings: %s differs from scalar", c->ops->name);
}

static bool race_kernel(const bench_options *o, string_case *c, bench_report *out)
{
    race_case race = {.run = run_text, .self = c, .cells = (double)c->pattern.m * (double)c->n};
    if (c->ops == &string_cuda) race.clock = BY_WALL;
    if (!is_right(c)) return false;
    if (!race_run(&race, 1, o->repeat, o->lap_s)) return bench_fail("%s failed", c->ops->name);
    report_text(out, "kernel", "kernel", c->ops->name);
    report_whole(out, "m", "m", c->pattern.m);
    report_whole(out, "n", "n", c->n);
    report_real(out, "ms", "ms", 1e3 * race.cells / race_median(&race));
    report_real(out, "gcups_median", "GCUPS", 1e-9 * race_median(&race));
    if (c->ops == &string_cuda)
        report_real(out, "device_ms", "on the device, ms", 1e3 * string_cuda_device_s(c->sweep));
    report_row_end(out);
    return true;
}

/* The kernel of this name, or the best of the CPU; on a GPU there is one. */
static const string_ops *kernel_like(const bench_options *o, const char *name)
{
    const string_ops *ops = bench_on_gpu(o) ? &string_cuda : string_kernel_find(name);
    return ops && ops->usable() ? ops : string_kernel_find(NULL);
}

static bool race_length(const bench_options *o, string_case *c, size_t m, bench_report *out)
{
    unsigned char *x = signal_letters(m, 1);
    bool good = x && string_pattern_init(&c->pattern, x, m, m / EDITS_SHARE, NULL);
    free(x);
    if (!good) return bench_fail("out of memory");
    for (size_t i = 0; i < o->n_shown && good; i++) {
        c->ops = kernel_like(o, o->kernels[i]->name);
        c->sweep = c->ops->create(&c->pattern, c->n);
        good = (c->sweep || bench_fail("%s failed", c->ops->name)) && race_kernel(o, c, out);
        c->ops->destroy(c->sweep);
    }
    string_pattern_free(&c->pattern);
    return good;
}

bool part_strings(const bench_options *o, bench_report *out)
{
    static const size_list usual = {{STRINGS_LENGTH}, 1};
    const size_list *lengths = o->lengths.n ? &o->lengths : &usual;
    string_case c = {.n = o->frames ? o->frames : STRINGS_LETTERS};
    c.letters = signal_letters(c.n, 2);
    c.minima = malloc(string_blocks(c.n) * sizeof *c.minima);
    bool good = (c.letters && c.minima) || bench_fail("out of memory");
    report_part(out, "strings", "Strings of random letters 0 and 1, by edit distance:");
    for (size_t i = 0; i < lengths->n && good; i++)
        good = race_length(o, &c, lengths->values[i], out);
    free(c.letters);
    free(c.minima);
    return good;
}
