#include "tools/sigrep-bench/bench_options.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "filter/cli/common/number.h"
#include "tools/sigrep-bench/race.h"

enum {
    MAX_LENGTH = 1 << 20,
    MAX_DIM = 4096,
    MAX_THREADS = 1024,
    MAX_TEMPLATES = 4096,
    MAX_FRAMES = 1 << 28,
    MAX_CHUNK = 1 << 22,
    MAX_LIVE_CHUNK = 1 << 18, /* 400 lie in memory, twice */
    CPU_PARTS = PART_KERNELS | PART_GROWTH | PART_PROGRAM | PART_MATCHES | PART_PRUNING,
    GPU_PARTS = PART_KERNELS | PART_FRAMES | PART_LIVE | PART_PAPERS | PART_DEVICES | PART_PROGRAM,
};

enum {
    KEY_TEMPLATES = 256,
    KEY_CHUNK,
    KEY_REPEAT,
    KEY_LAP,
    KEY_PARTS,
    KEY_PROGRAM,
    KEY_ECG,
    KEY_HELP,
    KEY_KERNEL
};

static const struct option names[] = {
    {"device", required_argument, NULL, 'd'},
    {"kernel", required_argument, NULL, KEY_KERNEL},
    {"lengths", required_argument, NULL, 'm'},
    {"dims", required_argument, NULL, 'k'},
    {"frames", required_argument, NULL, 'n'},
    {"threads", required_argument, NULL, 'j'},
    {"templates", required_argument, NULL, KEY_TEMPLATES},
    {"chunk", required_argument, NULL, KEY_CHUNK},
    {"repeat", required_argument, NULL, KEY_REPEAT},
    {"lap", required_argument, NULL, KEY_LAP},
    {"parts", required_argument, NULL, KEY_PARTS},
    {"program", required_argument, NULL, KEY_PROGRAM},
    {"ecg", required_argument, NULL, KEY_ECG},
    {"output", required_argument, NULL, 'o'},
    {"help", no_argument, NULL, KEY_HELP},
    {0},
};

void bench_options_help(void)
{
    fputs("Usage: sigrep-bench [OPTION]...\n"
          "Measure sigrep's kernels beside the instruction ceiling of this machine, the papers'\n"
          "sequential loop, and the whole program. A cell is one template frame against one\n"
          "stream frame; GCUPS are 10^9 cells a second. LIST is such as 128 or 32,128,512.\n"
          "\n"
          "What to measure:\n"
          "      --parts LIST         of kernels, growth, program, matches, pruning (all);\n"
          "                           on a GPU: kernels, frames, live, papers, devices, program\n"
          "  -d, --device D           auto, cpu; a GPU: cuda, cuda:N; cuda:all\n"
          "      --kernel LIST        names of kernels (all that this machine can run)\n"
          "  -m, --lengths LIST       template lengths, in frames\n"
          "  -k, --dims LIST          values a frame\n"
          "  -n, --frames N           frames of the stream\n"
          "  -j, --threads LIST       (1,2)\n"
          "      --templates LIST     numbers of templates (1)\n"
          "      --chunk N            frames a step (as the kernel likes)\n"
          "      --ecg FILE           MIT-BIH record for `matches', `pruning' "
          "(examples/ecg/100.dat)\n"
          "      --program FILE       sigrep for `program' (the one beside sigrep-bench)\n"
          "\n"
          "How:\n"
          "      --repeat N           rounds; each runs all contestants once (5)\n"
          "      --lap SECONDS        of one contestant in one round (0.02)\n"
          "  -o, --output F           text (tables), json (one object)\n"
          "      --help               this text\n"
          "\n"
          "The other parts than `kernels' take the kernels named, else the best; `program' and\n"
          "`matches' take K = 1, `growth' the first m and K, `pruning' the first m.\n"
          "Without -m and -k: m = 32,128,512,1024,2048 with K = 1, and m = 100 with K = 13,26,40.\n"
          "On a GPU TCUPS are 10^12 cells a second, beside its ceiling in the same run.\n"
          "`frames' and `live', in chunks of 256 to 65536 frames, take the first kernel;\n"
          "`papers', the task of Man, Nakano and Ito, and `devices', one GPU and all, have\n"
          "their own. --lap is then of repeated sweeps on the device.\n"
          "Exit status: 0, or 2 for an error.\n",
          stdout);
}

size_t size_list_most(const size_list *list)
{
    size_t most = 0;
    for (size_t i = 0; i < list->n; i++)
        if (list->values[i] > most) most = list->values[i];
    return most;
}

static bool set_list(size_list *list, const char *text, size_t max)
{
    *list = (size_list){0};
    for (;;) {
        char item[32];
        size_t n = strcspn(text, ",");
        uint64_t value;
        if (n >= sizeof item || list->n == BENCH_LIST) return false;
        memcpy(item, text, n);
        item[n] = '\0';
        if (!number_whole(item, 1, max, &value)) return false;
        list->values[list->n++] = (size_t)value;
        if (!text[n]) return true;
        text += n + 1;
    }
}

static bool set_size(size_t *value, const char *text, size_t max)
{
    uint64_t number;
    if (!number_whole(text, 1, max, &number)) return false;
    *value = (size_t)number;
    return true;
}

/* Is the word text[0..n) this name? */
static bool is_word(const char *text, size_t n, const char *name)
{
    return strlen(name) == n && strncmp(text, name, n) == 0;
}

