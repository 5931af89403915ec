#include "papers/machine/options.h"

#include <string.h>

#include "papers/machine/matching.h"
#include "papers/machine/scan.h"
#include "tools/common/options/number.h"

enum {
    MOST_WIDTH = 1024,
    MOST_LATENCY = 100000,
    MOST_DMMS = 1024,
    MOST_BLOCKS = 65536,
    MOST_M = 1024,
    MOST_N = 65536,
    MOST_CELLS = 1 << 21, /* of d that are computed: about a second */
    MOST_SLID = 1 << 25,  /* words of the slid matrix, or threads by substring of the HMM */
};

enum { KEY_SIGNALS = 256, KEY_SEED };

static bool set_size(size_t *value, const char *text, size_t most)
{
    uint64_t number;
    if (!number_whole(text, 1, most, &number)) return false;
    *value = (size_t)number;
    return true;
}

static machine_options *of(void *user)
{
    return user;
}

static const char *set_width(void *user, const char *text)
{
    return set_size(&of(user)->setup.width, text, MOST_WIDTH)
               ? NULL
               : "a memory has a whole number of banks, from 1 to 1024";
}

static const char *set_latency(void *user, const char *text)
{
    return set_size(&of(user)->setup.latency, text, MOST_LATENCY)
               ? NULL
               : "a request takes a whole number of time units, from 1 to 100000";
}

static const char *set_global_latency(void *user, const char *text)
{
    return set_size(&of(user)->setup.global_latency, text, MOST_LATENCY)
               ? NULL
               : "a request to global memory takes a whole number of time units, from 1 to 100000";
}

static const char *set_dmms(void *user, const char *text)
{
    return set_size(&of(user)->setup.dmms, text, MOST_DMMS)
               ? NULL
               : "an HMM has a whole number of DMMs, from 1 to 1024";
}

static const char *set_blocks(void *user, const char *text)
{
    return set_size(&of(user)->setup.blocks, text, MOST_BLOCKS)
               ? NULL
               : "y is cut into a whole number of substrings, from 1 to 65536";
}

static const char *set_resident(void *user, const char *text)
{
    return set_size(&of(user)->setup.resident, text, MOST_BLOCKS)
               ? NULL
               : "a DMM holds a whole number of blocks at once, from 1 to 65536";
}

static const char *set_threads(void *user, const char *text)
{
    return set_size(&of(user)->setup.threads, text, (size_t)MOST_BLOCKS * MOST_M)
               ? NULL
               : "a machine has a whole number of threads, from 1 to 67108864";
}

static const char *set_m(void *user, const char *text)
{
    return set_size(&of(user)->setup.task.m, text, MOST_M)
               ? NULL
               : "x has a whole number of characters, from 1 to 1024";
}

static const char *set_n(void *user, const char *text)
{
    return set_size(&of(user)->setup.task.n, text, MOST_N)
               ? NULL
               : "y has a whole number of characters, from 1 to 65536";
}

static const char *set_seed(void *user, const char *text)
{
    uint64_t seed;
    if (!number_whole(text, 0, UINT64_MAX, &seed)) return "not a whole number";
    of(user)->seed = seed;
    return NULL;
}

static const char *refuse_blocks(const setup *s)
{
    const size_t p = s->threads;
    if (p % s->blocks) return "p is no multiple of D";
    if (p / s->blocks > s->task.m) return "p is more than m D";
    const size_t columns = setup_substring(s) + s->task.m;
    if (s->blocks * columns > MOST_CELLS / s->task.m) return "too many cells to simulate";
    return NULL;
}

const char *machine_options_refuse(const machine_options *o, const algorithm *a)
{
    const setup *s = &o->setup;
    const size_t m = s->task.m, n = s->task.n;
    if (a->machines == ON_HMM) {
        setup all = *s;
        if (!all.threads) all.threads = algorithm_threads(s, a);
        return refuse_blocks(&all);
    }
    if (a->run == minimum_shuffle && s->width == 1) return "a warp of one thread has no shuffle";
    if (s->threads > n) return "p is more than n";
    if (a->expected != plain_match) return NULL;
    if (n * m > MOST_CELLS / 4) return "too many cells to simulate";
    if (a->run == match_slid && (m + n + 1) * (n + 1) > MOST_SLID) return "too large a matrix";
    return NULL;
}

/* Can any of the machine's algorithms run as asked? */
static arguments_status check_any(const machine_options *o, char *error)
{
    const char *name = "", *wrong = "the machine has none";
    for (size_t i = 0; algorithm_at(i); i++) {
        const algorithm *a = algorithm_at(i);
        const char *reason = machine_options_refuse(o, a);
        if (!(a->machines & o->setup.kind)) continue;
        if (!reason) return ARGUMENTS_OK;
        name = a->name;
        wrong = reason;
    }
    return arguments_bad(error, "algorithm '%s': %s", name, wrong);
}

