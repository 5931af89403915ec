#include "filter/cli/actions.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "filter/cli/common/messages.h"
#include "filter/cli/hold.h"
#include "filter/cli/runner.h"

struct actions {
    hold *hold; /* NULL: not wanted */
};

bool actions_begin(runner *r)
{
    const options *o = r->o;
    if (o->hold_s == 0 && !r->exec) return true;
    actions *a = r->input.actions = calloc(1, sizeof *a);
    if (!a) return false;
    return o->hold_s == 0 || (a->hold = hold_create(o->hold_s, r->set.n));
}

void actions_end(runner *r)
{
    actions *a = r->input.actions;
    if (!a) return;
    hold_destroy(a->hold);
    free(a);
    r->input.actions = NULL;
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
    char text[32] = ""; /* as in CSV: no threshold, nothing */
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
static text_buffer describe(const options *o, const writer_match *match)
{
    text_buffer variables = {0};
    char time[TIME_TEXT_SIZE];
    add_variable(&variables, "FILE", match->file);
    add_variable(&variables, "LABEL", match->label);
    writer_start_text(time, o->times, match);
    add_variable(&variables, "START", time);
    writer_end_text(time, o->times, match);
    add_variable(&variables, "END", time);
    add_count(&variables, "START_SAMPLE", match->start);
    add_count(&variables, "END_SAMPLE", match->end);
    add_number(&variables, "SCORE", match->score);
    add_number(&variables, "THRESHOLD", match->threshold);
    writer_start_text(time, TIME_CLOCK, match);
    if (match->live) add_variable(&variables, "CLOCK", time);
    return variables;
}

void actions_take(runner *r, size_t label, const writer_match *match)
{
    if (!r->exec) return;
    text_buffer variables = describe(r->o, match);
    if (variables.failed) {
        free(variables.data);
        report_no_memory(match->file);
        r->failed = true;
        return;
    }
    exec_add(r->exec, label, match->label, &variables);
}

void actions_look(runner *r)
{
    if (r->exec) exec_report(r->exec);
}
