/* template.c - the threshold of a template, by the gap in the scores of recordings. */
#include <math.h>
#include <stdlib.h>

#include "tools/common/median.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"
#include "tools/common/templates/search_setup.h"
#include "tools/common/templates/template_set.h"
#include "tools/sigrep-calibrate/calibrate.h"
#include "tools/sigrep-calibrate/gap.h"
#include "tools/sigrep-calibrate/recordings.h"

enum { NO_GAP = 1 /* exit status */, FIRST_CAPACITY = 1024 };
static const double EVERYTHING = 1e30; /* no score is above it */

/* The scores of all disjoint places at which the template could match. */
typedef struct {
    const template_set *set;
    shared_options o; /* with any score accepted */
    recordings r;
    double *scores; /* ascending, in the end */
    size_t n, capacity;
    const char *best_input; /* where the lowest score is; NULL without one */
    double best_s;          /* its start */
    bool was_interrupted;
} place_list;

/* A sigrep_match_fn. */
static int take_match(void *user, const sigrep_match *m)
{
    place_list *list = user;
    if (list->n == list->capacity) {
        const size_t capacity = list->capacity ? 2 * list->capacity : FIRST_CAPACITY;
        double *scores = realloc(list->scores, capacity * sizeof *scores);
        if (!scores) return 1;
        list->scores = scores;
        list->capacity = capacity;
    }
    if (!list->best_input || m->score < list->scores[0]) {
        list->best_input = list->r.name;
        list->best_s = (double)m->start / list->r.info.rate_hz;
    }
    list->scores[list->n++] = m->score;
    if (m->score < list->scores[0]) { /* the lowest stays first, until all are sorted */
        list->scores[list->n - 1] = list->scores[0];
        list->scores[0] = m->score;
    }
    return 0;
}

static sigrep *make_search(void *user, const recordings *r)
{
    place_list *list = user;
    const search_subject subject = {.set = list->set,
                                    .o = &list->o,
                                    .name = r->name,
                                    .rate_known = r->info.rate_known,
                                    .rate_hz = r->info.rate_hz};
    sigrep_config config;
    sigrep_config_init(&config, sizeof config);
    config.threads = (size_t)list->o.threads;
    config.expected = (double)r->info.frames;
    config.on_match = take_match;
    config.user = list;
    return search_open(&config, &subject, NULL);
}

/* Is there room for the template in the recording? If not, reports so. */
static bool is_long_enough(void *user, const recordings *r)
{
    const place_list *list = user;
    const loaded_template *t = &list->set->items[0];
    const double rate_hz = t->info.rate_known ? t->info.rate_hz : r->info.rate_hz;
    const double own_s = (double)template_kept(t) / rate_hz;
    const double here_s = (double)r->searched / r->info.rate_hz;
    if (own_s <= here_s) return true;
    report_of(r->name, "%.3g s long, shorter than the template of %.3g s", here_s, own_s);
    return false;
}

/* Search the inputs for the set's one template, with any score accepted: its matches are what
 * `sigrep` finds at a threshold, if they score no more. false after a failure, which is reported.
 */
static bool search_places(place_list *list)
{
    const template_set *set = list->set;
    list->o.has_threshold = true;
    list->o.auto_threshold = false;
    list->o.threshold = EVERYTHING;
    list->r = (recordings){.o = &list->o,
                           .needs = {.whose = "the template",
                                     .channels = set->channels,
                                     .names = set->names,
                                     .rate_hz = set->rate_known ? set->rate_hz : 0},
                           .cells = INFINITY,
                           .make_search = make_search,
                           .user = list};
    const bool good = recordings_search(&list->r, is_long_enough);
    list->was_interrupted = good && signals_caught() && !list->r.info.microphone;
    if (list->was_interrupted)
        report_of(list->r.name, "warning: interrupted: the rest is not searched");
    sort_ascending(list->scores, list->n);
    return good;
}

enum { MOST_BINS = 20, BAR = 48, DECIMALS_MOST = 15, SKIPPED_LEAST = 3 };

/* Bin i has the scores in (from + i width, from + (i + 1) width]. */
typedef struct {
    double from, width;
    int first, last;
    int decimals; /* of edges */
} bins;

/* A short number, not below x > 0. */
static double round_up(double x)
{
    static const double steps[] = {1, 1.5, 2, 3, 5, 7};
    const double power = pow(10, floor(log10(x)));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (steps[i] * power >= x) return steps[i] * power;
    return 10 * power;
}

static int decimals_of(double x)
{
    int n = 0;
    for (double scaled = x; n < DECIMALS_MOST; n++, scaled *= 10)
        if (fabs(scaled - round(scaled)) <= 1e-6 * fabs(scaled)) break;
    return n;
}

static int bin_of(const bins *b, double score)
{
    const int i = (int)ceil((score - b->from) / b->width) - 1;
    return score <= b->from ? (i < 0 ? i : -1) : (i < 0 ? 0 : i);
}

static bins make_bins(const double *scores, size_t n, const score_gap *gap)
{
    const double range = scores[n - 1] - scores[0];
    const double width = range > 0 ? round_up(range / MOST_BINS) : 1;
    bins b = {.from = gap ? gap->threshold : floor(scores[0] / width) * width, .width = width};
    b.first = bin_of(&b, scores[0]);
    b.last = bin_of(&b, scores[n - 1]);
    const int of_from = decimals_of(b.from), of_width = decimals_of(b.width);
    b.decimals = of_from > of_width ? of_from : of_width;
    return b;
}

