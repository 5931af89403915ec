#include "dev/bench/bench_options.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "dev/bench/race.h"
#include "tools/common/options/number.h"

enum {
    MAX_LENGTH = 1 << 20,
    MAX_DIM = 4096,
    MAX_THREADS = 1024,
    MAX_TEMPLATES = 4096,
    MAX_FRAMES = 1 << 28,
    MAX_CHUNK = 1 << 22,
    MAX_LIVE_CHUNK = 1 << 18, /* 400 lie in memory, twice */
    CPU_PARTS =
        PART_KERNELS | PART_GROWTH | PART_PROGRAM | PART_MATCHES | PART_PRUNING | PART_STRINGS,
    GPU_PARTS = PART_KERNELS | PART_FRAMES | PART_LIVE | PART_PROGRAM | PART_STRINGS,
};

enum {
    KEY_TEMPLATES = 256,
    KEY_CHUNK,
    KEY_REPEAT,
    KEY_LAP,
    KEY_PARTS,
    KEY_PROGRAM,
    KEY_ECG,
    KEY_KERNEL
};

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

static const char *set_parts(void *user, const char *text)
{
    unsigned *parts = &((bench_options *)user)->parts;
    static const char *const part_names[] = {"kernels", "growth", "program", "matches",
                                             "pruning", "frames", "live",    "strings"};
    const size_t n_parts = sizeof part_names / sizeof *part_names;
    *parts = 0;
    for (;;) {
        size_t n = strcspn(text, ","), i = 0;
        while (i < n_parts && !is_word(text, n, part_names[i])) i++;
        if (i == n_parts) return "unknown part";
        *parts |= 1u << i;
        if (!text[n]) return NULL;
        text += n + 1;
    }
}

const char *bench_set_device(void *user, const char *text)
{
    ((bench_options *)user)->device = text;
    return strcmp(text, "cuda:all") ? NULL : "one GPU is measured (cuda, cuda:N)";
}

static const char *set_kernel(void *user, const char *text)
{
    ((bench_options *)user)->kernel_names = text;
    return NULL;
}

const char *bench_set_lengths(void *user, const char *text)
{
    bench_options *o = user;
    return set_list(&o->lengths, text, MAX_LENGTH)
               ? NULL
               : "not a list of whole numbers from 1 to 1048576";
}

static const char *set_dims(void *user, const char *text)
{
    bench_options *o = user;
    return set_list(&o->dims, text, MAX_DIM) ? NULL : "not a list of whole numbers from 1 to 4096";
}

const char *bench_set_frames(void *user, const char *text)
{
    bench_options *o = user;
    return set_size(&o->frames, text, MAX_FRAMES) ? NULL : "not a whole number from 1 to 268435456";
}

static const char *set_threads(void *user, const char *text)
{
    bench_options *o = user;
    return set_list(&o->threads, text, MAX_THREADS) ? NULL
                                                    : "not a list of whole numbers from 1 to 1024";
}

static const char *set_templates(void *user, const char *text)
{
    bench_options *o = user;
    return set_list(&o->templates, text, MAX_TEMPLATES)
               ? NULL
               : "not a list of whole numbers from 1 to 4096";
}

static const char *set_chunk(void *user, const char *text)
{
    bench_options *o = user;
    return set_size(&o->chunk, text, MAX_CHUNK) ? NULL : "not a whole number from 1 to 4194304";
}

const char *bench_set_repeat(void *user, const char *text)
{
    bench_options *o = user;
    return set_size(&o->repeat, text, RACE_MAX_ROUNDS) ? NULL : "not a whole number from 1 to 101";
}

const char *bench_set_lap(void *user, const char *text)
{
    bench_options *o = user;
    return number_real(text, &o->lap_s) && o->lap_s > 0 && o->lap_s <= 60
               ? NULL
               : "not a number of seconds above 0, up to 60";
}

static const char *set_program(void *user, const char *text)
{
    ((bench_options *)user)->program = text;
    return *text ? NULL : "it is empty";
}

static const char *set_ecg(void *user, const char *text)
{
    ((bench_options *)user)->ecg = text;
    return *text ? NULL : "it is empty";
}

const char *bench_set_output(void *user, const char *text)
{
    bench_options *o = user;
    o->json = strcmp(text, "json") == 0;
    return o->json || strcmp(text, "text") == 0 ? NULL : "unknown format (text, json)";
}

/* Add a kernel by its name. */
static arguments_status add_kernel(bench_options *o, const char *name, char *error)
{
    sigrep_error why = {0};
    const kernel_ops *ops = kernel_choose(o->device, name, &why);
    if (!ops) return arguments_bad(error, "%s", why.text);
    if (o->n_kernels == BENCH_KERNELS) return arguments_bad(error, "too many kernels");
    o->kernels[o->n_kernels++] = ops;
    return ARGUMENTS_OK;
}

bool bench_on_gpu(const bench_options *o)
{
    return strncmp(o->device, "cuda", 4) == 0;
}

static arguments_status choose_parts(bench_options *o, char *error)
{
    const unsigned all = bench_on_gpu(o) ? GPU_PARTS : CPU_PARTS;
    if (!o->parts) o->parts = all;
    if (o->parts & ~all)
        return arguments_bad(error, "one of these parts is not for device '%s'", o->device);
    if (bench_on_gpu(o) && o->parts & PART_LIVE && !o->frames && o->chunk > MAX_LIVE_CHUNK)
        return arguments_bad(error, "`live' takes 400 chunks, of %d frames at most; -n takes fewer",
                             MAX_LIVE_CHUNK);
    return ARGUMENTS_OK;
}