static arguments_status take_algorithms(machine_options *o, int n, char **names, char *error)
{
    if (n == 0) return check_any(o, error);
    if (n > OPTIONS_NAMES) return arguments_bad(error, "too many algorithms");
    for (int i = 0; i < n; i++) {
        const algorithm *a = algorithm_named(names[i]);
        if (!a) return arguments_bad(error, "unknown algorithm '%.300s'", names[i]);
        if (!(a->machines & o->setup.kind))
            return arguments_bad(error, "algorithm '%s' is not for this machine", a->name);
        const char *reason = machine_options_refuse(o, a);
        if (reason) return arguments_bad(error, "algorithm '%s': %s", a->name, reason);
        o->named[o->n_named++] = a;
    }
    return ARGUMENTS_OK;
}

static arguments_status take_operands(void *user, int n, char **operands, char *error)
{
    machine_options *o = user;
    static const char *const kinds[] = {"dmm", "umm", "hmm"};
    const size_t m = o->setup.task.m;
    if (n == 0) return ARGUMENTS_NONE;
    if (strcmp(operands[0], "fit") == 0) {
        if (n != 2) return arguments_bad(error, "fit takes one file of measured times");
        o->measured = operands[1];
        return ARGUMENTS_OK;
    }
    if (m > o->setup.task.n)
        return arguments_bad(error, "m = %zu is more than n = %zu: x is the shorter one", m,
                             o->setup.task.n);
    if (!o->setup.resident) o->setup.resident = o->setup.blocks;
    for (int i = 0; i < 3; i++) {
        if (strcmp(operands[0], kinds[i]) != 0) continue;
        o->setup.kind = (machine_kind)(1 << i);
        return take_algorithms(o, n - 1, operands + 1, error);
    }
    return arguments_bad(error, "unknown machine '%.300s' (dmm, umm, hmm)", operands[0]);
}

static const argument_row rows[] = {
    ARGUMENT_HEADING("The machine:"),
    ARGUMENT('w', "width", "W", set_width, "banks of a memory, threads of a warp (4)"),
    ARGUMENT('l', "latency", "L", set_latency, "of a DMM or a UMM, in time units (5)"),
    ARGUMENT('L', "global-latency", "L", set_global_latency,
             "of the HMM's global memory, in time units (20)"),
    ARGUMENT('d', "dmms", "N", set_dmms, "DMMs of an HMM (3)"),
    ARGUMENT('r', "resident", "N", set_resident,
             "blocks that a DMM holds at once (all); a GPU\nholds few"),
    ARGUMENT_HEADING("The task:"),
    ARGUMENT('m', "x-length", "N", set_m, "characters of x (8)"),
    ARGUMENT('n', "y-length", "N", set_n, "characters of y (64)"),
    ARGUMENT_FLAG(KEY_SIGNALS, "signals", machine_options, setup.task.signals,
                  "x and y are signals; without it strings"),
    ARGUMENT(KEY_SEED, "seed", "N", set_seed, "x and y are random: which ones (1)"),
    ARGUMENT('p', "threads", "N", set_threads, "threads (as many as the paper takes)"),
    ARGUMENT('D', "blocks", "N", set_blocks, "substrings of y, one a block, on an HMM (6)"),
};

const argument_table machine_option_table = {
    .program = "sigrep-machine",
    .usage = "sigrep-machine [OPTION]... dmm|umm|hmm [ALGORITHM]...\n"
             "       sigrep-machine [OPTION]... fit FILE",
    .about = "Simulate the memory machines of Nakano: count the time units that the papers'\n"
             "algorithms take, beside the papers' formulas. Or fit an HMM to a GPU's times.\n",
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .end = "Algorithms of dmm and umm (all): contiguous, banks, minimum, tree, shuffle,\n"
           "sequential, diagonals, slid, ring, segments; of hmm: blocks.\n"
           "Columns: units, time units of the machine; rounds, if all threads wait after\n"
           "each access, as the papers count; bound, the papers' steps added up; order,\n"
           "what is inside O(...); ratio, units by order; stages for each warp dispatched,\n"
           "1 without conflicts; words of memory beside x and y; result, and whether it is\n"
           "the right one.\n"
           "FILE has the GPU's width, dmms, resident and threads, and n, each in a line.\n"
           "Then `m` and numbers of blocks D, then rows of m and milliseconds. Examples\n"
           "are in papers/machine/measured.\n"
           "Exit status: 0, or 2 for an error.\n",
    .take_operands = take_operands,
};

machine_options machine_options_defaults(void)
{
    return (machine_options){.setup = {.kind = ON_DMM,
                                       .width = 4,
                                       .latency = 5,
                                       .global_latency = 20,
                                       .dmms = 3,
                                       .blocks = 6,
                                       .task = {.m = 8, .n = 64}},
                             .seed = 1};
}
