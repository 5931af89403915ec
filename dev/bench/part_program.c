/* part_program.c - the whole program, end to end, beside its kernel alone. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dev/bench/child.h"
#include "dev/bench/gpu_limits.h"
#include "dev/bench/parts.h"
#include "dev/bench/signals.h"
#include "dev/bench/sweep_case.h"

enum {
    PATH_SIZE = 4096,
    LAPS = 20,             /* of a run of the program */
    MAX_FRAMES = 1 << 25,  /* of a run on the CPU */
    GPU_FRAMES = 1 << 28,  /* of a run on a GPU */
    PROBE_FRAMES = 1 << 16 /* to learn how fast the kernel is */
};

/* The cases of a race. */
enum { KERNEL, FROM_FILE, FROM_PIPE, START, N_CASES };

typedef struct {
    char folder[PATH_SIZE], program[PATH_SIZE];
    char template[PATH_SIZE + 32], stream[PATH_SIZE + 32], tiny[PATH_SIZE + 32];
} places;

static bool run_child(void *self, size_t loops, lap *spent)
{
    lap sum = {0};
    for (size_t i = 0; i < loops; i++) {
        if (!child_run(self, spent)) return false;
        sum.wall_s += spent->wall_s;
        sum.cpu_s += spent->cpu_s;
    }
    *spent = sum;
    return true;
}

static bool write_floats(const char *path, const float *values, size_t n)
{
    FILE *file = fopen(path, "wb");
    if (!file) return false;
    bool good = fwrite(values, sizeof *values, n, file) == n;
    return fclose(file) == 0 && good;
}

/* Default: the program beside this one. */
static void find_program(const bench_options *o, places *at)
{
    char own[PATH_SIZE];
    ssize_t n = o->program ? -1 : readlink("/proc/self/exe", own, sizeof own - 1);
    char *slash = NULL;
    if (n > 0) {
        own[n] = '\0';
        slash = strrchr(own, '/');
    }
    if (slash)
        snprintf(at->program, sizeof at->program, "%.*s/sigrep", (int)(slash - own), own);
    else
        snprintf(at->program, sizeof at->program, "%s", o->program ? o->program : "sigrep");
}

static bool make_folder(places *at)
{
    const char *below = getenv("TMPDIR");
    snprintf(at->folder, sizeof at->folder, "%s/sigrep-bench-XXXXXX",
             below && *below ? below : P_tmpdir);
    if (!mkdtemp(at->folder)) return bench_fail("%s: cannot be made", at->folder);
    snprintf(at->template, sizeof at->template, "%s/template.f32", at->folder);
    snprintf(at->stream, sizeof at->stream, "%s/stream.f32", at->folder);
    snprintf(at->tiny, sizeof at->tiny, "%s/tiny.f32", at->folder);
    return true;
}

static void remove_folder(const places *at)
{
    unlink(at->template);
    unlink(at->stream);
    unlink(at->tiny);
    rmdir(at->folder);
}

/* A problem, its arrays, and what races over it. */
typedef struct {
    sweep_problem problem;
    float *x, *frames;
    race_case races[N_CASES];
    sweep_case sweep;
    child children[N_CASES];
    char *argv[N_CASES][24];
    char threshold[32], chunk[32], threads[32];
    double copied; /* samples a second that reach the kernel's memory at most */
} contest;

/* sigrep -q ... TEMPLATE INPUT, measured by the same clock as the kernel. */
static void add_child(contest *all, int i, const places *at, const char *kernel, const char *input)
{
    char *const argv[] = {"sigrep",
                          "-q",
                          "-f",
                          "f32",
                          "-p",
                          "raw",
                          "-t",
                          all->threshold,
                          "-j",
                          all->threads,
                          "-d",
                          (char *)all->problem.device,
                          "--kernel",
                          (char *)kernel,
                          (char *)at->template,
                          (char *)input,
                          all->chunk[0] ? "--chunk" : NULL,
                          all->chunk,
                          NULL};
    memcpy(all->argv[i], argv, sizeof argv);
    all->children[i] = (child){.program = at->program, .argv = all->argv[i]};
    all->races[i] = (race_case){.run = run_child,
                                .self = &all->children[i],
                                .cells = (double)all->problem.m * (double)all->problem.n,
                                .clock = all->races[KERNEL].clock};
}

/* As many frames as take LAPS laps, by the kernel's rate on a short stream. */
static sigrep_status choose_frames(contest *all, const bench_options *o, const kernel_ops *ops)
{
    sweep_problem probe = all->problem;
    if (o->frames) return SIGREP_OK;
    if (bench_on_gpu(o)) {
        all->problem.n = GPU_FRAMES;
        return SIGREP_OK;
    }
    probe.n = PROBE_FRAMES;
    probe.frames = all->frames = signal_noise(probe.n, 2);
    if (!all->frames) return SIGREP_NO_MEMORY;
    sigrep_status status = sweep_case_create(&all->races[0], &all->sweep, ops, &probe, 1);
    if (status) return status;
    bool good = race_run(all->races, 1, 3, o->lap_s);
    double n = race_best(&all->races[0]) * o->lap_s * LAPS / (double)probe.m;
    sweep_case_free(&all->sweep);
    free(all->frames);
    all->frames = NULL;
    if (n > MAX_FRAMES) n = MAX_FRAMES;
    all->problem.n = n < 1024 ? 1024 : (size_t)n;
    return good ? SIGREP_OK : SIGREP_NO_MEMORY;
}

/* A threshold just below the lowest score: nothing matches, and pruning gains as little as
 * possible. The kernel gets the same threshold. */
