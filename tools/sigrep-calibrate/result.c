#include "tools/sigrep-calibrate/result.h"

#include <stdlib.h>

#include "tools/common/input/open_input.h"
#include "tools/common/median.h"
#include "tools/common/messages/messages.h"

/* A candidate that scores at most this multiple of the usual score among takes is likely the label
 * itself. In two and a half hours of other speech none is better than 1.15
 * (docs/lab/calibration.md). */
static const double AS_GOOD = 1.1;

/* The i-th take of the bundle that is one of the label's; false after the last. */
static bool next_take(const calibrated_label *c, size_t *i, sigrep_bundle_take *take)
{
    take->size = sizeof *take;
    while (!sigrep_bundle_get_take(c->bundle, (*i)++, take))
        if (take->label == c->i) return true;
    return false;
}

double result_usual_score(const calibrated_label *c)
{
    sigrep_bundle_take take;
    double *scores = malloc(c->label.n_takes * sizeof *scores), usual = -1;
    size_t n = 0;
    for (size_t i = 0; scores && next_take(c, &i, &take);)
        if (take.peer_score >= 0) scores[n++] = take.peer_score;
    if (n) usual = median(scores, n);
    free(scores);
    return usual;
}

/* How many takes does another one find at the threshold, of how many for which that is known? Of
 * none if several must agree. */
static size_t count_found(const calibrated_label *c, size_t *known)
{
    sigrep_bundle_take take;
    size_t n = 0;
    *known = 0;
    if (c->label.min_matches > 1) return 0;
    for (size_t i = 0; next_take(c, &i, &take);) {
        *known += take.peer_score >= 0;
        n += take.peer_score >= 0 && take.peer_score <= c->label.threshold;
    }
    return n;
}

/* The candidates up to this score, and the best of them. */
static size_t count_candidates(const calibrated_label *c, double score, sigrep_candidate *best)
{
    sigrep_candidate at = {.size = sizeof at};
    size_t n = 0;
    for (size_t k = 0; !sigrep_calibration_get_candidate(c->calibration, c->i, k, &at); k++) {
        if (at.score > score) continue;
        if (n++ == 0 || at.score < best->score) *best = at;
    }
    return n;
}

/* If takes must agree, the usual score is still that of the best one, so some places are missed. */
static void warn_of_label(const calibrated_label *c)
{
    sigrep_candidate best = {0};
    const double usual = result_usual_score(c);
    const size_t n = usual < 0 ? 0 : count_candidates(c, AS_GOOD * usual, &best);
    if (n)
        report_of(input_name(c->inputs[best.recording]),
                  "warning: it seems to hold '%s' %zu time%s, best at %.3f s with a score of "
                  "%.3g (its takes have %.3g among themselves); cut such places out",
                  c->label.name, n, n == 1 ? "" : "s", best.start_s, best.score, usual);
}

void result_warn(const calibrated_label *c)
{
    size_t known;
    warn_of_label(c);
    if (c->label.is_extrapolated)
        report_of(c->label.name,
                  "warning: %.3g hours are too short for %.3g false alarm%s an hour: the "
                  "threshold is extrapolated beyond the scores of the background; %.3g hours would "
                  "do",
                  c->label.hours, c->label.per_hour, c->label.per_hour == 1 ? "" : "s",
                  10 / c->label.per_hour);
    const size_t found = count_found(c, &known);
    if (found < known)
        report_of(
            c->label.name,
            "warning: at threshold %.4g the other takes find only %zu of its %zu takes, so it will "
            "often be missed",
            c->label.threshold, found, known);
}

bool result_misses_most(const calibrated_label *c)
{
    size_t known;
    const size_t found = count_found(c, &known);
    return 2 * found < known;
}

void result_print_header(text_buffer *out)
{
    text_add_string(out, "label\tthreshold\tlow\thigh\talarms/h low\talarms/h high\thours\t"
                         "alarms\ttakes found\talone\tspeech/h\n");
}

void result_print(const calibrated_label *c, text_buffer *out)
{
    size_t known;
    sigrep_candidate best;
    const size_t alarms = count_candidates(c, c->label.threshold, &best);
    const size_t found = count_found(c, &known);
    text_add_escaped(out, c->label.name);
    text_add_format(out, "\t%.9g\t%.4g\t%.4g\t%.3g\t%.3g\t%.4g\t%zu\t", c->label.threshold,
                    c->label.low, c->label.high, c->rates.rate_low, c->rates.rate_high,
                    c->label.hours, alarms);
    if (known)
        text_add_format(out, "%zu/%zu", found, known);
    else
        text_add_string(out, "-");
    if (c->rates.in_speech >= 0)
        text_add_format(out, "\t%.4g\t%.2g\n", c->rates.alone, c->rates.in_speech);
    else
        text_add_string(out, "\t-\t-\n");
}
