/*
 * main.c - sigrep-papers: how fast are the papers' algorithms, on one core or on a GPU?
 *
 *     options ──> cpu_table or gpu_tables ──> report: text or JSON
 *
 * docs/PAPERS.md has results.
 */
#include <stdio.h>

#include "dev/bench/bench_fail.h"
#include "dev/bench/parts.h"
#include "papers/bench/tables.h"
#include "tools/common/messages/messages.h"

enum { KEY_REPEAT = 256, KEY_LAP };

static arguments_status take_operands(void *user, int n, char **operands, char *error)
{
    const bench_options *o = user;
    sigrep_error why = {0};
    if (n > 0) return arguments_bad(error, "unexpected argument '%.300s'", operands[0]);
    if (!kernel_choose(o->device, NULL, &why)) return arguments_bad(error, "%s", why.text);
    return ARGUMENTS_OK;
}

static const argument_row rows[] = {
    ARGUMENT('d', "device", "D", bench_set_device, "cpu (if not given); a GPU: cuda, cuda:N"),
    ARGUMENT('m', "lengths", "LIST", bench_set_lengths, "lengths of x"),
    ARGUMENT('n', "frames", "N", bench_set_frames, "length of y"),
    ARGUMENT(KEY_REPEAT, "repeat", "N", bench_set_repeat,
             "rounds; each runs all algorithms once (5)"),
    ARGUMENT(KEY_LAP, "lap", "SECONDS", bench_set_lap, "of one algorithm in one round (0.02)"),
    ARGUMENT('o', "output", "F", bench_set_output, "text (tables), json (one object)"),
};

static const argument_table option_table = {
    .program = "sigrep-papers",
    .usage = "sigrep-papers [OPTION]...",
    .about = "Measure the algorithms of Nakano and of Man, Nakano and Ito, for strings and for\n"
             "signals: on one core, or on a GPU beside sigrep's own kernel. Their results are\n"
             "compared first. LIST is such as 128 or 32,128,512.\n",
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .end = "Without -m: 32,128,1024 on one core, and 32,64,128,256,512,1024 on a GPU.\n"
           "Without -n: 65536 on one core, and 4194304 on a GPU, as the papers have it.\n"
           "Exit status: 0, or 2 for an error.\n",
    .take_operands = take_operands,
};

static bool measure(const bench_options *o)
{
    bench_report out;
    const machine here = machine_look();
    report_begin(&out, o->json, &here);
    const bool good =
        bench_on_gpu(o) ? gpu_machine(o, &out) && gpu_tables(o, &out) : cpu_table(o, &out);
    report_end(&out);
    return good;
}

int main(int argc, char **argv)
{
    char error[ARGUMENTS_ERROR_SIZE];
    bench_options o = {.device = "cpu", .repeat = 5, .lap_s = 0.02};
    const arguments_status parsed = arguments_parse(&option_table, &o, argc, argv, error);
    if (parsed) return arguments_answer(&option_table, parsed, error);
    if (!measure(&o)) return EXIT_ERROR;
    if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
    bench_fail("standard output: cannot be written");
    return EXIT_ERROR;
}