static void print_bin(text_buffer *out, const bins *b, int i, size_t n, size_t most)
{
    const double from = b->from + i * b->width;
    const size_t bar = (n * BAR + most - 1) / most;
    text_add_format(out, "%.*f - %.*f  ", b->decimals, from > 0 ? from : 0, b->decimals,
                    b->from + (i + 1) * b->width);
    for (size_t k = 0; k < bar; k++) text_add_string(out, "#");
    text_add_format(out, "%s%zu\n", bar ? " " : "", n);
}

/* The places in bin i, of scores from scores[*at] on. */
static size_t count(const bins *b, int i, const double *scores, size_t n, size_t *at)
{
    const size_t begin = *at;
    while (*at < n && bin_of(b, scores[*at]) <= i) ++*at;
    return *at - begin;
}

/* The bins from i on that are empty, up to the threshold. */
static int count_empty(const bins *b, int i, double next_score)
{
    const int next = bin_of(b, next_score);
    return (i < 0 && next > 0 ? 0 : next) - i;
}

/* Append about 20 lines, each with the places whose scores lie in (from, to]. With a gap, which may
 * be NULL, the threshold lies between two of them. n >= 1 ascending scores, >= 0. */
static void print_histogram(text_buffer *out, const double *scores, size_t n, const score_gap *gap)
{
    const bins b = make_bins(scores, n, gap);
    size_t most = 1, at = 0;
    for (int i = b.first; i <= b.last; i++) {
        const size_t here = count(&b, i, scores, n, &at);
        if (here > most) most = here;
    }
    at = 0;
    char threshold[SCORE_TEXT];
    text_add_string(out, "score and places\n");
    for (int i = b.first; i <= b.last; i++) {
        if (i == 0 && gap)
            text_add_format(out, "  gap %.4g to %.4g: threshold %s\n", gap->low, gap->high,
                            score_text(threshold, gap->threshold));
        const int empty = count_empty(&b, i, scores[at]);
        if (empty >= SKIPPED_LEAST) {
            text_add_string(out, "  ...\n");
            i += empty - 1;
            continue;
        }
        print_bin(out, &b, i, count(&b, i, scores, n, &at), most);
    }
}

static bool is_one(const template_set *set)
{
    if (set->n == 1) return true;
    report("%zu templates: calibrate one at a time, or make a bundle of them with sigrep-train",
           set->n);
    return false;
}

static void report_no_gap(const char *label, const place_list *list, const score_gap *gap)
{
    if (gap->few)
        report_of(label,
                  "no clear gap: it occurs %s %.3f s of %s with a score of %.4g; at least %d "
                  "matches are needed",
                  gap->few == 1 ? "once, at" : "twice, best at", list->best_s, list->best_input,
                  list->scores[0], GAP_LEAST_BELOW);
    else
        report_of(label,
                  "no clear gap: the clearest, from %.4g to %.4g, is %.2g times as wide as it must "
                  "be",
                  gap->low, gap->high, gap->clearness / GAP_CLEAR);
}

static void report_too_few(const char *label, size_t n)
{
    report_of(
        label,
        "no clear gap: %zu place%s to compare, at least %d are needed; take a longer recording", n,
        n == 1 ? "" : "s", GAP_LEAST_BELOW + GAP_LEAST_ABOVE);
}

static void print_gap(text_buffer *out, const place_list *list, const score_gap *gap)
{
    char threshold[SCORE_TEXT];
    text_add_format(out,
                    "gap: clear, %.2g times as wide as it must be; threshold %s: %zu matches of "
                    "%zu places\n",
                    gap->clearness / GAP_CLEAR, score_text(threshold, gap->threshold),
                    gap->n_matches, list->n);
}

/* Returns the exit status. */
static int print(const char *label, const place_list *list, bool is_quiet)
{
    score_gap gap;
    text_buffer out = {0};
    const gap_status status = gap_find(&gap, list->scores, list->n);
    const bool is_clear = status == GAP_FOUND && gap.clearness >= GAP_CLEAR;
    if (status == GAP_NO_MEMORY) {
        report_no_memory(NULL);
        return EXIT_ERROR;
    }
    if (list->n && !is_quiet) print_histogram(&out, list->scores, list->n, is_clear ? &gap : NULL);
    if (is_clear && is_quiet) {
        text_add_score(&out, gap.threshold);
        text_add_string(&out, "\n");
    }
    if (is_clear && !is_quiet) print_gap(&out, list, &gap);
    if (!print_text(&out)) return EXIT_ERROR;
    if (status == GAP_TOO_FEW_PLACES)
        report_too_few(label, list->n);
    else if (!is_clear)
        report_no_gap(label, list, &gap);
    return is_clear ? 0 : NO_GAP;
}

int calibrate_template(const calibrate_options *c)
{
    template_set set = {0};
    place_list list = {.set = &set, .o = c->o};
    int status = EXIT_ERROR;
    if (templates_load(&set, &c->o) && is_one(&set) && search_places(&list))
        status = print(set.items[0].label, &list, c->is_quiet);
    if (status == 0 && list.was_interrupted) status = SIGNALS_STATUS + signals_which();
    free(list.scores);
    templates_free(&set);
    return status;
}
