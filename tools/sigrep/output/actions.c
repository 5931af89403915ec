#include "tools/sigrep/output/actions.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/messages/messages.h"
#include "tools/sigrep/output/hold.h"
#include "tools/sigrep/output/save.h"
#include "tools/sigrep/runner.h"

struct actions {
    hold *hold; /* NULL: not wanted */
    save *save; /* likewise */
};

/* A save_done: now its command can run. */
static void run_command(void *user, save_match *m, const char *path)
{
    runner *r = user;
    if (path && r->exec) {
        text_add_format(&m->notes, "SIGREP_SAVED=%s", path);
        text_add(&m->notes, "", 1);
    }
    if (r->exec && !m->notes.failed) {
        exec_add(r->exec, m->label, r->set->items[m->label].label, &m->notes);
        return;
    }
    if (m->notes.failed) r->failed = true;
    if (m->notes.failed) report_no_memory(m->match.file);
    free(m->notes.data);
}

static const char *extension_of(source *src)
{
    if (!source_lines(src)) return ".wav";
    return strcmp(source_get_info(src).format, "JSON Lines") == 0 ? ".jsonl" : ".csv";
}

static bool begin_save(runner *r, actions *a, source *src, uint64_t horizon)
{
    const options *o = r->o;
    const bool by_clock = r->input.is_microphone && !o->has_times;
    const save_settings settings = {
        .folder = o->save_folder,
        .input = r->input.name,
        .before_s = o->has_before ? o->before_s : o->context_s,
        .after_s = o->has_after ? o->after_s : o->context_s,
        .channels = r->set->channels,
        .scale = r->input.scale,
        .times = by_clock ? TIME_CLOCK : r->out.writer.style.times,
        .horizon = horizon,
        .has_lines = source_lines(src) != NULL,
        .extension = extension_of(src),
        .done = run_command,
        .user = r,
    };
    a->save = save_create(&settings);
    return a->save != NULL;
}

bool actions_begin(runner *r, source *src, uint64_t horizon)
{
    const options *o = r->o;
    if (o->hold_s == 0 && !r->exec && !o->save_folder) return true;
    actions *a = r->input.actions = calloc(1, sizeof *a);
    if (a && o->hold_s > 0) a->hold = hold_create(o->hold_s, r->set->n);
    const bool good =
        a && (o->hold_s == 0 || a->hold) && (!o->save_folder || begin_save(r, a, src, horizon));
    if (good) return true;
    r->failed = true;
    return report_no_memory(r->input.name);
}

void actions_end(runner *r)
{
    actions *a = r->input.actions;
    if (!a) return;
    if (!save_finish(a->save)) r->failed = true;
    hold_destroy(a->hold);
    free(a);
    r->input.actions = NULL;
}

bool actions_need_samples(const runner *r)
{
    return r->input.actions && r->input.actions->save;
}

void actions_read(runner *r, source *src, size_t n)
{
    if (r->exec) exec_report(r->exec);
    if (!actions_need_samples(r)) return;
    const read_buffer *b = &r->buffer;
    save_add(r->input.actions->save, b->frames, b->times, source_lines(src), n);
}

void actions_gap(runner *r, uint64_t n)
{
    if (actions_need_samples(r)) save_gap(r->input.actions->save, n);
}

uint64_t actions_want(const runner *r)
{
    if (!actions_need_samples(r) || !save_waits(r->input.actions->save)) return 0;
    return r->input.limit - save_samples(r->input.actions->save);
}

bool actions_hold(runner *r, size_t label, const writer_match *match)
{
    actions *a = r->input.actions;
    if (!a || !a->hold || !hold_takes(a->hold, label, match)) return false;
    r->totals.held++;
    return true;
}

static void add_variable(text_buffer *variables, const char *name, const char *value)
{
    text_add_format(variables, "SIGREP_%s=%s", name, value);
    text_add(variables, "", 1);
}

static void add_number(text_buffer *variables, const char *name, double value)
{
    char text[32] = ""; /* as in CSV: not known, nothing */
    if (isfinite(value)) snprintf(text, sizeof text, "%.9g", value);
    add_variable(variables, name, text);
}

static void add_count(text_buffer *variables, const char *name, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    add_variable(variables, name, text);
}

/* What a command of --exec is given. */
static text_buffer describe(const runner *r, const writer_match *match)
{
    const bool in_seconds = match->live && !r->o->has_times; /* the clock has its own */
    const time_style style = in_seconds ? TIME_SECONDS : r->out.writer.style.times;
    text_buffer variables = {0};
    char time[TIME_TEXT_SIZE];
    add_variable(&variables, "FILE", match->file);
    add_variable(&variables, "LABEL", match->label);
    writer_start_text(time, style, match);
    add_variable(&variables, "START", time);
    writer_end_text(time, style, match);
    add_variable(&variables, "END", time);
    add_count(&variables, "START_SAMPLE", match->start);
    add_count(&variables, "END_SAMPLE", match->end);
    add_number(&variables, "SCORE", match->score);
    add_number(&variables, "THRESHOLD", match->threshold);
    add_number(&variables, "MARGIN", match->margin);
    writer_start_text(time, TIME_CLOCK, match);
    if (match->live) add_variable(&variables, "CLOCK", time);
    return variables;
}

void actions_take(runner *r, size_t label, const writer_match *match)
{
    const actions *a = r->input.actions;
    save_match m = {.match = *match, .label = label};
    if (!a || (!r->exec && !a->save)) return;
    m.match.label = r->set->items[label].label; /* the search's may be gone by then */
    if (r->exec) m.notes = describe(r, match);
    if (a->save)
        save_take(a->save, &m);
    else
        run_command(r, &m, NULL);
}