/* Does the kernel run on this device? "cuda" runs on "cuda:1". */
static bool is_of_device(const bench_options *o, const kernel_ops *ops)
{
    return strcmp(o->device, "auto") == 0 ||
           strncmp(o->device, ops->device, strlen(ops->device)) == 0;
}

static arguments_status choose_kernels(bench_options *o, char *error)
{
    sigrep_error why = {0};
    if (!kernel_choose(o->device, NULL, &why)) return arguments_bad(error, "%s", why.text);
    for (const char *text = o->kernel_names; text;) {
        char name[64];
        size_t n = strcspn(text, ",");
        snprintf(name, sizeof name, "%.*s", (int)n, text);
        if (add_kernel(o, name, error)) return ARGUMENTS_BAD;
        text = text[n] ? text + n + 1 : NULL;
    }
    for (size_t i = 0; !o->kernel_names && kernel_at(i); i++) {
        const kernel_ops *ops = kernel_at(i);
        if (is_of_device(o, ops) && ops->usable() && add_kernel(o, ops->name, error))
            return ARGUMENTS_BAD;
    }
    o->n_shown = o->kernel_names ? o->n_kernels : 1;
    return ARGUMENTS_OK;
}

static arguments_status take_operands(void *user, int n, char **operands, char *error)
{
    if (n > 0) return arguments_bad(error, "unexpected argument '%.300s'", operands[0]);
    const arguments_status status = choose_kernels(user, error);
    return status ? status : choose_parts(user, error);
}

static const argument_row rows[] = {
    ARGUMENT_HEADING("What to measure:"),
    ARGUMENT(KEY_PARTS, "parts", "LIST", set_parts,
             "of kernels, growth, program, matches, pruning,\n"
             "strings (all); on a GPU: kernels, frames, live,\n"
             "program, strings"),
    ARGUMENT('d', "device", "D", bench_set_device, "auto, cpu; a GPU: cuda, cuda:N"),
    ARGUMENT(KEY_KERNEL, "kernel", "LIST", set_kernel,
             "names of kernels (all that this machine can run)"),
    ARGUMENT('m', "lengths", "LIST", bench_set_lengths, "template lengths, in frames"),
    ARGUMENT('k', "dims", "LIST", set_dims, "values a frame"),
    ARGUMENT('n', "frames", "N", bench_set_frames, "frames of the stream"),
    ARGUMENT('j', "threads", "LIST", set_threads, "numbers of threads (1,2)"),
    ARGUMENT(KEY_TEMPLATES, "templates", "LIST", set_templates, "numbers of templates (1)"),
    ARGUMENT(KEY_CHUNK, "chunk", "N", set_chunk, "frames a call (default: as the kernel prefers)"),
    ARGUMENT(KEY_ECG, "ecg", "FILE", set_ecg,
             "MIT-BIH record for `matches' and `pruning'\n(examples/ecg/100.dat)"),
    ARGUMENT(KEY_PROGRAM, "program", "FILE", set_program,
             "sigrep for `program' (the one beside sigrep-bench)"),
    ARGUMENT_HEADING("How:"),
    ARGUMENT(KEY_REPEAT, "repeat", "N", bench_set_repeat,
             "rounds; each runs all contestants once (5)"),
    ARGUMENT(KEY_LAP, "lap", "SECONDS", bench_set_lap, "of one contestant in one round (0.02)"),
    ARGUMENT('o', "output", "F", bench_set_output, "text (tables), json (one object)"),
};

const argument_table bench_option_table = {
    .program = "sigrep-bench",
    .usage = "sigrep-bench [OPTION]...",
    .about = "Measure sigrep's kernels beside the instruction ceiling of this machine, the\n"
             "papers' sequential loop, and the whole program. A cell is one template frame\n"
             "against one stream frame; GCUPS are 10^9 cells a second. LIST is such as 128 or\n"
             "32,128,512.\n",
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .end = "The other parts than `kernels' take the kernels named, else the best; `program'\n"
           "and `matches' take K = 1, `growth' the first m and K, `pruning' the first m.\n"
           "Without -m and -k: m = 32,128,512,1024,2048 with K = 1, and m = 100 with\n"
           "K = 13,26,40. On a GPU TCUPS are 10^12 cells a second, beside its ceiling in the\n"
           "same run. `frames' and `live', in chunks of 256 to 65536 frames, take the first\n"
           "kernel. --lap is then of repeated sweeps on the device.\n"
           "Exit status: 0, or 2 for an error.\n",
    .take_operands = take_operands,
};

arguments_status bench_options_parse(bench_options *o, int argc, char **argv,
                                     char error[ARGUMENTS_ERROR_SIZE])
{
    *o = (bench_options){.device = "auto",
                         .threads = {{1, 2}, 2},
                         .templates = {{1}, 1},
                         .repeat = 5,
                         .lap_s = 0.02,
                         .ecg = "examples/ecg/100.dat"};
    return arguments_parse(&bench_option_table, o, argc, argv, error);
}
