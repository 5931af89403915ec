/*
 * merge.c - each shard knows the truth from where those before it joined it, up to its own join.
 *
 *     shard 1   |#########|#####J1                        matches by the sample that made them
 *     shard 2             |.....####|##J2                 final: # are printed, . are not
 *     shard 3                       |..#######|
 */
#include "tools/sigrep-shards/merge.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/fdio.h"
#include "sigrep.h"
#include "tools/common/messages/messages.h"
#include "tools/sigrep-shards/results.h"

enum { MOST_NAMED = 10 /* missing shards */, OUT_ROOM = 1 << 16 /* bytes */, NO_MATCH = 1 };

/* ---- Do the results go together? ---- */

/* `sigrep-shards: shard 17 of 64 (FILE, samples A-B): WORDS`. Always false. */
static bool refuse(const result *r, const char *words)
{
    const shard_head *head = &r->head;
    char end[24] = "";
    if (head->end != UINT64_MAX) snprintf(end, sizeof end, "%" PRIu64, head->end);
    report("shard %" PRIu64 " of %" PRIu64 " (%s, samples %" PRIu64 "-%s): %s", head->name.number,
           head->name.count, head->path, head->begin, end, words);
    return false;
}

/* Is it of the plan of the first result? */
static bool fits_plan(const result *first, const result *r)
{
    const shard_name *a = &first->head.name, *b = &r->head.name;
    char words[160];
    if (strcmp(b->version, SIGREP_VERSION) != 0) {
        snprintf(words, sizeof words, "is of another version, %s; this is " SIGREP_VERSION,
                 b->version);
        return refuse(r, words);
    }
    if (a->count == b->count && a->options == b->options) return true;
    snprintf(
        words, sizeof words,
        "is of another plan than shard %" PRIu64 ": %s; run line %" PRIu64 " of the plan again",
        a->number, a->count != b->count ? "another number of shards" : "other options or templates",
        b->number);
    return refuse(r, words);
}

/* Does it begin where the shard before it ends, or else its file? before NULL: it is the first. */
static bool follows(const result *before, const result *r)
{
    const bool is_first = !before || before->head.end == UINT64_MAX; /* of its file */
    const uint64_t at = is_first ? 0 : before->head.end;
    char words[160];
    if (r->head.begin != at) {
        snprintf(words, sizeof words,
                 "begins at sample %" PRIu64 ", but %s at %" PRIu64
                 ": there is %s; run line %" PRIu64 " of the plan again",
                 r->head.begin, is_first ? "its file" : "the shard before it ends", at,
                 r->head.begin > at ? "a hole" : "an overlap", r->head.name.number);
        return refuse(r, words);
    }
    if (is_first || strcmp(before->head.name.file, r->head.name.file) == 0) return true;
    snprintf(words, sizeof words, "the file has changed since shard %" PRIu64 "; make a new plan",
             before->head.name.number);
    return refuse(r, words);
}

/* Report the shards of [from, to) as missing: the first ones by number. */
static void report_missing(const result *first, uint64_t from, uint64_t to, uint64_t *n)
{
    for (; from < to && *n < MOST_NAMED; from++, ++*n)
        report("shard %" PRIu64 " of %" PRIu64 " is missing; run line %" PRIu64
               " of the plan again",
               from, first->head.name.count, from);
    if (from == to) return;
    if (*n == MOST_NAMED) report("more shards are missing");
    ++*n;
}

/* Is there one whole result of each number? Those that are not whole are left out if another of
 * their number is. */
static bool are_all_there(results *all)
{
    const result *first = all->items;
    uint64_t next = 1, n_missing = 0;
    size_t n = 0;
    bool good = true;
    char words[64];
    for (size_t i = 0; i < all->n; i++) {
        const result *r = &all->items[i];
        const uint64_t number = r->head.name.number;
        if (number < next) {
            if (r->is_whole) good = refuse(r, "was given twice");
            continue;
        }
        report_missing(first, next, number, &n_missing);
        next = number + 1;
        snprintf(words, sizeof words, "is not whole; run line %" PRIu64 " of the plan again",
                 number);
        if (!r->is_whole) good = refuse(r, words);
        all->order[n++] = r;
    }
    report_missing(first, next, first->head.name.count + 1, &n_missing);
    all->n_ordered = n;
    return good && n_missing == 0;
}

