/*
 * main.c - sigrep-record: takes from a microphone, or cut out of a recording, as WAV files.
 *
 *     source ──> cutter ──> keep_take: PREFIX1.wav, PREFIX2.wav, ... and a line each
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter/cli/common/arguments.h"
#include "filter/cli/common/messages.h"
#include "filter/cli/common/number.h"
#include "filter/cli/common/signals.h"
#include "io/fdio.h"
#include "io/mic.h"
#include "io/source.h"
#include "io/text_buffer.h"
#include "io/wav_out.h"
#include "tools/sigrep-record/cutter.h"

enum { FAILED = 2, KEY_PAUSE = 256, KEY_SHORTEST, KEY_LONGEST, KEY_ABOVE, READ_FRAMES = 4096 };
enum { CLIPPED_ONE_IN = 100, CLIPPED_LEAST = 10, MAX_NAMES = 100000 };
static const float NEAR_FULL_SCALE = 0.99F;

typedef struct {
    shared_options o; /* how the input is read */
    cutter_rules rules;
    uint64_t takes; /* 0: not given */
    const char *output, *input;
    const char *name; /* of the input, for messages */
} record_options;

typedef struct {
    const record_options *r;
    uint64_t wanted, got;
    uint64_t number; /* of the last file */
    bool is_live, failed;
    double rate_hz;
    text_buffer lines; /* for standard output */
} recording;

static const char *set_output(void *user, const char *text)
{
    ((record_options *)user)->output = text;
    return *text ? NULL : "empty";
}

static const char *set_takes(void *user, const char *text)
{
    return number_whole(text, 1, MAX_NAMES, &((record_options *)user)->takes)
               ? NULL
               : "not a whole number from 1 to 100000";
}

static const char *set_seconds(double *seconds, const char *text)
{
    return number_real(text, seconds) && *seconds >= 0.01 && *seconds <= 600
               ? NULL
               : "not a number of seconds from 0.01 to 600";
}

static const char *set_pause(void *user, const char *text)
{
    return set_seconds(&((record_options *)user)->rules.pause_s, text);
}

static const char *set_shortest(void *user, const char *text)
{
    return set_seconds(&((record_options *)user)->rules.shortest_s, text);
}

static const char *set_longest(void *user, const char *text)
{
    return set_seconds(&((record_options *)user)->rules.longest_s, text);
}

static const char *set_above(void *user, const char *text)
{
    double *db = &((record_options *)user)->rules.above_db;
    return number_real(text, db) && *db >= 1 && *db <= 60 ? NULL : "not a number from 1 to 60";
}

static const argument_row rows[] = {
    {'o', "output", "PREFIX",
     "the takes become PREFIX1.wav, PREFIX2.wav, ...;\nexisting files stay", set_output},
    {'n', "takes", "N", "stop after N takes (microphone: 5, else all)", set_takes},
    {KEY_PAUSE, "pause", "SECONDS", "silence that ends a take (0.5)", set_pause},
    {KEY_SHORTEST, "shortest", "SECONDS", "shorter sounds are no takes (0.15)", set_shortest},
    {KEY_LONGEST, "longest", "SECONDS", "longer takes are cut off and not kept (5)", set_longest},
    {KEY_ABOVE, "above", "DB", "a take is so much louder than the background (12)", set_above},
    {'f', "format", "F", "auto (default), text, or raw: f32 f64 s16 ...", NULL},
    {'r', "rate", "HZ", "rate of raw input, and of a microphone (its own)", NULL},
    {301, "channel", "K|mix", "one channel, or the mean (default)", NULL},
};

static const argument_table table = {
    .program = "sigrep-record",
    .usage = "sigrep-record [OPTION]... -o PREFIX [INPUT]",
    .about = "Record takes of a word, or cut a recording into takes by its pauses.\n\n"
             "INPUT is mic: (the default) or mic:NAME, a recording, or - for standard input.\n",
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .end = "A line for each take on standard output: file, start and length in seconds.\n",
};

/* The share of samples at full scale: the file clips them. 0 if there are few. */
static double share_clipped(const cutter_take *take)
{
    size_t n = 0;
    for (size_t i = 0; i < take->n; i++) n += fabsf(take->samples[i]) >= NEAR_FULL_SCALE;
    return n >= CLIPPED_LEAST && n >= take->n / CLIPPED_ONE_IN ? (double)n / (double)take->n : 0;
}

/* Write the take to a file of the next free name. 0 or an errno. */
static int write_take(recording *rec, const cutter_take *take, char *path, size_t size)
{
    int failure = EEXIST;
    while (failure == EEXIST && rec->number < MAX_NAMES) {
        const int n =
            snprintf(path, size, "%s%llu.wav", rec->r->output, (unsigned long long)++rec->number);
        if (n < 0 || (size_t)n >= size) return ENAMETOOLONG;
        failure = wav_write(path, take->samples, take->n, (uint32_t)lrint(rec->rate_hz));
    }
    return failure;
}

static void prompt(const recording *rec)
{
    if (rec->is_live && rec->got < rec->wanted)
        report("take %llu of %llu: speak", (unsigned long long)rec->got + 1,
               (unsigned long long)rec->wanted);
}