static sigrep_status choose_threshold(contest *all, const kernel_ops *ops, size_t threads)
{
    float lowest;
    sigrep_status status =
        sweep_case_create(&all->races[KERNEL], &all->sweep, ops, &all->problem, threads);
    if (status) return status;
    status = sweep_case_lowest(&all->sweep, &lowest);
    sweep_case_free(&all->sweep);
    double threshold = 0.99 * (double)lowest / (double)all->problem.m;
    snprintf(all->threshold, sizeof all->threshold, "%.9g", threshold);
    all->problem.eps = (float)(threshold * (double)all->problem.m);
    return status;
}

static sigrep_status prepare(contest *all, const bench_options *o, const kernel_ops *ops, size_t m)
{
    *all = (contest){
        .problem = sweep_of_samples(NULL, m, NULL, o->frames, o->chunk),
        .copied = bench_on_gpu(o) ? gpu_copy_rate(kernel_device(o->device)) / sizeof(float) : 0};
    all->problem.device = o->device;
    if (o->chunk) snprintf(all->chunk, sizeof all->chunk, "%zu", o->chunk);
    snprintf(all->threads, sizeof all->threads, "%zu", o->threads.values[0]);
    all->problem.x = all->x = signal_noise(m, 1);
    if (!all->x) return SIGREP_NO_MEMORY;
    sigrep_status status = choose_frames(all, o, ops);
    if (status) return status;
    all->problem.frames = all->frames = signal_noise(all->problem.n, 2);
    if (!all->frames) return SIGREP_NO_MEMORY;
    status = choose_threshold(all, ops, o->threads.values[0]);
    if (status) return status;
    return sweep_case_create(&all->races[KERNEL], &all->sweep, ops, &all->problem,
                             o->threads.values[0]);
}

/* The lower one of the kernel's and the bus's rates, cells a second. */
static double limit_of(const contest *all)
{
    const double kernel = race_median(&all->races[KERNEL]);
    const double copied = all->copied * (double)all->problem.m;
    return copied > 0 && copied < kernel ? copied : kernel;
}

static void add_row(const contest *all, const kernel_ops *ops, int i, const char *input,
                    bench_report *out)
{
    const race_case *race = &all->races[i], *kernel = &all->races[KERNEL];
    const race_case *start = &all->races[START];
    double start_s = start->cells / race_median(start);
    double run_s = race->cells / race_median(race);
    double share = race_ratio(race, kernel);
    report_text(out, "kernel", "kernel", ops->name);
    report_text(out, "input", "input", input);
    report_whole(out, "m", "m", all->problem.m);
    report_whole(out, "n", "n", all->problem.n);
    report_real(out, "gcups_median", "GCUPS", 1e-9 * race_median(race));
    report_real(out, "gcups_best", "best", 1e-9 * race_best(race));
    report_real(out, "kernel_gcups", "kernel's", 1e-9 * race_median(kernel));
    report_percent(out, "share", "share", share);
    report_real(out, "start_s", "start, s", start_s);
    report_percent(out, "share_started", "without start",
                   run_s > 4 * start_s ? share * run_s / (run_s - start_s) : NAN);
    report_percent(out, "share_by_clock", "by the clock", race_ratio_by(race, kernel, BY_WALL));
    if (all->copied > 0) {
        const double cells_s = race->cells / (run_s > start_s ? run_s - start_s : run_s);
        report_real(out, "seconds", "seconds", run_s);
        report_percent(out, "limit_share", "of the limit", cells_s / limit_of(all));
    }
    report_row_end(out);
}

static bool race_length(const bench_options *o, const kernel_ops *ops, const places *at, size_t m,
                        bench_report *out)
{
    contest all;
    sigrep_status status = prepare(&all, o, ops, m);
    bool good = !status;
    if (status) bench_fail("%s", sigrep_status_text(status));
    if (good && !(write_floats(at->template, all.x, m) && write_floats(at->tiny, all.frames, 1) &&
                  write_floats(at->stream, all.frames, all.problem.n)))
        good = bench_fail("%s: cannot be written", at->folder);
    if (good) {
        add_child(&all, FROM_FILE, at, ops->name, at->stream);
        add_child(&all, FROM_PIPE, at, ops->name, "-");
        add_child(&all, START, at, ops->name, at->tiny);
        all.children[FROM_PIPE].piped = all.frames;
        all.children[FROM_PIPE].n_piped = all.problem.n;
        good = race_run(all.races, N_CASES, o->repeat, o->lap_s * LAPS / 2);
        if (!good) bench_fail("%s: could not be run, or failed", at->program);
    }
    if (good) {
        add_row(&all, ops, FROM_FILE, "file", out);
        add_row(&all, ops, FROM_PIPE, "pipe", out);
    }
    sweep_case_free(&all.sweep);
    free(all.x);
    free(all.frames);
    return good;
}

bool part_program(const bench_options *o, bench_report *out)
{
    static const size_list usual = {{512, 1024, 2048}, 3}, on_gpu = {{1024, 4096, 8192}, 3};
    const size_list *lengths = bench_on_gpu(o) ? &on_gpu : &usual;
    if (o->lengths.n) lengths = &o->lengths;
    places at;
    find_program(o, &at);
    if (!make_folder(&at)) return false;
    report_part(
        out, "program",
        "The whole program, from its start to its end, as a share of its kernel alone, by\n"
        "CPU time (several threads, a GPU: by the clock); noise, nothing found. The limit, on a\n"
        "GPU, is the kernel or the copies to it, whichever is less; without the start:");
    bool good = true;
    for (size_t i = 0; good && i < lengths->n; i++)
        for (size_t k = 0; good && k < o->n_shown; k++)
            good = race_length(o, o->kernels[k], &at, lengths->values[i], out);
    remove_folder(&at);
    return good;
}
