#include "tools/sigrep-calibrate/one_template.h"

#include <stdlib.h>

#include "tools/common/messages/messages.h"
#include "tools/common/templates/templates.h"
#include "tools/sigrep-calibrate/gap.h"
#include "tools/sigrep-calibrate/histogram.h"
#include "tools/sigrep-calibrate/places.h"

enum { NO_GAP = 1 /* exit status */ };

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
    text_add_format(out,
                    "gap: clear, %.2g times as wide as it must be; threshold %.9g: %zu matches of "
                    "%zu places\n",
                    gap->clearness / GAP_CLEAR, gap->threshold, gap->n_matches, list->n);
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
    if (list->n && !is_quiet) histogram_print(&out, list->scores, list->n, is_clear ? &gap : NULL);
    if (is_clear && is_quiet) text_add_format(&out, "%.9g\n", gap.threshold);
    if (is_clear && !is_quiet) print_gap(&out, list, &gap);
    if (!print_text(&out)) return EXIT_ERROR;
    if (status == GAP_TOO_FEW_PLACES)
        report_too_few(label, list->n);
    else if (!is_clear)
        report_no_gap(label, list, &gap);
    return is_clear ? 0 : NO_GAP;
}

int one_template(const shared_options *o, bool is_quiet)
{
    template_set set = {0};
    place_list list = {0};
    int status = EXIT_ERROR;
    if (templates_load(&set, o) && is_one(&set) && places_search(&list, &set, o))
        status = print(set.items[0].label, &list, is_quiet);
    places_free(&list);
    templates_free(&set);
    return status;
}
