#include "tools/sigrep/output/actions.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/messages/messages.h"
#include "tools/common/templates/template_set.h"
#include "tools/sigrep/options/options.h"
#include "tools/sigrep/output/exec.h"
#include "tools/sigrep/output/print.h"
#include "tools/sigrep/output/save.h"

/* A clock that is set or kept by others steps back by so many seconds at most. More is another
 * clock, or another log that was joined. */
static const double STEP_BACK_S = 60;

/* Does the match start within the hold of the last one? */
static bool is_within(double seconds, const writer_match *last, const writer_match *match)
{
    const exact_time begun = last->start_time, over = last->end_time, now = match->start_time;
    if (!match->scale.from_column)
        return (double)(match->start - last->end) < seconds * match->scale.rate_hz;
    if (!exact_time_is_known(begun) || !exact_time_is_known(over) || !exact_time_is_known(now))
        return false;
    return exact_time_ns_between(begun, now) >= -fmax(seconds, STEP_BACK_S) * 1e9 &&
           exact_time_ns_between(over, now) < seconds * 1e9;
}

bool hold_takes(double seconds, writer_match *last, const writer_match *match)
{
    if (last->end > 0 && is_within(seconds, last, match)) return true;
    *last = *match;
    return false;
}

/* A save_done: now its command can run. */
static void run_command(void *user, save_match *m, const char *path)
{
    output *out = user;
    if (path && out->exec) {
        text_add_format(&m->notes, "SIGREP_SAVED=%s", path);
        text_add(&m->notes, "", 1);
    }
    if (out->exec && !m->notes.failed) {
        exec_add(out->exec, m->label, out->run->set->items[m->label].label, &m->notes);
        return;
    }
    if (m->notes.failed) out->failed = true;
    if (m->notes.failed) report_no_memory(m->match.file);
    free(m->notes.data);
}

static const char *extension_of(source *src)
{
    if (!source_lines(src)) return ".wav";
    return strcmp(source_get_info(src).format, "JSON Lines") == 0 ? ".jsonl" : ".csv";
}

/* The frames that are saved: before the choice of channels, but for lines. */
static wav_format format_of(source *src)
{
    const source_info info = source_get_info(src);
    if (source_lines(src)) return (wav_format){.channels = info.channels};
    return (wav_format){.integer_bits = info.integer_bits,
                        .is_wide = info.is_wide,
                        .channels = info.native_channels};
}

static bool begin_save(output *out, source *src, uint64_t horizon)
{
    const options *o = out->run->o;
    const double context_s = fmax(o->context_s, 0);
    const bool by_clock = out->input.is_microphone && !o->has_times;
    const save_settings settings = {
        .folder = o->save_folder,
        .input = out->input.name,
        .before_s = o->before_s >= 0 ? o->before_s : context_s,
        .after_s = o->after_s >= 0 ? o->after_s : context_s,
        .format = format_of(src),
        .scale = out->input.scale,
        .times = by_clock ? TIME_CLOCK : out->writer.style.times,
        .horizon = horizon,
        .has_lines = source_lines(src) != NULL,
        .extension = extension_of(src),
        .done = run_command,
        .user = out,
    };
    out->save = save_create(&settings);
    return out->save != NULL;
}

bool actions_begin(output *out, source *src, uint64_t horizon)
{
    const options *o = out->run->o;
    if (o->hold_s > 0) out->last = calloc(out->run->set->n, sizeof *out->last);
    const bool can_hold = out->last || o->hold_s == 0;
    if (can_hold && (!o->save_folder || begin_save(out, src, horizon))) return true;
    out->failed = true;
    return report_no_memory(out->input.name);
}

void actions_end(output *out)
{
    if (!save_finish(out->save)) out->failed = true;
    free(out->last);
    out->save = NULL;
    out->last = NULL;
}

static void add_variable(text_buffer *variables, const char *name, const char *value)
{
    text_add_format(variables, "SIGREP_%s=%s", name, value);
    text_add(variables, "", 1);
}

/* As in CSV: not known, nothing. */
static void add_score(text_buffer *variables, const char *name, double value)
{
    char text[SCORE_TEXT];
    add_variable(variables, name, isfinite(value) ? score_text(text, value) : "");
}

static void add_margin(text_buffer *variables, double value)
{
    char text[32] = "";
    if (isfinite(value)) snprintf(text, sizeof text, "%.9g", value);
    add_variable(variables, "MARGIN", text);
}

static void add_count(text_buffer *variables, const char *name, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    add_variable(variables, name, text);
}

/* What a command of --exec is given. */
static text_buffer describe(const output *out, const writer_match *match)
{
    const bool in_seconds = match->live && !out->run->o->has_times; /* the clock has its own */
    const time_style style = in_seconds ? TIME_SECONDS : out->writer.style.times;
    text_buffer variables = {0};
    char time[TIME_TEXT_SIZE];
    add_variable(&variables, "FILE", match->file);
    if (match->group) add_variable(&variables, "GROUP", match->group);
    add_variable(&variables, "LABEL", match->label);
    writer_start_text(time, style, match);
    add_variable(&variables, "START", time);
    writer_end_text(time, style, match);
    add_variable(&variables, "END", time);
    add_count(&variables, "START_SAMPLE", match->start);
    add_count(&variables, "END_SAMPLE", match->end);
    add_score(&variables, "SCORE", match->score);
    add_score(&variables, "THRESHOLD", match->threshold);
    add_margin(&variables, match->margin);
    writer_start_text(time, TIME_CLOCK, match);
    if (match->live) add_variable(&variables, "CLOCK", time);
    return variables;
}

void actions_take(output *out, size_t label, const writer_match *match)
{
    save_match m = {.match = *match, .label = label};
    if (!out->exec && !out->save) return;
    m.match.label = out->run->set->items[label].label; /* the search's may be gone by then */
    if (out->exec) m.notes = describe(out, match);
    if (out->save)
        save_take(out->save, &m);
    else
        run_command(out, &m, NULL);
}
