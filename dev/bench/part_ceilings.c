/* part_ceilings.c - the limits of this machine's instruction sets. */
#include <math.h>
#include <stdlib.h>

#include "dev/bench/parts.h"
#include "dev/bench/sweep_case.h"

const size_list usual_dims = {{13, 26, 40}, 3};

/* All mixes of one instruction set, for each number of threads. */
typedef struct {
    size_t n;
    race_case races[BENCH_LIST * CEILING_MIXES];
    ceiling_case cases[BENCH_LIST * CEILING_MIXES];
} mixes_race;

static bool mixes_create(mixes_race *all, const ceiling *set, size_t dim, const size_list *threads)
{
    for (size_t j = 0; j < threads->n; j++)
        for (size_t mix = 0; mix < CEILING_MIXES && set->mixes[mix].name; mix++) {
            ceiling_case *own = &all->cases[all->n];
            *own =
                (ceiling_case){.set = set, .mix = mix, .dim = dim, .threads = threads->values[j]};
            sigrep_status status = ceiling_case_create(&all->races[all->n++], own);
            if (status) return bench_fail("%s", sigrep_status_text(status));
        }
    return true;
}

static void add_mixes_row(const mixes_race *all, size_t first, size_t n, bench_report *out)
{
    static const char *const fields[CEILING_MIXES] = {"float_gcups", "integer_gcups",
                                                      "fused_gcups"};
    static const char *const heads[CEILING_MIXES] = {"float", "integer", "fused"};
    const ceiling_case *own = &all->cases[first];
    report_text(out, "instructions", "set", own->set->name);
    report_whole(out, "lanes", "lanes", own->set->lanes);
    report_whole(out, "dim", "K", own->dim);
    report_whole(out, "threads", "threads", own->threads);
    size_t best = first;
    for (size_t mix = 0; mix < CEILING_MIXES; mix++) {
        const race_case *race = &all->races[first + mix];
        report_real(out, fields[mix], heads[mix], mix < n ? 1e-9 * race_median(race) : NAN);
        if (mix < n && race_median(race) > race_median(&all->races[best])) best = first + mix;
    }
    const bool alone = all->cases[0].threads == 1;
    report_real(out, "times_one_thread", "x 1 thread",
                alone ? race_ratio_by(&all->races[best], &all->races[best - first], BY_WALL) : NAN);
    report_real(out, "cores", "cores", race_cores(&all->races[best]));
    report_row_end(out);
}

/* For frames of dim values. */
static bool race_ceilings(const bench_options *o, bench_report *out, const ceiling *set, size_t dim)
{
    mixes_race *all = calloc(1, sizeof *all);
    if (!all) return bench_fail("%s", sigrep_status_text(SIGREP_NO_MEMORY));
    bool good = mixes_create(all, set, dim, &o->threads) &&
                race_run(all->races, all->n, o->repeat, o->lap_s);
    const size_t mixes = all->n / o->threads.n;
    for (size_t first = 0; good && first < all->n; first += mixes)
        add_mixes_row(all, first, mixes, out);
    for (size_t i = 0; i < all->n; i++) ceiling_case_free(&all->cases[i]);
    free(all);
    return good;
}

bool part_ceilings(const bench_options *o, bench_report *out)
{
    report_part(
        out, "ceilings",
        "What the instruction sets allow, GCUPS. One thread by CPU time, several by the clock:");
    for (size_t i = 0; ceiling_at(i); i++) {
        const ceiling *set = ceiling_at(i);
        if (!set->usable() ||
            (i > 0 && set->lanes == ceiling_at(i - 1)->lanes && ceiling_at(i - 1)->usable()))
            continue;
        if (!o->dims.n && !race_ceilings(o, out, set, 1)) return false;
        const size_list *dims = o->dims.n ? &o->dims : &usual_dims;
        for (size_t d = 0; d < dims->n; d++)
            if (!race_ceilings(o, out, set, dims->values[d])) return false;
    }
    return true;
}
