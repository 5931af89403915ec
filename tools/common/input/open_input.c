#include "tools/common/input/open_input.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "io/live/mic.h"
#include "io/time/time_format.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"

const char *input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "(standard input)" : path;
}

bool input_is_file(const char *path, struct stat *status)
{
    const bool is_standard_input = strcmp(path, "-") == 0;
    if ((is_standard_input ? fstat(STDIN_FILENO, status) : stat(path, status)) != 0) return false;
    return S_ISREG(status->st_mode);
}

bool input_is_same_file(const char *path, const struct stat *file)
{
    struct stat st;
    return input_is_file(path, &st) && st.st_dev == file->st_dev && st.st_ino == file->st_ino;
}

void input_warn(const char *name, source *src)
{
    for (const char *w; (w = source_warning(src));) report_of(name, "warning: %s", w);
}

void input_warn_of_gap(const char *name, uint64_t lost, uint64_t at, double rate_hz)
{
    char time[TIME_TEXT_SIZE];
    if (lost == 0) return;
    time_format(time, TIME_SECONDS, &(time_scale){.rate_hz = rate_hz}, (time_point){.sample = at});
    if ((double)lost / rate_hz >= 0.001)
        report_of(name, "warning: %.3f s lost at %s s", (double)lost / rate_hz, time);
    else
        report_of(name, "warning: %" PRIu64 " sample%s lost at %s s", lost, lost == 1 ? "" : "s",
                  time);
}

bool input_has_channels(const char *name, const source_info *info, const char *whose,
                        size_t channels, bool may_choose)
{
    const bool is_text = info->has_columns;
    const bool may_drop = is_text && may_choose && info->channels > channels;
    if (info->channels == channels) return true;
    report_of(name, "%zu %s%s, but %zu in %s%s", info->channels, is_text ? "column" : "channel",
              info->channels == 1 ? "" : "s", channels, whose,
              may_drop ? "; choose with --columns" : "");
    return false;
}

bool input_has_order(const char *name, const source_info *info, const char *whose,
                     const uint64_t names[2])
{
    if (info->names[1] != names[1] || info->names[0] == names[0]) return true;
    report_of(name, "has its columns in another order than %s; choose with --columns", whose);
    return false;
}

static bool fits(const char *name, const source_info *info, const source_options *how,
                 const input_needs *needs)
{
    if (how->is_found && !info->rate_known && needs->rate_hz > 0) {
        if (needs->is_verbose) report_of(name, "passed over: numbers without a rate (--rate)");
        *how->failure = SOURCE_NO_RATE;
        return false;
    }
    if (!input_has_channels(name, info, needs->whose, needs->channels, how->n_columns == 0))
        return false;
    if (needs->names && !input_has_order(name, info, needs->whose, needs->names)) return false;
    if (source_wants_times(how) && !info->has_columns) {
        report_of(name, "--time-column needs an input of text or JSON Lines");
        return false;
    }
    if (source_wants_groups(how) && !info->has_columns) {
        report_of(name, "--group-by needs an input of text");
        return false;
    }
    if (info->rate_known || needs->rate_hz == 0) return true;
    report_of(name, "no rate is known, but %.9g Hz in %s; give it with --rate", needs->rate_hz,
              needs->whose);
    return false;
}

void input_mic_is_slow(void)
{
    report("warning: the sound system has not answered for %g s; still waiting", MIC_SLOW_S);
}

bool input_is_passed_over(source_failure failure)
{
    return failure == SOURCE_NO_SIGNAL || failure == SOURCE_NO_COLUMN || failure == SOURCE_NO_RATE;
}

static const char *shown_name(const char *path, const input_needs *needs)
{
    return needs && needs->name ? needs->name : input_name(path);
}

static void report_unopened(const char *path, const char *reason, const source_options *how,
                            const input_needs *needs)
{
    if (signals_caught()) return;
    if (needs && how->is_found && input_is_passed_over(*how->failure)) {
        if (needs->is_verbose) report_of(path, "passed over: %s", reason);
    } else if (!needs || !needs->no_messages || *how->failure != SOURCE_UNREADABLE) {
        report_of(shown_name(path, needs), "%s", reason);
    }
}

source *open_input(const char *path, source_options how, const input_needs *needs)
{
    char reason[512];
    source_failure failure;
    if (!how.failure) how.failure = &failure;
    *how.failure = SOURCE_BAD;
    how.mic_is_slow = input_mic_is_slow;
    if (needs) how.near_rate_hz = needs->rate_hz;
    if (needs && mic_is_named(path)) {
        if (how.rate_hz == 0) how.rate_hz = needs->rate_hz;
        if (how.channels == 0 && how.choice == CHANNEL_EACH) how.channels = needs->channels;
    }
    source *src = source_open(path, &how, reason, sizeof reason);
    if (!src) {
        report_unopened(path, reason, &how, needs);
        return NULL;
    }
    const source_info info = source_get_info(src);
    const char *name = shown_name(path, needs);
    input_warn(name, src);
    if (!needs || fits(name, &info, &how, needs)) return src;
    source_close(src);
    return NULL;
}

uint64_t input_limit(double duration_s, double rate_hz)
{
    const double samples = round(duration_s * rate_hz);
    return duration_s > 0 && samples < 1e18 ? (uint64_t)samples : UINT64_MAX;
}
