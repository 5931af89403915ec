#include "tools/sigrep-record/recording.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/writers/wav_out.h"
#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"

enum { READ_FRAMES = 4096, DEFAULT_TAKES = 5 /* from a microphone */ };

/* A take is clipped if at least this share of its samples, and this number, is near full scale. */
enum { CLIPPED_ONE_IN = 100, CLIPPED_LEAST = 10 };
static const float NEAR_FULL_SCALE = 0.99F;

typedef struct {
    const record_options *r;
    const char *name; /* of the input, for messages */
    uint64_t wanted, got;
    uint64_t number; /* of the last file */
    bool is_live, failed;
    double rate_hz;
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
    while (failure == EEXIST && rec->number < RECORDING_MAX_TAKES) {
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

/* The whole input through the cutter. */
static bool cut(recording *rec, source *src, cutter *c)
{
    static float frames[READ_FRAMES];
    const bool shown = rec->is_live && isatty(STDERR_FILENO);
    uint64_t at = 0; /* samples, without the lost ones, as in the times of takes */
    ssize_t n = 1;
    bool over = false;
    while (n > 0 && !over && !signals_caught()) {
        n = source_read(src, frames, NULL, READ_FRAMES);
        input_warn(rec->name, src);
        input_warn_of_gap(rec->name, source_gap(src), at, rec->rate_hz);
        if (n > 0) over = cutter_push(c, frames, (size_t)n);
        if (n > 0) at += (uint64_t)n;
        if (shown && !over) show_level(c);
    }
    if (!over && n >= 0) cutter_finish(c);
    report_progress_end();
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
    if (!c) {
        report("out of memory");
        return false;
    }
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

int record(const record_options *r)
{
    recording rec = {.r = r, .name = input_name(r->input)};
    source_options how = r->o.source;
    how.wake_fd = signals_catch();
    if (how.choice == CHANNEL_DEFAULT) how.choice = CHANNEL_MIX;
    source *src = how.wake_fd < 0 ? NULL : open_input(r->input, how, NULL);
    const bool good = src && record_from(&rec, src);
    source_close(src);
    return good ? 0 : EXIT_ERROR;
}