static int keep_take(void *user, const cutter_take *take)
{
    recording *rec = user;
    char path[4096];
    const double seconds = (double)take->n / rec->rate_hz, clipped = share_clipped(take);
    report_progress_end();
    if (take->was_cut) {
        report_of(rec->r->name, "no pause for %.3g s, from %.3f s on: not kept", seconds,
                  take->start_s);
        prompt(rec);
        return 0;
    }
    if (clipped > 0 && rec->is_live) {
        report("clipped (%.3g %% at full scale), not kept: speak softer, or from farther away",
               100 * clipped);
        prompt(rec);
        return 0;
    }
    const int failure = write_take(rec, take, path, sizeof path);
    rec->failed = failure != 0;
    if (failure) {
        report_of(path, "%s", strerror(failure));
        return 1;
    }
    if (clipped > 0)
        report_of(path, "warning: clipped: %.3g %% of its samples are at full scale",
                  100 * clipped);
    text_add_format(&rec->lines, "%s\t%.3f\t%.3f\n", path, take->start_s, seconds);
    rec->failed = fd_write_all(STDOUT_FILENO, rec->lines.data, rec->lines.length) != 0;
    rec->lines.length = 0;
    if (rec->failed) report("standard output: cannot be written");
    rec->got++;
    prompt(rec);
    return rec->failed || rec->got >= rec->wanted;
}

/* A bar of the level, 60 dB wide. */
static void show_level(const cutter *c)
{
    char line[96], bar[31];
    const double level = fmin(fmax(cutter_level_db(c), -60), 0);
    const int n = (int)((level + 60) / 2);
    memset(bar, ' ', 30);
    memset(bar, '#', (size_t)n);
    bar[30] = '\0';
    snprintf(line, sizeof line, "[%s] %3.0f dB %s", bar, level,
             cutter_is_in_take(c) ? "recording" : "");
    report_progress(line);
}

static bool pump(recording *rec, source *src, cutter *c)
{
    static float frames[READ_FRAMES];
    const bool shown = rec->is_live && isatty(STDERR_FILENO);
    ssize_t n = 1;
    int over = 0;
    while (n > 0 && !over && !signals_caught()) {
        n = source_read(src, frames, NULL, READ_FRAMES);
        for (const char *w; (w = source_warning(src));) report_of(rec->r->name, "warning: %s", w);
        if (source_gap(src)) report_of(rec->r->name, "warning: samples were lost");
        if (n > 0) over = cutter_push(c, frames, (size_t)n);
        if (shown && !over) show_level(c);
    }
    if (!over && n >= 0) cutter_finish(c);
    report_progress_end();
    if (n < 0) report_of(rec->r->name, "%s", source_error(src));
    return n >= 0 && !rec->failed;
}

static bool is_fit(const recording *rec, const source_info *info)
{
    const char *name = rec->r->name;
    if (info->channels != 1)
        report_of(name, "%zu channels; a take has one: --channel K or mix", info->channels);
    else if (!(info->rate_known && info->rate_hz >= 1000 && info->rate_hz <= 1e6))
        report_of(name, "a rate from 1000 to 1000000 Hz is needed; give it with --rate");
    else if (info->rate_hz != rint(info->rate_hz))
        report_of(name, "%.9g Hz: WAV files have whole rates", info->rate_hz);
    else
        return true;
    return false;
}

static bool record_from(recording *rec, source *src)
{
    const source_info info = source_get_info(src);
    if (!is_fit(rec, &info)) return false;
    rec->is_live = info.microphone;
    rec->rate_hz = info.rate_hz;
    rec->wanted = rec->r->takes ? rec->r->takes : info.microphone ? 5 : UINT64_MAX;
    cutter_rules rules = rec->r->rules;
    rules.rate_hz = info.rate_hz;
    cutter *c = cutter_create(&rules, keep_take, rec);
    if (!c) {
        report("out of memory");
        return false;
    }
    if (rec->is_live) report("a moment of silence, please; then each take, with a pause behind it");
    prompt(rec);
    const bool good = pump(rec, src, c);
    cutter_destroy(c);
    if (good && rec->got == 0)
        report_of(rec->r->name, "no take in it: too quiet, or without pauses");
    return good && rec->got > 0;
}

static bool record(const record_options *r)
{
    char reason[512];
    recording rec = {.r = r};
    source_options how = r->o.source;
    how.wake_fd = signals_catch();
    if (how.choice == CHANNEL_DEFAULT) how.choice = CHANNEL_MIX;
    source *src = source_open(r->input, &how, reason, sizeof reason);
    if (!src) {
        report_of(r->name, "%s", reason);
        return false;
    }
    const bool good = record_from(&rec, src);
    source_close(src);
    free(rec.lines.data);
    return good;
}

int main(int argc, char **argv)
{
    record_options r = {
        .o = shared_options_defaults(),
        .rules = {.pause_s = 0.5, .shortest_s = 0.15, .longest_s = 5, .above_db = 12}};
    int at = 0;
    arguments_status status = arguments_parse(&table, &r, argc, argv, &at);
    if (!status && !r.output) status = arguments_bad(&table, "no takes are named: give -o PREFIX");
    if (!status && argc - at > 1) status = arguments_bad(&table, "more than one input");
    r.input = !status && at < argc ? argv[at] : MIC_PREFIX;
    r.name = strcmp(r.input, "-") == 0 ? "(standard input)" : r.input;
    const bool good = status ? status == ARGUMENTS_ANSWER : record(&r);
    shared_options_free(&r.o);
    return good ? 0 : FAILED;
}
