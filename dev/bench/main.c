/*
 * main.c - sigrep-bench: how fast are the kernels, and how fast could they be?
 *
 *     options ──> parts: a table each ──> report: text or JSON
 *
 * docs/PERFORMANCE.md has results.
 */
#include <stdio.h>

#include "dev/bench/parts.h"
#include "tools/common/messages/messages.h"

typedef bool part_run(const bench_options *o, bench_report *out);

static const struct {
    unsigned part;
    part_run *on_cpu, *on_gpu;
} parts[] = {
    {PART_KERNELS, part_kernels, gpu_part_kernels},
    {PART_GROWTH, part_growth, NULL},
    {PART_FRAMES, NULL, gpu_part_frames},
    {PART_LIVE, NULL, gpu_part_live},
    {PART_PROGRAM, part_program, part_program},
    {PART_MATCHES, part_matches, NULL},
    {PART_PRUNING, part_pruning, NULL},
    {PART_STRINGS, part_strings, part_strings},
};

static bool measure(const bench_options *o)
{
    bench_report out;
    const machine here = machine_look();
    const bool on_gpu = bench_on_gpu(o);
    report_begin(&out, o->json, &here);
    bool good = !on_gpu || gpu_machine(o, &out);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && good; i++) {
        part_run *run = on_gpu ? parts[i].on_gpu : parts[i].on_cpu;
        if (run && o->parts & parts[i].part) good = run(o, &out);
    }
    report_end(&out);
    return good;
}

int main(int argc, char **argv)
{
    char error[ARGUMENTS_ERROR_SIZE];
    bench_options o;
    const arguments_status parsed = bench_options_parse(&o, argc, argv, error);
    if (parsed) return arguments_answer(&bench_option_table, parsed, error);
    if (!measure(&o)) return EXIT_ERROR;
    if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
    bench_fail("standard output: cannot be written");
    return EXIT_ERROR;
}