static bool set_parts(unsigned *parts, const char *text)
{
    static const char *const part_names[] = {"kernels", "growth", "program", "matches", "pruning",
                                             "frames",  "live",   "papers",  "devices"};
    const size_t n_parts = sizeof part_names / sizeof *part_names;
    *parts = 0;
    for (;;) {
        size_t n = strcspn(text, ","), i = 0;
        while (i < n_parts && !is_word(text, n, part_names[i])) i++;
        if (i == n_parts) return false;
        *parts |= 1u << i;
        if (!text[n]) return true;
        text += n + 1;
    }
}

static bool set_output(bool *json, const char *text)
{
    *json = strcmp(text, "json") == 0;
    return *json || strcmp(text, "text") == 0;
}

static bool set(bench_options *o, int key, const char *text)
{
    switch (key) {
    case 'd': o->device = text; return true;
    case KEY_KERNEL: o->kernel_names = text; return true;
    case 'm': return set_list(&o->lengths, text, MAX_LENGTH);
    case 'k': return set_list(&o->dims, text, MAX_DIM);
    case 'n': return set_size(&o->frames, text, MAX_FRAMES);
    case 'j': return set_list(&o->threads, text, MAX_THREADS);
    case KEY_TEMPLATES: return set_list(&o->templates, text, MAX_TEMPLATES);
    case KEY_CHUNK: return set_size(&o->chunk, text, MAX_CHUNK);
    case KEY_REPEAT: return set_size(&o->repeat, text, RACE_MAX_ROUNDS);
    case KEY_LAP: return number_real(text, &o->lap_s) && o->lap_s > 0 && o->lap_s <= 60;
    case KEY_PARTS: return set_parts(&o->parts, text);
    case KEY_PROGRAM: o->program = text; return *text != '\0';
    case KEY_ECG: o->ecg = text; return *text != '\0';
    case 'o': return set_output(&o->json, text);
    default: o->help = true; return true;
    }
}

static bool fail(char *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(char *error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(error, BENCH_ERROR, format, args);
    va_end(args);
    return false;
}

/* Adds one kernel by name. *error: the library's reason. */
static bool add_kernel(bench_options *o, const char *name, char *error)
{
    sigrep_error why = {0};
    const kernel_ops *ops = kernel_choose(o->device, name, &why);
    if (!ops) return fail(error, "%s", why.text);
    if (o->n_kernels == BENCH_KERNELS) return fail(error, "too many kernels");
    o->kernels[o->n_kernels++] = ops;
    return true;
}

bool bench_on_gpu(const bench_options *o)
{
    return strncmp(o->device, "cuda", 4) == 0;
}

static bool choose_parts(bench_options *o, char *error)
{
    const unsigned all = bench_on_gpu(o) ? GPU_PARTS : CPU_PARTS;
    if (!o->parts) o->parts = all;
    if (o->parts & ~all)
        return fail(error, "one of these parts is not for device '%s'; see --help", o->device);
    if (bench_on_gpu(o) && o->parts & PART_LIVE && !o->frames && o->chunk > MAX_LIVE_CHUNK)
        return fail(error, "`live' takes 400 chunks, of %d frames at most; -n takes fewer",
                    MAX_LIVE_CHUNK);
    return true;
}

/* Does the kernel run on this device? "cuda" runs on "cuda:1". */
static bool is_of_device(const bench_options *o, const kernel_ops *ops)
{
    return strcmp(o->device, "auto") == 0 ||
           strncmp(o->device, ops->device, strlen(ops->device)) == 0;
}

static bool choose_kernels(bench_options *o, char *error)
{
    sigrep_error why = {0};
    if (!kernel_choose(o->device, NULL, &why)) return fail(error, "%s", why.text);
    for (const char *text = o->kernel_names; text;) {
        char name[64];
        size_t n = strcspn(text, ",");
        snprintf(name, sizeof name, "%.*s", (int)n, text);
        if (!add_kernel(o, name, error)) return false;
        text = text[n] ? text + n + 1 : NULL;
    }
    for (size_t i = 0; !o->kernel_names && kernel_at(i); i++) {
        const kernel_ops *ops = kernel_at(i);
        if (is_of_device(o, ops) && ops->usable() && !add_kernel(o, ops->name, error)) return false;
    }
    o->n_shown = o->kernel_names ? o->n_kernels : 1;
    return true;
}

bool bench_options_parse(bench_options *o, int argc, char **argv, char error[BENCH_ERROR])
{
    *o = (bench_options){.device = "auto",
                         .threads = {{1, 2}, 2},
                         .templates = {{1}, 1},
                         .repeat = 5,
                         .lap_s = 0.02,
                         .ecg = "examples/ecg/100.dat"};
    opterr = 0;
    for (int key, at = 0; (key = getopt_long(argc, argv, ":d:m:k:n:j:o:", names, &at)) != -1;) {
        if (key == ':') return fail(error, "option '%.300s' needs an argument", argv[optind - 1]);
        if (key == '?') return fail(error, "unknown option '%.300s'", argv[optind - 1]);
        if (!set(o, key, optarg))
            return fail(error, "'%.300s' is not valid for '%.100s'; see --help", optarg,
                        argv[optind - (argv[optind - 1] == optarg ? 2 : 1)]);
        if (o->help) return true;
    }
    if (optind < argc) return fail(error, "unexpected argument '%.300s'; see --help", argv[optind]);
    return choose_kernels(o, error) && choose_parts(o, error);
}
