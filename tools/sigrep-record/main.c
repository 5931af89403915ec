/*
 * main.c - sigrep-record: takes from a microphone, or cut out of a recording, as WAV files, with a
 * line each on standard output.
 *
 *     source ──> cutter ──> take ──> PREFIX1.wav, PREFIX2.wav, ...
 *                             └────> refused: clipped, or without a pause
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/live/mic.h"
#include "io/writers/wav_out.h"
#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"
#include "tools/common/options/arguments.h"
#include "tools/common/options/shared_options.h"
#include "tools/common/start.h"
#include "tools/sigrep-record/cutter.h"

enum { MAX_TAKES = 100000 };

typedef struct {
    shared_options o; /* how the input is read */
    cutter_rules rules;
    uint64_t takes;     /* wanted; 0: not given */
    const char *output; /* prefix of the files */
    const char *input;
} record_options;

/* Of a row: so many seconds. */
#define SECONDS(key, name, member, text)                                                           \
    ARGUMENT_REAL(key, name, "SECONDS", record_options, member, 0.01, 600,                         \
                  "not a number of seconds from 0.01 to 600", text)

static arguments_status take_operands(void *user, int n, char **operands, char *error)
{
    record_options *r = user;
    if (!r->output) return arguments_bad(error, "no takes are named: give -o PREFIX");
    if (n > 1) return arguments_bad(error, "more than one input is named");
    if (r->rules.shortest_s >= r->rules.longest_s)
        return arguments_bad(error, "--shortest %g is not below --longest %g", r->rules.shortest_s,
                             r->rules.longest_s);
    if (n == 1) r->input = operands[0];
    return ARGUMENTS_OK;
}

static const argument_row rows[] = {
    ARGUMENT_TEXT('o', "output", "PREFIX", record_options, output, "empty",
                  "the takes become PREFIX1.wav, PREFIX2.wav, ...;\nexisting files stay"),
    ARGUMENT_WHOLE('n', "takes", "N", record_options, takes, 1, MAX_TAKES,
                   "stop after N takes (microphone: 5, else all)"),
    SECONDS(0, "pause", rules.pause_s, "silence that ends a take (0.5)"),
    SECONDS(0, "shortest", rules.shortest_s, "shorter sounds are no takes (0.15)"),
    SECONDS(0, "longest", rules.longest_s, "longer takes are cut off and not kept (5)"),
    ARGUMENT_REAL(0, "above", "DB", record_options, rules.above_db, 1, 60,
                  "not a number from 1 to 60", "a take is louder than the background by DB (12)"),
    ARGUMENT_SHARED('f', "format", "F", "auto (default), text, jsonl, npy, raw: f32 s16 ..."),
    ARGUMENT_SHARED('r', "rate", "HZ", "rate of raw input, and of a microphone (its own)"),
    ARGUMENT_SHARED(0, "channel", "K|mix", "one channel, or the mean (default)"),
};

static const argument_table table = {
    .program = "sigrep-record",
    .usage = "sigrep-record [OPTION]... -o PREFIX [INPUT]",
    .about = "Record takes of a word, or cut a recording into takes by its pauses.\n\n"
             "INPUT is mic: (the default) or mic:NAME, a recording, or - for standard input.\n\n",
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .end = "A line for each take on standard output: file, start and length in seconds.\n\n"
           "All details: man sigrep-record\n",
    .take_operands = take_operands,
};

enum { READ_FRAMES = 4096, DEFAULT_TAKES = 5 /* from a microphone */ };

/* A take is clipped if at least this share of its samples, and this number, is near full scale. */
enum { CLIPPED_ONE_IN = 100, CLIPPED_LEAST = 10 };
static const float NEAR_FULL_SCALE = 0.99F;

