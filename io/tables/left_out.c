#include "io/tables/left_out.h"

#include <stdlib.h>

bool left_out_begin(left_out *l, size_t channels)
{
    l->missing = calloc(channels, sizeof *l->missing);
    l->channels = channels;
    return l->missing;
}

void left_out_free(left_out *l)
{
    free(l->missing);
    l->missing = NULL;
}

uint64_t left_out_missing(const left_out *l, size_t *channel)
{
    uint64_t all = 0;
    *channel = 0;
    for (size_t i = 0; l->missing && i < l->channels; i++) {
        all += l->missing[i];
        if (l->missing[i] > l->missing[*channel]) *channel = i;
    }
    return all;
}

void left_out_end_blank(left_out *l)
{
    l->blank += l->pending;
    l->pending = 0;
}

void left_out_forget_missing(left_out *l, source *src)
{
    for (size_t i = 0; i < l->channels; i++) l->missing[i] = 0;
    src->unfilled = 0;
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* Bad lines count as unfilled, too, but are reported one by one. */
static void report_unfilled(source *src, uint64_t all)
{
    if (all == 0 || src->unfilled <= 0) return;
    const uint64_t n = (uint64_t)src->unfilled < all ? (uint64_t)src->unfilled : all;
    source_warn(src, "%llu missing value%s made %s longer than the %.9g s of --fill",
                (unsigned long long)n, plural(n), n == 1 ? "a gap" : "gaps", src->options.fill_s);
}

static void report_missing(const left_out *l, source *src, const char *name)
{
    size_t channel;
    const unsigned long long all = left_out_missing(l, &channel);
    if (src->options.fill_s > 0) {
        report_unfilled(src, all);
        return;
    }
    if (all == 0) return;
    if (l->missing[channel] == all)
        source_warn(src, "%llu missing value%s in %s made %s; --fill bridges %s", all, plural(all),
                    name, all == 1 ? "a gap" : "gaps", all == 1 ? "it" : "them");
    else
        source_warn(src, "%llu missing values made gaps, most of them in %s; --fill bridges them",
                    all, name);
}

/* `rest`: the words after the noun. */
static void report_lines(source *src, uint64_t n, const char *noun, const char *rest)
{
    if (n > 0)
        source_warn(src, "passed over %llu %s%s %s", (unsigned long long)n, noun, plural(n), rest);
}

/* Many such rows have words for numbers, such as ids. */
static void report_words(const left_out *l, source *src)
{
    enum { FEW = 20 /* of so many rows, one */ };
    if (l->words == 0 || l->words > l->rows / FEW) return;
    source_warn(
        src,
        "%llu row%s with a word in column 1, where others have a number, such as line %llu, "
        "taken for values; begin sums and the like with #",
        (unsigned long long)l->words, plural(l->words), (unsigned long long)l->first_word);
}

void left_out_report(left_out *l, source *src, const char *name)
{
    if (l->is_reported) return;
    l->is_reported = true;
    report_missing(l, src, name);
    report_words(l, src);
    report_lines(src, l->others, "row", "without any of the columns");
    report_lines(src, l->headers, "line", "like the header");
    report_lines(src, l->blank, "blank line", "between samples");
}
