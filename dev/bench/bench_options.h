/* bench_options.h - the command line of sigrep-bench. */
#ifndef DEV_BENCH_BENCH_OPTIONS_H
#define DEV_BENCH_BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/kernel.h"
#include "tools/common/options/arguments.h"

enum { BENCH_LIST = 32, BENCH_KERNELS = 16 };

typedef struct {
    size_t values[BENCH_LIST];
    size_t n; /* 0: not given */
} size_list;

/* The largest of them, 0 of none. */
size_t size_list_most(const size_list *list);

typedef enum {
    PART_KERNELS = 1,
    PART_GROWTH = 2,
    PART_PROGRAM = 4,
    PART_MATCHES = 8,
    PART_PRUNING = 16,
    PART_FRAMES = 32,
    PART_LIVE = 64,
    PART_STRINGS = 128
} bench_part;

typedef struct {
    const char *device;
    const char *kernel_names;                 /* "portable,scalar"; NULL: all that can run */
    const kernel_ops *kernels[BENCH_KERNELS]; /* best first */
    size_t n_kernels;
    size_t n_shown; /* for parts other than `kernels': those named, else the best alone */
    size_list lengths, dims, threads, templates;
    size_t frames; /* of a stream; 0: a default */
    size_t chunk;  /* frames a call */
    size_t repeat; /* rounds */
    double lap_s;  /* seconds of one measurement */
    unsigned parts;
    const char *program; /* NULL: the one beside this program */
    const char *ecg;     /* a PhysioNet record */
    bool json;
} bench_options;

extern const argument_table bench_option_table;

/* Parse argv as arguments_parse does. Strings point into argv. */
arguments_status bench_options_parse(bench_options *o, int argc, char **argv,
                                     char error[ARGUMENTS_ERROR_SIZE]);

/* For tables of options: each sets *user, a bench_options. */
const char *bench_set_device(void *user, const char *text);
const char *bench_set_lengths(void *user, const char *text);
const char *bench_set_frames(void *user, const char *text);
const char *bench_set_repeat(void *user, const char *text);
const char *bench_set_lap(void *user, const char *text);
const char *bench_set_output(void *user, const char *text);

/* Is a GPU measured? "auto" measures the CPU, and a GPU's kernels among the others. */
bool bench_on_gpu(const bench_options *o);

#endif