typedef struct {
    const record_options *r;
    const char *name; /* of the input, for messages */
    uint64_t wanted, got;
    uint64_t number; /* of the last file */
    bool is_live, failed, was_interrupted;
    double rate_hz;
    uint64_t not_finite, first_not_finite; /* samples; where the first is */
} recording;

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
    while (failure == EEXIST && rec->number < MAX_TAKES) {
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

/* Is it kept? If not, reports why. */
static bool is_good(const recording *rec, const cutter_take *take, double clipped)
{
    if (take->was_cut)
        report_of(rec->name,
                  "not kept: no pause for %.3g s after %.3f s; --longest allows longer takes",
                  (double)take->n / rec->rate_hz, take->start_s);
    else if (clipped > 0 && rec->is_live)
        report("not kept: clipped, %.3g %% at full scale; speak softer, or from farther away",
               100 * clipped);
    else
        return true;
    return false;
}

/* Into a file, and its line on standard output. false after a failure, which is reported. */
static bool keep(recording *rec, const cutter_take *take, double clipped)
{
    char path[4096];
    const int failure = write_take(rec, take, path, sizeof path);
    if (failure) {
        report_of(path, "%s", strerror(failure));
        return false;
    }
    if (clipped > 0)
        report_of(path, "warning: clipped: %.3g %% of its samples are at full scale",
                  100 * clipped);
    text_buffer line = {0};
    if (rec->got == 0) text_add_string(&line, "file\tstart\tseconds\n");
    text_add_escaped(&line, path);
    text_add_format(&line, "\t%.3f\t%.3f\n", take->start_s, (double)take->n / rec->rate_hz);
    rec->got++;
    return print_text(&line);
}

/* A cutter_fn. */
static bool take_ended(void *user, const cutter_take *take)
{
    recording *rec = user;
    const double clipped = share_clipped(take);
    report_progress_end();
    if (is_good(rec, take, clipped)) rec->failed = !keep(rec, take, clipped);
    if (!rec->failed) prompt(rec);
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

/* The number of samples before the first that is not as `finite` says. */
static size_t count_run(const float *samples, size_t n, bool finite)
{
    size_t count = 0;
    while (count < n && (isfinite(samples[count]) != 0) == finite) count++;
    return count;
}

/* n samples, the first of which is at `at`. A value that is not finite is a gap. Returns as
 * cutter_push. */
static bool push(recording *rec, cutter *c, const float *samples, size_t n, uint64_t at)
{
    bool over = false;
    for (size_t i = 0; i < n && !over;) {
        const size_t good = count_run(samples + i, n - i, true);
        over = cutter_push(c, samples + i, good);
        i += good;
        const size_t bad = count_run(samples + i, n - i, false);
        if (bad == 0 || over) break;
        if (rec->not_finite == 0) rec->first_not_finite = at + i;
        rec->not_finite += bad;
        over = cutter_skip(c, bad);
        i += bad;
    }
    return over;
}

static void warn_of_not_finite(const recording *rec)
{
    if (rec->not_finite == 0) return;
    report_of(rec->name,
              "warning: values that are not finite: %llu, from %.3f s on; no take has them",
              (unsigned long long)rec->not_finite, (double)rec->first_not_finite / rec->rate_hz);
}

/* The whole input through the cutter. */
static bool cut(recording *rec, source *src, cutter *c)
{
    static float frames[READ_FRAMES];
    const bool shown = rec->is_live && report_can_wipe();
    uint64_t at = 0; /* samples, without the lost ones, as in the times of takes */
    ssize_t n = 1;
    bool over = false;
    while (n > 0 && !over && !signals_caught()) {
        n = source_read(src, frames, NULL, READ_FRAMES);
        input_warn(rec->name, src);
        input_warn_of_gap(rec->name, source_gap(src), at, rec->rate_hz);
        if (n > 0) over = push(rec, c, frames, (size_t)n, at);
        if (n > 0) at += (uint64_t)n;
        if (shown && !over) show_level(c);
    }
    if (!over && n >= 0) cutter_finish(c);
    rec->was_interrupted = !over && n >= 0 && signals_which() && !rec->failed;
    report_progress_end();
    warn_of_not_finite(rec);
    if (rec->was_interrupted)
        report_of(rec->name, "ended by a signal after %.3f s", (double)at / rec->rate_hz);
    if (n < 0) report_of(rec->name, "%s", source_error(src));
    return n >= 0 && !rec->failed;
}

static bool is_fit(const recording *rec, const source_info *info)
{
    const char *name = rec->name;
    if (info->channels != 1)
        report_of(name, "%zu channels, but a take has one; choose with --channel K or mix",
                  info->channels);
    else if (!info->rate_known)
        report_of(name, "no rate is known; give it with --rate");
    else if (info->rate_hz < 1000 || info->rate_hz > 1e6 || info->rate_hz != rint(info->rate_hz))
        report_of(name, "%.9g Hz, but a take has a whole rate from 1000 to 1000000 Hz",
                  info->rate_hz);
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
    rec->wanted = rec->r->takes ? rec->r->takes : info.microphone ? DEFAULT_TAKES : UINT64_MAX;
    cutter_rules rules = rec->r->rules;
    rules.rate_hz = info.rate_hz;
    cutter *c = cutter_create(&rules, take_ended, rec);
    if (!c) return report_no_memory(NULL);
    if (rec->is_live) report("a moment of silence, please; then each take, with a pause after it");
    prompt(rec);
    const bool good = cut(rec, src, c);
    cutter_destroy(c);
    if (good && rec->got == 0)
        report_of(
            rec->name,
            "no take in it: too quiet, too short, or without pauses; see --above, --shortest, "
            "--pause and --longest");
    return good && rec->got > 0;
}

/* Record until the input ends, enough takes are written, or a signal comes. Returns the exit
 * status, EXIT_ERROR if no take was written or something failed; all is reported. */
static int record(const record_options *r)
{
    recording rec = {.r = r, .name = input_name(r->input)};
    source_options how = r->o.source;
    how.wake_fd = signals_catch();
    if (how.choice == CHANNEL_DEFAULT) how.choice = CHANNEL_MIX;
    source *src = how.wake_fd < 0 ? NULL : open_input(r->input, how, NULL);
    const bool good = src && record_from(&rec, src);
    source_close(src);
    const bool was_left = !src && signals_which();
    if (was_left) report("ended by a signal: 1 input was not read");
    if (was_left || rec.was_interrupted) return SIGNALS_STATUS + signals_which();
    return good ? 0 : EXIT_ERROR;
}

int main(int argc, char **argv)
{
    char error[ARGUMENTS_ERROR_SIZE];
    record_options r = {
        .o = shared_options_defaults(),
        .rules = {.pause_s = 0.5, .shortest_s = 0.15, .longest_s = 5, .above_db = 12},
        .input = MIC_PREFIX};
    start_program();
    const arguments_status parsed = arguments_parse(&table, &r, argc, argv, error);
    const int status = parsed ? arguments_answer(&table, parsed, error) : record(&r);
    shared_options_free(&r.o);
    return status;
}