/* May the results be joined? If not, reports why. */
static bool check(results *all)
{
    bool good = true;
    if (all->n == 0) {
        report("there is no result of a shard");
        return false;
    }
    for (size_t i = 0; i < all->n && good; i++) good = fits_plan(&all->items[0], &all->items[i]);
    if (!good || !are_all_there(all)) return false;
    for (size_t i = 0; i < all->n_ordered && good; i++)
        good = follows(i > 0 ? all->order[i - 1] : NULL, all->order[i]);
    const result *last = all->order[all->n_ordered - 1];
    if (good && last->head.end != UINT64_MAX)
        good = refuse(last, "is the last of the plan, but ends before the file does: there is a "
                            "hole; make a new plan");
    return good;
}

/* ---- Joining ---- */

typedef struct {
    text_buffer out;
    uint64_t from;  /* the shards so far know all matches that are final up to here */
    uint64_t *ends; /* of each label: of the last match in this file; 0: there is none */
    size_t n_labels;
    uint64_t matches; /* printed */
} joining;

/* false after a failure, which is reported. */
static bool flush(joining *j)
{
    const int failure =
        j->out.failed ? ENOMEM : fd_write_all(STDOUT_FILENO, j->out.data, j->out.length);
    j->out.length = 0;
    if (failure) report("standard output: %s", strerror(failure));
    return !failure;
}

/* Room for one more label. */
static bool has_label(joining *j, uint64_t label)
{
    if (label < j->n_labels) return true;
    uint64_t *ends = realloc(j->ends, (size_t)(label + 1) * sizeof *ends);
    if (!ends) return report_no_memory(NULL);
    memset(ends + j->n_labels, 0, (size_t)(label + 1 - j->n_labels) * sizeof *ends);
    j->ends = ends;
    j->n_labels = (size_t)label + 1;
    return true;
}

/* --hold of sigrep: is the match too soon after the last one of its label? */
static bool is_held(joining *j, double hold, const shard_match *m)
{
    const uint64_t last = j->ends[m->label];
    if (hold > 0 && last > 0 && (double)(m->start - last) < hold) return true;
    j->ends[m->label] = m->end;
    return false;
}

/* The lines of a result that are new. false after a failure, which is reported. */
static bool add_result(joining *j, const result *r, result_reader *reader)
{
    uint64_t bytes;
    bool good = fseeko(reader->file, r->body, SEEK_SET) == 0 && result_line(reader) &&
                shard_header_parse(&bytes, reader->line) &&
                result_bytes(reader, bytes, r->head.name.number == 1 ? &j->out : NULL);
    for (uint64_t i = 0; i < r->end.matches && good; i++) {
        shard_match m;
        good = result_line(reader) && shard_match_parse(&m, reader->line) && has_label(j, m.label);
        if (!good) break;
        const bool is_new = m.final > j->from && m.final <= r->end.join;
        const bool is_printed = is_new && !is_held(j, r->head.hold, &m);
        good = result_bytes(reader, m.bytes, is_printed ? &j->out : NULL);
        j->matches += is_printed;
        if (good && j->out.length >= OUT_ROOM && !flush(j)) return false;
    }
    return good || refuse(r, "could not be read a second time");
}

static bool join(joining *j, results *all)
{
    for (size_t i = 0; i < all->n_ordered; i++) {
        const result *r = all->order[i];
        result_reader reader = {.file = results_open(all, r->file)};
        if (r->head.begin == 0) {
            j->from = 0;
            j->n_labels = 0;
        }
        const bool good = reader.file && add_result(j, r, &reader);
        if (reader.file) results_close(all, reader.file);
        free(reader.line);
        if (!good) return false;
        if (r->end.join > j->from) j->from = r->end.join;
    }
    return flush(j);
}

int merge(char **files, size_t n)
{
    results all;
    joining j = {0};
    const bool good = results_read(&all, files, n) && check(&all) && join(&j, &all);
    results_free(&all);
    free(j.out.data);
    free(j.ends);
    if (!good) return EXIT_ERROR;
    return j.matches > 0 ? 0 : NO_MATCH;
}
